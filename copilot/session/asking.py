"""Asking the provider: material for the prompt is gathered, the call is made, the answer comes back."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypedDict

from copilot.core.effects import AskProvider, CancelRequest
from copilot.core.reply import Proposal, Usage
from copilot.core.reply_request import ReplyRequest
from copilot.errors import ProviderError
from copilot.prompting import (
    EnvironmentSnapshot,
    QuestionAnswer,
    RequestMaterial,
    TextGuards,
    build_request,
)
from copilot.prompting.request import HISTORY_LENGTH
from copilot.providers.faults import UnusableReply
from copilot.providers.model_provider import EstimatesUsage, Provider, TakesNoInstruction
from copilot.session.recent_output import RecentOutput

_EARLIER_REPLIES = 3


class AnswerSink(Protocol):
    """Who is told what became of a request."""

    def request_made(self, request: ReplyRequest) -> None:
        """The request as it is about to be sent."""

    def reply_text(self, text: str) -> None:
        """More raw text of the reply."""

    def reply_proposed(self, request: ReplyRequest, proposal: Proposal) -> None:
        """The provider answered."""

    def reply_failed(self, number: int, reason: str, usage: Usage) -> None:
        """The provider gave no usable answer; it may have cost something all the same."""

    def request_dropped(self, usage: Usage) -> None:
        """A call was cancelled: what it used by then, as far as can be known."""


class UsedByCall(TypedDict):
    """What a call used, as the events carry it."""

    cost_usd: float | None
    input_tokens: int
    output_tokens: int


def used_by(usage: Usage) -> UsedByCall:
    """The part of `usage` that the events carry."""
    return {
        "cost_usd": usage.cost_usd,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
    }


def tell_dropped(
    provider: Provider, request: ReplyRequest | None, said: list[str], tell: Callable[[Usage], None]
) -> None:
    """A call was cancelled: what it used, if it went out to a model."""
    if request is not None and isinstance(provider, EstimatesUsage):
        tell(provider.estimated_usage(request, "".join(said)))


class DroppedCalls:
    """Calls that were cancelled and have not yet said what they used."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def cancel(self, task: asyncio.Task[None] | None) -> None:
        """Cancel a call, if it is one."""
        if task is not None and not task.done() and task.cancel():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def gone(self) -> None:
        """Return when all of them have ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingRules:
    """What every request of a run shares."""

    governing_prompt: str
    profile_title: str
    upload: bool
    guards: TextGuards


class Asker:
    """Makes requests one at a time; a new one, or a cancel, drops the one before."""

    def __init__(
        self,
        provider: Provider,
        rules: AskingRules,
        recent_output: Callable[[], RecentOutput],
        environment: Callable[[], Awaitable[EnvironmentSnapshot | None]],
        sink: AnswerSink,
        history: Iterable[QuestionAnswer] = (),
    ) -> None:
        """`history` is what an earlier run was asked and answered."""
        self.provider = provider
        self.governing_prompt = rules.governing_prompt
        """What governs from the next request on."""
        self._rules = rules
        self._recent_output = recent_output
        self._environment = environment
        self._sink = sink
        self._history: deque[QuestionAnswer] = deque(history, maxlen=HISTORY_LENGTH)
        self._task: asyncio.Task[None] | None = None
        self._dropped = DroppedCalls()
        self._proposed: deque[str] = deque(maxlen=_EARLIER_REPLIES)
        self._proposed_to = ("", "")
        """Prompt and governing prompt of these replies."""

    def carry_out(self, effect: AskProvider | CancelRequest) -> None:
        """Start a request, or drop the open one."""
        if isinstance(effect, AskProvider):
            self.ask(effect)
        else:
            self.cancel()

    def ask(self, effect: AskProvider) -> None:
        """Start the request; the sink hears of its end."""
        self.cancel()
        self._task = asyncio.get_running_loop().create_task(self._run(effect), name="ask provider")

    def cancel(self) -> None:
        """Drop the open request."""
        self._dropped.cancel(self._task)
        self._task = None

    def unfollowed(self, request: ReplyRequest) -> str:
        """Why the person's instruction in it changes nothing; empty if there is none, or if it counts."""
        provider = self.provider
        if request.instructs and isinstance(provider, TakesNoInstruction):
            return provider.cannot_follow
        return ""

    def remember(self, answered: QuestionAnswer) -> None:
        """An answer that was typed; the last ten are told to the model."""
        self._history.append(answered)

    async def close(self) -> None:
        """Drop the open request and give back the provider's connections."""
        self.cancel()
        await self._dropped.gone()
        await self.provider.close()

    async def _run(self, effect: AskProvider) -> None:
        request: ReplyRequest | None = None
        said: list[str] = []

        def heard(text: str) -> None:
            said.append(text)
            self._sink.reply_text(text)

        try:
            request = await self._build(effect)
            self._sink.request_made(request)
            proposal = await self.provider.propose(request, heard)
            self._proposed.append(str(proposal.reply))
        except asyncio.CancelledError:
            tell_dropped(self.provider, request, said, self._sink.request_dropped)
            raise
        except UnusableReply as problem:
            self._sink.reply_failed(effect.request, str(problem), problem.usage)
        except ProviderError as problem:
            self._sink.reply_failed(effect.request, str(problem), Usage())
        except Exception as problem:
            reason = f"the provider failed unexpectedly: {type(problem).__name__}: {problem}"
            self._sink.reply_failed(effect.request, reason, Usage(cost_usd=None))
        else:
            self._sink.reply_proposed(request, proposal)

    async def _build(self, effect: AskProvider) -> ReplyRequest:
        rules, about = self._rules, (effect.detection.identity, self.governing_prompt)
        if about != self._proposed_to:
            self._proposed.clear()
            self._proposed_to = about
        recent = self._recent_output()
        material = RequestMaterial(
            number=effect.request,
            detection=effect.detection,
            marker=secrets.token_hex(8),
            governing_prompt=self.governing_prompt,
            recent_output=recent.text,
            hidden=recent.hidden,
            environment=await self._environment() if rules.upload else None,
            history=tuple(self._history),
            instruction=effect.instruction,
            earlier=tuple(filter(None, self._proposed)) if about[0] else (),
            plan_step=effect.plan_step,
            profile_title=rules.profile_title,
            upload=rules.upload,
        )
        return build_request(material, rules.guards)
