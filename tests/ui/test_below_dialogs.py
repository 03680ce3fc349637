"""What changes below a dialog is drawn once, and costs nothing afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rich.style import Style
from textual._compositor import Compositor
from textual.events import Callback
from textual.widgets import TextArea

from copilot.tui.screens.dialog import _dim_style
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.status_bar import StatusBar
from tests.ui.harness import cockpit, without_blinking
from tests.ui.scenes import SCENES


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
        await pilot.press("ctrl+right_square_bracket", "question_mark")
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
        await pilot.press("ctrl+right_square_bracket", "w")
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


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("keys", [("c", "e"), ("p", "e"), ("r",)], ids=["governing", "edit", "instruct"])
async def test_an_editor_as_high_as_its_text_is_laid_out_once(
    keys: tuple[str, ...], size: tuple[int, int], drawn: list[bool]
) -> None:
    async with cockpit(SCENES["permission"](), size) as (pilot, _):
        await pilot.press("ctrl+right_square_bracket", *keys)
        await pilot.pause()
        without_blinking(pilot.app)
        for editor in pilot.app.screen.query(TextArea):
            editor.load_text("long words " * 120)
        await pilot.pause(0.2)
        drawn.clear()
        await pilot.pause(0.4)
        assert len(drawn) <= 1


@pytest.mark.parametrize("style", [Style(reverse=True), Style.parse("reverse black on white")])
def test_what_is_reversed_below_a_dialog_is_not_as_bright_as_before(style: Style) -> None:
    seen = _dim_style(style)
    assert seen.dim and not seen.reverse and seen.underline


@pytest.mark.parametrize(
    ("keys", "editor"),
    [(("e",), "#reply-editor"), (("r",), "#reply-instruction"), (("c", "e"), "#governing")],
)
@pytest.mark.parametrize(("theme", "marked"), [("ansi-dark", True), ("ansi-light", True), ("dark", False)])
async def test_where_one_writes_is_seen_without_a_ground_of_its_own(
    keys: tuple[str, ...], editor: str, theme: str, marked: bool
) -> None:
    async with cockpit(SCENES["permission"](), (120, 40), theme=theme) as (pilot, _):
        await pilot.press("ctrl+right_square_bracket", *keys)
        await pilot.pause()
        assert bool(pilot.app.screen.query_one(editor).styles.border.spacing.left) is marked


@pytest.mark.parametrize("theme", ["dark", "light", "ansi-dark"])
@pytest.mark.parametrize("keys", ["w", "a"])
async def test_the_line_that_says_how_a_box_is_closed_is_not_dimmed(theme: str, keys: str) -> None:
    async with cockpit(SCENES["permission"](), (120, 40), theme=theme) as (pilot, screen):
        await pilot.press("ctrl+right_square_bracket", keys)
        await pilot.pause()
        bar = screen.query_one(KeyBar)
        own = [(one.text, one.style) for one in bar.render_line(0) if "edge" in one.text]
        row = pilot.app.screen._compositor.render_strips()[bar.region.y]
        drawn = [(one.text, one.style) for one in row if "edge" in one.text]
        assert [text.strip() for text, _ in drawn] == [text.strip() for text, _ in own] != []
        for (_, one), (_, other) in zip(drawn, own, strict=True):
            assert one is not None and other is not None
            assert (one.color, one.bgcolor, one.dim) == (other.color, other.bgcolor, other.dim)
