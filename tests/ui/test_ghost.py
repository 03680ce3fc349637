"""The proposed text is drawn where it would be typed, over the picture alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from copilot.core.reply import Proposal, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.tui.model import CockpitModel
from copilot.tui.widgets.ghost import ghost_at, ghost_text
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import drafts, menu, password, permission, question, with_view


def drawn(terminal: TerminalView) -> list[str]:
    return [terminal.render_line(y).text.rstrip() for y in range(terminal.size.height)]


async def test_it_stands_behind_the_composers_prompt_and_not_on_the_screen() -> None:
    session = question()
    async with cockpit(session) as (_, screen):
        terminal = screen.query_one(TerminalView)
        (row,) = [line for line in drawn(terminal) if "◆" in line]
        assert row.startswith("❯\xa0◆ Use SQLite for now; keep the access behind one module ⏎ so that we")
        assert row.endswith("…")
        assert not any("Use SQLite" in line for line in session.screen.display)


async def test_it_follows_draft_and_cursor_and_goes_with_the_reply() -> None:
    session = drafts()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        await pilot.press(LEADER, "left")
        assert any("◆ SQLite." in line for line in drawn(terminal))
        session.now += 1
        session.feed(b"\x1b[3;5H\x1b[?25h")
        await pilot.pause(0.1)
        lines = drawn(terminal)
        assert [number for number, line in enumerate(lines) if "◆" in line] == [2]
        assert lines[2][4:].startswith("◆ SQLite.")
        await pilot.press("x")
        assert not any("◆" in line for line in drawn(terminal))


@pytest.mark.parametrize("scene", [permission, menu, password])
async def test_nothing_is_drawn_where_no_text_would_be_typed(scene: Callable[[], FakeSession]) -> None:
    async with cockpit(scene()) as (_, screen):
        assert screen.query_one(TerminalView).ghost is None


@pytest.mark.parametrize("what", ["draft", "over"])
async def test_nothing_is_drawn_over_a_persons_own_text_nor_after_the_end(what: str) -> None:
    session = question()
    detection = session.view.detection
    changes = {
        "draft": replace(detection, draft="half a sent"),
        "over": replace(detection, kind=ScreenKind.EXITED),
    }
    session.show(detection=changes[what])
    async with cockpit(session) as (_, screen):
        assert ghost_text(screen.model) == ""


@pytest.mark.parametrize(
    ("row", "column", "cells"),
    [
        ("❯ " + " " * 10, 2, "◆ MIT"),
        ("> a longer placeholder   42% left", 2, "◆ MIT" + " " * 15),
        ("> placeholder ", 2, "◆ MIT      "),
        ("│ > " + " " * 8 + "│", 4, "◆ MIT"),
        ("│ > " + " " * 2 + "│", 4, None),
        ("no room", 6, None),
        (" " * 12, 99, None),
    ],
)
def test_where_it_fits(row: str, column: int, cells: str | None) -> None:
    ghost = ghost_at("◆ MIT", (3, column), True, row)
    assert (None if ghost is None else "".join(ghost.cells)) == cells


def test_a_parked_cursor_that_is_hidden_tells_nothing() -> None:
    assert ghost_at("◆ MIT", (3, 0), True, " " * 20) is None
    assert ghost_at("◆ MIT", (3, 0), False, " " * 20) is not None


def test_wide_characters_keep_the_columns() -> None:
    row = ["a", "日", "", "本", "", *" " * 5]
    ghost = ghost_at("界界界界界界", (0, 1), True, row)
    assert ghost is not None
    assert ghost.cells == ("界", "", "界", "", "界", "", "界", "", "…")
    assert ghost_at("abcd", (0, 2), True, row) is None
    covering = ghost_at("ab", (0, 0), False, row)
    assert covering is not None and covering.cells == ("a", "b", " ", " ", " ")


def test_control_characters_of_a_model_are_not_drawn() -> None:
    model = CockpitModel()
    model.update(with_view(question(), proposal=Proposal(Reply(text="a\x1b[31mb\u202ec"))).view, 0.0)
    text = ghost_text(model)
    assert text.startswith("◆ ") and "\x1b" not in text and "\u202e" not in text
