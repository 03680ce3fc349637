"""The protocols as the vendors' own SDKs understand them, and as the CLIs send them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from copilot.lab.model_server import HttpError, ModelServer, ToolCall, Turn, Usage
from tests.model_server.wire import TOOLS, get, post, say

if TYPE_CHECKING:
    import anthropic
    import openai

CALL = ToolCall("Write", {"path": "a b.txt", "content": "x" * 100 + "é"})
FULL = Turn("I'll write it — now.", (CALL,), thinking="Hm, well.", usage=Usage(100, 20, 5))
MESSAGES: list[Any] = [{"role": "user", "content": "go"}]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer([FULL], min_tools=0) as running:
        yield running


def anthropic_client(server: ModelServer) -> anthropic.Anthropic:
    import anthropic

    return anthropic.Anthropic(base_url=server.url, api_key="sk-fake", max_retries=0, timeout=200)


def openai_client(server: ModelServer) -> openai.OpenAI:
    import openai

    return openai.OpenAI(base_url=f"{server.url}/v1", api_key="sk-fake", max_retries=0, timeout=200)


@pytest.mark.row("PH-6")
@pytest.mark.parametrize("stream", [True, False])
def test_anthropic_sdk_reads_a_whole_turn(server: ModelServer, stream: bool) -> None:
    client = anthropic_client(server)
    if stream:
        with client.messages.stream(model="m", max_tokens=9, messages=MESSAGES) as streamed:
            message: Any = streamed.get_final_message()
    else:
        message = client.messages.create(model="m", max_tokens=9, messages=MESSAGES)
    thinking, text, call = message.content
    assert (thinking.thinking, text.text, call.name) == (FULL.thinking, FULL.text, "Write")
    assert call.input == dict(CALL.arguments)
    assert message.stop_reason == "tool_use"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (100, 20)
    assert message.usage.cache_read_input_tokens == 5


@pytest.mark.parametrize("stream", [True, False])
def test_openai_sdk_reads_a_whole_chat_turn(server: ModelServer, stream: bool) -> None:
    client = openai_client(server)
    if stream:
        with client.chat.completions.stream(
            model="m", messages=MESSAGES, stream_options={"include_usage": True}
        ) as streamed:
            completion: Any = streamed.get_final_completion()
    else:
        completion = client.chat.completions.create(model="m", messages=MESSAGES)
    choice = completion.choices[0]
    assert choice.message.content == FULL.text
    assert choice.finish_reason == "tool_calls"
    function = choice.message.tool_calls[0].function
    assert (function.name, json.loads(function.arguments)) == ("Write", dict(CALL.arguments))
    assert (completion.usage.prompt_tokens, completion.usage.total_tokens) == (100, 120)


@pytest.mark.parametrize("stream", [True, False])
def test_openai_sdk_reads_a_whole_response(stream: bool) -> None:
    patch = ToolCall("apply_patch", input="*** Begin Patch\n+é\n*** End Patch\n")
    turn = Turn(FULL.text, (CALL, patch), thinking="Hm.", usage=Usage(100, 20, 5))
    with ModelServer([turn], min_tools=0) as server:
        client = openai_client(server)
        if stream:
            with client.responses.stream(model="m", input="go") as streamed:
                response: Any = streamed.get_final_response()
        else:
            response = client.responses.create(model="m", input="go")
    kinds = [item.type for item in response.output]
    assert kinds == ["reasoning", "message", "function_call", "custom_tool_call"]
    assert response.output_text == FULL.text
    assert json.loads(response.output[2].arguments) == dict(CALL.arguments)
    assert response.output[3].input == patch.input
    assert (response.usage.input_tokens, response.usage.input_tokens_details.cached_tokens) == (100, 5)


@pytest.mark.parametrize("action", ["streamGenerateContent?alt=sse", "generateContent"])
def test_gemini_gives_thoughts_text_and_calls(server: ModelServer, action: str) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "go"}]}]}
    reply = post(f"{server.url}/v1beta/models/gemini-pro:{action}", body)
    answers = reply.events if "stream" in action else [reply.body]
    parts = [part for answer in answers for part in answer["candidates"][0]["content"]["parts"]]
    assert "".join(part["text"] for part in parts if part.get("thought")) == FULL.thinking
    assert "".join(part.get("text", "") for part in parts if not part.get("thought")) == FULL.text
    (call,) = [part["functionCall"] for part in parts if "functionCall" in part]
    assert (call["name"], call["args"]) == ("Write", dict(CALL.arguments))
    assert answers[-1]["candidates"][0]["finishReason"] == "STOP"
    assert answers[-1]["usageMetadata"]["totalTokenCount"] == 120
    assert server.requests[0].model == "gemini-pro"


@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
def test_anthropic_errors_become_the_sdks_own(status: int) -> None:
    import anthropic

    error = HttpError(status, "scripted words", retry_after_seconds=7)
    told = pytest.raises(anthropic.APIStatusError, match="scripted words")
    with ModelServer([Turn(error=error)], min_tools=0) as server, told as caught:
        anthropic_client(server).messages.create(model="m", max_tokens=9, messages=MESSAGES)
    assert caught.value.status_code == status
    assert caught.value.response.headers["retry-after"] == "7"


def test_openai_errors_become_the_sdks_own() -> None:
    import openai

    with ModelServer([Turn(error=HttpError(429, "slow down"), times=2)], min_tools=0) as server:
        with pytest.raises(openai.RateLimitError, match="slow down"):
            openai_client(server).responses.create(model="m", input="go")
        with pytest.raises(openai.RateLimitError, match="slow down"):
            openai_client(server).chat.completions.create(model="m", messages=MESSAGES)


def test_refusals_are_each_vendors_own() -> None:
    with ModelServer([Turn(refusal="I can't.", times=4)], min_tools=0) as server:
        message = anthropic_client(server).messages.create(model="m", max_tokens=9, messages=MESSAGES)
        chat = openai_client(server).chat.completions.create(model="m", messages=MESSAGES)
        with openai_client(server).responses.stream(model="m", input="go") as streamed:
            response: Any = streamed.get_final_response()
        gemini = post(f"{server.url}/v1beta/models/g:generateContent", {}).body
    assert message.stop_reason == "refusal"
    assert chat.choices[0].message.refusal == "I can't."
    assert response.output[0].content[0].refusal == "I can't."
    assert gemini["candidates"][0]["finishReason"] == "SAFETY"


def test_an_answer_cut_by_the_output_limit_says_so() -> None:
    with ModelServer([Turn("half", truncated=True, times=5)], min_tools=0) as server:
        message = anthropic_client(server).messages.create(model="m", max_tokens=9, messages=MESSAGES)
        chat = openai_client(server).chat.completions.create(model="m", messages=MESSAGES)
        response = openai_client(server).responses.create(model="m", input="go")
        streamed = post(f"{server.url}/v1/responses", {"input": "go", "stream": True}).events[-1]
        gemini = post(f"{server.url}/v1beta/models/g:generateContent", {}).body
    assert streamed["type"] == "response.incomplete"
    assert streamed["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
    assert message.stop_reason == "max_tokens"
    assert chat.choices[0].finish_reason == "length"
    assert response.status == "incomplete"
    assert gemini["candidates"][0]["finishReason"] == "MAX_TOKENS"


def test_tool_results_are_read_in_every_protocol() -> None:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "denied"}]}
    conversations: dict[str, Any] = {
        "/v1/messages": {
            "system": [{"type": "text", "text": "rules"}],
            "messages": [
                {"role": "user", "content": "go"},
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "t1", "name": "W", "input": {}}],
                },
                {"role": "user", "content": [{**result, "is_error": True}]},
            ],
        },
        "/v1/responses": {
            "instructions": "rules",
            "input": [
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
                {"type": "function_call", "call_id": "t1", "name": "W", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "t1", "output": "denied"},
            ],
        },
        "/v1/chat/completions": {
            "messages": [
                {"role": "system", "content": "rules"},
                {"role": "user", "content": [{"type": "text", "text": "go"}]},
                {"role": "assistant", "content": None, "tool_calls": []},
                {"role": "tool", "tool_call_id": "t1", "content": "denied"},
            ]
        },
        "/v1beta/models/g:generateContent": {
            "systemInstruction": {"parts": [{"text": "rules"}]},
            "contents": [
                {"role": "user", "parts": [{"text": "go"}]},
                {"role": "model", "parts": [{"functionCall": {"name": "W", "args": {}}}]},
                {
                    "role": "user",
                    "parts": [
                        {"functionResponse": {"id": "t1", "name": "W", "response": {"error": "denied"}}}
                    ],
                },
            ],
        },
    }
    with ModelServer([Turn("ok", times=len(conversations))], min_tools=0) as server:
        for path, body in conversations.items():
            assert post(server.url + path, body).status == 200
        requests = server.requests
    for request in requests:
        assert (request.system, request.prompt) == ("rules", "go"), request.protocol
        assert [(result.call_id, result.text) for result in request.new_results] == [("t1", "denied")]


def test_side_requests_get_the_smallest_document_of_their_schema() -> None:
    schema = {
        "type": "object",
        "required": ["title", "speaker", "score"],
        "properties": {
            "title": {"type": "string"},
            "speaker": {"type": "string", "enum": ["user", "model"]},
            "score": {"type": "integer", "minimum": 1},
            "extra": {"type": "array"},
        },
    }
    wanted = {"title": "Scripted task", "speaker": "user", "score": 1}
    body = {"messages": MESSAGES, "output_config": {"format": {"type": "json_schema", "schema": schema}}}
    chat = {
        "messages": MESSAGES,
        "response_format": {"type": "json_schema", "json_schema": {"schema": schema}},
    }
    gemini = {"generationConfig": {"responseJsonSchema": schema}}
    with ModelServer(["main"]) as server:
        message = post(f"{server.url}/v1/messages", body).body["content"][0]["text"]
        completion = post(f"{server.url}/v1/chat/completions", chat).body
        routed = post(f"{server.url}/v1beta/models/g:generateContent", gemini).body
        response = post(
            f"{server.url}/v1/responses", {"input": "x", "text": {"format": {"schema": schema}}}
        ).body
        plain = say(server.url, "a title please", tools=TOOLS[:1]).body["content"][0]["text"]
        assert say(server.url, "go").body["content"][0]["text"] == "main"
        assert [request.side for request in server.requests] == [True] * 5 + [False]
        assert [request.turn for request in server.main_requests] == ["turn 1"]
    texts = [
        message,
        completion["choices"][0]["message"]["content"],
        routed["candidates"][0]["content"]["parts"][0]["text"],
        response["output"][0]["content"][0]["text"],
    ]
    assert [json.loads(text) for text in texts] == [wanted] * 4
    assert plain == "Scripted task"


def test_tokens_are_counted_and_models_listed_without_a_turn() -> None:
    with ModelServer([]) as server:
        counted = post(f"{server.url}/v1/messages/count_tokens", {"messages": MESSAGES}).body
        gemini = {"contents": [{"parts": [{"text": "x" * 400}]}]}
        assert post(f"{server.url}/v1beta/models/g:countTokens", gemini).body == {"totalTokens": 100}
        assert get(f"{server.url}/v1/models").status == 200
        assert get(server.url, "HEAD").status == 200
        assert post(f"{server.url}/api/telemetry", {}).status == 404
        assert [other.status for other in server.other_requests] == [200, 200, 200, 200, 404]
    assert counted == {"input_tokens": 1}
