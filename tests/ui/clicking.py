"""Clicks by what stands on the screen, as a person aims."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot


def lines_of(pilot: Pilot[Any]) -> list[str]:
    """The window as text, a line for each row."""
    return [strip.text for strip in pilot.app.screen._compositor.render_strips()]


def place_of(pilot: Pilot[Any], text: str, number: int = 0) -> tuple[int, int]:
    """Column and row of the `number`th place where `text` stands. Raises AssertionError with the screen."""
    lines = lines_of(pilot)
    places = [
        (cell_len(line[:column]), row)
        for row, line in enumerate(lines)
        for column in range(len(line))
        if line.startswith(text, column)
    ]
    assert len(places) > number, "\n".join([f"{text!r} is not on the screen:", *lines])
    return places[number]


async def click_on(pilot: Pilot[Any], text: str, *, number: int = 0, right: int = 0) -> None:
    """Click the place of `text`, `right` columns further."""
    column, row = place_of(pilot, text, number)
    await pilot.click(None, offset=(column + right, row))
    await pilot.pause()
    await pilot.pause()
