"""Pictures of the cockpit in every state, form and theme. Run without xdist: an unused SVG must fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from copilot.tui.layout import Wishes
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.start_offer import StartOffer
from tests.ui.conftest import FOLDER, USED
from tests.ui.harness import SETTINGS, app_of, app_on, pressing
from tests.ui.plan_scene import plan_session
from tests.ui.scenes import SCENES, busy, live_an_hour, log, permission, question

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
HERO = "hero"
"""Made by `make_hero.py` for the README."""
LEADER = "ctrl+right_square_bracket"
Compare = Callable[..., bool]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "scene", ["busy", "permission", "countdown", "menu", "question", "stale", "completed"]
)
def test_state(snap_compare: Compare, scene: str, size: str, theme: str) -> None:
    app = app_on(SCENES[scene](), theme=theme)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing())


@pytest.mark.parametrize("scene", ["writing", "password"])
def test_more_states(snap_compare: Compare, scene: str) -> None:
    assert snap_compare(app_on(SCENES[scene]()), terminal_size=(120, 40), run_before=pressing())


PLACES: dict[str, tuple[str, tuple[int, int], tuple[str, ...]]] = {
    "panel-compact": ("permission", (80, 24), (LEADER, "p")),
    "leader": ("permission", (80, 24), (LEADER,)),
    "edit-compact": ("question", (80, 24), (LEADER, "e")),
    "edit": ("question", (120, 40), (LEADER, "e")),
    "instruct": ("permission", (120, 40), (LEADER, "r")),
    "autonomy": ("permission", (120, 40), (LEADER, "a")),
    "context": ("permission", (120, 40), (LEADER, "c")),
    "governing": ("permission", (120, 40), (LEADER, "c", "e")),
    "governing-compact": ("permission", (80, 24), (LEADER, "c", "e")),
    "explain": ("permission", (120, 40), (LEADER, "x")),
    "explain-compact": ("busy", (80, 24), (LEADER, "x")),
    "label": ("unknown", (80, 24), (LEADER, "l")),
    "help": ("permission", (120, 40), (LEADER, "question_mark")),
    "help-compact": ("busy", (80, 24), (LEADER, "question_mark")),
    "palette": ("permission", (120, 40), (LEADER, "colon")),
    "zoom": ("permission", (120, 40), (LEADER, "z")),
    "too-small": ("busy", (36, 10), ()),
    "least": ("permission", (40, 12), ()),
}


@pytest.mark.parametrize("place", PLACES)
def test_place(snap_compare: Compare, place: str) -> None:
    scene, size, keys = PLACES[place]
    assert snap_compare(app_on(SCENES[scene]()), terminal_size=size, run_before=pressing(*keys))


RISKS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "80x24-dark": ("80x24", "dark", ()),
    "80x24-light": ("80x24", "light", ()),
    "80x24-panel": ("80x24", "dark", (LEADER, "p")),
    "120x40-dark": ("120x40", "dark", ()),
    "120x40-light": ("120x40", "light", ()),
    "200x60-dark": ("200x60", "dark", ()),
    "guard-80x24": ("80x24", "dark", (LEADER, "g")),
    "guard-120x40": ("120x40", "dark", (LEADER, "g")),
    "guard-120x40-light": ("120x40", "light", (LEADER, "g")),
    "allow-80x24": ("80x24", "dark", (LEADER, "u")),
    "allow-120x40": ("120x40", "dark", (LEADER, "u", "2")),
}


@pytest.mark.parametrize("look", RISKS)
def test_risk(snap_compare: Compare, look: str) -> None:
    """The part of a command that decided its risk is marked in the panel and in the terminal."""
    size, theme, keys = RISKS[look]
    app = app_on(SCENES["granted"](), theme=theme)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing(*keys))


LOOKS: dict[str, tuple[str, tuple[int, int], tuple[str, ...]]] = {
    "search": ("dark", (80, 24), (LEADER, "slash", *"build 1")),
    "found": ("light", (120, 40), (LEADER, "slash", *"build 1", "enter", "n")),
    "links": ("dark", (120, 40), (LEADER, "o")),
    "bar-cursor": ("dark", (80, 24), ()),
}


@pytest.mark.parametrize("look", LOOKS)
def test_terminal(snap_compare: Compare, look: str) -> None:
    theme, size, keys = LOOKS[look]
    assert snap_compare(app_on(log(), theme=theme), terminal_size=size, run_before=pressing(*keys))


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", ["80x24", "120x40"])
def test_start(snap_compare: Compare, size: str, theme: str) -> None:
    offers = (
        StartOffer("Claude Code", "claude 2.1.329", SETTINGS),
        StartOffer("Codex", "codex 0.63.0", replace(SETTINGS, profile="codex")),
        StartOffer("Gemini CLI", "not found; npm install -g @google/gemini-cli", None),
        StartOffer("demo", "a simulated coding CLI: offline, no key, under a minute", command=("demo",)),
    )
    keys = {"anthropic": "ANTHROPIC_API_KEY", "openai": ""}
    app = app_on(permission(), theme=theme, settings=None, offers=offers, keys=keys)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing())


@pytest.mark.parametrize("place", ["80x24", "120x40", "edit", "autonomy"])
def test_ansi(snap_compare: Compare, place: str) -> None:
    """In the terminal's own colours. An SVG has a dark terminal's, so the light one is not drawn."""
    size, keys = SIZES.get(place, (120, 40)), {"edit": (LEADER, "e", "e"), "autonomy": (LEADER, "a")}
    app = app_on(permission(), theme="ansi-dark")
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys.get(place, ())))


def test_no_color(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without colour every state is still told by word and shape."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app_on(permission()), terminal_size=(120, 40), run_before=pressing())


ARRANGED: dict[str, tuple[str, tuple[int, int], Wishes, tuple[str, ...]]] = {
    "one-line": ("permission", (80, 24), Wishes(one_line=True), ()),
    "one-line-countdown": ("countdown", (80, 24), Wishes(one_line=True), ()),
    "one-line-keys": ("permission", (80, 24), Wishes(one_line=True), (LEADER,)),
    "box": ("permission", (160, 45), Wishes(hidden=frozenset({"context"})), (LEADER, "w")),
    "wide-reply-alone": ("menu", (160, 45), Wishes(40, 0, frozenset({"detector", "context"})), ()),
    "tall-context": ("permission", (100, 40), Wishes(0, 45, frozenset({"detector"})), ()),
    "panel-zoomed": ("question", (120, 40), Wishes(), (LEADER, "p", "z")),
}


@pytest.mark.parametrize("arranged", ARRANGED)
def test_layout(snap_compare: Compare, arranged: str) -> None:
    scene, size, wishes, keys = ARRANGED[arranged]
    keeper = PreferenceKeeper()
    keeper.wish(wishes)
    app = app_on(SCENES[scene](), preferences=keeper)
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@pytest.mark.parametrize("size", ["80x24", "120x40", "200x60"])
@pytest.mark.parametrize("what", ["line", "moment", "away"])
def test_time(snap_compare: Compare, what: str, size: str) -> None:
    session = permission()
    keys = {"moment": (LEADER, "i", "left")}.get(what, ())

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        session.now = 1000.0
        if what == "away":
            pilot.app.post_message(events.AppBlur())
            await pilot.pause()
        live_an_hour(session)
        await pilot.pause()
        if what == "away":
            pilot.app.post_message(events.AppFocus())
        await pressing(*keys)(pilot)
        await pilot.pause()

    assert snap_compare(app_on(session), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("size", ["80x24", "120x40"])
@pytest.mark.parametrize("what", ["bar", "queue", "new"])
def test_tabs(snap_compare: Compare, what: str, size: str) -> None:
    app = app_of([permission(), busy(), question()])
    opened = (LEADER, "plus", "enter") * 2
    keys = {"bar": (), "queue": (LEADER, "y"), "new": (LEADER, "plus")}[what]

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        for key in (*opened, *keys):
            await pilot.press(key)
            await pilot.pause()
        await pilot.pause(0.1)

    assert snap_compare(app, terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("size", ["80x24", "120x40"])
@pytest.mark.parametrize("part", ["command", "prompt"])
def test_plan_held(snap_compare: Compare, part: str, size: str) -> None:
    session = plan_session()
    if part == "prompt":
        session.dismiss(identity=session.view.detection.identity)
    assert snap_compare(app_on(session), terminal_size=SIZES[size], run_before=pressing())


def test_every_picture_is_used(request: pytest.FixtureRequest) -> None:
    """Must stay last. An SVG that no test makes any more is a leftover."""
    mine = [item for item in request.session.items if item.path == request.path]
    if len(USED) < len(mine) - 1 or len(mine) < 10:
        pytest.skip("only some of the snapshots ran")
    kept = {path.stem for path in FOLDER.glob("*.svg")} - {HERO}
    assert kept == USED
