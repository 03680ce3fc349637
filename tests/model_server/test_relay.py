"""Record once, replay for ever: through the proxy, redacted, and the same requests again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from copilot.errors import InputError
from copilot.lab.model_server import ModelServer, Pace, PlaybookError, ToolCall, Turn
from copilot.lab.model_server.relay import (
    RecordingProxy,
    Replay,
    canonical,
    coalesced,
    differences,
    load_exchanges,
)
from tests.model_server.wire import TOOLS, post

KEY = "sk-ant-api03-" + "".join(f"{n:x}" for n in range(7, 99, 2))


def ask(url: str, prompt: str, *, stream: bool = True, session: str = "one") -> tuple[int, str]:
    """One request as a CLI makes it."""
    body = {"model": "m", "stream": stream, "tools": TOOLS, "metadata": {"user_id": session}}
    reply = post(f"{url}/v1/messages", {**body, "messages": user(prompt)}, {"x-api-key": KEY})
    return reply.status, reply.text


def user(prompt: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt}]


def recorded(folder: Path, project: Path) -> list[tuple[int, str]]:
    """Two exchanges: a stream and a document."""
    pace = Pace(chunk_characters=5)
    turns = [
        Turn(
            f"Looking with {KEY}.", pace=pace, tool_calls=(ToolCall("Read", {"file_path": "{{cwd}}/app.py"}),)
        ),
        Turn(f"The key is {KEY}."),
    ]
    with ModelServer(turns, cwd=project) as model, RecordingProxy(folder, model.url, cwd=project) as proxy:
        first = ask(proxy.url, f"Look at {project}/app.py with {KEY}, it is 2026-01-02")
        second = ask(proxy.url, "And now?", stream=False)
    return [first, second]


@pytest.mark.row("PH-40")
def test_what_was_recorded_is_said_again(tmp_path: Path) -> None:
    folder, old, new = tmp_path / "record", tmp_path / "old", tmp_path / "new"
    first, second = recorded(folder, old)
    assert "input_json_delta" in first[1] and str(old) not in first[1], "it is cut in pieces"
    kept = "".join(path.read_text() for path in folder.iterdir())
    assert KEY not in kept and str(old) not in kept and "{{cwd}}/app.py" in kept
    with Replay(folder, cwd=new) as replay:
        again = ask(replay.url, f"Look at {new}/app.py with {KEY}, it is 2027-03-04", session="two")
        document = ask(replay.url, "And now?", stream=False, session="two")
    assert again[0] == 200 and f"{new}/app.py" in again[1] and KEY not in again[1]
    assert document[0] == 200 and json.loads(document[1])["content"][0]["text"] != json.loads(second[1])
    assert replay.problems() == []


@pytest.mark.row("PH-40")
def test_another_request_is_told_by_what_differs(tmp_path: Path) -> None:
    recorded(tmp_path / "record", tmp_path / "p")
    with pytest.raises(PlaybookError) as error, Replay(tmp_path / "record", cwd=tmp_path / "p") as replay:
        ask(replay.url, "Delete everything")
        ask(replay.url, "And now?", stream=False)
        assert ask(replay.url, "Once more?")[0] == 400
    told = str(error.value)
    assert ".messages[0].content: " in told and "'Delete everything'" in told
    assert "POST /v1/messages: no recorded exchange is left for it" in told


@pytest.mark.row("PH-40")
def test_what_never_came_is_told_and_bad_folders_are_refused(tmp_path: Path) -> None:
    recorded(tmp_path / "record", tmp_path / "p")
    never = pytest.raises(PlaybookError, match="exchange 2: POST /v1/messages never came")
    with never, Replay(tmp_path / "record", cwd=tmp_path / "p") as replay:
        ask(replay.url, f"Look at {tmp_path}/p/app.py with {KEY}, it is 2026-01-02")
    with pytest.raises(InputError, match="is not empty"):
        RecordingProxy(tmp_path / "record", "http://127.0.0.1:1")
    with pytest.raises(InputError, match="must be a URL"):
        RecordingProxy(tmp_path / "other", "localhost:1")
    with pytest.raises(InputError, match="holds no recorded exchanges"):
        load_exchanges(tmp_path / "nothing")
    (tmp_path / "record" / "0001.json").write_text("{}")
    with pytest.raises(InputError, match="is no recorded exchange"):
        load_exchanges(tmp_path / "record")


def test_an_upstream_that_is_gone_is_told(tmp_path: Path) -> None:
    with RecordingProxy(tmp_path / "record", "http://127.0.0.1:9") as proxy:
        status, text = ask(proxy.url, "x")
    assert status == 502 and "upstream cannot be reached" in text


@pytest.mark.row("VR-3", "PH-6")
@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions", "/v1/responses"])
def test_a_stream_put_together_says_the_same_as_its_pieces(path: str) -> None:
    words = "aa aa aa and more of it"
    with ModelServer([Turn(words, pace=Pace(chunk_characters=3), times=2)], min_tools=0) as model:
        body = {"model": "m", "messages": user("x"), "input": "x"}
        told = [post(f"{model.url}{path}", {**body, "stream": stream}).text for stream in (True, False)]
    assert words in coalesced(told[0]) and words in told[1]
    assert path == "/v1/responses" or words not in told[0]
    assert coalesced(coalesced(told[0])) == coalesced(told[0])


def test_volatile_parts_are_named_and_nothing_else_is() -> None:
    one = {"metadata": {"a": 1}, "text": "on 2026-01-02 in /tmp/x/y and a0b1c2d3-0000-1111-2222-333344445555"}
    assert canonical(one) == {"text": "on <moment> in <temporary path> and <uuid>"}
    assert differences({"a": [1, {"b": "same old"}]}, {"a": [1, {"b": "same new"}]}) == [
        ".a[1].b: 'same old' is now 'same new'"
    ]
    assert differences({"a": 1}, {"b": 1}) == [".a: '1' is now 'null'", ".b: 'null' is now '1'"]
