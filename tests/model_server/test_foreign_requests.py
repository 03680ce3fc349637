"""Requests that do not come from a CLI of this machine: a web page's, or under a name made to lead here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from copilot.lab.model_server import ModelServer
from copilot.lab.model_server.http import HttpRequest, Serving
from copilot.lab.model_server.relay import RecordingProxy, Replay
from tests.model_server.wire import TOOLS, exchange, raw_request, say

CLOSE = "Connection: close\r\n"
BODY = {"model": "m", "stream": False, "messages": [{"role": "user", "content": "go"}], "tools": TOOLS}
PATHS = ("/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1beta/models/m:generateContent", "/x")
ELSEWHERE = [
    pytest.param("evil.example:PORT", "", id="rebinding"),
    pytest.param("evil.example", "", id="rebinding to port 80"),
    pytest.param("127.0.0.1.evil.example:PORT", "", id="a name that begins like ours"),
    pytest.param("localhost.evil.example:PORT", "", id="a name that begins like localhost"),
    pytest.param("localhost:1", "", id="another port of ours"),
    pytest.param("127.0.0.1:PORT", "Origin: http://evil.example\r\n", id="a page of the web"),
    pytest.param("127.0.0.1:PORT", "Origin: http://127.0.0.1:8000\r\n", id="a page of another local server"),
    pytest.param("127.0.0.1:PORT", "Origin: null\r\n", id="a page in a sandboxed frame"),
    pytest.param("localhost:PORT", "Sec-Fetch-Site: cross-site\r\n", id="an image of a page"),
]


def asked(server: Serving, host: str, extra: str, path: str = "/v1/messages") -> tuple[int, str]:
    """Status and body of one request."""
    named = host.replace("PORT", str(server.port))
    received = exchange(server.port, raw_request(server.port, path, BODY, extra + CLOSE, named)).decode()
    head, _, body = received.partition("\r\n\r\n")
    return int(head.split()[1]), body


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("host", "extra"), ELSEWHERE)
def test_it_is_refused_in_the_words_of_each_protocol(host: str, extra: str, path: str) -> None:
    with ModelServer(["hello"], check_at_exit=False) as server:
        status, body = asked(server, host, extra, path)
        assert server.requests == [] and server.unused() != [], "the script goes on where it was"
    answer = json.loads(body)
    assert status == 403
    assert (answer["type"], answer["error"]["type"]) == ("error", "permission_error")
    assert (answer["error"]["code"], answer["error"]["status"]) == (403, "PERMISSION_DENIED")
    assert answer["error"]["message"].startswith("the model server answers ")


@pytest.mark.parametrize("host", ["127.0.0.1:PORT", "localhost:PORT", "LOCALHOST:PORT"])
@pytest.mark.parametrize("extra", ["", "Sec-Fetch-Mode: cors\r\n"], ids=["plain", "fetch of Node"])
def test_a_cli_is_answered(host: str, extra: str) -> None:
    with ModelServer(["hello"]) as server:
        assert asked(server, host, extra)[0] == 200


def test_a_port_that_clients_leave_out_is_left_out() -> None:
    def refusal(host: str) -> str:
        return Serving(80).refusal(HttpRequest("GET", "/v1/models", "", {"host": host}, b""))

    assert refusal("127.0.0.1") == refusal("localhost") == ""
    assert refusal("evil.example") != "" and refusal("127.0.0.1:8080") != ""


def test_no_page_may_read_what_it_gets() -> None:
    """A preflight is refused like all else, so a browser never makes the request behind it."""
    with ModelServer([]) as server:
        head = (
            f"OPTIONS /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: http://a.example\r\n"
        )
        received = exchange(server.port, f"{head}Access-Control-Request-Method: POST\r\n{CLOSE}\r\n".encode())
    assert received.startswith(b"HTTP/1.1 403")
    assert b"access-control" not in received.lower()


def test_a_request_without_a_host_is_refused() -> None:
    with ModelServer([]) as server:
        assert exchange(server.port, b"GET /v1/models HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize(("host", "extra"), ELSEWHERE)
def test_neither_recorder_nor_replay_answers(host: str, extra: str, tmp_path: Path) -> None:
    folder = tmp_path / "record"
    with ModelServer(["hello"]) as model, RecordingProxy(folder, model.url) as proxy:
        assert asked(proxy, host, extra)[0] == 403
        assert model.requests == [] and proxy.exchanges == 0, "upstream is not asked"
        assert say(proxy.url, "go").status == 200
    with Replay(folder) as replay:
        assert asked(replay, host, extra)[0] == 403
        assert say(replay.url, "go").status == 200
