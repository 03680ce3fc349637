"""Every key of the registry, and that every other key reaches the child."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from copilot.core.detection import Detection
from copilot.core.reply import Autonomy, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.errors import InputError
from copilot.session.front_end import SessionListener
from copilot.tui.app import CopilotApp
from copilot.tui.bridge import OpenedSession
from copilot.tui.keymap import ACTIONS, Place
from copilot.tui.layout import terminal_size
from copilot.tui.screens.autonomy import AutonomyScreen
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.help import HelpScreen
from copilot.tui.screens.quit import QuitScreen
from copilot.tui.start_offer import StartOffer
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.status_bar import StatusBar
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, SETTINGS, begin_again, cockpit, place_in
from tests.ui.scenes import (
    busy,
    countdown,
    log,
    menu,
    password,
    permission,
    question,
    unknown,
    with_view,
    writing,
)

TYPED = {
    "a": b"a",
    "G": b"G",
    "enter": b"\r",
    "escape": b"\x1b",
    "tab": b"\t",
    "shift+tab": b"\x1b[Z",
    "up": b"\x1b[A",
    "pageup": b"\x1b[5~",
    "home": b"\x1b[H",
    "f5": b"\x1b[15~",
    "ctrl+c": b"\x03",
    "ctrl+p": b"\x10",
    "ctrl+q": b"\x11",
    "ctrl+o": b"\x0f",
    "ctrl+backslash": b"\x1c",
    "ctrl+underscore": b"\x1f",
    "question_mark": b"?",
    "slash": b"/",
    "space": b" ",
    "ä": "ä".encode(),
    "alt+x": b"\x1bx",
    "ctrl+left": b"\x1b[1;5D",
    "backspace": b"\x7f",
}


def _session(pilot: Pilot[Any]) -> FakeSession:
    screen = pilot.app.session_screen  # type: ignore[attr-defined]
    assert isinstance(screen.session, FakeSession)
    return screen.session


async def test_every_key_reaches_the_child_and_the_leader_does_when_pressed_twice() -> None:
    session = busy()
    async with cockpit(session) as (pilot, _):
        for key, data in TYPED.items():
            session.typed = b""
            await pilot.press(key)
            assert session.typed == data, key
        session.typed = b""
        await pilot.press(LEADER)
        assert session.typed == b""
        await pilot.press(LEADER)
        assert session.typed == b"\x1d"


def top(pilot: Pilot[Any]) -> object:
    return pilot.app.screen


async def test_leader_keys_that_do_nothing_here_are_told_and_not_sent() -> None:
    session = busy()
    async with cockpit(session) as (pilot, screen):
        for key, told in (("f9", "does nothing"), ("s", "nothing is asked"), ("escape", None)):
            await begin_again(pilot, session, session.view)
            await pilot.press(LEADER, key)
            assert (screen.place, session.typed, session.calls) == (Place.TERMINAL, b"", []), key
            assert told is None or told in screen.model.notes[-1], key


@pytest.mark.parametrize(
    ("leader", "key", "data"), [("f12", "f12", b"\x1b[24~"), ("ctrl+g", "ctrl+g", b"\x07")]
)
async def test_leader_can_be_another(leader: str, key: str, data: bytes) -> None:
    async with cockpit(busy(), leader=leader) as (pilot, screen):
        await pilot.press(LEADER)
        assert _session(pilot).typed == b"\x1d"
        await pilot.press(key)
        assert screen.place is Place.LEADER
        await pilot.press(key)
        assert _session(pilot).typed == b"\x1d" + data


@pytest.mark.invariant(2)
async def test_keys_send_or_dismiss_for_the_prompt_that_is_shown() -> None:
    session = permission()
    view = session.view
    async with cockpit(session) as (pilot, screen):
        send, dismiss = ("send", Reply(choice="No")), ("dismiss",)
        for keys in (("s",), ("enter",), ("p", "enter"), ("tab", "s"), ("d",)):
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, *keys)
            assert session.calls == [dismiss if "d" in keys else send], keys
            assert session.identities == [view.detection.identity], keys
            assert session.typed == b"", keys
            await pilot.pause()
            assert screen.place is Place.TERMINAL, keys
        await begin_again(pilot, session, writing().view)
        await pilot.press(LEADER, "d")
        assert session.calls == [dismiss]


@pytest.mark.invariant(2)
async def test_a_reply_is_not_sent_to_a_prompt_that_came_this_moment() -> None:
    session = permission()
    async with cockpit(session) as (pilot, screen):
        other = replace(session.view.detection, question="Remove everything?", identity="another")
        session.show(detection=other)
        await pilot.pause()
        session.now += 0.2
        await pilot.press(LEADER, "s")
        assert session.calls == []
        assert "changed just now" in screen.model.notes[-1]
        session.now += 0.2
        await pilot.press(LEADER, "s")
        assert (session.calls, session.identities) == ([("send", Reply(choice="No"))], ["another"])


@pytest.mark.invariant(2)
async def test_a_busy_moment_between_two_prompts_does_not_hide_that_the_second_is_new() -> None:
    session = permission()
    async with cockpit(session) as (pilot, _):
        first = session.view.detection
        session.show(detection=Detection(ScreenKind.BUSY))
        await pilot.pause()
        session.now += 0.2
        session.show(detection=replace(first, question="Remove everything?", identity="another"))
        await pilot.pause()
        await pilot.press(LEADER, "s")
        assert session.calls == []
        session.now += 5.0
        await pilot.press(LEADER, "s")
        assert len(session.calls) == 1


async def test_option_is_marked_by_its_digit_and_arrows_and_sent_by_enter_only() -> None:
    session = menu()
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "p")
        for key, index in (("down", 2), ("k", 1), ("up", 0), ("j", 1), ("1", 0), ("2", 1)):
            await pilot.press(key)
            assert screen.model.marked_index() == index, key
        assert session.calls == []
        await pilot.press("escape", LEADER, "e", "up", "enter")
        assert session.calls == [("send", Reply(choice="Postgres"))]


async def test_edit_and_send() -> None:
    session = question()
    view = session.view
    async with cockpit(session) as (pilot, screen):
        editor = screen.query_one(ReplyBox).editor
        await pilot.press(LEADER, "e")
        assert screen.place is Place.EDIT
        editor.load_text("Use Post")
        editor.move_cursor((0, 8))
        await pilot.press("g", "ctrl+j", "x", "enter")
        assert (session.calls, session.typed) == ([("send", Reply(text="Use Postg\nx"))], b"")
        for key in ("ctrl+s", "enter"):
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, "e")
            editor.load_text("Yes")
            await pilot.press(key)
            assert session.calls == [("send", Reply(text="Yes"))], key
        await begin_again(pilot, session, view)
        await pilot.press(LEADER, "e")
        editor.clear()
        await pilot.press("enter")
        assert (place_in(screen), session.calls) == (Place.EDIT, []), "an empty answer is not sent"
        await pilot.press("escape")
        assert place_in(screen) is Place.REPLY
        await pilot.press("escape")
        assert place_in(screen) is Place.TERMINAL


async def test_what_was_written_before_is_taken_again() -> None:
    async with cockpit(question()) as (pilot, screen):
        editor = screen.query_one(ReplyBox).editor
        for text in ("first", "second"):
            await pilot.press(LEADER, "e")
            editor.load_text(text)
            await pilot.press("enter")
            _session(pilot).view = question().view
            _session(pilot).show()
            await pilot.pause()
        await pilot.press(LEADER, "e")
        editor.load_text("half a draft")
        seen = []
        for key in ("ctrl+p", "ctrl+up", "ctrl+p", "ctrl+n", "ctrl+down", "ctrl+n"):
            await pilot.press(key)
            seen.append(editor.text)
        assert seen == ["second", "first", "first", "second", "half a draft", "half a draft"]


async def test_edited_text_is_not_sent_to_another_prompt() -> None:
    session = question()
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "e")
        other = permission().view
        session.show(detection=other.detection, proposal=None)
        await pilot.pause()
        await pilot.press("enter")
        assert session.calls == []
        assert "changed" in str(screen.query_one(ReplyBox).border_subtitle)
        assert screen.place is Place.EDIT


async def test_another_reply_with_an_instruction_and_words_with_an_option() -> None:
    session = permission()
    view = session.view
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "r")
        assert screen.place is Place.INSTRUCT
        await pilot.press("n", "o", "enter")
        assert session.calls == [("ask_again", "no")]
        assert place_in(screen) is Place.TERMINAL
        await begin_again(pilot, session, view)
        await pilot.press(LEADER, "e", "e")
        screen.query_one(ReplyBox).editor.load_text("keep it")
        await pilot.press("enter")
        assert session.calls == [("send", Reply(choice="No", text="keep it"))]


async def test_what_cannot_be_done_to_a_reply_is_said() -> None:
    """A send without a proposal never takes the pointer of the child."""
    session = permission()
    bare = replace(session.view, proposal=None, decision=None)
    watched = replace(session.view, autonomy=Autonomy.WATCH)
    cases = (bare, "s", "no reply"), (watched, "r", "watch"), (password().view, "e", "password")
    async with cockpit(with_view(session, proposal=None, decision=None)) as (pilot, screen):
        for view, key, told in cases:
            await begin_again(pilot, _session(pilot), view)
            await pilot.press(LEADER, key)
            assert (screen.place, _session(pilot).calls) == (Place.TERMINAL, []), key
            assert told in screen.model.notes[-1], key


async def test_any_key_and_a_paste_stop_a_countdown_and_are_not_sent() -> None:
    session = countdown()
    view = session.view
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        ways: dict[str, Callable[[], object]] = {
            "paste": lambda: terminal.post_message(Paste("rm -rf /\n")),
            "back from a stop": lambda: pilot.app.app_resume_signal.publish(pilot.app),
        }
        for way in ("a", "enter", "escape", "ctrl+c", "up", *ways):
            await begin_again(pilot, session, view)
            if way in ways:
                ways[way]()
            else:
                await pilot.press(way)
            await pilot.pause()
            assert (session.calls, session.typed) == ([("stop_countdown",)], b""), way
            await pilot.press("x")
            assert session.typed == b"x", way
        await begin_again(pilot, session, view)
        await pilot.press(LEADER)
        await pilot.pause()
        await pilot.press("s")
        assert session.calls == [("stop_countdown",), ("send", Reply(choice="Yes"))]


async def test_a_key_in_a_dialog_stops_a_countdown() -> None:
    session = permission()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "question_mark")
        view = countdown().view
        session.show(detection=view.detection, countdown_ends_at=session.now + 3)
        await pilot.pause()
        await pilot.press("down")
        assert session.calls == [("stop_countdown",)]


async def test_it_stops_only_where_a_shell_can_bring_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = []
    async with cockpit(busy()) as (pilot, screen):
        monkeypatch.setattr(pilot.app, "action_suspend_process", lambda: stopped.append(True))
        for shell in (True, False):
            monkeypatch.setattr("copilot.tui.screens.quit.shell_behind", lambda here=shell: here)
            await pilot.press(LEADER, "ctrl+z")
            assert stopped == [True]
            told = any("no shell started" in note for note in screen.model.notes)
            assert told is not shell
        assert _session(pilot).typed == b""


async def test_autonomy() -> None:
    session = busy()
    view = session.view
    levels = {
        ("3",): Autonomy.ASSIST,
        ("down", "down", "enter"): Autonomy.FULL,
        ("up", "enter"): Autonomy.WATCH,
        ("escape",): None,
    }
    async with cockpit(session) as (pilot, _):
        for keys, level in levels.items():
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, "a")
            assert isinstance(pilot.app.screen, AutonomyScreen)
            await pilot.press(*keys)
            await pilot.pause()
            assert session.calls == ([] if level is None else [("set_autonomy", level)]), keys


async def test_pages_open_and_close() -> None:
    async with cockpit(permission()) as (pilot, screen):
        for key, kind, close in (
            ("c", ContextScreen, "escape"),
            ("c", ContextScreen, "c"),
            ("question_mark", HelpScreen, "q"),
            ("h", HelpScreen, "escape"),
        ):
            await pilot.press(LEADER, key)
            assert type(top(pilot)) is kind, key
            await pilot.press("down", "pagedown", close)
            await pilot.pause()
            assert top(pilot) is screen, (key, close)
        assert _session(pilot).typed == b""


async def test_palette_does_what_is_chosen() -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(LEADER, "colon")
        await pilot.press(*"zoom")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause()
        assert screen.has_class("-bare")


async def test_zoom_and_back_theme_and_the_mouse_for_selecting() -> None:
    session = busy()
    async with cockpit(session, size=(120, 40)) as (pilot, screen):
        before = session.screen.lines
        await pilot.press(LEADER, "z")
        await pilot.pause(0.1)
        assert session.screen.lines == 38 > before
        await pilot.press(LEADER, "z")
        await pilot.pause(0.1)
        assert session.screen.lines == before
        await pilot.press(LEADER, "t")
        assert pilot.app.theme == "copilot-light"
        assert session.screen.theme.background == (0xFC, 0xFC, 0xFA)
        await pilot.press(LEADER, "m")
        assert screen.query_one(TerminalView).mouse_is_ours


async def test_scrollback() -> None:
    session = FakeSession()
    session.screen.feed(b"".join(b"\x1b[31mline %d\x1b[0m\r\n" % number for number in range(900)))
    async with cockpit(session) as (pilot, screen):
        terminal, bar = screen.query_one(TerminalView), screen.query_one(StatusBar)
        for packed in (False, True):
            while packed and session.screen.tidy():
                pass
            await pilot.press(LEADER, "v")
            assert screen.place is Place.SCROLL
            await pilot.press("home")
            assert terminal.render_line(0).text.startswith("line 0 "), packed
            await pilot.press("down", "pagedown", "pageup", "up")
            assert terminal.render_line(0).text.startswith("line 0 "), packed
            await pilot.press("end")
            assert (place_in(screen), session.typed) == (Place.TERMINAL, b""), packed
        await pilot.press(LEADER, "pageup", "n")
        assert "nothing is searched for" in bar.note
        await pilot.press("escape")
        assert (place_in(screen), session.typed, bar.note) == (Place.TERMINAL, b"", "")


@pytest.mark.invariant(1)
async def test_where_nothing_stands_above_that_is_said_and_keys_at_once_do_not_go_to_the_child() -> None:
    session = FakeSession()
    async with cockpit(session) as (pilot, screen):
        for shown, why in (
            (b"a line\r\n", "nothing has scrolled off yet"),
            (b"\x1b[?1049h\x1b[Ha full screen", "leave no scrollback"),
        ):
            session.feed(shown)
            await begin_again(pilot, session, session.view)
            await pilot.press(LEADER, "v")
            assert place_in(screen) is Place.TERMINAL and why in screen.model.notes[-1]
            await pilot.press("k", "pageup", "up", "j", "pagedown", "x")
            assert (place_in(screen), session.typed) == (Place.TERMINAL, b""), why
            session.now += 0.5
            await pilot.press("x")
            assert session.typed == b"x", why


async def test_quit_at_rest_ends_the_run_and_asks_twice_if_it_does_not_end() -> None:
    session = log()
    session.ends_when_interrupted = False
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "q", LEADER, "q")
        assert session.calls == [("interrupt",), ("interrupt",)]
        assert pilot.app.screen is screen
        session.end(130)
        await pilot.pause()
        assert pilot.app.return_value == 130


async def test_quit_asks_once_while_the_program_works_or_waits() -> None:
    session = busy()
    async with cockpit(session) as (pilot, screen):
        for scene in (busy, permission, question, password, unknown, writing):
            await begin_again(pilot, session, scene().view)
            await pilot.press(LEADER, "q")
            await pilot.pause()
            assert type(pilot.app.screen) is QuitScreen, scene
            await pilot.press("x", "q", "escape")
            await pilot.pause()
            assert not screen.app.screen.is_modal and session.calls == [] and session.typed == b"", scene
            await pilot.press("a")
            assert session.typed == b"a", scene


@pytest.mark.parametrize(
    ("scene", "keys"), [(busy, ("y",)), (permission, ("enter",)), (password, (LEADER, "q"))]
)
async def test_a_quit_that_is_confirmed_ends_the_run(scene: Any, keys: tuple[str, ...]) -> None:
    session = scene()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "q", *keys)
        await pilot.pause()
        assert (session.calls, session.typed) == ([("interrupt",)], b"")
        assert pilot.app.return_value == 130


async def test_a_run_that_ends_while_it_is_asked_is_left_without_another_question() -> None:
    session = busy()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "q")
        session.show(state=RunState.COMPLETED)
        session.end(0)
        await pilot.pause()
        await pilot.press("y")
        await pilot.pause()
        assert session.calls == [] and pilot.app.return_value == 0


async def test_a_run_that_has_ended_stays_on_the_screen_until_left() -> None:
    session = busy()
    async with cockpit(session) as (pilot, screen):
        session.end(0)
        await pilot.pause()
        assert pilot.app.screen is screen
        await pilot.press(LEADER, "q")
        await pilot.pause()
        assert pilot.app.return_value == 0


async def test_each_action_can_be_done() -> None:
    async with cockpit(busy()) as (_, screen):
        assert set(screen.actions) == {action.id for action in ACTIONS}


def test_no_key_means_two_things_in_one_place() -> None:
    pairs = [(place, key) for action in ACTIONS for place, keys in action.keys.items() for key in keys]
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize("problem", [InputError("no such program"), TypeError("ours")])
async def test_session_that_cannot_be_opened_ends_the_cockpit(problem: Exception) -> None:
    async def factory(settings: RunSettings, listener: SessionListener) -> OpenedSession:
        raise problem

    app = CopilotApp(SETTINGS, factory)
    async with app.run_test() as pilot:
        await pilot.pause()
    assert app.failure is problem


async def test_fault_of_a_running_session_is_shown_and_the_screen_stays() -> None:
    session = busy()

    async def broken() -> int:
        raise RuntimeError("broke \x1b[31m")

    session.finish = broken  # type: ignore[method-assign]
    async with cockpit(session) as (pilot, screen):
        await pilot.pause()
        assert pilot.app.screen is screen
        assert screen.exit_code == 1
        assert "RuntimeError: broke" in screen.model.notes[-1]
        assert "\x1b" not in screen.model.notes[-1]


async def test_leaving_from_outside_interrupts_the_session() -> None:
    session = busy()
    async with cockpit(session) as (pilot, _):
        pilot.app.exit(0)
    assert ("interrupt",) in session.calls


def start_app(*offers: StartOffer) -> tuple[CopilotApp, list[RunSettings]]:
    opened: list[RunSettings] = []
    session = busy()

    async def factory(settings: RunSettings, listener: SessionListener) -> OpenedSession:
        opened.append(settings)
        return OpenedSession(session, session.finish)

    return CopilotApp(None, factory, offers=offers), opened


OFFERS = (
    StartOffer("Claude Code", "/usr/bin/claude", SETTINGS),
    StartOffer("Gemini", "not on PATH"),
    StartOffer("Codex", "/usr/bin/codex", replace(SETTINGS, profile="codex")),
    StartOffer("Demo", "offline", command=("demo",)),
)


@pytest.mark.parametrize(
    ("keys", "profile", "level"),
    [
        (("enter",), "claude", Autonomy.SUGGEST),
        (("down", "3", "enter"), "codex", Autonomy.ASSIST),
        (("up", "up", "right", "right", "enter"), "codex", Autonomy.FULL),
        (("j", "k", "left", "enter"), "claude", Autonomy.WATCH),
    ],
)
async def test_start_screen_opens_what_is_chosen(
    keys: tuple[str, ...], profile: str, level: Autonomy
) -> None:
    app, opened = start_app(*OFFERS)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.pause()
        assert [(settings.profile, settings.autonomy) for settings in opened] == [(profile, level)]
        assert (opened[0].columns, opened[0].lines) == terminal_size(100, 30)
        assert app.session_screen is not None


async def test_start_screen_offers_the_demo() -> None:
    app, opened = start_app(*OFFERS)
    async with app.run_test() as pilot:
        await pilot.press("up", "2", "enter")
        await pilot.pause()
    assert app.next_command == ("demo", "--autonomy", "suggest")
    assert opened == []


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+c"])
async def test_start_screen_without_any_program_is_left(key: str) -> None:
    app, opened = start_app()
    async with app.run_test() as pilot:
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.is_running
        await pilot.press(key)
        await pilot.pause()
    assert (app.return_value, opened) == (0, [])
