"""The server itself: connections that are kept, cut or left silent, threads, and faults that nobody loses."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import struct
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from copilot.lab.model_server import Drop, ModelRequest, ModelServer, Pace, PlaybookError, Turn
from tests.model_server.wire import TOOLS, exchange, post, raw_request, say

CLOSE = "Connection: close\r\n"
BODY = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "go"}], "tools": TOOLS}


def asked(server: ModelServer, extra: str = "", **changes: Any) -> bytes:
    """Every byte that comes back for one request."""
    return exchange(server.port, raw_request(server.port, "/v1/messages", {**BODY, **changes}, extra))


def test_one_connection_serves_many_requests_and_pipelined_ones() -> None:
    with ModelServer([Turn("hello", times=3)]) as server:
        twice = raw_request(server.port, "/v1/messages", BODY) * 2
        received = exchange(server.port, twice + raw_request(server.port, "/v1/messages", BODY, CLOSE))
    assert received.count(b"HTTP/1.1 200") == 3
    assert received.count(b"message_stop\n") == 3
    assert received.endswith(b"0\r\n\r\n")


def test_it_tells_when_the_main_conversation_was_answered() -> None:
    """From the request to the answer's end, also of one that is cut; a side request is no work of the CLI."""
    turns = [Turn("hello", pace=Pace(first_delay_seconds=0.2)), Turn("half", drop=Drop.MIDDLE)]
    with ModelServer(turns) as server:
        asked(server, CLOSE)
        asked(server, CLOSE, tools=[])
        asked(server)
        server.wait_for(lambda requests: len(server.given) == 2, 10)
        first, second = server.given
    assert [first.request, second.request] == [1, 3]
    assert (first.ended_at - first.began_at).total_seconds() >= 0.2
    assert first.ended_at <= second.began_at <= second.ended_at


def test_packed_and_chunked_bodies_are_read() -> None:
    packed = gzip.compress(json.dumps(BODY).encode())
    head = f"POST /v1/messages HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked\r\n{CLOSE}\r\n"
    chunked = head.encode()
    for piece in (json.dumps(BODY).encode()[:50], json.dumps(BODY).encode()[50:]):
        chunked += b"%x\r\n%s\r\n" % (len(piece), piece)
    with ModelServer([Turn("hello", times=2)]) as server:
        assert post(f"{server.url}/v1/messages", None, {"content-encoding": "gzip"}, packed).status == 200
        assert b"hello" in exchange(server.port, chunked.replace(b"PORT", b"%d" % server.port) + b"0\r\n\r\n")
        assert [request.prompt for request in server.requests] == ["go", "go"]


def test_a_client_that_asks_before_it_sends_is_told_to_go_on() -> None:
    with ModelServer(["hello"]) as server:
        received = asked(server, f"Expect: 100-continue\r\n{CLOSE}")
    assert received.startswith(b"HTTP/1.1 100")
    assert b"hello" in received


@pytest.mark.parametrize(
    ("data", "headers", "status"),
    [
        (b"{not json", {}, 400),
        (b"[1]", {}, 400),
        (b"{}", {"content-encoding": "br"}, 415),
        (b"{}", {"content-encoding": "gzip"}, 400),
    ],
)
def test_bad_bodies_are_refused(data: bytes, headers: dict[str, str], status: int) -> None:
    with ModelServer([]) as server:
        assert post(f"{server.url}/v1/messages", None, headers, data).status == status


def test_garbage_closes_the_connection_and_nothing_else() -> None:
    with ModelServer(["hello"]) as server:
        assert b"200" not in exchange(server.port, b"\x16\x03\x01\x00garbage\r\n\r\n")
        assert say(server.url, "go").status == 200


@pytest.mark.parametrize(
    ("drop", "head", "whole", "closing"),
    [(Drop.START, False, False, False), (Drop.MIDDLE, True, False, False), (Drop.END, True, True, False)],
)
def test_a_stream_is_cut_where_the_turn_says(drop: Drop, head: bool, whole: bool, closing: bool) -> None:
    turn = Turn("first words, last words", drop=drop, pace=Pace(chunk_characters=6))
    with ModelServer([turn]) as server:
        received = asked(server)
    assert (b"HTTP/1.1 200" in received) is head
    assert (b"first" in received) is head
    assert (b"words" in received and b"last" in received) is whole
    assert (b"message_stop" in received) is closing
    assert not received.endswith(b"0\r\n\r\n")


def test_a_json_answer_can_be_cut_too() -> None:
    with ModelServer([Turn("hello", drop=Drop.MIDDLE)]) as server:
        assert asked(server, stream=False) == b""


def half_of(client: socket.socket) -> bytes:
    """What has come once the words before the silence are there."""
    client.sendall(raw_request(client.getpeername()[1], "/v1/messages", BODY))
    received = b""
    while b"half" not in received:
        received += client.recv(65536)
    return received


def test_a_stalled_stream_is_silent_until_the_client_leaves() -> None:
    with ModelServer([Turn("half", hang_seconds=3600)], check_at_exit=False) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=200) as client:
            received = half_of(client)
            assert b"content_block_stop" not in received
        assert say(server.url, "more").status == 400
        assert server.problems()[-1].startswith("request 2: the playbook is used up")


def test_a_client_that_resets_ends_its_answer() -> None:
    with ModelServer([Turn("half", hang_seconds=3600)]) as server:
        client = socket.create_connection(("127.0.0.1", server.port), timeout=200)
        half_of(client)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        deadline = time.monotonic() + 20
        while not server.given and time.monotonic() < deadline:
            time.sleep(0.01)
        assert [given.name for given in server.given] == ["turn 1"]


def test_a_client_that_reads_slowly_is_waited_for_and_may_leave() -> None:
    big = Turn("x" * 32_000_000, times=2)
    with ModelServer([big]) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=200) as client:
            client.sendall(raw_request(server.port, "/v1/messages", {**BODY, "stream": False}))
            server.wait_for_turn("turn 1", 20)
            assert server.given == [], "most of the answer is not written yet"
        assert len(asked(server, CLOSE, stream=False)) > 32_000_000
        server.wait_for(lambda requests: len(server.given) == 2, 20)


def test_a_stalled_stream_can_be_kept_alive() -> None:
    with ModelServer([Turn("half", hang_seconds=0.6, keep_alive=True)]) as server:
        received = asked(server, CLOSE)
    assert received.index(b'{"type": "ping"}') > received.index(b"half")
    assert received.endswith(b"0\r\n\r\n")


def test_leaving_cuts_what_hangs() -> None:
    server = ModelServer([Turn("half", hang_seconds=3600)])
    with server, socket.create_connection(("127.0.0.1", server.port), timeout=200) as client:
        client.sendall(raw_request(server.port, "/v1/messages", BODY))
        server.wait_for_turn("turn 1", 20)
        server.close()
        while client.recv(65536):
            pass
    assert not [thread for thread in threading.enumerate() if thread.name == "model-server"]


def test_content_streams_at_its_pace() -> None:
    pace = Pace(first_delay_seconds=0.05, chunk_characters=1, chunk_delay_seconds=0.02)
    with ModelServer([Turn("abcde", pace=pace)]) as server:
        started = time.monotonic()
        reply = say(server.url, "go", stream=True)
        took = time.monotonic() - started
    texts = [event["delta"]["text"] for event in reply.events if event["type"] == "content_block_delta"]
    assert texts == list("abcde")
    assert took >= 0.05 + 5 * 0.02


@pytest.mark.row("PH-8", "PH-7")
def test_leaving_checks_the_playbook() -> None:
    server = ModelServer(["one", Turn("two", name="second")])
    with pytest.raises(PlaybookError, match="- second: never asked for"), server:
        say(server.url, "go")


def test_an_exception_inside_is_not_hidden_by_the_check() -> None:
    with pytest.raises(KeyError), ModelServer(["never asked for"]):
        raise KeyError("mine")


@pytest.mark.row("PH-24")
def test_what_a_callback_raises_fails_the_run() -> None:
    def broken(request: ModelRequest) -> None:
        raise LookupError(f"callback of request {request.number}")

    server = ModelServer(["hello"], on_request=broken)
    with pytest.raises(PlaybookError, match=r"(?s)fault of the model server.*callback of request 1"), server:
        assert say(server.url, "go").status == 500


def test_waiting_for_a_turn_ends_at_its_deadline() -> None:
    with ModelServer([]) as server, pytest.raises(TimeoutError, match="the last of 0 requests is 'none'"):
        server.wait_for_turn("turn 1", 0.05)


def test_a_taken_port_is_told() -> None:
    with ModelServer([]) as first, pytest.raises(OSError, match="in use"), ModelServer([], port=first.port):
        raise AssertionError("two servers on one port")


async def test_it_serves_from_a_running_loop() -> None:
    async with ModelServer(["hello"]) as server:
        reply = await asyncio.to_thread(say, server.url, "go", stream=True)
    assert "hello" in reply.text
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", server.port)


def test_only_the_loopback_is_served() -> None:
    with ModelServer([]) as server:
        assert server._server is not None
        assert [where.getsockname()[0] for where in server._server.sockets] == ["127.0.0.1"]


def test_a_file_is_taken_too(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text('turns: [{text: "in {{cwd}}"}]\n', encoding="utf-8")
    with ModelServer(path, cwd=tmp_path) as server:
        assert str(tmp_path) in say(server.url, "go").text


def test_keys_are_never_logged() -> None:
    with ModelServer(["hello"]) as server:
        secret = {"x-api-key": "sk-secret", "authorization": "Bearer sk-secret"}
        post(f"{server.url}/v1/messages", BODY, secret)
        assert "sk-secret" not in repr(server.requests)
