"""Who may see the served cockpit: a page that was opened by a printed address, in this browser, and no other.

The attacker of these tests has read the code: a second server of the same machine, whose pages are open in the same
browser, another user of the machine, a name that is made to lead here, an address from a browser's history.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web

from copilot import cli
from copilot.errors import EXIT_USAGE, InputError
from copilot.web import pages
from copilot.web.server import CockpitServer, bound
from tests.web.in_process import running
from tests.web.tab import ADDRESS, PAGE, Browser, Tab

SECRET = secrets.token_hex(24)


@asynccontextmanager
async def opened(server: CockpitServer) -> AsyncIterator[Tab]:
    """A tab with a session, by the address that was printed last."""
    async with Browser() as browser:
        tab = browser.tab()
        await tab.load(server.address)
        async with await tab.open():
            yield tab


async def refused(opening: Any) -> int:
    """The status with which a socket is refused."""
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await opening
    return caught.value.status


async def asked(server: CockpitServer, path: str, **headers: str) -> tuple[int, Any]:
    """Status and headers of a request; `Host` is ours unless given."""
    async with aiohttp.ClientSession() as http:
        url = f"http://127.0.0.1:{server.port}{path}"
        async with http.get(url, headers=headers, allow_redirects=False) as answer:
            return answer.status, answer.headers


async def test_the_page_has_a_session_and_the_browser_no_cookie() -> None:
    async with running() as server, opened(server) as tab:
        assert tab._browser.cookies == {}
        assert tab.secret


@pytest.mark.parametrize("path", ["/", "/?token=x", "/page.js", "/static/js/textual.js", "/x", "/download/x"])
async def test_no_answer_sets_a_cookie_is_kept_or_framed(path: str) -> None:
    async with running() as server:
        status, headers = await asked(server, path)
    assert status == (404 if path in ("/x", "/download/x") else 200)
    assert "Set-Cookie" not in headers
    assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


async def test_the_page_holds_nothing_that_admits() -> None:
    """Whoever reaches the port may read it: another user, another page through a name of its own."""
    async with running() as server, Browser() as browser:
        tab, address = browser.tab(), server.address
        text = await tab.load(address)
        assert urlsplit(address).fragment not in text
        await tab.load(address.partition("#")[0])
        assert await refused(tab.open()) == 403, "without what the address holds"


@pytest.mark.parametrize(
    "origin", [None, "http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:PORT"]
)
async def test_each_socket_needs_our_origin(origin: str | None) -> None:
    async with running() as server, Browser() as browser:
        tab = browser.tab()
        await tab.load(server.address)
        named = None if origin is None else origin.replace("PORT", str(server.port))
        assert await refused(tab.open(origin=named)) == 403
        async with await tab.open():
            pass  # the address was not used up by that


@pytest.mark.parametrize(
    "host", ["evil.example:PORT", "localhost:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.a.example:PORT"]
)
@pytest.mark.parametrize("path", ["/", "/ws", "/page.js", "/static/js/textual.js"])
async def test_another_name_gets_nothing(host: str, path: str) -> None:
    async with running() as server:
        named = host.replace("PORT", str(server.port))
        for origin in ({}, {"Origin": f"http://{named}"}, {"Origin": f"http://127.0.0.1:{server.port}"}):
            assert (await asked(server, path, Host=named, **origin))[0] == 403


@pytest.mark.parametrize(
    "offered",
    [
        (),
        ("copilot",),
        ("copilot", PAGE + SECRET),
        ("copilot", ADDRESS),
        ("copilot", PAGE + SECRET, ADDRESS),
        ("copilot", PAGE + SECRET, ADDRESS + "a" * 32),
        ("copilot", ADDRESS + "TOKEN"),
        ("copilot", PAGE + "short", ADDRESS + "TOKEN"),
    ],
    ids=[
        "nothing",
        "no secret",
        "any secret",
        "no token",
        "empty token",
        "a guess",
        "no page",
        "a short page",
    ],
)
async def test_a_socket_without_secrets_or_with_guessed_ones_is_refused(offered: tuple[str, ...]) -> None:
    async with running("t" * 32) as server, Browser() as browser:
        tab = browser.tab()
        await tab.load(server.address)
        words = tuple(word.replace("TOKEN", "t" * 32) for word in offered)
        assert await refused(tab.open(protocols=words)) == 403


class OtherServer:
    """A server on another port of this machine, that notes what browsers send it."""

    def __init__(self) -> None:
        self.cookies: list[str] = []

    async def answer(self, request: web.Request) -> web.Response:
        self.cookies.append(request.headers.get("Cookie", ""))
        answer = web.Response(text="mine")
        answer.set_cookie("copilot_token", "forged", path="/")
        return answer


async def test_another_local_server_in_the_same_browser_gets_nothing() -> None:
    """It is sent all cookies of the host, plants its own, and its pages reach our port with an Origin of theirs."""
    other, app = OtherServer(), web.Application()
    app.router.add_get("/", other.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    theirs = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    try:
        async with running() as server, opened(server) as tab:
            evil = tab._browser.tab()
            await evil.load(theirs)
            await evil.load(theirs)
            assert other.cookies == ["", "copilot_token=forged"], "nothing of ours"
            assert evil.secret == "", "what a tab keeps is for one origin"
            ours = f"ws://127.0.0.1:{server.port}/ws"
            assert await refused(evil.open(ours)) == 403
            assert await refused(evil.open(ours, origin=None)) == 403
            # The other server itself is no browser: it may send any Origin, but has no secret.
            assert await refused(evil.open(ours, origin=tab.origin)) == 403
    finally:
        await runner.cleanup()


async def test_an_address_is_good_for_one_page_and_the_next_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A used one may be in the browser's history, in a shell's, or in the list of processes."""
    async with running() as server, Browser() as browser, Browser() as attacker:
        used, first, second = server.address, browser.tab(), attacker.tab()
        await first.load(used)
        async with await first.open():
            await second.load(used)
            assert await refused(second.open()) == 403
            await second.load(server.address)
            async with await second.open():
                pass
        await first.reload()
        async with await first.open():
            pass  # the page goes on by its own secret
    said = capsys.readouterr().out
    assert used not in said.replace("\n", " ")
    assert said.count("another page: http://127.0.0.1:") == 3
    assert said.count("a used address was opened again") == 1


async def test_loading_a_page_anew_works_while_its_old_session_still_ends(tmp_path: Path) -> None:
    """A program may take seconds to end in order; the page may even be faster than the end of its old socket."""
    async with running(ends_with=tmp_path / "end") as server, Browser() as browser:
        tab = browser.tab()
        await tab.load(server.address)
        old = await tab.open()
        await tab.reload()
        opening = asyncio.create_task(tab.open())
        await asyncio.sleep(0)
        closing = asyncio.create_task(old.close())
        async with await opening:
            (tmp_path / "end").touch()
        await closing


async def test_a_page_has_one_socket_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tab that is duplicated has the secret too; the session of the first one goes on."""
    monkeypatch.setattr(pages, "_PATIENCE_SECONDS", 0.05)
    async with running() as server, Browser() as browser:
        tab = browser.tab()
        await tab.load(server.address)
        for _ in range(2):
            async with await tab.open() as socket:
                await tab.reload()
                assert await refused(tab.open()) == 403
                await socket.send_str('["ping", "1"]')
                assert (await socket.receive()).data == '["pong", "1"]'


async def test_an_end_that_comes_late_does_not_free_the_next_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_PATIENCE_SECONDS", 0.05)
    admitted = pages.Pages(lambda valid: None, token="t" * 32)
    first = await admitted.enter([PAGE + SECRET, ADDRESS + "t" * 32])
    await admitted.leave(first)
    await admitted.enter([PAGE + SECRET])
    await admitted.leave(first)
    with pytest.raises(pages.NotAdmitted, match="open already"):
        await admitted.enter([PAGE + SECRET])


async def test_what_admits_is_in_no_log(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(0)
    async with running() as server:
        used = urlsplit(server.address).fragment
        async with opened(server) as tab, await tab._browser.http.get(f"http://127.0.0.1:{server.port}/x"):
            out, err = capfd.readouterr()
            assert not [text for text in (used, tab.secret) if text in caplog.text + out + err]


async def test_a_token_is_new_each_time_and_long() -> None:
    tokens = {pages.Pages(lambda valid: None).token for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) >= 32 for token in tokens)


def test_a_taken_port_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="take another one"):
            bound(taken.getsockname()[1])


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (["serve", "--", "claude", "--model", "x"], ["--", "claude", "--model", "x"]),
        (["serve", "--autonomy", "assist", "--", "cat"], ["--autonomy", "assist", "--", "cat"]),
        (["serve"], []),
    ],
)
def test_the_options_of_a_session_are_passed_on(
    monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str], passed: Sequence[str]
) -> None:
    served: list[str] = []
    monkeypatch.setattr(CockpitServer, "serve", lambda self: served.append(self.command))
    assert cli.main(list(arguments)) == 0
    words = served[0].split()
    assert words[words.index("copilot") + 1 :] == list(passed)


def test_headless_does_not_go_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--headless", "--", "cat"]) == EXIT_USAGE
    assert "--headless does not go with serve" in capsys.readouterr().err
