"""The undo dialog: what it lists and shows, what it asks, and that nothing is put back without a yes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList, Static

from copilot.checkpoints.checkpoint import Changes, Checkpoint, CheckpointError, Uncovered
from copilot.checkpoints.undo import FileUndo
from copilot.core.checkpoints import Author
from copilot.errors import InputError
from copilot.tui.screens.dialog import Page
from copilot.tui.screens.session import SessionScreen
from copilot.tui.screens.undo import NOTHING, PutBackScreen, UndoScreen
from tests.fakes.fake_undo import FakeUndo, checkpoint
from tests.ui.clicking import click_on, lines_of
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import permission
from tests.ui.undo_scene import undo_of_a_run

SIZES = [(60, 16), (80, 24), (120, 40)]
HOSTILE = "\x1b]52;c;eA==\x07\x1b[2J[red]a[/]‮\udcff"


@asynccontextmanager
async def asked_for_undo(
    undo: FakeUndo | None, size: tuple[int, int] = (80, 24), *keys: str
) -> AsyncIterator[tuple[Pilot[Any], SessionScreen]]:
    session = permission()
    session.checkpoints = undo
    async with cockpit(session, size) as (pilot, screen):
        await pilot.press(LEADER, "b", *keys)
        await pilot.pause()
        yield pilot, screen


def top(pilot: Pilot[Any]) -> Screen[Any]:
    """A type checker takes `pilot.app.screen` for what it was at the last look."""
    return pilot.app.screen


def listed(pilot: Pilot[Any]) -> list[str]:
    lines = top(pilot).query_one(OptionList)
    return [str(lines.get_option_at_index(index).prompt) for index in range(lines.option_count)]


def said(pilot: Pilot[Any], name: str) -> str:
    return str(top(pilot).query_one(f"#undo-{name}", Static).content)


def of(undo: FakeUndo, call: str) -> list[Any]:
    return [about for name, about in undo.calls if name == call]


@pytest.mark.parametrize("size", SIZES)
async def test_the_newest_is_marked_and_each_line_says_when_and_what_was_changed_since(
    size: tuple[int, int],
) -> None:
    async with asked_for_undo(undo_of_a_run(), size, "down", "down") as (pilot, _):
        rows = listed(pilot)
        assert [row.split()[-2:] for row in rows[:2]] == [["counted", "yet"], ["1", "changed"]]
        assert [row.strip("▸ ").split()[0] for row in rows] == ["8", "6", "4", "2", "0"]
        assert [row.startswith("▸") for row in rows] == [False, False, True, False, False]
        assert "0:40" in rows[2] and "before reply 2: now" in rows[2] and "start of the run" in rows[4]
        whole = "program: 2 changed 1 removed" if size[0] > 60 else "3 files"
        assert rows[2].endswith(whole)
        shown = "\n".join(lines_of(pilot))
        assert all(row.strip() in shown for row in rows)
        assert "back to 4: 2 restored · 1 merged · ▲ 1 refused" in shown


async def test_the_diff_of_the_marked_line_names_every_file() -> None:
    async with asked_for_undo(undo_of_a_run(), (120, 40), "down", "down") as (pilot, _):
        diff = said(pilot, "diff")
        for told in (
            "▲ src/routes.py stays as it is: you changed the same lines",
            "assets/logo.png  restored\nbinary: no lines to show",
            "src/menu.py  merged with what you changed since  +2  -2\n@@ -3,3 +3,2 @@\n import sys\n-import shutil",
            "· stays: notes/today.md (you changed it since)",
            "undo leaves it: node_modules (made again by npm), video.mp4 (larger than 64 MiB)",
        ):
            assert told in diff, told
        assert "--- src/menu.py" not in diff
        await pilot.press("end", "up")
        await pilot.pause()
        assert said(pilot, "head") == "back to 2: 1 restored · 1 removed"
        assert "notes/today.md  removed  -2" in said(pilot, "diff")


async def test_what_the_mark_has_passed_is_not_read() -> None:
    undo = undo_of_a_run()
    undo.files[8] = (FileUndo("passed.py", "restore"),)
    gate = undo.gates["plan"] = asyncio.Event()
    async with asked_for_undo(undo, (80, 24), "down", "down", "down") as (pilot, _):
        assert said(pilot, "head") == "reading what would change …" and said(pilot, "diff") == ""
        await pilot.press("enter")
        assert isinstance(top(pilot), UndoScreen), "nothing is put back unseen"
        gate.set()
        await pilot.pause()
        await pilot.pause()
        assert said(pilot, "head").startswith("back to 2: ")
        assert of(undo, "plan") == [8, 2] and of(undo, "diff") == ["notes/today.md", "src/menu.py"]


async def test_what_was_read_for_another_line_is_never_shown() -> None:
    undo = undo_of_a_run()
    gate = undo.gates["uncovered"] = asyncio.Event()
    async with asked_for_undo(undo, (80, 24), "down", "down") as (pilot, screen):
        gate.set()
        seen: list[str] = []
        head = top(pilot).query_one("#undo-head", Static)
        update = head.update

        def noted(content: Any = "", *, layout: bool = True) -> None:
            seen.append(str(content))
            update(content, layout=layout)

        head.update = noted  # type: ignore[method-assign]
        await pilot.pause()
        await pilot.pause()
        assert [words.partition(": ")[0] for words in seen] == ["back to 4"]
        assert top(pilot) is not screen


async def test_files_are_put_back_only_after_a_second_yes() -> None:
    for keys, put_back in {
        ("enter", "escape", "escape"): False,
        ("enter", "n", "q"): False,
        ("enter", "x", "space", "escape", "escape"): False,
        ("enter", "enter"): True,
        ("enter", "y"): True,
    }.items():
        undo = undo_of_a_run()
        async with asked_for_undo(undo, (80, 24), "end", "k", *keys[:1]) as (pilot, screen):
            assert isinstance(top(pilot), PutBackScreen)
            shown = "\n".join(lines_of(pilot))
            assert "put 2 files back?" in shown and "notes/today.md  removed  -2" in shown
            for key in keys[1:]:
                await pilot.press(key)
                await pilot.pause()
            assert top(pilot) is screen, keys
            assert of(undo, "undo") == ([2] if put_back else []), keys
            assert screen.session.typed == b""  # type: ignore[attr-defined]
            told = [note for note in screen.model.notes if "put back" in note]
            wanted = "2 files put back, and the program is told once it is ready; ^] b undoes that"
            assert told == ([wanted] if put_back else []), keys


async def test_what_was_refused_is_named_with_both_versions() -> None:
    undo = undo_of_a_run()
    undo.refused = (
        ("src/routes.py", "you changed the same lines", "/runs/r1/checkpoints/undo/009/src/routes.py"),
    )
    async with asked_for_undo(undo, (80, 24), "down", "down", "enter", "y") as (pilot, screen):
        await pilot.pause()
        assert isinstance(top(pilot), Page)
        shown = "\n".join(lines_of(pilot))
        for told in (
            "▲ src/routes.py",
            "you changed the same lines",
            "/runs/r1/checkpoints/undo/009/src/routes.py",
        ):
            assert told in shown
        assert screen.model.notes[-1].startswith("3 files put back, 1 merged, 1 refused")
        await pilot.press("enter")
        await pilot.pause()
        assert top(pilot) is screen


async def test_where_nothing_would_change_nothing_is_asked() -> None:
    undo = undo_of_a_run()
    async with asked_for_undo(undo, (80, 24), "enter", "enter") as (pilot, _):
        assert said(pilot, "head") == "back to 8: nothing to put back"
        assert isinstance(top(pilot), UndoScreen) and not of(undo, "undo")
        hints = str(top(pilot).query_one("#undo-box").border_subtitle)
        assert "Enter" not in hints
        await pilot.press("down", "down")
        await pilot.pause()
        assert "Enter puts back" in str(top(pilot).query_one("#undo-box").border_subtitle)


async def test_a_run_without_checkpoints_says_so_and_no_key_reaches_the_program() -> None:
    async with asked_for_undo(None) as (pilot, screen):
        assert top(pilot) is screen and screen.model.notes[-1] == "no checkpoints in this run"
        await pilot.press("escape")
        assert screen.session.typed == b""  # type: ignore[attr-defined]


async def test_a_run_that_changed_nothing_says_so() -> None:
    undo = FakeUndo(
        checkpoint(0, Author.START, "start"),
        checkpoint(1, Author.PERSON, "reply", Changes(changed=("mine.txt",)), decision=1),
        checkpoint(2, Author.PROGRAM, "end"),
    )
    async with asked_for_undo(undo, (80, 24), "down", "enter", "pagedown") as (pilot, screen):
        assert said(pilot, "head") == NOTHING and not of(undo, "plan")
        await pilot.press("escape")
        await pilot.pause()
        assert top(pilot) is screen


async def test_what_fails_is_said_and_the_dialog_stays() -> None:
    undo = undo_of_a_run()
    undo.problems = {"checkpoints": InputError(f"the log cannot be read {HOSTILE}")}
    async with asked_for_undo(undo) as (pilot, _):
        assert said(pilot, "head").startswith("▲ the log cannot be read") and "\x1b" not in said(
            pilot, "head"
        )
    undo.problems = {"plan": CheckpointError("the project is too large")}
    async with asked_for_undo(undo, (80, 24), "down", "enter") as (pilot, _):
        assert said(pilot, "head") == "▲ the project is too large" and isinstance(top(pilot), UndoScreen)
        undo.problems = {}
        await pilot.press("down")
        await pilot.pause()
        assert said(pilot, "head").startswith("back to 4: ")
        undo.problems = {"undo": RuntimeError("no space left")}
        await pilot.press("enter", "y")
        await pilot.pause()
        assert isinstance(top(pilot), UndoScreen) and said(pilot, "head") == "▲ no space left"
        await pilot.press("up", "down")
        await pilot.pause()
        assert said(pilot, "head").startswith("back to 4: "), "one may try again"


async def test_no_key_does_anything_while_files_are_put_back() -> None:
    undo = undo_of_a_run()
    done = undo.gates["undo"] = asyncio.Event()
    async with asked_for_undo(undo, (80, 24), "down", "down", "enter", "y", "escape", "q", "up", "enter") as (
        pilot,
        screen,
    ):
        assert isinstance(top(pilot), UndoScreen) and said(pilot, "head") == "putting 3 files back …"
        done.set()
        await pilot.pause()
        await pilot.pause()
        assert top(pilot) is screen and of(undo, "undo") == [4]


async def test_names_and_lines_of_files_are_harmless() -> None:
    undo = FakeUndo(
        checkpoint(0, Author.START, "start"),
        checkpoint(1, Author.PERSON, "reply", decision=1, text=HOSTILE),
        checkpoint(2, Author.PROGRAM, "waits", Changes((HOSTILE,))),
    )
    undo.files = {
        1: (
            FileUndo(HOSTILE, "restore"),
            FileUndo(HOSTILE, "refuse", HOSTILE),
            FileUndo("k", "keep", HOSTILE),
        )
    }
    undo.diffs = {HOSTILE: f"--- {HOSTILE}\n+++ {HOSTILE}\n@@ -1 +1 @@\n-{HOSTILE}\n+{HOSTILE}\n"}
    undo.left_out = (Uncovered(HOSTILE, HOSTILE),)
    undo.refused = ((HOSTILE, HOSTILE, HOSTILE),)
    async with asked_for_undo(undo, (120, 40)) as (pilot, _):
        for keys in ((), ("enter",), ("y",)):
            await pilot.press(*keys)
            await pilot.pause()
            shown = "\n".join(lines_of(pilot))
            assert "[red]a[/]" in shown and "‹U+DCFF›" in shown, keys
            assert not any(one in shown for one in ("\x1b", "\x07", "‮", "\udcff")), keys
        assert isinstance(top(pilot), Page)


async def test_a_countdown_is_stopped_by_the_key_and_nothing_opens() -> None:
    session = permission()
    session.checkpoints = undo_of_a_run()
    session.show(countdown_ends_at=3.0)
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER)
        assert ("stop_countdown",) in session.calls
        await pilot.press("b")
        await pilot.pause()
        assert isinstance(top(pilot), UndoScreen) and screen.session.typed == b""  # type: ignore[attr-defined]


async def test_the_mouse_does_what_keys_do() -> None:
    undo = undo_of_a_run()
    async with asked_for_undo(undo, (120, 40)) as (pilot, screen):
        await click_on(pilot, "before reply 2")
        assert said(pilot, "head").startswith("back to 4: ") and listed(pilot)[2].startswith("▸")
        await click_on(pilot, "Enter puts back")
        assert isinstance(top(pilot), PutBackScreen)
        await click_on(pilot, "Enter puts them back")
        await pilot.pause()
        assert top(pilot) is screen and of(undo, "undo") == [4]


async def test_a_long_diff_scrolls_and_the_list_does_not() -> None:
    undo = undo_of_a_run()
    undo.diffs["src/menu.py"] = "--- a\n+++ a\n@@ -1 +1,99 @@\n" + "".join(
        f"+row {row}\n" for row in range(99)
    )
    async with asked_for_undo(undo, (80, 24), "down", "down") as (pilot, _):
        page = top(pilot).query_one("#undo-page")
        await pilot.press("pagedown", "pagedown", "pageup")
        await pilot.pause()
        assert page.scroll_y == page.size.height - 1 and listed(pilot)[2].startswith("▸")
        await pilot.press("down")
        await pilot.pause()
        assert page.scroll_y == 0


def many(count: int) -> tuple[Checkpoint, ...]:
    taken = [checkpoint(0, Author.START, "start")]
    for number in range(1, 2 * count, 2):
        taken.append(checkpoint(number, Author.PERSON, "reply", decision=number, text="go on"))
        taken.append(checkpoint(number + 1, Author.PROGRAM, "turn", Changes((f"f{number}",))))
    return tuple(taken)


async def test_a_list_of_hundreds_shows_the_marked_line() -> None:
    undo = FakeUndo(*many(300))
    async with asked_for_undo(undo, (60, 16), "end") as (pilot, _):
        assert len(listed(pilot)) == 300
        assert any("▸  1" in row for row in lines_of(pilot))
        await pilot.press("home")
        await pilot.pause()
        assert any("▸599" in row for row in lines_of(pilot))
