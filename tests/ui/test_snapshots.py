"""Pictures of the cockpit: every state and every screen, in three sizes and three themes.

A part of them is compared on every run, all of them with `-m "slow or not slow"` (`make snapshots` makes them
anew, without xdist: its workers cannot write them together).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from copilot.providers.create import OFFLINE
from copilot.tui.layout import LayoutPreferences
from copilot.tui.start_offer import StartOffer
from tests.ui.harness import (
    LEADER,
    SETTINGS,
    app_of,
    app_on,
    app_that_opens_for_ever,
    had_worked,
    keeping,
    pressing,
)
from tests.ui.picture_files import FOLDER, PACKED, USUAL
from tests.ui.places import PLACES
from tests.ui.plan_scene import plan_session
from tests.ui.scenes import SCENES, busy, live_an_hour, permission, question

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
THEMES = ("dark", "light", "ansi-dark")
"""An SVG has a dark terminal's colours, so `ansi-light` is not drawn; its contrast is computed elsewhere."""
OFTEN = (("80x24", "light"), USUAL, USUAL, ("200x60", "ansi-dark"), USUAL, USUAL)
HERO = "hero"
"""Made by `make_hero.py` for the README."""
Compare = Callable[..., bool]

MATRIX: set[str] = set()
"""Names of all pictures in sizes and themes."""


def every_look(test: str, names: Iterable[str]) -> list[Any]:
    """Parameters for `test`: each name in each size and theme, the most of them for slow runs.

    On every run each name is compared in one of them: contrast and sizes of all are computed elsewhere.
    """
    looks = []
    for number, name in enumerate(names):
        often = OFTEN[number % len(OFTEN)]
        for size in SIZES:
            for theme in THEMES:
                MATRIX.add(f"{test}-{name}-{size}-{theme}")
                marks = () if (size, theme) == often else pytest.mark.slow
                looks.append(pytest.param(name, size, theme, marks=marks, id=f"{name}-{size}-{theme}"))
    return looks


STATES = (
    *("busy", "permission", "countdown", "menu", "question", "drafts", "writing", "withdrawn", "stale"),
    *("password", "unknown", "risky", "completed"),
)


@pytest.mark.parametrize(("scene", "size", "theme"), every_look("state", STATES))
def test_state(snap_compare: Compare, scene: str, size: str, theme: str) -> None:
    app = app_on(SCENES[scene](), theme=theme)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing())


PICTURED = [name for name in PLACES if not name.startswith("undo")]


@pytest.mark.parametrize(("name", "size", "theme"), every_look("screen", PICTURED))
def test_screen(snap_compare: Compare, name: str, size: str, theme: str) -> None:
    scene, keys = PLACES[name]
    app = app_on(SCENES[scene](), theme=theme)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing(*keys))


@pytest.mark.parametrize(("what", "size", "theme"), every_look("start", ("programs", "folder")))
def test_start(snap_compare: Compare, what: str, size: str, theme: str) -> None:
    """The first screen, and the same for one more session."""
    writer = (OFFLINE, "a key for anthropic is set, not used: --provider anthropic")
    offers = (
        StartOffer("Claude Code", "claude 2.1.329", SETTINGS, writer=writer),
        StartOffer("Codex", "codex 0.63.0", replace(SETTINGS, profile="codex")),
        StartOffer("Gemini CLI", "not found; npm install -g @google/gemini-cli", None),
        StartOffer("demo", "a simulated coding CLI: offline, no key, under a minute", command=("demo",)),
    )
    app = app_on(permission(), theme=theme, settings=None, offers=offers)
    press: tuple[str, ...] = ()
    if what == "folder":
        app, press = app_of([permission()], theme=theme), (LEADER, "plus")
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing(*press))


@pytest.mark.parametrize(("what", "size", "theme"), every_look("opening", ("frame",)))
def test_opening(snap_compare: Compare, what: str, size: str, theme: str) -> None:
    """What stands there until the session is loaded."""
    app = app_that_opens_for_ever(theme)

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.pause()

    assert snap_compare(app, terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize(("what", "size", "theme"), every_look("time", ("line", "moment", "away")))
def test_time(snap_compare: Compare, what: str, size: str, theme: str) -> None:
    session = permission()
    keys = {"moment": (LEADER, "i", "left")}.get(what, ())

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        session.now = 1000.0
        if what == "away":
            pilot.app.post_message(events.AppBlur())
            await pilot.pause()
        await live_an_hour(session, pilot)
        if what == "away":
            pilot.app.post_message(events.AppFocus())
        await pressing(*keys)(pilot)
        await pilot.pause()

    assert snap_compare(app_on(session, theme=theme), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize(("what", "size", "theme"), every_look("tabs", ("bar", "queue")))
def test_tabs(snap_compare: Compare, what: str, size: str, theme: str) -> None:
    folders = iter(("docs", "api"))

    def offers(_folder: str) -> list[StartOffer]:
        place = replace(SETTINGS, cwd=f"/home/me/{next(folders)}")
        return [StartOffer("Claude Code", "claude 2.1.329", place)]

    app = app_of([permission(), busy(), question()], offers=offers, theme=theme)
    opened = (LEADER, "plus", "enter") * 2
    keys = {"bar": (), "queue": (LEADER, "y")}[what]

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        for key in opened:
            await pilot.press(key)
            await pilot.pause()
        had_worked(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await pilot.pause(0.1)

    assert snap_compare(app, terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize(("part", "size", "theme"), every_look("plan-held", ("command", "prompt")))
def test_plan_held(snap_compare: Compare, part: str, size: str, theme: str) -> None:
    session = plan_session()
    if part == "prompt":
        session.dismiss(identity=session.view.detection.identity)
    app = app_on(session, theme=theme)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing())


ARRANGED: dict[str, tuple[str, LayoutPreferences, tuple[str, ...]]] = {
    "one-line": ("permission", LayoutPreferences(one_line=True), ()),
    "one-line-countdown": ("countdown", LayoutPreferences(one_line=True), ()),
    "one-line-keys": ("permission", LayoutPreferences(one_line=True), (LEADER,)),
}


@pytest.mark.parametrize(("form", "size", "theme"), every_look("layout", ARRANGED))
def test_layout(snap_compare: Compare, form: str, size: str, theme: str) -> None:
    scene, preferences, keys = ARRANGED[form]
    app = app_on(SCENES[scene](), preferences=keeping(preferences), theme=theme)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing(*keys))


ODD: dict[str, tuple[str, tuple[int, int], LayoutPreferences]] = {
    "wide-reply-alone": ("menu", (160, 45), LayoutPreferences(40, 0, frozenset({"detector", "context"}))),
    "tall-context": ("permission", (100, 40), LayoutPreferences(0, 45, frozenset({"detector"}))),
    "too-small": ("busy", (36, 10), LayoutPreferences()),
    "least": ("permission", (40, 12), LayoutPreferences()),
    "biggest": ("permission", (250, 80), LayoutPreferences()),
}


@pytest.mark.parametrize("form", ODD)
def test_odd_size(snap_compare: Compare, form: str) -> None:
    scene, size, preferences = ODD[form]
    app = app_on(SCENES[scene](), preferences=keeping(preferences))
    assert snap_compare(app, terminal_size=size, run_before=pressing())


UNDO: dict[str, tuple[str, tuple[str, ...]]] = {
    f"{what}-{size}-dark": (size, keys)
    for size in ("80x24", "120x40")
    for what, keys in (("list", ()), ("diff", ("down", "down")))
}


@pytest.mark.parametrize("look", UNDO)
def test_undo(snap_compare: Compare, look: str) -> None:
    size, keys = UNDO[look]
    app = app_on(SCENES["undo"]())
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing(LEADER, "b", *keys))


def test_no_color(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without colour every state is still told by word and shape."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app_on(permission()), terminal_size=(120, 40), run_before=pressing())


def test_every_picture_is_used() -> None:
    """An SVG that no test makes any more is a leftover, and one that is missing a gap."""
    kept = {path.stem for path in (*FOLDER.glob("*.svg"), *PACKED.glob("*.svgz"))} - {HERO}
    assert kept == MATRIX | {
        "no-color",
        *(f"undo-{look}" for look in UNDO),
        *(f"odd-size-{form}" for form in ODD),
    }
