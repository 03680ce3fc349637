"""Both SDKs, unmodified, against a local server that speaks their streaming protocols.

Every case ends in a `Proposal` or in a `ProviderError` that says why; nothing outlives its deadline. Each
call runs under a limit far above its deadline, so that one that hangs fails the test instead of passing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from copilot.core.reply import Autonomy, Proposal, Reply, ReplyRequest
from copilot.core.settings import RunSettings
from copilot.errors import ProviderError
from copilot.prompting import TextGuards
from copilot.providers.create import create_provider
from copilot.providers.faults import UnusableReply
from copilot.providers.model_provider import ModelProvider
from copilot.redaction.redact import Redacted
from tests.prompting.make import detection, request
from tests.providers.server import Answer, OpenAIWords, ScriptedServer, Words, base_url, both

KEY = "sk-test-0123456789abcdef"
NO = '{"choice": "No", "text": null, "reason": "it deletes files", "confidence": 0.9, "needs_human": false}'
REQUEST = request(
    detection(
        "permission",
        "Do you want to proceed?",
        "Yes",
        "Yes, and don't ask again",
        "No",
        subject="rm -rf build/",
    ),
    "Never delete files.",
    output="I will clean up.",
)


def settings(words: Words, url: str, **changes: object) -> RunSettings:
    """Settings of a run against the local server."""
    base = RunSettings(
        child=("x",),
        profile="generic",
        autonomy=Autonomy.SUGGEST,
        cwd="/",
        log_folder="/tmp",
        provider=words.name,
        model="test-model",
        base_url=base_url(words, url),
        reply_deadline_seconds=20.0,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


class Call:
    """One provider against one scripted server."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.said: list[str] = []
        self.pieces: list[str] = []
        self.server = ScriptedServer()

    async def run(
        self,
        *answers: Answer,
        made: ReplyRequest = REQUEST,
        deadline: float = 120.0,
        attempt: float | None = None,
        times: int = 1,
    ) -> Proposal:
        """The (last) proposal. Raises what `propose` raises."""
        self.server = ScriptedServer(*answers)
        async with self.server.running():
            chosen = settings(self.words, self.server.url, reply_deadline_seconds=deadline)
            provider = create_provider(chosen, {self.words.variable: KEY}, self.said.append)
            assert isinstance(provider, ModelProvider)
            if attempt is not None:
                provider.caller._attempt_seconds = attempt  # type: ignore[attr-defined]
            self.provider = provider
            try:
                async with asyncio.timeout(deadline + 15):
                    for _ in range(times):
                        proposal = await provider.propose(made, self.pieces.append)
            finally:
                await provider.close()
            return proposal

    async def fails(
        self,
        *answers: Answer,
        made: ReplyRequest = REQUEST,
        deadline: float = 120.0,
        attempt: float | None = None,
    ) -> str:
        with pytest.raises(ProviderError) as problem:
            await self.run(*answers, made=made, deadline=deadline, attempt=attempt)
        reason = str(problem.value)
        assert reason.startswith(f"{self.words.name}: ") and "\n" not in reason and KEY not in reason
        return reason


@both
@pytest.mark.row("CP-46", "CP-47", "CP-52")
async def test_success_streams_and_becomes_a_proposal(words: Words) -> None:
    call = Call(words)
    proposal = await call.run(words.stream(NO))
    assert proposal.reply == Reply(choice="No") and proposal.reason == "it deletes files"
    assert proposal.provider == words.name and proposal.model == "test-model"
    assert "".join(call.pieces) == NO == proposal.raw and len(call.pieces) > 5
    usage = proposal.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (1000, 40, 100)
    assert usage.cost_usd is None, "an unknown price is unknown, not 0"
    assert not usage.estimated


@both
@pytest.mark.row("CP-13", "CP-18", "CP-46")
async def test_the_request_on_the_wire(words: Words) -> None:
    call = Call(words)
    await call.run(words.stream(NO))
    sent = call.server.received[0]
    body = sent.json
    assert body["stream"] is True and "temperature" not in body
    if words.name == "anthropic":
        assert sent.path == "/v1/messages" and sent.headers["authorization"] == f"Bearer {KEY}"
        assert body["system"][0]["text"] == REQUEST.system
        assert "".join(block["text"] for block in body["messages"][0]["content"]) == REQUEST.user
        assert body["messages"][0]["content"][0]["text"].startswith("Never delete files.")
        assert body["output_config"]["format"]["type"] == "json_schema"
    else:
        assert sent.path == "/v1/chat/completions" and sent.headers["authorization"] == f"Bearer {KEY}"
        assert body["messages"] == [
            {"role": "system", "content": REQUEST.system},
            {"role": "user", "content": REQUEST.user},
        ]
        assert body["response_format"]["json_schema"]["strict"] is True


@both
async def test_long_stable_beginnings_are_marked_for_caching(words: Words) -> None:
    made = request(detection("menu", "Pick", "A", "No"), "Prefer small steps. " * 400)
    call = Call(words)
    await call.run(words.stream(NO), made=made)
    body = call.server.received[0].json
    if words.name == "anthropic":
        first, second = body["messages"][0]["content"]
        assert first["cache_control"] == {"type": "ephemeral"} and "cache_control" not in second
    assert "cache_control" not in json.dumps(Call(words).server.answers)


@both
@pytest.mark.row("CP-49")
async def test_429_with_a_short_wait_is_retried_by_the_sdk(words: Words) -> None:
    call = Call(words)
    proposal = await call.run(words.error(429, retry_after="1"), words.stream(NO))
    assert proposal.reply == Reply(choice="No") and len(call.server.received) == 2


@both
@pytest.mark.row("CP-50")
async def test_429_with_an_hours_wait_is_not_waited_for(words: Words) -> None:
    call = Call(words)
    reason = await call.fails(words.error(429, "slow down", retry_after="3600"))
    assert "rate limit" in reason and "3600 s" in reason and "slow down" in reason
    assert len(call.server.received) == 1


@both
@pytest.mark.row("CP-49", "CP-73")
@pytest.mark.parametrize(("status", "why"), [(529, "overloaded"), (503, "HTTP 503"), (500, "HTTP 500")])
async def test_a_failing_service_is_retried_and_then_explained(words: Words, status: int, why: str) -> None:
    call = Call(words)
    assert why in await call.fails(words.error(status))
    assert len(call.server.received) == 3
    call = Call(words)
    assert (await call.run(words.error(status), words.stream(NO))).reply == Reply(choice="No")


@both
@pytest.mark.row("CP-73")
@pytest.mark.parametrize(
    ("status", "message", "why"),
    [
        (401, f"bad key {KEY}", "API_KEY is not accepted"),
        (400, f"odd header {KEY}", r"odd header [key]"),
        (402, "pay", "no credit"),
        (403, "no", "may not use"),
        (404, "no", "does not know the model 'test-model'"),
        (413, "big", "too long"),
        (400, "maximum context length is 4096 tokens", "too long"),
        (307, "", "not followed"),
    ],
)
async def test_refused_requests_are_explained_and_not_repeated(
    words: Words, status: int, message: str, why: str
) -> None:
    call = Call(words)
    headers = {"location": "http://127.0.0.1:9/elsewhere"} if status == 307 else {}
    assert why in await call.fails(words.error(status, message, **headers))
    assert len(call.server.received) == (2 if "odd" in message else 1), "a 400 may mean the answer schema"


@both
async def test_a_model_without_answer_schemas_gets_one_plain_call_and_is_remembered(words: Words) -> None:
    call = Call(words)
    proposal = await call.run(
        words.error(400, "response_format is not supported"), words.stream("No"), times=2
    )
    assert proposal.reply == Reply(choice="No") and proposal.confidence < 1
    bodies = [received.json for received in call.server.received]
    assert ["response_format" in body or "output_config" in body for body in bodies] == [True, False, False]
    assert len(call.said) == 1 and "takes no answer schema" in call.said[0]


@both
@pytest.mark.row("CP-50", "CP-73")
@pytest.mark.invariant(9)
async def test_a_server_that_never_answers_ends_at_the_deadline(words: Words) -> None:
    call = Call(words)
    assert "no whole answer within 1 s" in await call.fails(Answer(silent=True), deadline=1.0)


@both
@pytest.mark.row("CP-50", "CP-73")
async def test_a_server_that_never_answers_is_given_up_by_the_sdks_own_timeouts(words: Words) -> None:
    call = Call(words)
    assert "does not answer" in await call.fails(Answer(silent=True), attempt=0.3)
    assert len(call.server.received) == 3


@both
@pytest.mark.row("CP-50", "CP-52", "CP-73")
async def test_a_stream_that_stalls_types_nothing(words: Words) -> None:
    stalled = words.stream(NO, whole=False, end="stall")
    assert "stalled" in await Call(words).fails(stalled, deadline=1.5)
    assert "stalls" in await Call(words).fails(stalled, attempt=0.5)


@both
@pytest.mark.row("CP-52", "CP-73")
@pytest.mark.parametrize("end", ["cut", "close"])
async def test_a_stream_that_is_cut_types_nothing_even_if_it_looks_whole(words: Words, end: str) -> None:
    call = Call(words)
    assert "in the middle of the answer" in await call.fails(words.stream(NO, whole=False, end=end))
    assert "".join(call.pieces) == NO, "it was shown"


@both
@pytest.mark.row("CP-73")
async def test_an_error_in_mid_stream_is_explained(words: Words) -> None:
    reason = await Call(words).fails(words.error_in_stream())
    assert "overloaded" in reason.lower()


@both
@pytest.mark.row("CP-73")
async def test_a_refusal_and_an_endless_answer_are_held_and_paid_for(words: Words) -> None:
    for answer, why in ((words.refusal(), "refused to answer"), (words.too_long(), "cut off")):
        with pytest.raises(UnusableReply, match=why) as problem:
            await Call(words).run(answer)
        assert isinstance(problem.value.usage.output_tokens, int)


@both
@pytest.mark.row("CP-34", "CP-73")
@pytest.mark.parametrize(
    "text", ["", '{"choice": "No"', "Perhaps", '{"choice": "Maybe"}', "\x00\x1b]0;x\x07", "y\r"]
)
async def test_nonsense_is_held(words: Words, text: str) -> None:
    await Call(words).fails(words.stream(text))


@both
@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, b"<html>hello</html>", {"Content-Type": "text/html"}),
        Answer(200, b'{"choices": 5}', {"Content-Type": "application/json"}),
        Answer(200, b"data: {broken\n\n", {"Content-Type": "text/event-stream"}),
        Answer(200, b"event: message_start\ndata: {}\n\n", {"Content-Type": "text/event-stream"}),
        Answer(200, b"data: []\n\ndata: 7\n\n", {"Content-Type": "text/event-stream"}),
        Answer(200, b"\xff\xfe\x00", {"Content-Type": "text/event-stream"}),
        Answer(200, b"", {"Content-Type": "text/event-stream"}),
        Answer(200, b"x", {"Content-Type": "text/event-stream", "Content-Encoding": "gzip"}),
        Answer(999, b"", {}),
    ],
    ids=range(9),
)
@pytest.mark.row("CP-73")
async def test_what_is_no_answer_at_all_is_held(words: Words, answer: Answer) -> None:
    await Call(words).fails(answer)


@both
async def test_an_answer_without_end_is_stopped(words: Words) -> None:
    assert "has no end" in await Call(words).fails(words.stream("x" * 70_000), deadline=300.0)


@both
async def test_nobody_there(words: Words) -> None:
    async with ScriptedServer(Answer()).running() as server:
        gone = server.url
    provider = create_provider(settings(words, gone), {words.variable: KEY})
    with pytest.raises(ProviderError, match="cannot be reached"):
        await provider.propose(REQUEST, lambda text: None)
    await provider.close()


@both
async def test_a_cancelled_call_ends_at_once_and_the_next_one_works(words: Words) -> None:
    server = ScriptedServer(Answer(silent=True), words.stream(NO))
    async with server.running():
        provider = create_provider(settings(words, server.url), {words.variable: KEY})
        task = asyncio.create_task(_propose(provider.propose))
        await server.arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await _propose(provider.propose)).reply == Reply(choice="No")
        await provider.close()


async def _propose(propose: Callable[[ReplyRequest, Callable[[str], None]], Awaitable[Proposal]]) -> Proposal:
    return await propose(REQUEST, lambda text: None)


@both
async def test_a_prompt_whose_start_the_server_cut_is_held_and_told(words: Words) -> None:
    made = request(detection("menu", "Pick", "Yes", "No"), "Prefer small steps. " * 600)
    usage = (
        {"input_tokens": 1024, "output_tokens": 5}
        if words.name == "anthropic"
        else {"prompt_tokens": 1024, "completion_tokens": 5, "total_tokens": 1029}
    )
    call = Call(words)
    proposal = await call.run(words.stream(NO, usage=usage), made=made)
    assert proposal.needs_human and "start of the prompt" in proposal.reason
    assert call.said == [proposal.reason]


@both
async def test_the_counter_learns_from_what_is_reported(words: Words) -> None:
    call = Call(words)
    text = f"{REQUEST.system}\n{REQUEST.user}"
    await call.run(words.stream(NO))
    assert abs(call.provider.counter(text) - 1000) <= 10


async def test_usage_that_is_not_reported_is_estimated_and_says_so() -> None:
    proposal = await Call(OpenAIWords()).run(OpenAIWords().stream(NO, usage={}))
    assert proposal.usage.estimated and proposal.usage.input_tokens > 300 and proposal.usage.cost_usd is None


@both
@pytest.mark.row("CP-54", "CP-80")
@pytest.mark.invariant(8)
async def test_no_secret_and_without_upload_no_file_name_is_in_the_body(words: Words) -> None:
    from copilot.prompting import EnvironmentSnapshot

    secret = "ghp_" + "Zz9" * 12
    made = request(
        detection("permission", "Go?", "Yes", "No", subject=f"curl -H {secret}"),
        output=f"export TOKEN={secret}",
        environment=EnvironmentSnapshot("main", (" M hidden_name.py",), 1),
        upload=False,
        guards=TextGuards(redact=lambda text: Redacted(text.replace(secret, "[secret]"), text.count(secret))),
    )
    call = Call(words)
    await call.run(words.stream(NO), made=made)
    body = call.server.received[0].raw
    assert secret.encode() not in body and b"hidden_name" not in body and b"[secret]" in body
