"""Screens from text for tests: `▮` marks the cursor, else it stands behind the last text."""

from __future__ import annotations

import base64
import re

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection
from copilot.core.snapshot import UNKNOWN_FACTS, ScreenSnapshot, TtyFacts
from copilot.detection import Examination, Examiner
from copilot.screen import TerminalScreen

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
RULE = "─" * 80


def screen(
    text: str,
    *,
    title: str = "",
    status: str = "",
    columns: int = 80,
    lines: int = 24,
    alternate: bool = False,
    hidden: bool = False,
) -> ScreenSnapshot:
    """The snapshot of a terminal that shows this text. `status` is `state` or `state:kind:message`."""
    terminal = TerminalScreen(columns, lines)
    if alternate:
        terminal.feed(b"\x1b[?1049h\x1b[H")
    rows = text.split("\n")
    drawn = [_ESCAPES.sub("", row) for row in rows]
    place = next(((r, row.index("▮")) for r, row in enumerate(drawn) if "▮" in row), None)
    terminal.feed("\r\n".join(row.replace("▮", "") for row in rows).encode())
    if place is not None:
        terminal.feed(f"\x1b[{place[0] + 1};{place[1] + 1}H".encode())
    if title:
        terminal.feed(f"\x1b]0;{title}\x07".encode())
    if status:
        terminal.feed(b"\x1b]7501;" + _status(status) + b"\x07")
    if hidden:
        terminal.feed(b"\x1b[?25l")
    return terminal.snapshot()


def _status(status: str) -> bytes:
    state, _, rest = status.partition(":")
    kind, _, message = rest.partition(":")
    parts = [f"state={state}", "app=test"]
    parts += [f"kind={kind}"] if kind else []
    parts += ["msg=" + base64.b64encode(message.encode()).decode()] if message else []
    return ":".join(parts).encode()


def examine(profile: str, snapshot: ScreenSnapshot, facts: TtyFacts = UNKNOWN_FACTS) -> Examination:
    return Examiner(load_profile(profile)).examine(snapshot, facts)


def detect(profile: str, text: str, facts: TtyFacts = UNKNOWN_FACTS, **how: object) -> Detection:
    """What a built-in profile reads on a screen of text."""
    return examine(profile, screen(text, **how), facts).detection  # type: ignore[arg-type]


def claude_composer(above: str, footer: str = "  ⏸ manual mode on · ? for shortcuts", draft: str = "") -> str:
    """Claude Code's screen with its composer under some text."""
    return f"{above}\n{RULE}\n❯ {draft}▮\n{RULE}\n{footer}"


def claude_permission(command: str = "rm -rf build/", question: str = "Do you want to proceed?") -> str:
    """Claude Code's permission dialog for a shell command."""
    dots = "╌" * 80
    return (
        f"● I'll clean up.\n\n{RULE}\n Bash command\n Remove the build\n{dots}\n {command}\n{dots}\n {question}\n"
        " ❯ 1. Yes\n   2. Yes, and don't ask again for rm -rf build/ and git clean commands in the\n      /tmp/demo/project\n   3. No\n\n"
        " Esc to cancel · Tab to amend"
    )
