"""Every key of the registry, and that every other key reaches the child."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from copilot.core.detection import Detection, ScreenKind
from copilot.core.reply import Autonomy, Reply
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.errors import InputError
from copilot.session.view import SessionListener
from copilot.tui.app import CopilotApp
from copilot.tui.bridge import OpenedSession
from copilot.tui.keymap import ACTIONS, Place
from copilot.tui.layout import terminal_size
from copilot.tui.screens.autonomy import AutonomyScreen
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.help import HelpScreen
from copilot.tui.screens.quit import QuitScreen
from copilot.tui.screens.session import SessionScreen
from copilot.tui.start_offer import StartOffer
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.status_bar import StatusBar
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, SETTINGS, cockpit
from tests.ui.scenes import busy, countdown, log, menu, password, permission, question, unknown, writing


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("a", b"a"),
        ("G", b"G"),
        ("enter", b"\r"),
        ("escape", b"\x1b"),
        ("tab", b"\t"),
        ("shift+tab", b"\x1b[Z"),
        ("up", b"\x1b[A"),
        ("pageup", b"\x1b[5~"),
        ("home", b"\x1b[H"),
        ("f5", b"\x1b[15~"),
        ("ctrl+c", b"\x03"),
        ("ctrl+p", b"\x10"),
        ("ctrl+q", b"\x11"),
        ("ctrl+o", b"\x0f"),
        ("ctrl+backslash", b"\x1c"),
        ("ctrl+underscore", b"\x1f"),
        ("question_mark", b"?"),
        ("slash", b"/"),
        ("space", b" "),
        ("ä", "ä".encode()),
        ("alt+x", b"\x1bx"),
        ("ctrl+left", b"\x1b[1;5D"),
        ("backspace", b"\x7f"),
    ],
)
async def test_every_key_reaches_the_child(key: str, data: bytes) -> None:
    async with cockpit(busy()) as (pilot, _):
        session = _session(pilot)
        await pilot.press(key)
        assert session.typed == data


def _session(pilot: Pilot[Any]) -> FakeSession:
    screen = pilot.app.session_screen  # type: ignore[attr-defined]
    assert isinstance(screen.session, FakeSession)
    return screen.session


def _place(screen: SessionScreen) -> Place:
    """Asked anew: a checker takes a property for what it was."""
    return screen.place


async def test_leader_twice_sends_it_through() -> None:
    async with cockpit(busy()) as (pilot, _):
        await pilot.press(LEADER)
        assert _session(pilot).typed == b""
        await pilot.press(LEADER)
        assert _session(pilot).typed == b"\x1d"


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


async def test_key_without_meaning_after_the_leader_is_told_and_not_sent() -> None:
    async with cockpit(busy()) as (pilot, screen):
        await pilot.press(LEADER, "f9")
        assert _session(pilot).typed == b""
        assert "does nothing" in screen.model.notes[-1]
        assert screen.place is Place.TERMINAL


async def test_escape_after_the_leader_goes_back() -> None:
    async with cockpit(busy()) as (pilot, screen):
        await pilot.press(LEADER, "escape")
        assert (screen.place, _session(pilot).typed) == (Place.TERMINAL, b"")


@pytest.mark.parametrize(
    "keys", [(LEADER, "s"), (LEADER, "enter"), (LEADER, "p", "enter"), (LEADER, "tab", "s")]
)
async def test_send(keys: tuple[str, ...]) -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(*keys)
        assert _session(pilot).calls == [("send", Reply(choice="No"))]
        assert _session(pilot).typed == b""
        await pilot.pause()
        assert screen.place is Place.TERMINAL


@pytest.mark.invariant(2)
@pytest.mark.parametrize("key", ["s", "d"])
async def test_a_key_is_meant_for_the_prompt_that_is_shown(key: str) -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(LEADER, key)
        assert _session(pilot).identities == [screen.model.detection.identity]


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


async def test_send_says_when_nothing_is_asked() -> None:
    async with cockpit(busy()) as (pilot, screen):
        await pilot.press(LEADER, "s")
        assert _session(pilot).calls == []
        assert "nothing is asked" in screen.model.notes[-1]


async def test_send_without_a_proposal_never_takes_the_pointer_of_the_child() -> None:
    session = permission()
    session.show(proposal=None, decision=None)
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "s")
        assert session.calls == []
        assert "no reply" in screen.model.notes[-1]


async def test_another_option_is_chosen_and_sent() -> None:
    async with cockpit(menu()) as (pilot, _):
        await pilot.press(LEADER, "e", "up", "enter")
        assert _session(pilot).calls == [("send", Reply(choice="Postgres"))]


async def test_option_is_chosen_by_its_digit_but_not_sent_by_it() -> None:
    async with cockpit(menu()) as (pilot, screen):
        await pilot.press(LEADER, "p", "1")
        assert _session(pilot).calls == []
        assert screen.model.marked_index() == 0


@pytest.mark.parametrize(("key", "index"), [("down", 2), ("j", 2), ("up", 0), ("k", 0)])
async def test_mark_moves(key: str, index: int) -> None:
    async with cockpit(menu()) as (pilot, screen):
        await pilot.press(LEADER, "p", key)
        assert screen.model.marked_index() == index


async def test_edit_and_send() -> None:
    async with cockpit(question()) as (pilot, screen):
        await pilot.press(LEADER, "e")
        assert screen.place is Place.EDIT
        screen.query_one(ReplyPanel).editor.load_text("Use Post")
        screen.query_one(ReplyPanel).editor.move_cursor((0, 8))
        await pilot.press("g", "ctrl+j", "x", "enter")
        assert _session(pilot).calls == [("send", Reply(text="Use Postg\nx"))]
        assert _session(pilot).typed == b""


@pytest.mark.parametrize("key", ["ctrl+s", "enter"])
async def test_send_edit_keys(key: str) -> None:
    async with cockpit(question()) as (pilot, screen):
        await pilot.press(LEADER, "e")
        screen.query_one(ReplyPanel).editor.load_text("Yes")
        await pilot.press(key)
        assert _session(pilot).calls == [("send", Reply(text="Yes"))]


async def test_what_was_written_before_is_taken_again() -> None:
    async with cockpit(question()) as (pilot, screen):
        editor = screen.query_one(ReplyPanel).editor
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


async def test_an_empty_answer_to_a_question_is_not_sent() -> None:
    async with cockpit(question()) as (pilot, screen):
        await pilot.press(LEADER, "e")
        screen.query_one(ReplyPanel).editor.clear()
        await pilot.press("enter")
        assert _place(screen) is Place.EDIT
        assert not _session(pilot).calls


async def test_words_go_with_an_option_on_the_second_edit() -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(LEADER, "e", "e")
        screen.query_one(ReplyPanel).editor.load_text("keep it")
        await pilot.press("enter")
        assert _session(pilot).calls == [("send", Reply(choice="No", text="keep it"))]


async def test_edited_text_is_not_sent_to_another_prompt() -> None:
    session = question()
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "e")
        other = permission().view
        session.show(detection=other.detection, proposal=None)
        await pilot.pause()
        await pilot.press("enter")
        assert session.calls == []
        assert "changed" in str(screen.query_one(ReplyPanel).border_subtitle)
        assert screen.place is Place.EDIT


async def test_escape_leaves_editor_then_panel() -> None:
    async with cockpit(question()) as (pilot, screen):
        await pilot.press(LEADER, "e", "escape")
        assert screen.place is Place.REPLY
        await pilot.press("escape")
        assert _place(screen) is Place.TERMINAL


async def test_another_reply_with_an_instruction() -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(LEADER, "r")
        assert screen.place is Place.INSTRUCT
        await pilot.press("n", "o", "enter")
        assert _session(pilot).calls == [("ask_again", "no")]
        assert _place(screen) is Place.TERMINAL


async def test_no_reply_is_asked_for_at_watch() -> None:
    session = permission()
    session.show(autonomy=Autonomy.WATCH)
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "r")
        assert screen.place is Place.TERMINAL
        assert "watch" in screen.model.notes[-1]


@pytest.mark.parametrize("scene", [permission, writing])
async def test_dismiss(scene: Any) -> None:
    async with cockpit(scene()) as (pilot, _):
        await pilot.press(LEADER, "d")
        assert _session(pilot).calls == [("dismiss",)]


@pytest.mark.parametrize("key", ["a", "enter", "escape", "ctrl+c", "up"])
async def test_any_key_stops_a_countdown_and_is_not_sent(key: str) -> None:
    async with cockpit(countdown()) as (pilot, _):
        await pilot.press(key)
        assert _session(pilot).calls == [("stop_countdown",)]
        assert _session(pilot).typed == b""
        await pilot.pause()
        await pilot.press("x")
        assert _session(pilot).typed == b"x"


async def test_the_leader_stops_a_countdown_too_and_leads() -> None:
    async with cockpit(countdown()) as (pilot, _):
        await pilot.press(LEADER)
        await pilot.pause()
        await pilot.press("s")
        assert _session(pilot).calls == [("stop_countdown",), ("send", Reply(choice="Yes"))]


async def test_a_key_in_a_dialog_stops_a_countdown() -> None:
    session = permission()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "question_mark")
        view = countdown().view
        session.show(detection=view.detection, countdown_ends_at=session.now + 3)
        await pilot.pause()
        await pilot.press("down")
        assert session.calls == [("stop_countdown",)]


async def test_a_click_or_a_paste_stops_a_countdown() -> None:
    from textual.events import Paste

    async with cockpit(countdown()) as (pilot, screen):
        screen.query_one(TerminalView).post_message(Paste("rm -rf /\n"))
        await pilot.pause()
        assert _session(pilot).calls == [("stop_countdown",)]
        assert _session(pilot).typed == b""


async def test_coming_back_from_a_stop_holds_what_counts_down() -> None:
    async with cockpit(countdown()) as (pilot, _):
        pilot.app.app_resume_signal.publish(pilot.app)
        await pilot.pause()
        assert _session(pilot).calls == [("stop_countdown",)]


@pytest.mark.parametrize("shell", [True, False])
async def test_it_stops_only_where_a_shell_can_bring_it_back(
    shell: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = []
    monkeypatch.setattr("copilot.tui.screens.quit.shell_behind", lambda: shell)
    async with cockpit(busy()) as (pilot, screen):
        monkeypatch.setattr(pilot.app, "action_suspend_process", lambda: stopped.append(True))
        await pilot.press(LEADER, "ctrl+z")
        assert stopped == [True] * shell
        assert ("no shell stands" in screen.model.notes[-1] if screen.model.notes else False) is not shell
        assert _session(pilot).typed == b""


async def test_autonomy() -> None:
    async with cockpit(busy()) as (pilot, _):
        await pilot.press(LEADER, "a")
        assert isinstance(pilot.app.screen, AutonomyScreen)
        await pilot.press("3")
        await pilot.pause()
        assert _session(pilot).calls == [("set_autonomy", Autonomy.ASSIST)]


@pytest.mark.parametrize(
    ("keys", "level"),
    [(("down", "down", "enter"), Autonomy.FULL), (("up", "enter"), Autonomy.WATCH), (("escape",), None)],
)
async def test_autonomy_by_arrows(keys: tuple[str, ...], level: Autonomy | None) -> None:
    async with cockpit(busy()) as (pilot, _):
        await pilot.press(LEADER, "a", *keys)
        await pilot.pause()
        assert _session(pilot).calls == ([] if level is None else [("set_autonomy", level)])


@pytest.mark.parametrize(
    ("key", "kind", "close"),
    [
        ("c", ContextScreen, "escape"),
        ("c", ContextScreen, "c"),
        ("question_mark", HelpScreen, "q"),
        ("h", HelpScreen, "escape"),
    ],
)
async def test_pages_open_and_close(key: str, kind: type, close: str) -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(LEADER, key)
        assert isinstance(pilot.app.screen, kind)
        await pilot.press("down", "pagedown", close)
        await pilot.pause()
        assert pilot.app.screen is screen
        assert _session(pilot).typed == b""


async def test_palette_does_what_is_chosen() -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(LEADER, "colon")
        await pilot.press(*"zoom")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause()
        assert screen.has_class("-bare")


async def test_zoom_and_back() -> None:
    async with cockpit(busy(), size=(120, 40)) as (pilot, _screen):
        before = _session(pilot).screen.lines
        await pilot.press(LEADER, "z")
        await pilot.pause(0.1)
        assert _session(pilot).screen.lines == 38 > before
        await pilot.press(LEADER, "z")
        await pilot.pause(0.1)
        assert _session(pilot).screen.lines == before


async def test_theme() -> None:
    async with cockpit(busy()) as (pilot, _):
        await pilot.press(LEADER, "t")
        assert pilot.app.theme == "copilot-light"
        assert _session(pilot).screen.theme.background == (0xFC, 0xFC, 0xFA)


async def test_scrollback() -> None:
    session = FakeSession()
    session.screen.feed(b"".join(b"line %d\r\n" % number for number in range(100)))
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        await pilot.press(LEADER, "v")
        assert screen.place is Place.SCROLL
        await pilot.press("home")
        assert terminal.render_line(0).text.startswith("line 0 ")
        await pilot.press("down", "pagedown", "pageup", "up")
        assert terminal.render_line(0).text.startswith("line 0 ")
        await pilot.press("end")
        assert (screen.place, session.typed) == (Place.TERMINAL, b"")


@pytest.mark.invariant(1)
@pytest.mark.parametrize(
    ("shown", "why"),
    [
        (b"\x1b[?1049h\x1b[Ha full screen", "leave no scrollback"),
        (b"a line\r\n", "nothing has scrolled off yet"),
    ],
)
async def test_where_nothing_stands_above_that_is_said_and_keys_at_once_do_not_go_to_the_child(
    shown: bytes, why: str
) -> None:
    session = FakeSession()
    session.screen.feed(shown)
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "v")
        assert _place(screen) is Place.TERMINAL and why in screen.model.notes[-1]
        await pilot.press("k", "pageup", "up", "j", "pagedown", "x")
        assert (_place(screen), session.typed) == (Place.TERMINAL, b"")
        session.now += 0.5
        await pilot.press("x")
        assert session.typed == b"x"


async def test_scrollback_is_left_by_escape() -> None:
    session = FakeSession()
    session.screen.feed(b"\n" * 100)
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "pageup", "escape")
        assert (screen.place, session.typed) == (Place.TERMINAL, b"")


async def test_select_mode() -> None:
    async with cockpit(busy()) as (pilot, screen):
        await pilot.press(LEADER, "m")
        assert screen.query_one(TerminalView).mouse_is_ours


async def test_quit_ends_the_run_and_leaves_when_it_has_ended() -> None:
    async with cockpit(log()) as (pilot, _):
        await pilot.press(LEADER, "q")
        await pilot.pause()
        assert _session(pilot).calls == [("interrupt",)]
        assert pilot.app.return_value == 130


async def test_quit_twice_asks_twice() -> None:
    session = log()
    session.ends_when_interrupted = False
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "q", LEADER, "q")
        assert session.calls == [("interrupt",), ("interrupt",)]
        assert pilot.app.screen is screen
        session.end(130)


@pytest.mark.parametrize("scene", [busy, permission, question, password, unknown, writing])
@pytest.mark.parametrize("keys", [("y",), ("enter",), (LEADER, "q")])
async def test_quit_asks_once_while_the_program_works_or_waits(scene: Any, keys: tuple[str, ...]) -> None:
    session = scene()
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "q")
        await pilot.pause()
        assert type(pilot.app.screen) is QuitScreen and ("interrupt",) not in session.calls
        await pilot.press("x", "q", "escape")
        await pilot.pause()
        assert not screen.app.screen.is_modal and session.calls == [] and session.typed == b""
        await pilot.press("a")
        assert session.typed == b"a"
        await pilot.press(LEADER, "q", *keys)
        await pilot.pause()
        assert session.calls == [("interrupt",)] and session.typed == b"a"
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


async def test_ended_run_stays_on_the_screen_until_left() -> None:
    session = busy()
    async with cockpit(session) as (pilot, screen):
        session.end(0)
        await pilot.pause()
        assert pilot.app.screen is screen
        await pilot.press(LEADER, "q")
        await pilot.pause()
        assert pilot.app.return_value == 0


async def test_a_password_is_not_edited_here() -> None:
    async with cockpit(password()) as (pilot, screen):
        await pilot.press(LEADER, "e")
        assert screen.place is Place.TERMINAL
        assert "password" in screen.model.notes[-1]


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
async def test_start_screen_is_left(key: str) -> None:
    app, opened = start_app(*OFFERS)
    async with app.run_test() as pilot:
        await pilot.press(key)
        await pilot.pause()
    assert (app.return_value, opened) == (0, [])


async def test_start_screen_without_any_program() -> None:
    app, opened = start_app()
    async with app.run_test() as pilot:
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.is_running
    assert opened == []


async def test_scrollback_shows_rows_that_the_screen_has_packed() -> None:
    session = FakeSession()
    session.screen.feed(b"".join(b"\x1b[31mline %d\x1b[0m\r\n" % number for number in range(900)))
    async with cockpit(session) as (pilot, screen):
        while session.screen.tidy():
            pass
        await pilot.press(LEADER, "v", "home")
        assert screen.query_one(TerminalView).render_line(0).text.startswith("line 0 ")


async def test_what_is_said_of_looking_back_goes_with_it() -> None:
    session = FakeSession()
    session.screen.feed(b"\n" * 100)
    async with cockpit(session) as (pilot, screen):
        bar = screen.query_one(StatusBar)
        await pilot.press(LEADER, "v", "n")
        assert "nothing is searched for" in bar.note
        await pilot.press("escape")
        assert bar.note == ""
