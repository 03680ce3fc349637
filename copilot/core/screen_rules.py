"""How the screens of one CLI read: regions, reports and rules as data. Part of a `Profile`.

A rule says what a screen is (its kind) if its clauses hold. Rules are only data here; `detection/`
compiles and evaluates them, `config/` reads them from TOML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Composer:
    """The CLI's own input box: how it is found, and what in it was not typed by anybody.

    `prompt` is a regular expression of the first row of the box, frame stripped; its match is not part of
    the draft. `framed` means that full-width rules are above and below. `footer` must be found in the rows
    under the box, `within_rows` is the most rows below the first one. `placeholder` is a text
    that is a hint and never a draft (dim text never is); `placeholder_colours` are its colours.
    """

    prompt: str = ""
    framed: bool = False
    bright: bool = False
    """The prompt's glyph is not dim (where older messages carry the same glyph, but dim)."""
    between_rules: bool = False
    """There is no prompt glyph: the rows between the two lowest full-width rules are the box."""
    bar: str = ""
    """Where no prompt is found, the lowest box whose rows begin with this bar (a second look of the CLI)."""
    draft_above: bool = False
    """The prompt is the last row of the box: the draft is above it, behind the same bar."""
    at_cursor: bool = False
    """Only the row with the cursor on the last text row is the prompt (a line editor's)."""
    below_rule: int = 0
    """So many rows may stand between a full-width rule and the prompt, and belong to the box."""
    footer: str = ""
    within_rows: int = 12
    placeholder: str = ""
    placeholder_colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScreenForm:
    """How this CLI draws. `pointers` are the glyphs that mark the selected row of a list.

    `top` is a regular expression of the row that opens a dialog, besides rules and box tops. `turn_end` is
    the row that a CLI prints when a turn has ended. `message` opens a block of the CLI's own words, `user`
    one of the user's, `aside` one that is neither (a tool call, a tip).
    `below_dialog` is how many rows with text may follow the options of a live dialog.
    """

    pointers: str = "❯›▸»"
    top: str = ""
    turn_end: str = ""
    message: str = ""
    user: str = ""
    aside: str = ""
    below_dialog: int = 4
    dialog_gap: int = 3
    """So many blank rows in a row end a dialog upwards."""
    buttons: str = ""
    """A regular expression of one button, its label in group 1; without it only `<Yes>` is one."""
    ignore: str = ""
    """Rows that are never part of a message or dialog: spinners, tips, counters."""
    side_panel: int = 0
    """So many columns at the right are a panel of its own if `side_panel_foot` is found in the lowest of its
    rows with text and nothing crosses its edge; they are not read."""
    side_panel_foot: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The CLI's own word for its state, read from the window title or the progress report.

    `says` is one of working, blocked, idle, done, error.
    """

    says: str
    title: str = ""
    progress: bool | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Which reports of the child count, and how far they are believed.

    `program_status`: OSC 7501. `working_outranks`: while it reports that it works, text that looks like a
    dialog is not answered. `titles` count only as long as there is no program status.
    """

    program_status: bool = True
    working_outranks: bool = True
    titles: tuple[Report, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition. All of its parts that are given must hold.

    `pattern` is searched in `region` (the rule's own, if empty). `style` wants a match that is drawn wholly
    dim, bold, italic, underline, reverse, coloured or plain. `form` wants a live list of that form
    (numbered, pointer, radio, toggle, buttons, lines, yes_no, letters, words …), a question in prose
    (prose, prose_yes_no), the end of a turn (turn_ended), an empty input field in a box (field) or one that a
    prompt mark, a placeholder or key hints show to take text (cued_field); several are divided by `|`.
    `status` is a regular expression of `state` or `state:kind` of the program status, `title` of the window
    title. `cursor` holds words that must all be true: hidden, visible, start (column 0), end (behind the
    line's text), gap (with a blank between), after (below all text), last (on the last text row), bottom
    (on the last row).
    `tty` holds words that must all be true: reading, idle, silent (echo off), echo, canonical, raw. A word
    fails where the platform does not report it, unless it ends with `?`.
    """

    pattern: str = ""
    region: str = ""
    style: str = ""
    form: str = ""
    status: str = ""
    title: str = ""
    cursor: str = ""
    tty: str = ""
    composer: bool | None = None
    alternate_screen: bool | None = None


@dataclass(frozen=True, slots=True)
class Anchors:
    """How this CLI always draws a permission dialog: what is elsewhere is not the dialog's own.

    A command or a file may hold rows that look like the dialog's. Only what is drawn exactly so counts:
    `rule` is the character of the row across the whole screen that opens the dialog, `line` that of the two
    that enclose its body; `indent` is how many blanks every other row begins with. `headers` is a regular
    expression of the rows that name what a dialog is about: under `rule`, or, without `rule`, the only such
    row. `bare` means that it writes no blanks behind a row's text: many of them hide how the row goes on.
    """

    rule: str = ""
    line: str = ""
    indent: int = 0
    headers: str = ""
    bare: bool = False


@dataclass(frozen=True, slots=True)
class SubjectRule:
    """Where a permission prompt shows what it is about.

    `start` is the row where it begins: from its group 1, if it has one, else from the next row. `end` is
    the row before which it stops, the last such row if there are several (the options do in any case): a
    command may hold blank rows, and rows that look like the dialog's. `start` and `end` see each row without
    the frame around it, and as it is. `cut` found from there to the region's end means that not all of it is
    shown. `message` reads it from the program status, group 1: that counts where the dialog cuts.
    """

    action: str
    start: str = ""
    end: str = ""
    cut: str = ""
    message: str = ""
    when: str = ""
    """Must be found in the region, else this entry is skipped."""
    end_last: bool = False
    """`end` counts only on the last row with text: where there may be none, a command may hold such a row."""
    single_row: bool = False
    boxed: bool = False
    """The dialog shows it once more, whole, in the rows below: there it must be the same."""
    unbroken: bool = False
    """It has no line ends (a path, an address): rows are a wrap. Every `start` begins another one."""
    margin: int = 4
    """How many columns the CLI leaves free at the right when it wraps; too many is safe, too few is not."""
    breaks: str = ""
    """Characters behind which the CLI also wraps, as it does at a blank (`-/`)."""
    tail: str = ""
    """What the dialog prints behind it on its last row, a regular expression; without it, it is cut."""
    room: int = 0
    """So many rows the dialog has for it, its padding counted; where all are used, some may be hidden."""
    region: str = ""
    """Where it is looked for, instead of the rule's region."""
    style: str = ""
    """In place of `start`: the block of rows drawn so (a word of `Clause.style`) at the end of the region."""
    header: str = ""
    """The dialog's header, where the profile has `screen.anchors`; another one is another dialog."""
    asks: str = ""
    """What the dialog asks below the body, whole; another question is another dialog."""
    headless: bool = False
    """Counts only where the header is not on the screen any more. Not all of it is shown then."""
    anchored: bool = True
    """False: the profile's anchors do not hold here, as this dialog is drawn another way."""
    once: bool = False
    """A second row that fits `start` makes it uncertain which one is the dialog's own."""
    apart: bool = False
    """A blank row is before `start`."""
    indent: int = 0
    """Every row after the first begins with so many blanks."""
    change: str = ""
    """How a change of a file is shown: `body` (numbered rows between the lines), `above` (a block of the
    CLI's transcript right above the dialog)."""


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A screen on which the rule must match, tested when the file is loaded in tests.

    `screen` is its text; the cursor is at `▮` if there is one, else after the last text.
    """

    screen: str
    question: str | None = None
    options: tuple[str, ...] = ()
    title: str = ""
    status: str = ""
    alternate_screen: bool = False
    cursor_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. The matching rule of the highest priority decides, before weighing in what the CLI reports.

    `question` is a regular expression over the region with wrapped rows joined: group 1, else all of the
    match; the last match counts. A pattern that begins with `(?m` sees rows as they are. `options` names how
    they are read (the forms of `Clause.form`, or `yes_no`); `option_keys` how they are chosen: `digit`,
    `digit Enter`, `letter` (the label's first), `one key` (what is shown, without Enter), `arrows` (the
    pointer is moved and looked at), `arrow path` (the same in one go), `yes_no words`, `as shown`.
    `confirm_seconds` is how long the reading must hold; -1 takes the profile's for the kind.
    """

    id: str
    kind: str
    region: str = "screen"
    priority: int = 50
    all: tuple[Clause, ...] = ()
    any: tuple[Clause, ...] = ()
    not_: tuple[Clause, ...] = ()
    question: str = ""
    question_text: str = ""
    """Words of our own, where the screen has none (an editor's mode, a bare continuation prompt)."""
    options: str = ""
    option_keys: str = ""
    subjects: tuple[SubjectRule, ...] = ()
    bare: str = ""
    """A regular expression of the lines that name nothing themselves: they ask about the rows above."""
    multi_line: bool = False
    ends_input: bool = False
    """The text of several lines ends with Ctrl-D (a hint in `detectors.json`)."""
    note: str = ""
    confirm_seconds: float = -1.0
    still: bool = False
    """Counts only if nothing on the whole screen and in the title has changed for its confirmation time."""
    certainty: float = 1.0
    versions: str = ""
    """Versions of the CLI it holds for, such as `>=2.1, <3`; empty: all."""
    evidence: str = ""
    """Where it was measured, for whoever changes it."""
    examples: tuple[RuleExample, ...] = ()


@dataclass(frozen=True, slots=True)
class ScreenRules:
    """Everything a profile says about screens. `confirm_seconds` is by kind, `default` for the rest."""

    composer: Composer = field(default_factory=Composer)
    form: ScreenForm = field(default_factory=ScreenForm)
    evidence: Evidence = field(default_factory=Evidence)
    confirm_seconds: Mapping[str, float] = field(default_factory=dict)
    anchors: Anchors = field(default_factory=Anchors)
    rules: tuple[Rule, ...] = ()
    classifier: str = ""
    """A plug-in that is heard beside the rules, by name (`detection/witness.py`); empty for none."""
