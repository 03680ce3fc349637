"""A screen that nobody understands is held, kept beside the run, and can be labelled; nothing is typed at it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.detection import Examiner
from copilot.recording.unknown_screens import Label, unknown_screens
from copilot.replay.detect import screen_at
from tests.own_profile import own_profile
from tests.session import odd_child
from tests.session.live import FakeProvider, Watched, run_settings, running, yes

PROFILE = """
name = "odd"
[screen.confirm_seconds]
unknown = 0.2
[[screen.rules]]
id = "odd.permission"
kind = "permission"
all = [{ pattern = "Launch the rocket" }]
"""


@pytest.fixture
def settings(tmp_path: Path) -> RunSettings:
    own_profile("odd", PROFILE)
    return run_settings(tmp_path, sys.executable, odd_child.__file__, profile="odd", columns=100, lines=12)


async def kept(watched: Watched, number: int) -> None:
    session = watched.live
    await watched.until(lambda: session.view.unknown == number, f"unknown screen {number}")


async def test_unknown_screens_are_held_kept_once_and_labelled(settings: RunSettings) -> None:
    async with running(settings, FakeProvider([yes()])) as watched:
        session = watched.live
        await kept(watched, 1)
        await watched.state(RunState.HELD)
        for _ in range(2):  # to the second screen, and back to the first
            session.type_bytes(b"x")
            await kept(watched, 2 if session.view.unknown == 1 else 1)
        seen = session.examination()
        assert seen is not None
        session.label_screen(ScreenKind.MENU, seen, session.clock())
        assert watched.notes[-1].startswith("screen 1 is labelled menu")
        assert not watched.writes
    first, second = unknown_screens(Path(settings.log_folder))
    assert (first.label and first.label.kind, second.label) == (ScreenKind.MENU, None)
    assert first.evidence["profile"] == "odd" and first.evidence["note"]
    assert first.evidence["rules"][0]["rule"] == "odd.permission" and first.evidence["rules"][0]["why_not"]
    screen = screen_at(first.cast(), 1.0)
    assert screen.lines[2].rstrip() == "  <<waxing>>  waning   new" and not screen.cursor.visible
    assert Examiner(load_profile("odd")).examine(screen).detection.kind is ScreenKind.UNKNOWN
    for path in first.path.parent.iterdir():
        assert odd_child.SECRET[:24] not in path.read_text("utf-8"), path
        assert path.stat().st_mode & 0o077 == 0, path


async def test_the_transcript_tells_of_it(settings: RunSettings) -> None:
    async with running(settings, FakeProvider([yes()])) as watched:
        await kept(watched, 1)
    lines = (Path(settings.log_folder) / "transcript.jsonl").read_text("utf-8").splitlines()
    (record,) = [entry for entry in map(json.loads, lines) if entry["type"] == "unknown"]
    assert record["data"]["number"] == 1


async def test_a_screen_that_was_understood_is_labelled_as_it_was_read_or_otherwise(
    settings: RunSettings,
) -> None:
    own_profile("odd", PROFILE.replace("Launch the rocket", "Moon"))
    async with running(settings, FakeProvider([yes()])) as watched:
        await watched.until(lambda: watched.live.view.detection.waiting, "prompt")
        seen = watched.live.examination()
        assert seen is not None and seen.detection.kind is ScreenKind.PERMISSION
        watched.live.label_screen(ScreenKind.PERMISSION, seen, 1.5)
        watched.live.label_screen(ScreenKind.MENU, seen, 1.5)
        assert watched.notes[-2:] == [
            f"screen 1 is labelled {kind}: copilot profiles learn" for kind in ("permission", "menu")
        ]
    (screen,) = unknown_screens(Path(settings.log_folder))
    assert screen.evidence["at"] == 1.5 and screen.evidence["rule"] == "odd.permission"
    assert screen.label == Label(ScreenKind.MENU), (
        "the later word counts, without what was read as another kind"
    )


async def test_a_run_that_keeps_nothing_says_so(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("copilot.recording.unknown_screens.MOST_SCREENS", 0)
    async with running(settings, FakeProvider([yes()])) as watched:
        await watched.state(RunState.HELD)
        seen = watched.live.examination()
        assert seen is not None
        watched.live.label_screen(ScreenKind.MENU, seen, 1.5)
        assert watched.notes[-1].startswith("not labelled: ")
