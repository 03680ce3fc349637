"""The start screen: what a person sees first, all of it on one small screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Static

from copilot.cockpit import offers, writer_lines
from copilot.core.reply import LEVEL_WORDS
from copilot.tui.screens.start import StartScreen
from copilot.tui.start_offer import StartOffer
from tests.ui.harness import SETTINGS, app_on
from tests.ui.scenes import busy

NAMES = ["Claude Code", "Codex", "Gemini CLI", "opencode", "Demo"]


def test_the_writer_is_the_one_of_the_settings_whatever_keys_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert writer_lines(SETTINGS) == ("offline rules; no data leaves this machine",)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "hunter2-hunter2")
    assert writer_lines(SETTINGS) == (
        "offline rules; no data leaves this machine",
        "a key for anthropic is set, not used: --provider anthropic",
    )
    (asked_for,) = writer_lines(replace(SETTINGS, provider="anthropic"))
    assert asked_for.startswith("anthropic (") and "api.anthropic.com on the network" in asked_for


async def test_it_tells_the_writer_of_the_chosen_program() -> None:
    there = (
        StartOffer("Codex", "codex 1", SETTINGS, writer=("offline rules",)),
        StartOffer("Demo", "offline", command=("demo",), writer=("its own",)),
    )
    async with app_on(busy(), settings=None, offers=there).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        writer = pilot.app.screen.query_one("#start-writer", Static)
        assert "offline rules" in str(writer.content)
        await pilot.press("down")
        assert "its own" in str(writer.content)


async def test_the_folder_stands_under_the_programs(tmp_path: Path) -> None:
    screen = StartScreen((), folder=str(tmp_path), offers_in=lambda _: ())
    async with app_on(busy()).run_test(size=(120, 40)) as pilot:
        await pilot.app.push_screen(screen)
        await pilot.pause()
        assert str(screen.query_one("#start-folder", Static).content) == f"   {tmp_path}"


async def test_programs_keys_levels_and_demo_fit_on_a_small_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("claude", "codex", "gemini", "opencode"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "hunter2-hunter2")
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2-hunter2")
    found = tuple(offers({"cwd": str(tmp_path)}))
    assert [offer.title for offer in found if offer.there] == NAMES
    app = app_on(busy(), settings=None, offers=found)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        box = app.screen.query_one("#start")
        shown = "\n".join(str(part.render()) for part in app.screen.query(Static))
        assert box.region.height <= 24
        assert box.max_scroll_y == 0, "nothing is out of sight"
    for words in (
        "Claude Code",
        "Qwen Code",
        "Demo",
        "no data leaves this machine",
        "--provider anthropic or --provider openai",
        *LEVEL_WORDS.values(),
    ):
        assert words in shown


@pytest.mark.parametrize(("lines", "framed"), [(24, True), (16, False), (40, True)])
async def test_it_has_a_frame_where_its_content_leaves_room_for_one(lines: int, framed: bool) -> None:
    offers_here = (StartOffer("Codex", "codex 1", SETTINGS),)
    async with app_on(busy(), settings=None, offers=offers_here).run_test(size=(80, lines)) as pilot:
        await pilot.pause()
        box = pilot.app.screen.query_one("#start")
        assert bool(box.styles.border.spacing.top) is framed
        assert box.region.height <= lines and not (framed and box.max_scroll_y)
