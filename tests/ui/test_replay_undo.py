"""Undo of a run that is over, on a real store: in a replay, and in the cockpit once the program has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList, Static

from copilot.checkpoints.store import Author, CheckpointStore, Moment
from copilot.tui.screens.dialog import Page
from copilot.tui.screens.undo import UndoScreen
from tests.replay.golden import GOLDEN
from tests.ui.clicking import lines_of
from tests.ui.harness import LEADER, cockpit
from tests.ui.replay_harness import copy_of, replaying, until
from tests.ui.scenes import permission

KEPT = {
    "menu.py": "def menu() -> None:\n    print('soup')\n",
    "docs/guide.md": "# Guide\n",
    "README.md": "one\ntwo\n",
}


def _write(project: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)


def _files(project: Path) -> dict[str, str]:
    return {str(path.relative_to(project)): path.read_text() for path in project.rglob("*") if path.is_file()}


def run_with_changes(tmp_path: Path) -> tuple[Path, Path]:
    """A run, and its project: a reply after which the program changed files; then the person did."""
    run, project = copy_of("demo-person", tmp_path), tmp_path / "project"
    project.mkdir()
    _write(project, KEPT)
    store = CheckpointStore.make(run, project)
    store.take(Author.START, Moment("start", 0.0))
    store.take(Author.PERSON, Moment("reply", 4.0, 1, "Yes"))
    _write(project, {"menu.py": "def menu() -> None:\n    print('stew')\n", "new.py": "x = 1\n"})
    (project / "docs/guide.md").unlink()
    (project / "docs").rmdir()
    store.take(Author.PROGRAM, Moment("end", 9.0, 2))
    store.close()
    _write(project, {"README.md": "one\ntwo\nthree\n"})
    return run, project


def top(pilot: Pilot[Any]) -> Screen[Any]:
    return pilot.app.screen


def said(pilot: Pilot[Any], name: str) -> str:
    return str(top(pilot).query_one(f"#undo-{name}", Static).content)


async def _read(pilot: Pilot[Any], number: int) -> None:
    await until(pilot, lambda: said(pilot, "head").startswith(f"back to {number}: "), f"checkpoint {number}")


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_a_replay_puts_files_back_and_takes_that_back(tmp_path: Path, size: tuple[int, int]) -> None:
    run, project = run_with_changes(tmp_path)
    changed = _files(project)
    async with replaying(run, size) as (pilot, screen):
        await pilot.press("b")
        await _read(pilot, 1)
        assert said(pilot, "head") == "back to 1: 2 restored · 1 removed"
        diff = said(pilot, "diff")
        assert "-    print('stew')\n+    print('soup')" in diff and "new.py  removed  -1" in diff
        assert "docs/guide.md  restored  +1" in diff and "README.md (you changed it since)" in diff
        assert _files(project) == changed, "looking changes nothing"
        await pilot.press("enter", "enter")
        await until(pilot, lambda: top(pilot) is screen, "the undo")
        assert screen.note_text == "3 files put back; b undoes that"
        assert _files(project) == {**KEPT, "README.md": "one\ntwo\nthree\n"}

        await pilot.press("b")
        await until(pilot, lambda: bool(top(pilot).query_one(OptionList).option_count), "the list")
        first = str(top(pilot).query_one(OptionList).get_option_at_index(0).prompt)
        assert "before an undo" in first
        await until(pilot, lambda: "back to" in said(pilot, "head"), "what it changes")
        await pilot.press("enter", "y")
        await until(pilot, lambda: top(pilot) is screen, "the undo of the undo")
        assert _files(project) == changed


async def test_what_the_person_changed_in_the_same_lines_is_refused(tmp_path: Path) -> None:
    run, project = run_with_changes(tmp_path)
    mine = "def menu() -> None:\n    print('pie')\n"
    _write(project, {"menu.py": mine})
    async with replaying(run) as (pilot, screen):
        await pilot.press("b")
        await _read(pilot, 1)
        assert "▲ menu.py stays as it is: you changed the same lines" in said(pilot, "diff")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: isinstance(top(pilot), Page), "what was refused")
        shown = "".join(line.strip(" │") for line in lines_of(pilot))
        assert "menu.py" in shown and "other version: " in shown
        assert screen.note_text == "2 files put back, 1 refused; b undoes that"
    assert _files(project)["menu.py"] == mine
    other = [path for path in (run / "checkpoints" / "undo").rglob("menu.py")]
    assert [path.read_text() for path in other] == [KEPT["menu.py"]]


async def test_without_a_run_or_checkpoints_the_key_says_so_in_one_line(tmp_path: Path) -> None:
    for path, words in (
        (GOLDEN / "demo-full", "no checkpoints in this run"),
        (GOLDEN / "demo-full" / "manifest.json", "no checkpoints in this run"),
        (_cast(tmp_path), "this recording is of no run: there is nothing to undo"),
    ):
        async with replaying(path) as (pilot, screen):
            await pilot.press("b")
            assert screen.note_text == words and top(pilot) is screen


def _cast(folder: Path) -> Path:
    cast = folder / "any.cast"
    cast.write_bytes((GOLDEN / "demo-full" / "session.cast").read_bytes())
    return cast


async def test_checkpoints_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    run, project = run_with_changes(tmp_path)
    project.rename(tmp_path / "moved")
    async with replaying(run) as (pilot, _):
        await pilot.press("b")
        await until(pilot, lambda: said(pilot, "head").startswith("▲ "), "the problem")
        assert isinstance(top(pilot), UndoScreen) and "cannot be opened" in said(pilot, "head")


async def test_once_the_program_has_ended_the_cockpit_undoes_from_the_runs_folder(tmp_path: Path) -> None:
    run, project = run_with_changes(tmp_path)
    session = permission()
    session.checkpoints = None
    session.show(run_folder=str(run))
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "b")
        assert screen.model.notes[-1] == "no checkpoints in this run"
        session.end(0)
        await until(pilot, lambda: screen.exit_code == 0, "the end")
        session.now += 60.0
        await pilot.press(LEADER, "b")
        await _read(pilot, 1)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: top(pilot) is screen, "the undo")
        assert screen.model.notes[-1] == "3 files put back; ^] b undoes that"
    assert _files(project)["docs/guide.md"] == KEPT["docs/guide.md"]
