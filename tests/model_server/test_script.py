"""Which turn answers, and that nothing that goes otherwise is lost."""

from __future__ import annotations

from typing import Any

import pytest

from copilot.lab.model_server import (
    ANY_TIMES,
    Expectation,
    Message,
    ModelRequest,
    Order,
    Playbook,
    TextMatch,
    ToolCall,
    ToolResult,
    Turn,
    playbook,
)
from copilot.lab.model_server.script import NoTurn, Script, holds, mismatch


def request(
    *messages: Message | str, tools: tuple[str, ...] = ("A", "B", "C"), number: int = 1
) -> ModelRequest:
    said = tuple(item if isinstance(item, Message) else Message("user", item) for item in messages)
    return ModelRequest(number, 0.0, "anthropic", "/v1/messages", "m", True, said, tools, {})


def after_tool(prompt: str, result: str) -> ModelRequest:
    return request(prompt, Message("assistant", "x"), Message("tool", "", (ToolResult("c", result),)))


@pytest.mark.row("PH-4")
def test_turns_come_in_order() -> None:
    script = Script(playbook("one", "two"))
    assert [script.take(request("x"))[1].text for _ in range(2)] == ["one", "two"]
    assert script.unused() == []


@pytest.mark.row("PH-7")
def test_a_used_up_playbook_names_its_last_turn() -> None:
    script = Script(playbook(Turn("one", name="the greeting")))
    script.take(request("x"))
    with pytest.raises(NoTurn, match="used up, its last turn was 'the greeting'; the prompt is 'more'"):
        script.take(request("more", number=2))
    assert len(script.failures) == 1


@pytest.mark.row("PH-8")
def test_unused_turns_are_listed_by_name() -> None:
    script = Script(
        playbook(Turn("one", times=2), "two", Turn("three", optional=True), Turn("four", name="last"))
    )
    script.take(request("x"))
    assert script.unused() == [
        "turn 1: given 1 of 2 times",
        "turn 2: never asked for",
        "last: never asked for",
    ]


@pytest.mark.row("PH-11")
@pytest.mark.parametrize(
    ("condition", "fits", "fits_not"),
    [
        (TextMatch(contains="make a"), "please make\n a file", "make the file"),
        (TextMatch(exact="make it"), "make it\n", "make it so"),
        (TextMatch(regex=r"^\d+$"), "42", "42 is it"),
        (TextMatch(absent="delete"), "make it", "delete it"),
    ],
)
def test_a_prompt_that_does_not_fit_names_the_turn(condition: TextMatch, fits: str, fits_not: str) -> None:
    script = Script(playbook(Turn("x", name="t", when=condition, times=2)))
    script.take(request(fits))
    with pytest.raises(NoTurn, match=r"t: request 1: the prompt (is not|does not|contains)"):
        script.take(request(fits_not))


@pytest.mark.row("PH-42")
def test_matched_by_prompt_in_any_order() -> None:
    turns = (Turn("A", when=TextMatch("first")), Turn("B", when=TextMatch("second")), Turn("rest"))
    script = Script(Playbook(turns, Order.ANY))
    said = [script.take(request(prompt))[1].text for prompt in ("the second", "the first", "whatever")]
    assert said == ["B", "A", "rest"]


def test_no_turn_fits_in_any_order() -> None:
    script = Script(Playbook((Turn("A", name="a", when=TextMatch("first")),), Order.ANY))
    with pytest.raises(NoTurn, match="no unused turn fits the prompt 'second': a"):
        script.take(request("second"))


def test_an_optional_turn_is_passed_over() -> None:
    script = Script(playbook(Turn("A", when=TextMatch("maybe"), optional=True), "B"))
    assert script.take(request("other"))[1].text == "B"
    assert script.unused() == []


@pytest.mark.row("PH-5")
def test_an_unmet_expectation_fails_the_turn_and_still_answers() -> None:
    expect = Expectation(tool_result=TextMatch("denied"), tools=("A", "D"), system=TextMatch("rules"))
    script = Script(playbook(Turn("x", name="t", expect=expect)))
    result = Message("user", "", (ToolResult("c", "permission granted"),))
    assert script.take(request("go", Message("assistant", "ok"), result))[1].text == "x"
    assert script.failures == [
        "t: request 1: the tool result does not contain 'denied': 'permission granted'",
        "t: request 1: the system prompt does not contain 'rules': ''",
        "t: request 1: not offered: D (offered: A, B, C)",
    ]


@pytest.mark.row("PH-24")
def test_late_values_come_from_the_newest_text_that_has_them() -> None:
    call = ToolCall("T", {"id": r"{{match:id=(\w{2,4})}}", "deep": [{"path": "{{cwd}}/x"}], "n": 3})
    script = Script(playbook(Turn("see {{match:/tmp/\\S+}}", (call,))), cwd="/project")
    results = Message("tool", "", (ToolResult("c", "id=new9"),))
    _, turn = script.take(request("id=old1 in /tmp/a.md", Message("assistant", "ok"), results))
    assert turn.text == "see /tmp/a.md"
    assert turn.tool_calls[0].arguments == {"id": "new9", "deep": [{"path": "/project/x"}], "n": 3}


def test_a_late_value_that_is_not_there_fails() -> None:
    script = Script(playbook(Turn("{{match:id=\\d+}}", name="t")))
    with pytest.raises(NoTurn, match=r"t: request 1: .* found nothing"):
        script.take(request("nothing"))


def test_what_the_cli_adds_to_a_prompt_is_not_the_prompt() -> None:
    added = "<system-reminder>\nToday is Monday\n</system-reminder>"
    asked = request(f"{added}\nMake a file", Message("assistant", "ok"), Message("user", added))
    assert asked.prompt == "Make a file"


def test_few_tools_make_a_side_request() -> None:
    script = Script(playbook("one"))
    assert script.is_side(request("title?", tools=("A", "B")))
    assert not script.is_side(request("work"))


def test_a_turn_for_any_times_gives_way_to_another_prompt() -> None:
    again = Turn("A", name="again", when=TextMatch("retry"), times=ANY_TIMES)
    script = Script(playbook(again, Turn("B", when=TextMatch("next"))))
    assert script.unused() == ["again: never asked for", "turn 2: never asked for"]
    said = [script.take(request(prompt))[1].text for prompt in ("retry", "retry", "retry", "next")]
    assert said == ["A", "A", "A", "B"]
    assert script.unused() == []


def test_new_results_are_those_since_the_models_last_words() -> None:
    old, new = (Message("tool", "", (ToolResult(word, word),)) for word in ("old", "new"))
    asked = request("go", Message("assistant"), old, Message("assistant"), new, Message("user", "and?"))
    assert asked.tool_result == "new"


@pytest.mark.row("PH-39")
def test_a_turn_waits_for_its_result() -> None:
    script = Script(
        playbook(Turn("bad", after=TextMatch("error")), Turn("good", after=TextMatch("ok")), "end")
    )
    assert script.take(after_tool("go", "all ok"))[1].text == "good"
    assert script.take(after_tool("go", "more"))[1].text == "end"
    assert script.unused() == []


@pytest.mark.row("PH-24", "PH-39")
def test_a_function_makes_the_turn_and_its_fault_fails_the_run() -> None:
    def doubled(one: ModelRequest) -> str:
        return f"twice {int(one.tool_result) * 2}"

    script = Script(playbook(Turn(name="first", dynamic=doubled), Turn(name="second", dynamic=doubled)))
    assert script.take(after_tool("go", "21"))[1].text == "twice 42"
    with pytest.raises(NoTurn):
        script.take(after_tool("go", "x"))
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
