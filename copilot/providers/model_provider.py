"""A provider that asks a model over HTTP: deadline, fallback to plain text, usage, price, and the last check.

The two SDKs sit behind `ModelCaller`; what is the same for both is here. `propose` ends in a `Proposal` or
in a `ProviderError` with its reason, and never outlives its deadline.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from copilot.core.reply import Proposal, ReplyRequest, Usage
from copilot.errors import ProviderError
from copilot.prompting.answer import Answer, read_answer
from copilot.prompting.tokens import Estimator
from copilot.providers.faults import Endpoint, UnusableReply, timeout_reason
from copilot.providers.prices import PriceList
from copilot.providers.tokens import TokenCounter
from copilot.providers.transport import CallState


class Provider(Protocol):
    """Writes replies. `propose` never outlives its own deadline."""

    name: str
    model: str

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        """One reply; `on_text` gets the raw text as it streams in, for display only.

        Raises ProviderError with a reason for the person: down, slow, refusing, or nonsense.
        """
        ...

    def unused(self) -> tuple[str, ...]:
        """What a script still holds though it was to be used; empty for a provider without a script."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


@runtime_checkable
class TakesNoInstruction(Protocol):
    """A provider that cannot follow an instruction such as "shorter"; `cannot_follow` says so."""

    cannot_follow: str


@runtime_checkable
class EstimatesUsage(Protocol):
    """A provider whose calls cost something, also those that are cancelled."""

    def estimated_usage(self, request: ReplyRequest, said: str) -> Usage:
        """What a call used that was ended after the model had said so much."""


@runtime_checkable
class CountsTokens(Protocol):
    """A provider that knows better than the estimate how its model counts."""

    counter: Estimator


_log = logging.getLogger("copilot.providers")

DEFAULT_DEADLINE_SECONDS = 60.0
MAX_ANSWER_CHARACTERS = 64_000
_CUT_PROMPT_RATIO = 0.5
_CUT_PROMPT_LEAST = 1_000


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One whole answer. `stop` is `end`, `length`, `refusal` or `cut`; `usage` is the provider's own report.

    `input_tokens` counts cached ones too, whatever the provider's own convention.
    """

    text: str
    stop: str
    usage: Mapping[str, object] | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class StructureUnsupported(Exception):
    """The server refused the call because it cannot hold an answer to a schema."""


class ModelCaller(Protocol):
    """One SDK. Raises ProviderError with a reason for whatever goes wrong, or StructureUnsupported."""

    endpoint: Endpoint
    state: CallState
    prices: PriceList

    async def ask(
        self, request: ReplyRequest, on_text: Callable[[str], None], *, structured: bool
    ) -> ModelReply:
        """One call, streamed: `on_text` gets the pieces as they come."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


@dataclass(slots=True)
class ModelProvider:
    """The `Provider` over one `ModelCaller`. `say` gets a line whenever the person should know something."""

    caller: ModelCaller
    counter: TokenCounter
    deadline_seconds: float = DEFAULT_DEADLINE_SECONDS
    say: Callable[[str], None] = field(default=_log.warning)
    name: str = field(init=False)
    model: str = field(init=False)
    _structured: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        self.name = self.caller.endpoint.provider
        self.model = self.caller.endpoint.model

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        """One reply. Raises ProviderError; UnusableReply if the answer was paid for."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        endpoint, state = self.caller.endpoint, self.caller.state
        state.begin(self.deadline_seconds)
        said: list[str] = []

        def heard(text: str) -> None:
            said.append(text)
            on_text(text)

        try:
            async with asyncio.timeout(self.deadline_seconds):
                reply = await self._ask(request, heard)
        except TimeoutError:
            reason = timeout_reason(endpoint, self.deadline_seconds, state.last_status, state.retry_after)
            usage = self.estimated_usage(request, "".join(said))
            raise UnusableReply(str(endpoint.error(reason)), usage) from None
        usage = self._usage(request, reply)
        answer = self._read(request, reply, usage)
        if self._prompt_was_cut(request, reply):
            answer = self._held(answer, reply)
        return Proposal(
            reply=answer.reply,
            reason=answer.reason,
            confidence=answer.confidence,
            needs_human=answer.needs_human,
            clarification=answer.clarification,
            provider=self.name,
            model=self.model,
            usage=usage,
            seconds=clock() - begun,
            raw=reply.text,
        )

    def unused(self) -> tuple[str, ...]:
        """A model has no script."""
        return ()

    async def close(self) -> None:
        """Give back connections."""
        await self.caller.close()

    async def _ask(self, request: ReplyRequest, on_text: Callable[[str], None]) -> ModelReply:
        if self._structured:
            try:
                return await self.caller.ask(request, on_text, structured=True)
            except StructureUnsupported:
                self._structured = False
                self.say(
                    f"{self.name}: {self.model} takes no answer schema; its plain answers are checked instead"
                )
        return await self.caller.ask(request, on_text, structured=False)

    def _read(self, request: ReplyRequest, reply: ModelReply, usage: Usage) -> Answer:
        problems = {
            "length": "the answer is too long and was cut off",
            "refusal": "the model refused to answer",
            "cut": "the connection ended in the middle of the answer",
        }
        problem = problems.get(reply.stop, "")
        if not problem:
            try:
                return read_answer(reply.text, request)
            except ProviderError as unreadable:
                problem = str(unreadable)
        elif reply.stop == "refusal" and reply.text:
            problem = f"{problem}: {self.caller.endpoint.safe(reply.text)}"
        raise UnusableReply(f"{self.name}: {problem}", usage)

    def _usage(self, request: ReplyRequest, reply: ModelReply) -> Usage:
        if reply.usage is None:
            sent = self.counter(request.system) + self.counter(request.user)
            return Usage(sent, self.counter(reply.text), 0, None, estimated=True)
        cost = self.caller.prices.cost_usd(self.model, reply.usage)
        return Usage(reply.input_tokens, reply.output_tokens, reply.cached_tokens, cost)

    def estimated_usage(self, request: ReplyRequest, said: str) -> Usage:
        """What a call used that was ended after the model had said so much: the service counts it too."""
        sent = self.counter(request.system) + self.counter(request.user)
        got = self.counter(said) if said else 0
        cost = self.caller.prices.cost_of_tokens(self.model, sent, got)
        return Usage(sent, got, 0, cost, estimated=True)

    def _prompt_was_cut(self, request: ReplyRequest, reply: ModelReply) -> bool:
        """Whether the server read far less than was sent; otherwise the counter learns from the report."""
        if reply.usage is None or reply.input_tokens <= 0:
            return False
        sent = f"{request.system}\n{request.user}"
        expected = self.counter.uncorrected(sent)
        if expected >= _CUT_PROMPT_LEAST and reply.input_tokens < expected * _CUT_PROMPT_RATIO:
            return True
        self.counter.learn(sent, reply.input_tokens)
        return False

    def _held(self, answer: Answer, reply: ModelReply) -> Answer:
        """An answer to a prompt whose start, the rules, was dropped: the person must look at it."""
        warning = (
            f"{self.name}: the server read only {reply.input_tokens} tokens, so the start of the prompt with "
            f"the rules was cut; give {self.model} a larger context (ollama: OLLAMA_CONTEXT_LENGTH)"
        )
        self.say(warning)
        return replace(answer, needs_human=True, reason=warning)
