"""Operating system commands: titles, links, clipboard, notifications, progress, marks, status reports."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from copilot.core.snapshot import ProgramStatus
from copilot.screen import events
from copilot.screen.query_replies import Answers
from copilot.screen.tokens import clean
from copilot.screen.writer import Writer

LONGEST_TITLE = 1024
LONGEST_LINK = 2083
LONGEST_NOTE = 4096
DEEPEST_TITLES = 10
STATES = frozenset({"idle", "working", "blocked", "done", "error", "clear"})


@dataclass
class Labels:
    """What the child has said about itself."""

    title: str = ""
    icon_name: str = ""
    titles: tuple[str, ...] = ()
    """Titles that were pushed; the last is the newest."""
    progress: int | None = None
    program_status: ProgramStatus | None = None


class OscCommands:
    """A method per command, called with the command's text and terminator; what is unknown is dropped.

    Without `answer_program_status` the query of OSC 7501 gets no answer.
    """

    def __init__(
        self, writer: Writer, answers: Answers, outbox: events.Outbox, answer_program_status: bool
    ) -> None:
        self._link_to = writer.link_to
        self._answers = answers
        self._reply, self._emit = outbox.reply, outbox.emit
        self.answer_program_status = answer_program_status
        self.labels = Labels()
        self._handlers: dict[str, Callable[[str, str], None]] = {
            "0": self._both_titles,
            "1": lambda text, _end: self.set_icon_name(text),
            "2": lambda text, _end: self.set_title(text),
            "4": self._palette,
            "8": self._link,
            "9": self._notify,
            "10": partial(self._colours, 10),
            "11": partial(self._colours, 11),
            "12": partial(self._colours, 12),
            "52": self._clipboard,
            "99": self._notify_kitty,
            "133": self._mark,
            "777": self._notify_titled,
            "7501": self._status,
        }

    def reset(self) -> None:
        self.labels = Labels()

    def run(self, text: str, terminator: str) -> None:
        number, _, rest = clean(text).partition(";")
        handler = self._handlers.get(number)
        if handler is not None:
            handler(rest, terminator)

    def set_title(self, param: str) -> None:
        self.labels.title = clean(param)[:LONGEST_TITLE]
        self._emit(events.TitleChanged(self.labels.title))

    def set_icon_name(self, param: str) -> None:
        self.labels.icon_name = clean(param)[:LONGEST_TITLE]

    def push_title(self) -> None:
        self.labels.titles = (*self.labels.titles, self.labels.title)[-DEEPEST_TITLES:]

    def pop_title(self) -> None:
        if self.labels.titles:
            self.set_title(self.labels.titles[-1])
            self.labels.titles = self.labels.titles[:-1]

    def _both_titles(self, text: str, _terminator: str) -> None:
        self.set_icon_name(text)
        self.set_title(text)

    def _link(self, text: str, _terminator: str) -> None:
        target = text.partition(";")[2]
        if len(target) <= LONGEST_LINK:
            self._link_to(target)
            self._emit(events.LinkSeen(target))

    def _palette(self, text: str, terminator: str) -> None:
        parts = text.split(";")[:512]
        for index, what in zip(parts[::2], parts[1::2], strict=False):
            if what == "?" and index.isdecimal() and len(index) < 4 and int(index) < 256:
                self._answers.report_palette(int(index), terminator)

    def _colours(self, first: int, text: str, terminator: str) -> None:
        for number, what in enumerate(text.split(";")[:10], first):
            if what == "?" and number <= 12:
                self._answers.report_colour(number, terminator)

    def _notify(self, text: str, _terminator: str) -> None:
        kind, _, rest = text.partition(";")
        if kind == "4" and rest[:1] in ("0", "1", "2", "3", "4"):
            self._progress(rest)
        elif text:
            self._emit(events.Notification(text[:LONGEST_NOTE]))

    def _progress(self, text: str) -> None:
        state, _, value = text.partition(";")
        value = value.partition(";")[0]
        per_cent = min(int(value), 100) if value.isdecimal() and len(value) < 6 else 0
        self.labels.progress = {"0": None, "3": -1}.get(state, per_cent)
        self._emit(events.ProgressChanged(self.labels.progress))

    def _notify_titled(self, text: str, _terminator: str) -> None:
        kind, _, rest = text.partition(";")
        title, _, body = rest.partition(";")
        if kind == "notify":
            self._emit(events.Notification(body[:LONGEST_NOTE], title[:LONGEST_TITLE]))

    def _notify_kitty(self, text: str, _terminator: str) -> None:
        keys, _, body = text.partition(";")
        if body and "p=?" not in keys:
            self._emit(
                events.Notification(_decoded(body) if "e=1" in keys.split(":") else body[:LONGEST_NOTE])
            )

    def _clipboard(self, text: str, _terminator: str) -> None:
        data = text.partition(";")[2]
        if data and data != "?":
            self._emit(events.ClipboardWrite(_decoded(data, keep_lines=True)))

    def _mark(self, text: str, _terminator: str) -> None:
        kind, *more = text.split(";")
        if kind in ("A", "B", "C", "D"):
            code = more[0] if kind == "D" and more and more[0].isdecimal() and len(more[0]) < 6 else ""
            self._emit(events.ShellMark(kind, int(code) if code else None))

    def _status(self, text: str, _terminator: str) -> None:
        """OSC 7501. The query is answered with the same fixed bytes, whatever ended it."""
        if text == "?":
            if self.answer_program_status:
                self._reply("\x1b]7501;?\x1b\\")
            return
        fields = dict(field.partition("=")[::2] for field in text.split(":")[:32])
        state = fields.get("state", "")
        if state not in STATES:
            return
        status = ProgramStatus(
            state, fields.get("kind", "")[:64], _decoded(fields.get("msg", "")), fields.get("app", "")[:64]
        )
        self.labels.program_status = None if state == "clear" else status
        self._emit(events.StatusReported(status))


def _decoded(data: str, keep_lines: bool = False) -> str:
    """Base64 to text without control characters (clipboard texts keep tabs and line ends)."""
    try:
        text = base64.b64decode(data + "=" * (-len(data) % 4), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
    if keep_lines:
        return "\n".join("\t".join(map(clean, line.split("\t"))) for line in text.splitlines())
    return clean(text)[:LONGEST_NOTE]
