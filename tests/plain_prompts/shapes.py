"""The forms that a plain prompt may have on the screen, what shall be read, and what shall be typed."""

from __future__ import annotations

from dataclasses import dataclass

_ASK = "Commit changes? [y/n]"
_BOX = f"╭{'─' * 40}╮\r\n│ {_ASK:<38} │\r\n╰{'─' * 40}╯\r\n"
_LIST = "1) Build\r\n2) Test\r\nChoose an option (1-2):"


@dataclass(frozen=True, slots=True)
class Shape:
    """What is printed, whether a spinner turns in row 1, and what is right: kind, labels, line that is typed."""

    name: str
    prints: str
    kind: str
    options: tuple[str, ...]
    reply: str
    typed: str
    spins: bool = False


YES = "choice: 'yes'"
YES_NO = ("yes", "no")
SHAPES = (
    Shape("in one line", f"{_ASK} ", "yes_no", YES_NO, YES, "y"),
    Shape("newline behind it", f"{_ASK}\r\n", "yes_no", YES_NO, YES, "y"),
    Shape("in a box", _BOX, "yes_no", YES_NO, YES, "y"),
    Shape(
        "in colours",
        "\x1b[1;36m?\x1b[0m \x1b[1mCommit changes?\x1b[0m \x1b[2m(y/N)\x1b[0m ",
        "yes_no",
        YES_NO,
        YES,
        "y",
    ),
    Shape("a line and a gap below it", f"{_ASK}\r\n{'─' * 40}\r\n\r\n", "yes_no", YES_NO, YES, "y"),
    Shape("a spinner elsewhere", f"\x1b[2J\x1b[3;1H{_ASK}", "yes_no", YES_NO, YES, "y", spins=True),
    Shape("above a bare mark", f"{_ASK}\r\n> ", "yes_no", YES_NO, YES, "y"),
    Shape("numbered list, newline", f"{_LIST}\r\n", "menu", ("Build", "Test"), "choice: 'Test'", "2"),
    Shape("text, newline", "Enter file path:\r\n", "text_input", (), "text: 'src/app.py'", "src/app.py"),
    Shape("text with a default", "package name: (shop) ", "text_input", (), "text: 'tool'", "tool"),
)
