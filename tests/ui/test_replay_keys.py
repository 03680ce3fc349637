"""Every key of the replay does what the registry says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from copilot.core.screen_kinds import ScreenKind
from copilot.engine.review import Mark, Prompt, Sort
from copilot.replay.find import TextFinder
from copilot.replay.recorded import moment
from copilot.replay.redetect import Change
from copilot.replay.verdicts import Word
from copilot.tui.keymap import Place
from copilot.tui.replay.app import ReplayApp
from copilot.tui.replay.describe import mark_words
from copilot.tui.replay.dialogs import VerdictScreen
from copilot.tui.replay.keys import ACTIONS
from copilot.tui.replay.picture import ReplayPicture
from copilot.tui.replay.screen import ReplayScreen
from copilot.tui.screens.dialog import Page
from tests.replay.golden import GOLDEN
from tests.ui.replay_harness import copy_of, replaying, until

PERSON, FULL = GOLDEN / "demo-person", GOLDEN / "demo-full"


def text_of(screen: ReplayScreen, name: str) -> str:
    return str(screen.query_one(name, Static).content)


def top(pilot: Pilot[Any]) -> Screen[Any]:
    return pilot.app.screen


def place(screen: ReplayScreen) -> Place:
    return screen.place


def playing(screen: ReplayScreen) -> bool:
    return screen.model.playing


def searching(screen: ReplayScreen) -> bool:
    return screen.model.searching


def shown(widget: Widget) -> bool:
    return widget.display


def terminal_of(screen: ReplayScreen) -> str:
    picture = screen.query_one(ReplayPicture)
    return "\n".join(picture.render_line(y).text for y in range(picture.size.height))


async def test_each_action_can_be_done_and_no_key_means_two_things() -> None:
    pairs = [(place, key) for action in ACTIONS for place, keys in action.keys.items() for key in keys]
    assert len(pairs) == len(set(pairs))
    async with replaying(PERSON) as (_, screen):
        assert set(screen.actions) == {action.id for action in ACTIONS}


JUMPS: dict[tuple[str, ...], tuple[Sort, int]] = {
    ("n",): (Sort.PROMPT, 0),
    ("n", "n", "n"): (Sort.PROMPT, 2),
    ("n", "n", "N"): (Sort.PROMPT, 0),
    ("h",): (Sort.HELD, 0),
    ("h", "h", "H"): (Sort.HELD, 0),
    ("t",): (Sort.PERSON, 0),
    ("t", "t", "T"): (Sort.PERSON, 0),
    ("end", "T"): (Sort.PERSON, -1),
}


async def test_jumps_to_marks() -> None:
    async with replaying(PERSON) as (pilot, screen):
        for keys, (sort, number) in JUMPS.items():
            await pilot.press("home", *keys)
            mark = list(screen.model.review.marks_of(sort))[number]
            assert screen.model.at == mark.at, keys
            assert screen.note_text == mark_words(screen.model.review, mark), keys


async def test_decisions_and_all_marks() -> None:
    async with replaying(FULL) as (pilot, screen):
        await pilot.press("d")
        decisions = list(screen.model.review.marks_of(Sort.DECISION, Sort.HELD))
        assert screen.model.at == decisions[0].at
        await pilot.press("d", "D")
        assert screen.model.at == decisions[0].at
        await pilot.press("home", "m")
        assert screen.model.at == screen.model.review.marks[0].at
        await pilot.press("m", "M")
        assert screen.model.at == screen.model.review.marks[0].at
        await pilot.press("M")
        assert "no mark before this" in screen.note_text


async def test_what_is_otherwise_today_is_jumped_to_and_told() -> None:
    change = Change(2.0, 2, "decision", "send: it was so", "hold: it is so")
    async with replaying(FULL, changes=[change]) as (pilot, screen):
        model = screen.model
        at = model.review.prompts[1].at
        marks = (*model.review.marks, Mark(at, Sort.CHANGE, "decision", 2))
        object.__setattr__(model.review, "marks", tuple(sorted(marks, key=lambda mark: mark.at)))
        await pilot.press("x")
        assert model.at == at
        assert "hold: it is so" in text_of(screen, "#replay-done")
        await pilot.press("end", "X")
        assert model.at == at


async def test_seen_proposed_decided_typed_and_taken_are_all_told() -> None:
    async with replaying(FULL, size=(200, 60)) as (pilot, screen):
        await pilot.press("n")
        seen = text_of(screen, "#replay-seen")
        for part in ("permission", "Do you want to create greeting.py?", "demo.permission", "▌ "):
            assert part in seen
        assert "typed" not in text_of(screen, "#replay-done")
        assert "▌" in terminal_of(screen) and "Create file" in terminal_of(screen)
        await pilot.press("d")
        assert "◆ ❯ 1. Yes" in terminal_of(screen)
        screen.model.go(screen.model.review.prompts[0].until - 0.01)
        screen.show_all(jumped=True)
        done = text_of(screen, "#replay-done")
        for part in (
            "Yes",
            "send",
            "policy.full",
            "edit.unseen",
            "does not show all of the change",
            "typed 1",
        ):
            assert part in done
        assert "UNTRUSTED" in done  # a part of what the model saw
        screen.model.go(screen.model.review.prompts[1].until - 0.01)
        screen.show_all(jumped=True)
        assert "outcome taken, and the next prompt waits" in text_of(screen, "#replay-done")


async def test_play_stops_speeds_and_skips() -> None:
    async with replaying(PERSON) as (pilot, screen):
        model = screen.model
        await pilot.press("minus", "minus", "minus")  # slow: a busy machine must not play it to its end here
        await pilot.press("space")
        assert playing(screen)
        await until(pilot, lambda: model.at > 0.01, "playing")
        await pilot.press("space")
        assert not playing(screen)
        await pilot.press("plus", "plus", "plus", "plus")
        assert model.speed == 4
        await pilot.press("minus", "equals_sign", "minus")
        assert model.speed == 2
        await pilot.press("i")
        assert not model.skips_idle and "played" in screen.note_text
        await pilot.press("minus", "minus", "minus")
        await pilot.press("end", "space")
        assert playing(screen) and model.at < model.duration


async def test_steps_through_time() -> None:
    async with replaying(PERSON) as (pilot, screen):
        model = screen.model
        await pilot.press("right")
        assert model.at == 5
        await pilot.press("left")
        assert model.at == 0
        await pilot.press("l", "j", "shift+right")
        assert model.at == model.duration
        await pilot.press("shift+left")
        assert model.at == 0
        await pilot.press("greater_than_sign", "less_than_sign", "end", "home")
        assert model.at == 0
        await pilot.press("5")
        assert model.at == pytest.approx(model.duration / 2)
        await pilot.press("home", "full_stop")
        first = model.at
        assert first == model.player.frame_after(0.0)
        await pilot.press("full_stop", "comma")
        assert model.at == first
        await pilot.press("home", "comma")
        assert "nothing was drawn" in screen.note_text
        await pilot.press("end", "full_stop")
        assert "nothing is drawn" in screen.note_text


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90.0), ("1:30", 90.0), ("1:02:03", 3723.0), ("50%", 50.0), ("x", None), ("", None)],
)
def test_times_are_read(text: str, seconds: float | None) -> None:
    assert moment(text, 100.0) == seconds


async def test_go_to_a_time() -> None:
    async with replaying(PERSON) as (pilot, screen):
        await pilot.press("g")
        assert place(screen) is Place.TYPING
        await pilot.press("1", "4", "backspace", "full_stop", "5", "enter")
        assert screen.model.at == 1.5
        await pilot.press("g", "x", "enter")
        assert "is no time" in screen.note_text and screen.model.at == 1.5
        await pilot.press("g", "2", "escape")
        assert place(screen) is Place.PLAYER and screen.model.at == 1.5


async def test_search_over_time() -> None:
    async with replaying(FULL) as (pilot, screen):
        model = screen.model
        await pilot.press("slash", *"style", "enter")
        await until(pilot, lambda: not model.searching, "the search")
        assert model.hits and model.at == model.hits[0]
        assert "style should the greeting" in terminal_of(screen)
        before = model.at
        await pilot.press("home", "s")
        assert model.at == before
        await pilot.press("S")
        assert model.at == model.hits[-1]
        await pilot.press("slash", *"nowhere", "enter")
        await until(pilot, lambda: not model.searching, "the search")
        assert not model.hits
        await pilot.press("s")
        assert "nothing found" in screen.note_text
        await pilot.press("slash", "escape")
        assert model.query == ""
        await pilot.press("S")
        assert place(screen) is Place.TYPING


async def test_a_search_that_was_left_leads_nowhere_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its thread still tells then is of a search that is over."""
    finders: list[TextFinder] = []

    def made(*given: Any) -> TextFinder:
        finders.append(TextFinder(*given))
        return finders[-1]

    monkeypatch.setattr(ReplayApp, "_beside", lambda self, work, group: None)
    monkeypatch.setattr("copilot.tui.replay.app.TextFinder", made)
    async with replaying(FULL) as (pilot, screen):
        app, model = pilot.app, screen.model
        assert isinstance(app, ReplayApp)
        await pilot.press("slash", *"style", "enter")
        assert searching(screen)
        while finders[0].advance():
            pass
        await pilot.press("slash", "escape")
        assert not searching(screen)
        app._found(finders[0], True)
        assert (model.at, model.hits) == (0.0, [])
        await pilot.press("slash", *"nowhere", "enter")
        app._found(finders[0], True)
        assert (model.at, model.hits, model.searching) == (0.0, [], True)


async def test_rules_are_told_of_the_moment_that_is_shown_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with replaying(PERSON) as (pilot, screen):
        await pilot.press("n")
        assert "▌" in text_of(screen, "#replay-seen")
        monkeypatch.setattr(ReplayScreen, "waits_for_index", True)
        screen.show_all()
        assert "▌" not in text_of(screen, "#replay-seen"), "no row of another moment"
        await pilot.press("e")
        assert top(pilot) is screen and "is not shown yet" in screen.note_text


async def test_a_capital_that_is_two_small_letters_moves_no_match(tmp_path: Path) -> None:
    path = tmp_path / "x.cast"
    row = "İİİİ needle"
    header = {"version": 2, "width": len(row), "height": 2}
    path.write_text(json.dumps(header) + "\n" + json.dumps([0.1, "o", row]) + "\n", encoding="utf-8")
    async with replaying(path) as (pilot, screen):
        await pilot.press("slash", *"needle", "enter")
        await until(pilot, lambda: not screen.model.searching, "the search")
        await pilot.press("end")
        picture = screen.query_one(ReplayPicture)
        runs = picture.lay_more(None, picture._picture(0), 0)
        assert runs is not None
        plain = picture._painter.runs(picture._picture(0))
        assert [run[:2] for run in runs if run not in plain][-1] == (5, 11)


VERDICTS: dict[tuple[str, ...], tuple[Word, ScreenKind | None, str]] = {
    ("r", *"ok", "enter"): (Word.RIGHT, None, "ok"),
    ("k", "m", "enter"): (Word.WRONG_KIND, ScreenKind.MENU, ""),
    ("h", *"hunter2", "enter"): (Word.SHOULD_HAVE_HELD, None, "[secret]"),
    ("s", "enter"): (Word.SHOULD_HAVE_SENT, None, ""),
    ("w", "n", "o", "enter"): (Word.WRONG_REPLY, None, "no"),
}


async def test_a_verdict_is_kept_beside_the_run(tmp_path: Path) -> None:
    run = copy_of("demo-full", tmp_path)
    async with replaying(run) as (pilot, screen):
        await pilot.press("n")
        for number, (keys, (word, kind, note)) in enumerate(VERDICTS.items(), 1):
            await pilot.press("v")
            assert isinstance(top(pilot), VerdictScreen)
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            assert top(pilot) is screen
            assert word.value in text_of(screen, "#replay-done")
            lines = (run / "verdicts.jsonl").read_text().splitlines()
            assert len(lines) == number
            kept = json.loads(lines[-1])
            assert (kept["verdict"], kept["kind"], kept["note"]) == (word.value, kind and kind.value, note)
    async with replaying(run) as (pilot, screen):
        await pilot.press("n")
        prompt = screen.model.moment.prompt
        assert prompt is not None
        verdict = screen.book.on(prompt)
        assert verdict is not None and verdict.word is Word.WRONG_REPLY
        await pilot.press("v", "u")
        await pilot.pause()
        assert screen.book.on(prompt) is None


async def test_a_verdict_can_be_left_and_needs_a_prompt(tmp_path: Path) -> None:
    run = copy_of("demo-full", tmp_path)
    async with replaying(run) as (pilot, screen):
        await pilot.press("v")
        assert "no prompt" in screen.note_text
        await pilot.press("n", "v", "escape")
        assert top(pilot) is screen
    assert not (run / "verdicts.jsonl").exists()


async def test_pages_open_and_close() -> None:
    async with replaying(FULL) as (pilot, screen):
        await pilot.press("n")
        for key in ("c", "e", "question_mark"):
            for close in ("escape", "q", key):
                await pilot.press(key)
                assert isinstance(top(pilot), Page), key
                await pilot.press("down", "pagedown", close)
                await pilot.pause()
                assert top(pilot) is screen, (key, close)


async def test_the_whole_request_and_answer_are_shown() -> None:
    async with replaying(FULL) as (pilot, screen):
        await pilot.press("n", "c")
        page = str(pilot.app.screen.query_one(Static).content)
        asked = (FULL / "prompts/step-01/request.json").read_text()
        assert json.loads(asked)["system"].splitlines()[0] in page and "Never delete anything" in page
        await pilot.press("escape", "home", "c")
        await pilot.pause()
        assert "no model was asked" in screen.note_text


async def test_panel_and_view_keys() -> None:
    async with replaying(FULL, size=(80, 24)) as (pilot, screen):
        panel, picture = screen.query_one("#replay-panel"), screen.query_one(ReplayPicture)
        await pilot.press("n")
        assert not shown(panel)
        await pilot.press("p")
        await pilot.pause()
        assert shown(panel)
        await pilot.press("down", "down")
        await pilot.pause()
        assert panel.scroll_offset.y == 2
        await pilot.press("up", "k")
        await pilot.pause()
        assert panel.scroll_offset.y == 0
        await pilot.press("pagedown")
        await pilot.pause()
        assert panel.scroll_offset.y > 2
        await pilot.press("pageup", "tab")
        await pilot.pause()
        assert not shown(panel)
        await pilot.press("home", "ctrl+down")
        await pilot.pause()
        assert picture.corner[0] > 0
        await pilot.press("ctrl+up", "ctrl+right")
        await pilot.pause()
        assert picture.corner == (0, 8)
        await pilot.press("ctrl+left", "z", "w", "f", "a")
        await pilot.pause()
        assert picture.corner == (0, 0)
        await pilot.press("ctrl+t")
        assert pilot.app.theme == "copilot-light"


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_leaving(key: str) -> None:
    async with replaying(FULL) as (pilot, _):
        await pilot.press(key)
        await pilot.pause()
        assert pilot.app.return_value == 0


async def test_the_timeline_and_the_key_bar_take_clicks() -> None:
    async with replaying(FULL, size=(120, 40)) as (pilot, screen):
        await pilot.click("#replay-timeline", offset=(60, 1))
        await pilot.pause()
        assert screen.model.at == pytest.approx(screen.model.duration / 2, rel=0.05)
        before = screen.model.at
        await pilot.click("#replay-keys", offset=(10, 0))
        await pilot.pause()
        # On a busy machine the three seconds that are left may have been played by now.
        assert screen.model.playing or screen.model.at > before


async def test_any_size() -> None:
    async with replaying(FULL) as (pilot, screen):
        await pilot.press("n")
        for size in ((80, 24), (120, 40), (200, 60), (36, 10), (40, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert screen.has_class("-too-small") is (size == (36, 10)), size
            assert size == (36, 10) or "Yes" in terminal_of(screen), size


async def test_a_foreign_recording_is_looked_through(tmp_path: Path) -> None:
    cast = tmp_path / "foreign.cast"
    cast.write_bytes((GOLDEN / "claude-permissions" / "session.cast").read_bytes())
    async with replaying(cast) as (pilot, screen):

        def asked() -> list[Prompt]:
            found = screen.model.review.prompts
            return [prompt for prompt in found if prompt.detection.kind is ScreenKind.PERMISSION]

        await until(pilot, lambda: bool(asked()), "what is seen in it")
        screen.model.go(asked()[0].at)
        screen.show_all(jumped=True)
        assert "▲ YOUR TURN  permission" in text_of(screen, "#replay-seen")
        assert list(screen.model.review.marks_of(Sort.NOTE))
        await pilot.press("v", "r", "enter")
        await until(pilot, (tmp_path / "foreign.cast.verdicts.jsonl").exists, "the verdict on the disk")


async def test_hostile_text_reaches_the_screen_as_text_only(tmp_path: Path) -> None:
    cast = tmp_path / "evil.cast"
    lines = [
        {"version": 2, "width": 80, "height": 24, "title": "[red]x[/] \x1b]0;pwned\x07"},
        [0.5, "m", "\x1b]52;c;eA==\x07 [bold]mark \u202eevil"],
        [1.0, "o", "hi [link=file:///x]there[/]\r\n"],
    ]
    cast.write_text("".join(json.dumps(line) + "\n" for line in lines))
    async with replaying(cast) as (pilot, screen):
        await pilot.press("m")
        shown = pilot.app.export_screenshot()
        assert "\x1b]52" not in shown and "\u202e" not in shown
        assert "[bold]mark" in screen.note_text
        await pilot.press("end")
        assert "[link=file:///x]" in terminal_of(screen)
