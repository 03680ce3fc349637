"""Asking the provider: material for the prompt is gathered, the call is made, the answer comes back."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from copilot.context import (
    EnvironmentSnapshot,
    QuestionAnswer,
    RequestMaterial,
    TextGuards,
    build_request,
)
from copilot.context.history import HISTORY_LENGTH
from copilot.core.effects import AskProvider, CancelRequest
from copilot.core.reply import Proposal, Usage
from copilot.core.reply_request import ReplyRequest
from copilot.errors import ProviderError
from copilot.llm.faults import UnusableReply
from copilot.llm.provider import Provider, TakesNoInstruction
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
        if self._task is not None:
            self._task.cancel()
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
        await self.provider.close()

    async def _run(self, effect: AskProvider) -> None:
        try:
            request = await self._build(effect)
            self._sink.request_made(request)
            proposal = await self.provider.propose(request, self._sink.reply_text)
            self._proposed.append(str(proposal.reply))
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
