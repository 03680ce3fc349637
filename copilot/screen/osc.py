"""Operating system commands: titles, links, clipboard, notifications, progress, marks, status reports."""

from __future__ import annotations

import base64
import binascii

from copilot.core.snapshot import ProgramStatus
from copilot.screen.answers import Answers
from copilot.screen.events import (
    ClipboardWrite,
    LinkSeen,
    Notification,
    ProgressChanged,
    ShellMark,
    StatusReported,
    TitleChanged,
)
from copilot.screen.tokens import clean

LONGEST_TITLE = 1024
LONGEST_LINK = 2083
LONGEST_NOTE = 4096
DEEPEST_TITLES = 10
STATES = frozenset({"idle", "working", "blocked", "done", "error", "clear"})


class OperatingSystemCommands(Answers):
    """`on_osc` and a method per command; what is unknown is dropped."""

    answer_program_status = True

    def on_osc(self, text: str, terminator: str) -> None:
        number, _, rest = clean(text).partition(";")
        handler = _HANDLERS.get(number)
        if handler is not None:
            handler(self, rest, terminator)

    def set_title(self, param: str) -> None:
        self.title = clean(param)[:LONGEST_TITLE]
        self.tell(TitleChanged(self.title))

    def set_icon_name(self, param: str) -> None:
        self.icon_name = clean(param)[:LONGEST_TITLE]

    def push_title(self) -> None:
        self._titles = [*self._titles, self.title][-DEEPEST_TITLES:]

    def pop_title(self) -> None:
        if self._titles:
            self.set_title(self._titles.pop())

    def _both_titles(self, text: str, _terminator: str) -> None:
        self.set_icon_name(text)
        self.set_title(text)

    def _window_title(self, text: str, _terminator: str) -> None:
        self.set_title(text)

    def _icon_name(self, text: str, _terminator: str) -> None:
        self.set_icon_name(text)

    def _link(self, text: str, _terminator: str) -> None:
        target = text.partition(";")[2]
        if len(target) <= LONGEST_LINK:
            self.link_to(target)
            self.tell(LinkSeen(target))

    def _palette(self, text: str, terminator: str) -> None:
        parts = text.split(";")[:512]
        for index, what in zip(parts[::2], parts[1::2], strict=False):
            if what == "?" and index.isdecimal() and len(index) < 4 and int(index) < 256:
                self.report_palette(int(index), terminator)

    def _foreground(self, text: str, terminator: str) -> None:
        self._colours(10, text, terminator)

    def _background(self, text: str, terminator: str) -> None:
        self._colours(11, text, terminator)

    def _cursor_colour(self, text: str, terminator: str) -> None:
        self._colours(12, text, terminator)

    def _colours(self, first: int, text: str, terminator: str) -> None:
        for number, what in enumerate(text.split(";")[:10], first):
            if what == "?" and number <= 12:
                self.report_colour(number, terminator)

    def _notify(self, text: str, _terminator: str) -> None:
        kind, _, rest = text.partition(";")
        if kind == "4" and rest[:1] in ("0", "1", "2", "3", "4"):
            self._progress(rest)
        elif text:
            self.tell(Notification(text[:LONGEST_NOTE]))

    def _progress(self, text: str) -> None:
        state, _, value = text.partition(";")
        value = value.partition(";")[0]
        per_cent = min(int(value), 100) if value.isdecimal() and len(value) < 6 else 0
        self.progress = {"0": None, "3": -1}.get(state, per_cent)
        self.tell(ProgressChanged(self.progress))

    def _notify_titled(self, text: str, _terminator: str) -> None:
        kind, _, rest = text.partition(";")
        title, _, body = rest.partition(";")
        if kind == "notify":
            self.tell(Notification(body[:LONGEST_NOTE], title[:LONGEST_TITLE]))

    def _notify_kitty(self, text: str, _terminator: str) -> None:
        keys, _, body = text.partition(";")
        if body and "p=?" not in keys:
            self.tell(Notification(_decoded(body) if "e=1" in keys.split(":") else body[:LONGEST_NOTE]))

    def _clipboard(self, text: str, _terminator: str) -> None:
        data = text.partition(";")[2]
        if data and data != "?":
            self.tell(ClipboardWrite(_decoded(data, keep_lines=True)))

    def _mark(self, text: str, _terminator: str) -> None:
        kind, *more = text.split(";")
        if kind in ("A", "B", "C", "D"):
            code = more[0] if kind == "D" and more and more[0].isdecimal() and len(more[0]) < 6 else ""
            self.tell(ShellMark(kind, int(code) if code else None))

    def _status(self, text: str, _terminator: str) -> None:
        """OSC 7501. The query is answered with the same fixed bytes, whatever ended it."""
        if text == "?":
            if self.answer_program_status:
                self.reply("\x1b]7501;?\x1b\\")
            return
        fields = dict(field.partition("=")[::2] for field in text.split(":")[:32])
        state = fields.get("state", "")
        if state not in STATES:
            return
        status = ProgramStatus(
            state, fields.get("kind", "")[:64], _decoded(fields.get("msg", "")), fields.get("app", "")[:64]
        )
        self.program_status = None if state == "clear" else status
        self.tell(StatusReported(status))


def _decoded(data: str, keep_lines: bool = False) -> str:
    """Base64 to text without control characters (clipboard texts keep tabs and line ends)."""
    try:
        text = base64.b64decode(data + "=" * (-len(data) % 4), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
    if keep_lines:
        return "\n".join("\t".join(map(clean, line.split("\t"))) for line in text.splitlines())
    return clean(text)[:LONGEST_NOTE]


_HANDLERS = {
    "0": OperatingSystemCommands._both_titles,
    "1": OperatingSystemCommands._icon_name,
    "2": OperatingSystemCommands._window_title,
    "4": OperatingSystemCommands._palette,
    "8": OperatingSystemCommands._link,
    "9": OperatingSystemCommands._notify,
    "10": OperatingSystemCommands._foreground,
    "11": OperatingSystemCommands._background,
    "12": OperatingSystemCommands._cursor_colour,
    "52": OperatingSystemCommands._clipboard,
    "99": OperatingSystemCommands._notify_kitty,
    "133": OperatingSystemCommands._mark,
    "777": OperatingSystemCommands._notify_titled,
    "7501": OperatingSystemCommands._status,
}
