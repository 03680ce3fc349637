"""Who may see the served cockpit: the holder of the token, from a page of ours, on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from copilot import cli
from copilot.errors import EXIT_USAGE, InputError
from copilot.web.server import COOKIE, CockpitServer, free_port


async def _answer(path: str, *, token: str = "", **headers: str) -> tuple[int, Any]:
    """Status and headers of a request; `token` is sent as the cookie, `Host` is ours unless given."""
    server = CockpitServer(["--", "cat"], token="right")
    host = f"127.0.0.1:{server.port}"
    app = await server._make_app()
    app.on_startup.clear()
    async with TestClient(TestServer(app)) as client:
        sent = {"Host": host, **{name: value.replace("OWN", host) for name, value in headers.items()}}
        if token:
            sent["Cookie"] = f"{COOKIE}={token}"
        answer = await client.get(path, headers=sent, allow_redirects=False)
        return answer.status, answer.headers


@pytest.mark.parametrize("path", ["/", "/ws", "/static/js/textual.js", "/download/x", "/?token=wrong"])
async def test_without_the_token_nothing_is_shown(path: str) -> None:
    assert (await _answer(path))[0] == 403
    assert (await _answer(path, token="wrong"))[0] == 403


async def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address() -> None:
    status, headers = await _answer("/?token=right")
    assert (status, headers["Location"]) == (302, "/")
    cookie = headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=right")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


async def test_the_cookie_opens_the_page_which_no_other_page_may_frame_or_keep() -> None:
    status, headers = await _answer("/", token="right", Origin="http://OWN")
    assert status == 200
    assert (headers["X-Frame-Options"], headers["Cache-Control"]) == ("DENY", "no-store")
    assert (await _answer("/static/js/textual.js", token="right"))[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
    ],
)
async def test_another_page_or_another_name_gets_nothing_even_with_the_cookie(
    headers: dict[str, str],
) -> None:
    for path in ("/", "/ws", "/?token=right"):
        assert (await _answer(path, token="right", **headers))[0] == 403


def test_a_token_is_new_each_time_and_long() -> None:
    tokens = {CockpitServer(["--", "cat"]).token for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) >= 32 for token in tokens)


def test_a_taken_port_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="take another one"):
            free_port(taken.getsockname()[1])


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
