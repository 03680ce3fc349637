"""What changes below a dialog is drawn once, and costs nothing afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from rich.segment import Segment
from rich.style import Style
from textual._compositor import Compositor
from textual.events import Callback
from textual.widgets import TextArea

from copilot.tui.screens.dialog import _dim_style
from copilot.tui.themes import THEMES
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.status_bar import StatusBar
from tests.ui.harness import LEADER, cockpit, without_blinking
from tests.ui.scenes import SCENES

pytestmark = pytest.mark.drawn


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Each time that something is drawn: whether it was everything."""
    times: list[bool] = []
    everything, parts = Compositor.render_full_update, Compositor.render_partial_update

    def full(self: Compositor, *args: Any, **options: Any) -> Any:
        times.append(True)
        return everything(self, *args, **options)

    def partial(self: Compositor, *args: Any, **options: Any) -> Any:
        times.append(False)
        return parts(self, *args, **options)

    monkeypatch.setattr(Compositor, "render_full_update", full)
    monkeypatch.setattr(Compositor, "render_partial_update", partial)
    return times


async def test_a_change_is_drawn_once_and_later_messages_draw_nothing(drawn: list[bool]) -> None:
    async with cockpit(SCENES["permission"](), (120, 40)) as (pilot, _):
        below = pilot.app.screen
        await pilot.press(LEADER, "question_mark")
        await pilot.pause()
        bar = below.query_one(StatusBar)
        for _ in range(2):
            drawn.clear()
            bar.refresh()
            for _ in range(5):
                await pilot.pause()
            assert len(drawn) == 1
        drawn.clear()
        for _ in range(10):
            below.post_message(Callback(lambda: None))
            await pilot.pause()
        assert not drawn


async def test_the_key_bar_says_that_keys_are_the_boxes() -> None:
    async with cockpit(SCENES["permission"](), (120, 40)) as (pilot, screen):
        bar = screen.query_one(KeyBar)
        assert "s send" in str(bar.content)
        await pilot.press(LEADER, "w")
        await pilot.pause()
        assert "BOX" in str(bar.content) and "send" not in str(bar.content)
        await pilot.press("escape")
        await pilot.pause()
        assert "s send" in str(bar.content)


async def test_a_note_about_a_prompt_goes_with_it_and_one_of_the_run_stays() -> None:
    session = SCENES["permission"]()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        bar = screen.query_one(StatusBar)
        for of_run, left in ((False, ""), (True, "said")):
            screen.notes.show("said", of_run=of_run)
            other = replace(session.view.detection, identity=f"other-{of_run}")
            session.show(detection=other)
            await pilot.pause()
            assert bar.note == left


_WRITTEN: dict[str, tuple[tuple[str, ...], str]] = {
    "edit": (("e",), "#reply-editor"),
    "instruct": (("r",), "#reply-instruction"),
    "governing": (("c", "e"), "#governing"),
}


@pytest.mark.parametrize("name", _WRITTEN)
async def test_an_editor_as_high_as_its_text_is_laid_out_once_and_seen_without_a_ground_of_its_own(
    name: str, drawn: list[bool]
) -> None:
    keys, editor = _WRITTEN[name]
    async with cockpit(SCENES["permission"](), (120, 40)) as (pilot, _):
        await pilot.press(LEADER, *keys)
        await pilot.pause()
        without_blinking(pilot.app)
        for text in pilot.app.screen.query(TextArea):
            text.load_text("long words " * 120)
        for size in ((60, 16), (80, 24), (200, 60), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.05)
            drawn.clear()
            await pilot.pause(0.1)
            assert len(drawn) <= 1, size
        for theme, marked in (("ansi-dark", True), ("ansi-light", True), ("dark", False)):
            pilot.app.theme = THEMES[theme].name
            await pilot.pause()
            border = pilot.app.screen.query_one(editor).styles.border
            assert bool(border.spacing.left) is marked, theme


def test_what_is_reversed_below_a_dialog_is_not_as_bright_as_before() -> None:
    for style in (Style(reverse=True), Style.parse("reverse black on white")):
        seen = _dim_style(style)
        assert seen.dim and not seen.reverse and seen.underline, style


async def test_the_line_that_says_how_a_box_is_closed_is_not_dimmed() -> None:
    async with cockpit(SCENES["permission"](), (120, 40)) as (pilot, screen):
        bar = screen.query_one(KeyBar)
        for key in ("w", "a"):
            await pilot.press(LEADER, key)
            for theme in ("dark", "light", "ansi-dark"):
                pilot.app.theme = THEMES[theme].name
                await pilot.pause()
                row = pilot.app.screen._compositor.render_strips()[bar.region.y]
                own, drawn = _of_the_edge(bar.render_line(0)), _of_the_edge(row)
                assert drawn == own != [], (key, theme)
            await pilot.press("escape")
            await pilot.pause()


def _of_the_edge(strip: Iterable[Segment]) -> list[tuple[object, ...]]:
    """Text and look of what is said of the edge."""
    found = [(one.text.strip(), one.style) for one in strip if "edge" in one.text]
    return [(text, style and (style.color, style.bgcolor, style.dim)) for text, style in found]
