"""Turns that depend on results, made by functions, matched by parts of JSON, or written in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from copilot.errors import InputError
from copilot.lab.model_server import (
    ModelRequest,
    Playbook,
    TextMatch,
    Turn,
    load_playbook,
    playbook,
)
from copilot.lab.model_server.requests import Message, ToolResult
from copilot.lab.model_server.script import NoTurn, Script, holds, mismatch


def request(prompt: str, result: str = "") -> ModelRequest:
    messages = [Message("user", prompt)]
    if result:
        messages += [Message("assistant", "x"), Message("tool", "", (ToolResult("c", result),))]
    return ModelRequest(1, 0.0, "anthropic", "/", "m", False, tuple(messages), ("a", "b", "c"), {})


@pytest.mark.row("PH-39")
def test_a_turn_waits_for_its_result() -> None:
    script = Script(
        playbook(Turn("bad", after=TextMatch("error")), Turn("good", after=TextMatch("ok")), "end")
    )
    assert script.take(request("go", "all ok"))[1].text == "good"
    assert script.take(request("go", "more"))[1].text == "end"
    assert script.unused() == []


@pytest.mark.row("PH-24", "PH-39")
def test_a_function_makes_the_turn_and_its_fault_fails_the_run() -> None:
    def doubled(one: ModelRequest) -> str:
        return f"twice {int(one.tool_result) * 2}"

    script = Script(playbook(Turn(name="first", dynamic=doubled), Turn(name="second", dynamic=doubled)))
    assert script.take(request("go", "21"))[1].text == "twice 42"
    with pytest.raises(NoTurn):
        script.take(request("go", "x"))
    assert script.failures[0].startswith("second: request 1: its function failed: ValueError: ")


@pytest.mark.row("PH-41", "PH-11")
@pytest.mark.parametrize(
    ("value", "wanted", "fits"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": {"b": [1, {"c": 2, "d": 3}]}}, {"a": {"b": [1, {"c": 2}]}}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ([1, 2], [1], False),
        ({"a": True}, {"a": 1}, False),
        ("x", "x", True),
        (None, None, True),
    ],
)
def test_a_part_of_json(value: Any, wanted: Any, fits: bool) -> None:
    assert holds(value, wanted) is fits


def test_text_that_is_no_json_does_not_match() -> None:
    assert mismatch(TextMatch(json={"a": 1}), '{"a": 1, "b": 2}') is None
    assert mismatch(TextMatch(json={"a": 1}), "a: 1") == "is not JSON: 'a: 1'"
    assert mismatch(TextMatch(json={"a": 1}), "{}") == "does not hold {\"a\": 1}: '{}'"


@pytest.mark.row("PH-3")
def test_files_in_yaml_and_python(tmp_path: Path) -> None:
    file = tmp_path / "book.yaml"
    file.write_text("turns:\n  - {when: {json: {kind: [1, x]}}, after: ok, text: yes then}\n")
    (turn,) = load_playbook(file).turns
    assert turn.when == TextMatch(json={"kind": [1, "x"]}) and turn.after == TextMatch("ok")
    code = tmp_path / "book.py"
    code.write_text("from copilot.testing import Turn\nplaybook = [Turn('a'), 'b']\n")
    assert [one.text for one in load_playbook(code).turns] == ["a", "b"]
    code.write_text("from copilot.testing import playbook as made\nplaybook = made('c', min_tools=0)\n")
    book = load_playbook(code)
    assert isinstance(book, Playbook) and (book.min_tools, book.source) == (0, code)
    for text, said in (("x = 1", "names no `playbook`"), ("1 / 0", "failed: ZeroDivisionError")):
        code.write_text(text)
        with pytest.raises(InputError, match=said):
            load_playbook(code)
