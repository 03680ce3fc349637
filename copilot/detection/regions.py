"""`Regions`: the parts of one screen that rules look at, each computed once and only when asked for.

Only the live region counts: the composer, the text directly above it, or the dialog that replaced
it. Scrollback, quoted code, diffs and tool output are never searched for prompts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from copilot.core.screen_rules import ScreenRules
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import inline_choices
from copilot.detection.boxed_list import find_boxed_list
from copilot.detection.choices import Choices, find_numbered, find_pointer, find_radio
from copilot.detection.composer import ComposerBox, find_composer
from copilot.detection.inline_choices import find_buttons
from copilot.detection.input_field import InputField, find_input_field
from copilot.detection.marked_list import FORM as MARKED
from copilot.detection.marked_list import find_marked
from copilot.detection.offered import FORM as OFFERED
from copilot.detection.offered import REACH, find_offered
from copilot.detection.patterns import compiled, found
from copilot.detection.rows import RowKind, Rows, side_panel
from copilot.detection.tabs import FORM as TABS
from copilot.detection.tabs import find_tabs

REGION_NAMES = (
    "screen",
    "last_line",
    "last N",
    "cursor_line",
    "prompt_line",
    "above_line",
    "composer",
    "footer",
    "message",
    "above_composer",
    "above_field",
    "dialog",
    "dialog_body",
    "below_options",
    "after_rule",
    "title",
    "status",
    "top N",
)
_MAX_DIALOG_ROWS = 60
_ROWS_ABOVE = 6
SHELL_LINE = compiled(r"(^|[\w\])~/:@])[$#%] \S")
DIALOG_FORMS = ("numbered", "pointer", "radio", "toggle", "buttons", "boxed")
LIST_FORMS = (*DIALOG_FORMS, OFFERED, MARKED, TABS, "plain_numbered", "lines", "below", "keys", "shortcuts")
"""Lists on rows of their own; the first may be the choices of a dialog."""
INLINE_FORMS = ("yes_no", "hugged", "letters", "letter_run", "words", "shell_above")
"""Options within the line at the cursor."""
STATE_FORMS = ("prose", "prose_yes_no", "turn_ended", "framed", "lit", "field", "cued_field")
"""How the last message ends (a question in prose, the end of a turn); whether the list is boxed or lit;
whether there is an empty input field, and whether something around it says that it takes text."""
_KEY_HINT = compiled(r"(?i)\b(enter|return|esc|escape|tab|space|arrows?)\b|[↑↓⏎]")


@dataclass(frozen=True, slots=True)
class Region:
    """Some rows of the screen, or a text that is not on it (title, status: no rows)."""

    name: str
    rows: tuple[int, ...]
    text: str
    flat: str
    """The same with the rows of each paragraph joined by blanks: for wrapped sentences."""


def _flat(lines: list[str]) -> str:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            paragraphs[-1].append(line.strip())
        elif paragraphs[-1]:
            paragraphs.append([])
    return "\n".join(" ".join(paragraph) for paragraph in paragraphs if paragraph)


class Regions:
    """The regions of one snapshot, read as a profile's screen rules say."""

    def __init__(self, snapshot: ScreenSnapshot, rules: ScreenRules) -> None:
        self.snapshot = snapshot
        self.rules = rules
        self.rows = Rows(snapshot, side_panel(snapshot, rules.form))
        self._regions: dict[str, Region | None] = {}
        self._forms: dict[str, Choices | None] = {}

    def region(self, name: str) -> Region | None:
        """The region of that name; None if this screen has none."""
        if name not in self._regions:
            self._regions[name] = self._made(name)
        return self._regions[name]

    def _made(self, name: str) -> Region | None:
        if name == "title":
            return Region(name, (), self.snapshot.title, self.snapshot.title)
        if name == "status":
            status = self.snapshot.program_status
            return Region(name, (), status.message, status.message) if status is not None else None
        if name in ("cursor_line", "prompt_line"):
            return self._line_region(name)
        bounds = self._bounds(name)
        return self._of_rows(name, *bounds) if bounds is not None else None

    def _bounds(self, name: str) -> tuple[int, int] | None:
        last = len(self.rows) - 1
        word, _, number = name.partition(" ")
        if word in ("last", "top"):
            return self._counted(word, int(number))
        if name == "screen":
            return 0, last
        if name in ("above_line", "last_line"):
            return self._near_line(name)
        if name == "after_rule":
            full = [row for row, kind in enumerate(self.rows.kinds) if kind is RowKind.RULE]
            return (full[-1] + 1, last) if full else (0, last)
        if name in ("dialog", "dialog_body", "below_options"):
            return self._dialog_bounds(name)
        above = name == "above_field"
        return (
            self._last_rows_above(self.composer or self.input_field) if above else self._composer_bounds(name)
        )

    def _near_line(self, name: str) -> tuple[int, int] | None:
        if name == "last_line":
            row = self.rows.last_text_row
            return (row, row) if row >= 0 else None
        above = self._cursor_rows()[0] - 1
        return (0, above) if above >= 0 and self.rows.kinds[above] is RowKind.TEXT else None

    def _counted(self, word: str, number: int) -> tuple[int, int] | None:
        rows = self.rows.text_rows
        if not rows:
            return None
        if word == "top":
            return rows[0], rows[min(number, len(rows)) - 1]
        return rows[-min(number, len(rows))], rows[-1]

    def _dialog_bounds(self, name: str) -> tuple[int, int] | None:
        last = len(self.rows) - 1
        choices = self.choices
        if choices is None:
            if name == "dialog" and self.composer is None and self.rows.text_rows:
                return self._dialog_top(self.rows.last_text_row), last
            return None
        if name == "below_options":
            return choices.last_row + 1, last
        top = self._dialog_top(choices.first_row)
        return (top, choices.first_row - 1) if name == "dialog_body" else (top, last)

    def _composer_bounds(self, name: str) -> tuple[int, int] | None:
        box = self.composer
        if box is None:
            return None
        if name == "composer":
            return box.prompt_row, box.bottom
        if name == "footer":
            return min(box.bottom + 1, len(self.rows) - 1), len(self.rows) - 1
        if name == "above_composer":
            return self._last_rows_above(box)
        return self.message_rows if name == "message" else None

    def _last_rows_above(self, box: ComposerBox | InputField | None) -> tuple[int, int] | None:
        rows = self.rows.text_between(0, box.top - 1)[-_ROWS_ABOVE:] if box is not None else ()
        return (rows[0], rows[-1]) if rows else None

    def _of_rows(self, name: str, first: int, last: int) -> Region:
        lines = [
            text if kind is RowKind.TEXT else ""
            for text, kind in zip(
                self.rows.texts[first : last + 1], self.rows.kinds[first : last + 1], strict=True
            )
        ]
        numbers = self.rows.text_between(first, last)
        return Region(name, numbers, self.rows.joined(first, last), _flat(lines))

    # the line with the cursor

    def _line_region(self, name: str) -> Region | None:
        first, last = self._cursor_rows()
        if last < 0 or last >= len(self.rows):
            return None
        if name == "cursor_line":
            return self._of_rows(name, first, last)
        text = self.prompt_text
        if text is None:
            return None
        return Region(name, tuple(range(first, last + 1)), text, text)

    def _cursor_rows(self) -> tuple[int, int]:
        """The rows of the logical line that holds the cursor, or that holds the last text before it."""
        row = min(self.snapshot.cursor.row, len(self.rows) - 1)
        first = row
        wrapped = self.snapshot.wrapped
        while first > 0 and wrapped and wrapped[first - 1]:
            first -= 1
        return first, row

    @cached_property
    def prompt_text(self) -> str | None:
        """The line before the cursor; None if text follows it on the line.

        Dim text behind the cursor is a hint, not an answer.
        """
        first, row = self._cursor_rows()
        if row < 0:
            return None
        cursor = self.snapshot.cursor
        before = "".join(self.snapshot.characters[row][: cursor.column])
        parts = ["".join(self.snapshot.characters[r]).rstrip() for r in range(first, row)]
        behind = self.snapshot.characters[row][cursor.column :]
        styles = self.snapshot.styles[row][cursor.column :]
        for text, style in zip(behind, styles, strict=True):
            if text.strip() and not (style.dim or style.foreground == "brightblack" or style.foreground == 8):
                return None
        line = "".join([*parts, before])
        return line if line.strip() else None

    @cached_property
    def gap_before_cursor(self) -> int:
        """The blanks between the last text of the cursor's row and the cursor."""
        row, column, _ = self.snapshot.cursor
        if row >= len(self.rows):
            return 0
        before = "".join(self.snapshot.characters[row][:column])
        return len(before) - len(before.rstrip())

    @cached_property
    def cursor_place(self) -> frozenset[str]:
        """Words for where the cursor is: hidden or visible, start, end, after, last (on the last text)."""
        row, column, visible = self.snapshot.cursor
        words = {"visible" if visible else "hidden"}
        last = self.rows.last_used_row
        if column == 0:
            words.add("start")
        if visible and (row > last or (row == last and column == 0 and len(self.rows) > 1)):
            words.add("after")
        if row == self.rows.last_text_row:
            words.add("last")
        if row == len(self.rows) - 1:
            words.add("bottom")
        text = self.prompt_text
        if text is not None and column > 0 and self.gap_before_cursor <= 2:
            words.add("end")
            if self.gap_before_cursor:
                words.add("gap")
        return frozenset(words)

    # the composer and the text above it

    @cached_property
    def composer(self) -> ComposerBox | None:
        """The CLI's input box, unless the row that looks like it is an option of a dialog."""
        form = self.rules.composer
        box = find_composer(self.rows, form)
        if box is not None and box.draft and not form.placeholder and self._holds_only_a_hint(box):
            box = replace(box, draft="")
        if box is None or form.framed:
            return box
        listed = find_numbered(self.rows, self.rules.form.pointers, 0, self.rows.last_text_row)
        inside = listed is not None and listed.first_row <= box.prompt_row <= listed.last_row
        return None if inside else box

    def _holds_only_a_hint(self, box: ComposerBox) -> bool:
        """Whether it is an empty field with a placeholder, where the profile says nothing of placeholders."""
        field = self.input_field
        return field is not None and field.faint and field.row == box.prompt_row

    @cached_property
    def input_field(self) -> InputField | None:
        """An empty input field at the cursor, in a box, whichever program's it is."""
        return find_input_field(self.rows)

    @cached_property
    def message_end(self) -> tuple[int, bool]:
        """The last row above the composer that is no spinner or tip, and whether it says that a turn ended.

        (-1, False) if there is none.
        """
        box = self.composer
        form = self.rules.form
        ended = False
        row = box.top - 1 if box is not None else self.rows.last_text_row
        while row >= 0:
            text = self.rows.texts[row]
            if self.rows.kinds[row] in (RowKind.BLANK, RowKind.RULE) or found(form.ignore, text):
                row -= 1
            elif not ended and found(form.turn_end, text):
                ended = True
                row -= 1
            else:
                return row, ended
        return -1, ended

    @cached_property
    def message_rows(self) -> tuple[int, int] | None:
        """First and last row of the CLI's last message, None if something else is above the composer."""
        end, _ = self.message_end
        form = self.rules.form
        if end < 0:
            return None
        for row in range(end, max(end - _MAX_DIALOG_ROWS, -1), -1):
            text = self.rows.texts[row]
            if found(form.message, text):
                return row, end
            if found(form.user, text) or found(form.aside, text):
                return (row + 1, end) if not form.message and row < end else None
        return (0, end) if end < _MAX_DIALOG_ROWS else None

    # lists of options

    @cached_property
    def choices(self) -> Choices | None:
        """The live list of options, of whatever form is lowest; None if there is none."""
        best: Choices | None = None
        for form in DIALOG_FORMS:
            choices = self.form(form)
            if choices is None:
                continue
            # a boxed list reaches down to its buttons, which only say what Enter does with it
            if best is None or choices.first_row > best.last_row or form == "boxed":
                best = choices
        by_rules = (self._read_by_rules(form) for form in (OFFERED, MARKED, TABS))
        return best or next(filter(None, by_rules), None)

    def _read_by_rules(self, form: str) -> Choices | None:
        """The list of a form that only counts where a rule of the profile reads it."""
        reads = any(form in rule.options.split("|") for rule in self.rules.rules)
        return self.form(form) if reads else None

    def form(self, name: str) -> Choices | None:
        """The live list of that form: near the end of the screen, and no composer below it."""
        if name == OFFERED:
            return self.offered
        if name not in self._forms:
            self._forms[name] = self._live(self._found_form(name))
        return self._forms[name]

    @cached_property
    def offered(self) -> Choices | None:
        """Choices in the last rows, wherever the cursor is and whatever input field is drawn near them."""
        place = self.cursor_place
        box = self.composer or self.input_field
        line_mode = box is None and {"visible", "last", "end"} <= place
        drawn = box is not None or "hidden" in place or self.snapshot.alternate_screen
        top = box.top if box is not None else None
        return find_offered(self.rows, line_mode, drawn, top) or self._boxed_list_above_a_field()

    def _boxed_list_above_a_field(self) -> Choices | None:
        """A list with a pointer in a box of its own, though something like a composer is drawn below it."""
        for form in ("numbered", "pointer", "radio"):
            choices = self._found_form(form)
            if choices is not None and self.rows.framed[choices.first_row] and choices.selected:
                below = [row for row in self.rows.text_rows if row > choices.last_row]
                return replace(choices, form=OFFERED) if len(below) <= REACH else None
        return None

    def _found_form(self, name: str) -> Choices | None:
        first, last = 0, self.rows.last_text_row
        pointers = self.rules.form.pointers
        row = self.snapshot.cursor.row
        finders: dict[str, Callable[[], Choices | None]] = {
            "numbered": self._selected_list,
            "plain_numbered": lambda: find_numbered(self.rows, pointers, first, last),
            "pointer": lambda: find_pointer(self.rows, pointers, first, last),
            "radio": lambda: find_radio(self.rows, first, last),
            "toggle": self._toggle,
            MARKED: lambda: find_marked(self.rows),
            TABS: lambda: find_tabs(self.rows),
            "buttons": lambda: self._buttons,
            "boxed": lambda: find_boxed_list(self.rows, self._buttons),
            "shortcuts": lambda: inline_choices.shortcuts(self.rows, last),
            "lines": lambda: inline_choices.lettered_rows(self.rows, first, row),
            "below": lambda: inline_choices.rows_below(self.rows, row, last),
            "keys": lambda: inline_choices.named_keys(self.rows, last) if last >= 0 else None,
        }
        return finders[name]() if name in finders else self._inline(name)

    @cached_property
    def _buttons(self) -> Choices | None:
        return find_buttons(self.rows, 0, self.rows.last_text_row, self.rules.form.buttons)

    def _selected_list(self) -> Choices | None:
        """A numbered list counts as a dialog's only if one of its rows is marked as selected.

        If only colours mark it, a frame or a row that names keys must say that it is a dialog.
        """
        choices = find_numbered(self.rows, self.rules.form.pointers, 0, self.rows.last_text_row)
        if choices is None or not choices.selected:
            return None
        if choices.lit and not self.rows.framed[choices.first_row]:
            below = self.rows.texts[choices.last_row + 1 :]
            hints = (row for row in below if not found(self.rules.form.ignore, row))
            return choices if any(_KEY_HINT.search(row) for row in hints) else None
        return choices

    def _toggle(self) -> Choices | None:
        row = self.rows.last_text_row
        return inline_choices.toggle(self.rows, row) if row >= 0 else None

    def _inline(self, name: str) -> Choices | None:
        line = self.region("prompt_line")
        if line is None and name == "yes_no" and not self.snapshot.cursor.visible:
            line = self.region("cursor_line")  # enquirer hides the cursor within its line
        if line is None:
            return None
        if name == "shell_above":
            above = self.rows.texts[line.rows[0] - 1] if line.rows[0] else ""
            typed = SHELL_LINE.search(above) is not None
            return Choices(name, (), line.rows[0], line.rows[-1]) if typed else None
        readers = {
            "yes_no": inline_choices.yes_no,
            "hugged": inline_choices.hugged,
            "letters": inline_choices.letters,
            "letter_run": inline_choices.letter_run,
            "words": inline_choices.words,
        }
        options = readers[name](line.text.rstrip())
        return Choices(name, options, line.rows[0], line.rows[-1]) if options else None

    def _live(self, choices: Choices | None) -> Choices | None:
        if choices is None:
            return None
        box = self.composer
        if box is not None and not choices.first_row <= box.prompt_row <= choices.last_row:
            return None if box.prompt_row > choices.last_row else choices
        below = [row for row in self.rows.text_rows if row > choices.last_row]
        if not self.rows.framed[choices.first_row] and RowKind.TOP in self.rows.kinds[choices.last_row + 1 :]:
            # another box opens below the list
            return None
        return choices if len(below) <= self.rules.form.below_dialog else None

    def _dialog_top(self, row: int) -> int:
        """The first row of the dialog whose options begin at `row`."""
        form = self.rules.form
        blanks = 0
        top = row
        for number in range(row - 1, max(row - _MAX_DIALOG_ROWS, -1), -1):
            kind = self.rows.kinds[number]
            text = self.rows.texts[number]
            inside = self.rows.same_frame(number, row)
            if kind in (RowKind.RULE, RowKind.TOP) and not inside:
                break
            if kind is RowKind.TEXT and found(form.top, text):
                return number
            if kind is RowKind.TEXT and self._ends_dialog(number, row):
                return top
            blanks = blanks + 1 if kind is RowKind.BLANK and not inside else 0
            if blanks >= form.dialog_gap:
                break
            top = number if kind is RowKind.TEXT else top
        return top

    def _ends_dialog(self, number: int, row: int) -> bool:
        """Whether a row is no part of the dialog with options at `row`: it lies outside the box, or it
        opens another block."""
        if self.rows.framed[row]:
            return not self.rows.framed[number]
        text = self.rows.texts[number]
        form = self.rules.form
        return any(found(pattern, text) for pattern in (form.message, form.user, form.aside, form.turn_end))

    def numbers_of(self, pattern: str, region: Region) -> tuple[int, ...]:
        """The rows of a region on which a pattern is found, for the evidence."""
        wanted = compiled(pattern)
        return tuple(row for row in region.rows if wanted.search(self.rows.texts[row]))
