"""The least window that shows all forms: two lines say what is decided about, and the editor fits."""

from __future__ import annotations

import pytest

from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.status_bar import CompactStrip
from tests.ui.clicking import lines_of
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import SCENES, permission, question

LEAST = (40, 12)


@pytest.mark.parametrize(
    ("scene", "asked", "sent"),
    [
        ("permission", "▲ HELD  permission  rm -rf build/", "◆ No  yes: ▆ high  ▲ at level suggest…"),
        ("countdown", "▶ SENDING  in 2 s  write hello.py", "◆ Yes  ▂ risk low  ▶ in 2 s"),
        ("risky", "&& rm -rf build/", "◆ Yes  ▆ risk high  ▲ "),
        ("menu", "▲ HELD  Which database should I use?", "◆ SQLite  ▁ risk none  ▲ "),
    ],
)
async def test_two_lines_tell_what_is_asked_about(scene: str, asked: str, sent: str) -> None:
    async with cockpit(SCENES[scene](), LEAST) as (_, screen):
        first, second = str(screen.query_one(CompactStrip).content).splitlines()
        assert asked in first
        assert second.startswith(sent)


@pytest.mark.parametrize("keys", [(LEADER, "e"), (LEADER, "p", "e", "e")])
async def test_the_editor_keeps_its_frame_and_the_line_that_is_written(keys: tuple[str, ...]) -> None:
    session = permission() if "p" in keys else question()
    async with cockpit(session, LEAST) as (pilot, screen):
        await pilot.press(*keys)
        for number in range(9):
            await pilot.press("ctrl+j", str(number))
        await pilot.pause()
        panel = screen.query_one(ReplyBox)
        assert panel.region.y >= 0
        drawn = lines_of(pilot)
        assert "reply" in drawn[panel.region.y]
        cursor = panel.editor.cursor_screen_offset.y
        assert panel.region.y < cursor < panel.region.bottom - 1
        assert "8" in drawn[cursor]
        assert "Enter send" in drawn[-1] and "Esc back" in drawn[-1]


async def test_what_is_asked_and_its_risk_stand_over_the_editor() -> None:
    async with cockpit(permission(), LEAST) as (pilot, _):
        await pilot.press(LEADER, "p", "e", "e")
        await pilot.pause()
        drawn = "\n".join(lines_of(pilot))
        for told in ("rm -rf build/", "yes: ▆ risk high", "▸ 4 No"):
            assert told in drawn
