"""A case as the rows of the dialog in which Claude Code or Codex asks for it, 120 columns by 40 rows.

The layouts are those of the recordings in `tests/corpus`: Claude Code 2.1.329 (`claude/plan_approve`, `psp_session`,
`two_permissions`), Codex 0.169.0 (`codex/edit_session`, `two_permissions`) and, where the whole change is on the
screen, the same without alternate screen (`codex/inline_no_alt_screen`). No recording has Claude's "Overwrite file":
its rows are those of an edit under the words that the profile knows.

What does not fit is left out as those programs do it: Claude Code keeps the end of its dialog and counts the rows
above, Codex shows three changed rows and offers the rest.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from tests.guard_edits.cases import Case

COLUMNS, LINES = 120, 40
_CONTEXT = 3
_CODEX_SHOWN = 3
_TITLES = {"claude": "✳ Claude Code", "codex": "[ . ] Action Required | project"}


@dataclass(frozen=True, slots=True)
class Dialog:
    """The rows of the whole screen, top first, and the window's title. `cut`: not all of the change is in them."""

    rows: tuple[str, ...]
    title: str
    cut: bool

    def painted(self) -> bytes:
        """What a child writes to show it, on the alternate screen and with its cursor hidden."""
        rows = "".join(f"\x1b[{number};1H{row}" for number, row in enumerate(self.rows, 1))
        return f"\x1b]0;{self.title}\x07\x1b[?1049h\x1b[?25l\x1b[2J{rows}".encode()


def dialog_of(case: Case, project: str) -> Dialog:
    """The dialog of a case in the folder `project`."""
    rows, cut = _claude(case) if case.cli == "claude" else _codex(case, project)
    return Dialog(tuple(rows), _TITLES[case.cli], cut)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a diff: the line's number, one of " +-", the text. Number 0: lines are left out here."""

    number: int
    sign: str
    text: str


def _changes(case: Case) -> list[_Row]:
    return list(_diff((case.before or "").splitlines(), (case.after or "").splitlines()))


def _diff(old: list[str], new: list[str]) -> Iterator[_Row]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for count, group in enumerate(matcher.get_grouped_opcodes(_CONTEXT)):
        if count:
            yield _Row(0, " ", "")
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield from (
                    _Row(new_from + at + 1, " ", text) for at, text in enumerate(old[old_from:old_to])
                )
                continue
            yield from (_Row(old_from + at + 1, "-", text) for at, text in enumerate(old[old_from:old_to]))
            yield from (_Row(new_from + at + 1, "+", text) for at, text in enumerate(new[new_from:new_to]))


def _numbered(rows: list[_Row], indent: str, left_out: str, *, signs: bool = True) -> list[str]:
    width = len(str(max((row.number for row in rows), default=0)))
    lines = []
    for row in rows:
        if not row.number:
            lines.append(left_out)
            continue
        gutter = f"{indent}{row.number:>{width}} {row.sign if signs else ''}"
        parts = _wrapped(row.text.expandtabs(4), COLUMNS - len(gutter) - 1)
        lines += [gutter + parts[0], *(" " * len(gutter) + part for part in parts[1:])]
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return [text[at : at + width] for at in range(0, len(text), width)] or [""]


_CLAUDE_WORDS = {
    "edit": ("Update", "Edit file", "make this edit to"),
    "create": ("Write", "Create file", "create"),
    "overwrite": ("Write", "Overwrite file", "overwrite"),
}


def _claude(case: Case) -> tuple[list[str], bool]:
    if case.kind == "command":
        said, body = _claude_command(case)
    else:
        said, body = _claude_change(case)
    top = [
        " ▐▛███▛█   Claude Code v2.1.329",
        "▝▜██████▀  Opus 5.5 · API Usage Billing",
        " ▝▝   ▝▝",
        "",
        "",
        "❯ go on",
        "",
    ]
    room = LINES - 2
    if len(body) > room:
        hidden = len(body) - room
        more = f" ↑ {hidden} more line{'s' if hidden > 1 else ''}"
        # The rule and the header may be hidden while every changed row is on the screen.
        return [*body[hidden:], more, _CLAUDE_FOOT], hidden > _CLAUDE_HEAD
    above = [*top, *said][-(room - len(body)) :] if len(body) < room else []
    return [*above, *body, "", _CLAUDE_FOOT], False


_CLAUDE_FOOT = " Esc to cancel · Tab to amend"
_CLAUDE_HEAD = 4


def _claude_change(case: Case) -> tuple[list[str], list[str]]:
    tool, header, asked = _CLAUDE_WORDS[case.kind]
    if case.kind == "create":
        rows = _numbered(_changes(case), "  ", "", signs=False)
    else:
        rows = _numbered(_changes(case), " ", " ...")
    body = _claude_box(
        [f" {header}", f" {case.path}"],
        rows,
        f" Do you want to {asked} {PurePosixPath(case.path).name}?",
        "Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)",
    )
    return ["● I'll go on.", "", f"● {tool}({case.path})", ""], body


def _claude_command(case: Case) -> tuple[list[str], list[str]]:
    rows = [f" {row}" for row in textwrap.wrap(case.command, COLUMNS - 2, break_long_words=True)]
    body = _claude_box(
        [" Bash command", " Clean up"],
        rows,
        " Do you want to proceed?",
        f"Yes, and don’t ask again for: {case.command.split()[0]} *",
    )
    return ["● I'll go on.", "", "● Cleaning up", f"  ⎿ \xa0$ {rows[0].strip()}", ""], body


def _claude_box(head: list[str], rows: list[str], question: str, widening: str) -> list[str]:
    dots = "╌" * COLUMNS
    options = [" ❯ 1. Yes", f"   2. {widening}", "   3. No"]
    return ["─" * COLUMNS, *head, dots, *rows, dots, question, *options]


_CODEX_DONE = {"edit": "Edited", "overwrite": "Edited", "create": "Added", "delete": "Deleted"}


def _codex(case: Case, project: str) -> tuple[list[str], bool]:
    start = [
        "",
        "  >_ OpenAI Codex (v0.169.0)",
        f"     {project}",
        "",
        "",
        "› go on",
        "",
        "",
        "• I'll go on.",
        "",
    ]
    if case.kind == "command":
        rows = textwrap.wrap(case.command, COLUMNS - 6, break_long_words=True)
        told = [f"• Running {rows[0]}"]
        asked = _codex_command(case, rows)
        return _codex_screen([*start, *told], asked), False
    changes = _changes(case)
    added, removed = (sum(row.sign == sign for row in changes) for sign in "+-")
    header = f"• {_CODEX_DONE[case.kind]} {case.path} (+{added} -{removed})"
    asked = _codex_edit(f"{project}/{case.path}")
    whole = _numbered(changes, "    ", "    ⋮")
    changed = [row for row in changes if row.sign != " "]
    if case.cut or len(changed) <= _CODEX_SHOWN:
        shown = _numbered(changed[:_CODEX_SHOWN], "    ", "")
        hidden = len(changed) > _CODEX_SHOWN
        return _codex_screen([*start, header, *shown, "    + Show details"], asked), hidden
    cut = len(whole) + 1 > LINES - len(asked)
    return _codex_screen([*start, header, *whole], asked), cut


def _codex_screen(told: list[str], asked: list[str]) -> list[str]:
    """The dialog at the bottom, the end of what was told above it."""
    room = LINES - len(asked)
    above = told[-room:]
    return [*above, *[""] * (room - len(above)), *asked]


def _codex_edit(destination: str) -> list[str]:
    return [
        "",
        "",
        "  Would you like to make the following edits?",
        "",
        "  Description: Apply proposed file edits",
        f"  Destination: {destination}",
        *_codex_options("these files (a)"),
    ]


def _codex_command(case: Case, rows: list[str]) -> list[str]:
    first = case.command.split()[0]
    return [
        "",
        "  Would you like to run the following command?",
        "",
        "  Environment: local",
        "",
        "  Reason: Clean up?",
        "",
        f"  $ {rows[0]}",
        *(f"    {row}" for row in rows[1:]),
        *_codex_options(f"commands that start with `{first}` (p)"),
    ]


def _codex_options(widening: str) -> list[str]:
    return [
        "",
        "",
        "› 1. Yes, proceed (y)",
        f"  2. Yes, and don't ask again for {widening}",
        "  3. No, and tell Codex what to do differently (esc)",
        "",
        "  Press enter to confirm or esc to cancel",
    ]
