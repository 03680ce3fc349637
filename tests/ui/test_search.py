"""Search in screen and scrollback: keys, matches, wrapped lines, wide characters."""

from __future__ import annotations

from textual.events import Paste

from copilot.screen import TerminalScreen
from copilot.tui.keymap import Place
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.looking_back import MOST_MATCHES, FrozenView, Search
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, cockpit, place_in


def _log(lines: int = 100) -> FakeSession:
    session = FakeSession()
    session.screen.feed(b"".join(b"line %d\r\n" % number for number in range(lines)))
    return session


def _bar(screen: object) -> str:
    return str(screen.query_one(KeyBar).render())  # type: ignore[attr-defined]


async def test_search_finds_upwards_counts_and_shows_what_it_finds() -> None:
    session = _log()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        await pilot.press(LEADER, "slash")
        assert screen.place is Place.SEARCH
        await pilot.press(*"line 3", "enter")
        assert (screen.place, terminal.search.count) == (Place.SCROLL, "1 of 11")  # type: ignore[union-attr]
        assert any("line 39" in terminal.render_line(y).text for y in range(terminal.size.height))
        assert "/line 3" in _bar(screen) and "1 of 11" in _bar(screen)
        await pilot.press("n", "n")
        assert terminal.search.count == "3 of 11"  # type: ignore[union-attr]
        await pilot.press("N")
        assert terminal.search.count == "2 of 11"  # type: ignore[union-attr]
        assert session.typed == b""


async def test_search_goes_round_and_says_so() -> None:
    async with cockpit(_log()) as (pilot, screen):
        await pilot.press(LEADER, "slash", *"line 5", "enter", "N")
        assert screen.query_one(TerminalView).search.count == "11 of 11"  # type: ignore[union-attr]
        assert screen.model.notes[-1] == "the search went round"


async def test_search_text_can_be_mended_and_moves_among_matches_while_typed() -> None:
    async with cockpit(_log()) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        await pilot.press(LEADER, "slash", *"linex")
        assert terminal.search.count == "nothing found"  # type: ignore[union-attr]
        await pilot.press("backspace", "space", "4")
        assert terminal.search.count == "1 of 11"  # type: ignore[union-attr]
        await pilot.press("up", "up", "down")
        assert terminal.search.count == "2 of 11"  # type: ignore[union-attr]
        await pilot.press("ctrl+u")
        assert terminal.search.query == ""  # type: ignore[union-attr]


async def test_search_is_left_for_the_live_screen_and_begins_again() -> None:
    session = _log()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        for keys in (("escape",), (*"line", "escape"), (*"line", "enter", "escape"), ("enter",)):
            session.typed = b""
            await pilot.press(LEADER, "slash", *keys)
            assert (screen.place, terminal.search, terminal.scrolling) == (Place.TERMINAL, None, False), keys
            await pilot.press("x")
            assert session.typed == b"x", keys
        await pilot.press(LEADER, "v", "n")
        assert "nothing is searched for" in screen.model.notes[-1]
        await pilot.press("slash")
        assert place_in(screen) is Place.SEARCH
        session.typed = b""
        terminal.post_message(Paste("line 77"))
        await pilot.pause()
        assert (terminal.search.count, session.typed) == ("1 of 1", b"")  # type: ignore[union-attr]


async def test_the_view_stays_frozen_while_the_child_goes_on() -> None:
    session = _log()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        await pilot.press(LEADER, "slash", *"line 9", "enter")
        before = [terminal.render_line(y).text for y in range(terminal.size.height)]
        session.feed(b"line 9 again\r\n" * 30)
        await pilot.pause(0.1)
        assert [terminal.render_line(y).text for y in range(terminal.size.height)] == before
        await pilot.press("escape")
        assert "line 9 again" in terminal.render_line(3).text


def _search(text: str, query: str, columns: int = 20) -> Search:
    screen = TerminalScreen(columns, 5, scrollback=20_000)
    screen.feed(text.encode())
    search = Search(FrozenView(screen, 5))
    search.look_for(query)
    return search


def test_capitals_count_only_if_there_are_some() -> None:
    assert _search("Error\r\nerror", "error").count == "1 of 2"
    assert _search("Error\r\nerror", "Error").count == "1 of 1"
    assert _search("İSTANBUL error", "error").spans(0) == [(9, 14, True)]


def test_a_match_may_run_over_wrapped_rows_but_not_over_lines() -> None:
    search = _search("x" * 18 + "needle", "needle")
    assert (search.spans(0), search.spans(1)) == ([(18, 20, True)], [(0, 4, True)])
    assert _search("x" * 18 + "ne\r\nedle", "needle").count == "nothing found"


def test_cells_of_a_match_after_wide_characters_and_clusters() -> None:
    assert _search("漢字 e\u0301 abc", "abc").spans(0) == [(7, 10, True)]
    assert _search("漢字 abc", "字").spans(0) == [(2, 4, True)]
    assert _search("👨‍👩‍👧 abc", "abc").spans(0) == [(3, 6, True)]


def test_packed_rows_are_searched_and_the_newest_of_too_many_are_kept() -> None:
    screen = TerminalScreen(20, 5, scrollback=20_000)
    screen.feed(b"".join(b"row %d\r\n" % number for number in range(MOST_MATCHES + 500)))
    while screen.tidy():
        pass
    search = Search(FrozenView(screen, 5))
    search.look_for("row")
    assert search.count == f"1 of {MOST_MATCHES}+"
    search.look_for("row 7")
    assert search.count.startswith("1 of 1111") and not search.more
    search.look_for("row 0")
    assert search.spans(0) == [(0, 5, True)]
