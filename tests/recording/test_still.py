"""A still draws the very screen again, and holds no secret."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.still import still
from copilot.redaction.redact import Redactor
from copilot.replay.detect import screen_at
from copilot.screen import TerminalScreen

CORPUS = Path(__file__).parents[1] / "corpus"
RECORDINGS = [
    "claude/psp_session",
    "claude/full_session_80x24",
    "codex/two_permissions",
    "classic/sudo_password",
]


def same(rows: Sequence[str], wrapped: Sequence[bool]) -> list[str]:
    return list(rows)


def shown(cast: Cast) -> ScreenSnapshot:
    return screen_at(cast, cast.duration)


@pytest.mark.parametrize("name", RECORDINGS)
def test_it_shows_and_is_read_as_the_screen_it_was_made_of(name: str) -> None:
    cast = read_cast(CORPUS / f"{name}.cast")
    examiner = Examiner(load_profile(name.split("/")[0].replace("classic", "generic")))
    for part in range(1, 16):
        before = screen_at(cast, cast.duration * part / 16)
        after = shown(still(before, same))
        assert after.lines == before.lines
        assert after.styles == before.styles
        assert (after.cursor, after.title, after.wrapped) == (before.cursor, before.title, before.wrapped)
        assert after.alternate_screen == before.alternate_screen
        assert after.program_status == before.program_status
        assert examiner.examine(after).detection == examiner.examine(before).detection


def test_no_secret_is_left_in_it() -> None:
    secret = "sk-ant-api03-" + "Ab3dEf6hIj9kLm2nOp5q" * 3
    terminal = TerminalScreen(40, 6)
    terminal.feed(f"key {secret} end\r\n\x1b[1mbold\x1b[0m".encode())
    terminal.feed(f"\x1b]0;about {secret}\x07".encode())
    cast = still(terminal.snapshot(), Redactor().redact_lines)
    text = cast.events[0].data
    assert secret[:20] not in text and secret[-20:] not in text
    after = shown(cast)
    assert "[secret:" in after.lines[0]
    row = next(number for number, line in enumerate(after.lines) if line.startswith("bold"))
    assert after.styles[row][0].bold
