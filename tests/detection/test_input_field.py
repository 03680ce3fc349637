"""The empty input field of a program that no profile knows, and the stillness without which it proves nothing."""

from __future__ import annotations

import re

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import TtyFacts
from copilot.detection import Examiner
from copilot.detection.input_field import find_input_field
from copilot.detection.rows import Rows
from copilot.engine.reader import ScreenReader
from copilot.screen import TerminalScreen
from tests.detection.screens import RULE, detect, screen

BAND, GREY, PLAIN = "\x1b[48;5;236m", "\x1b[38;5;248m", "\x1b[m"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
NO_CURSOR = ("a drawn cursor", "a cursor behind the hint", "no cursor", "a block for a cursor")
TOP, BOTTOM = "╭" + "─" * 78 + "╮", "╰" + "─" * 78 + "╯"


def boxed(*rows: str) -> str:
    return "\n".join([TOP, *(f"│ {row}{' ' * (76 - len(ESCAPE.sub('', row)))} │" for row in rows), BOTTOM])


FIELDS = {
    "between rules": f"Done.\n{RULE}\n❯ ▮\n{RULE}\n  ? for help",
    "no mark": f"{RULE}\n▮\n{RULE}\n0.0%/128k",
    "in a box": f"{boxed('> ▮')}\n  enter send",
    "a dim hint": f"{RULE}\n> ▮\x1b[2mType your message\x1b[m\n{RULE}",
    "a drawn cursor": f"{RULE}\n> \x1b[7m \x1b[m \x1b[38;5;248mType your message\x1b[m\n{RULE}\nready",
    "behind a bar": "  ┃▮\n  ┃\n  ┃  Build · a model\n  ╹" + "▀" * 70,
    "beside a bar": "Welcome.\n\n┃\n┃ > ▮\x1b[2m/ commands, ! bash\x1b[m\n┃\n\n normal mode",
    "a block for a cursor": boxed(f"● ▋{GREY}Ask anything…{PLAIN}"),
    "a cursor behind the hint": boxed(f"❯ \x1b[2mAsk me anything...{PLAIN}\x1b[47m {PLAIN}"),
    "no cursor": f"{RULE}\n❯ \x1b[38;2;85;89;91mWhat can I do for you?{PLAIN}\n{RULE}\n a-model",
    "on a band": f"{BAND}\x1b[K\n{BAND}› ▮\x1b[2mAsk\x1b[K\n{BAND}\x1b[K\x1b[m\n\x1b[m  a footer",
}
OTHERS = {
    "typed": f"{RULE}\n> fix the tests▮\n{RULE}",
    "typed, the cursor at its start": f"{RULE}\n> ▮fix the tests\n{RULE}",
    "a command is being typed": f"{RULE}\n/▮\n{RULE}",
    "a question in the box": boxed("Your API key:", "> ▮"),
    "a box within a box": boxed(
        "Your API key:", "╭" + "─" * 40 + "╮", "│ ▮" + " " * 38 + "│", "╰" + "─" * 40 + "╯"
    ),
    "typed in a colour, a drawn cursor behind it": f"{RULE}\n❯ \x1b[32mgit status{PLAIN}\x1b[47m {PLAIN}\n{RULE}",
    "typed, no cursor": f"{RULE}\n❯ \x1b[38;2;200;204;201mgit status{PLAIN}\n{RULE}",
    "beside a bar, words above it": "Welcome.\n\n┃ Your API key:\n┃ > ▮\n┃\n\n normal mode",
    "no box": "Done.\n\n> ▮\n",
    "only one rule": f"{RULE}\n▮\n",
    "the cursor is elsewhere": f"▮\n{RULE}\n>\n{RULE}",
}


@pytest.mark.parametrize("name", FIELDS)
def test_an_empty_field_is_found_by_its_form(name: str) -> None:
    assert find_input_field(Rows(screen(FIELDS[name], hidden=name in NO_CURSOR))) is not None


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_typed_or_asks_is_no_empty_field(name: str) -> None:
    hidden = name.startswith("typed,") or "drawn cursor" in name
    assert find_input_field(Rows(screen(OTHERS[name], hidden=hidden))) is None


def test_where_text_begins_in_a_field() -> None:
    found = [find_input_field(Rows(screen(FIELDS[name], hidden=True))) for name in NO_CURSOR]
    assert [field.column if field else None for field in found] == [2, 4, 2, 4]


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        (f"{RULE}\n> ▮\n{RULE}", "a prompt mark"),
        (f"{RULE}\n▮\x1b[2mAsk anything\x1b[m\n{RULE}", "a placeholder"),
        (f"{RULE}\n▮\n{RULE}\n  ctrl+p commands", "the keys of a composer"),
        (f"{RULE}\n▮\n{RULE}\n  12%/128k", "the keys of a composer"),
        (f"{RULE}\n▮\n{RULE}\n  main", ""),
    ],
)
def test_what_says_that_a_field_takes_text(text: str, cue: str) -> None:
    field = find_input_field(Rows(screen(text)))
    assert field is not None
    assert field.cue == cue


def test_an_empty_box_that_nothing_marks_is_not_understood() -> None:
    assert detect("generic", f"{RULE}\n▮\n{RULE}\n  main").kind is ScreenKind.UNKNOWN
    reads = TtyFacts(reading=True, echo=False, canonical=False)
    assert detect("generic", f"{RULE}\n▮\n{RULE}\n  main", reads).kind is ScreenKind.IDLE


class Session:
    """A terminal with the generic profile's detectors, on a clock of its own."""

    def __init__(self) -> None:
        self.screen = TerminalScreen(80, 24)
        self.reader = ScreenReader(self.screen, Examiner(load_profile("generic")))
        self.at = 0.0
        self.screen.feed(f"{RULE}\r\n\x1b[2mAsk anything\x1b[m\r\n{RULE}\r\nready\x1b[2;1H".encode())

    def run(self, seconds: float, *, every: float = 0.0, draws: str = "") -> None:
        """Let time pass; `draws` is fed again and again, with `#` counting up."""
        end, count = self.at + seconds, 0
        while self.at < end - 1e-9:
            if draws:
                count += 1
                self.screen.feed(f"\x1b7{draws.replace('#', str(count))}\x1b8".encode())
            self.reader.settle(self.at)
            due = self.reader.next_check_at
            step = every or max(min((due or end), end) - self.at, 0.01)
            self.at += min(step, end - self.at)
        self.reader.settle(self.at)

    def kind(self) -> ScreenKind | None:
        settled = self.reader.settled
        return settled.kind if settled is not None else None


COUNTS = "\x1b[6;1Hstep #"
COLOURS = "\x1b[4;1H\x1b[38;5;#mready\x1b[m"
TITLE = "\x1b]0;at work #\x07"


@pytest.mark.parametrize("draws", [COUNTS, COLOURS, TITLE], ids=["a counter", "colours only", "the title"])
def test_a_field_on_a_moving_screen_is_busy(draws: str) -> None:
    session = Session()
    session.run(8.0, every=0.9, draws=draws)
    assert session.kind() is ScreenKind.BUSY


def test_a_field_on_a_still_screen_is_ready_and_in_doubt() -> None:
    session = Session()
    session.run(2.4)
    assert session.kind() is ScreenKind.BUSY
    session.run(0.2)
    settled = session.reader.settled
    assert settled is not None
    assert (settled.kind, settled.rule) == (ScreenKind.IDLE, "generic.composer.field")
    assert settled.certainty < 1
    assert "nothing at all has moved" in settled.note


def test_a_ready_field_gives_way_to_movement_but_not_to_one_change() -> None:
    session = Session()
    session.run(3.0)
    session.run(1.0, draws="\x1b[4;1H12:01", every=1.0)
    assert session.kind() is ScreenKind.IDLE
    session.run(2.0, draws=COUNTS, every=0.1)
    assert session.kind() is ScreenKind.BUSY
    session.run(2.7)
    assert session.kind() is ScreenKind.IDLE


def test_a_field_with_words_of_work_is_busy_however_still() -> None:
    session = Session()
    session.screen.feed(b"\x1b7\x1b[4;1Hesc to interrupt\x1b8")
    session.run(9.0)
    assert session.kind() is ScreenKind.BUSY


@pytest.mark.parametrize(
    ("above", "kind"),
    [
        ("● Done.\n\n  Which one, MIT or Apache-2.0?", ScreenKind.QUESTION),
        ("● Which one do you want?\n\n  took 3s", ScreenKind.QUESTION),
        ("> which one?", ScreenKind.IDLE),
        ("● Stopped\n  ⎿  What should it do instead?", ScreenKind.IDLE),
        ("● Why is that? Because it is old.", ScreenKind.IDLE),
        ("  ? for help", ScreenKind.IDLE),
    ],
)
def test_a_question_that_ends_the_words_above_a_field_is_one(above: str, kind: ScreenKind) -> None:
    assert detect("generic", f"{above}\n{RULE}\n❯ ▮\n{RULE}\n  ctrl+p commands").kind is kind


HINTED = f"{RULE}\n❯ ▮{{}}{PLAIN}\n{RULE}\n  ? for help"


def test_a_faint_placeholder_is_no_draft_and_a_colour_is_one() -> None:
    assert detect("generic", HINTED.format("\x1b[38;2;131;137;140mAsk anything...")).draft == ""
    assert detect("generic", HINTED.format("\x1b[32mgit status")).draft == "git status"


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        ("What would you like me to help with?", False),
        ("How can I help you today?", False),
        ("What can I do for you?", False),
        ("How can I fix it without your help?", True),
        ("What would you like me to do?", True),
    ],
)
def test_an_invitation_is_no_question(words: str, asks: bool) -> None:
    found = detect("generic", f"{words}\n\n{RULE}\n❯ ▮\n{RULE}\n  ? for help")
    assert (found.kind is ScreenKind.QUESTION) is asks
