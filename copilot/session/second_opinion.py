"""Asking for a second opinion: one at a time, and whatever goes wrong ends as a reason to hold."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from copilot.core.effects import AskSecondOpinion, CancelOpinion
from copilot.core.events import OpinionFailed, OpinionGiven
from copilot.core.reply import Proposal, ReplyRequest, Usage
from copilot.errors import ProviderError
from copilot.prompting.guards import TextGuards
from copilot.prompting.opinion import OpinionMaterial, build_opinion, read_opinion
from copilot.providers.faults import UnusableReply
from copilot.providers.model_provider import Provider
from copilot.session.asking import CancelledCalls, report_cancelled, usage_fields
from copilot.session.ports import ends_by_fault

if TYPE_CHECKING:
    from copilot.session.live import LiveSession

OPINION = "opinion"
"""How its requests are named in the run folder, beside the steps."""


class OpinionSink(Protocol):
    """Receives the outcome of each second opinion."""

    def opinion_asked(self, request: ReplyRequest) -> None:
        """The request as it is about to be sent."""

    def opinion_given(self, request: ReplyRequest, answer: Proposal, agrees: bool, reason: str) -> None:
        """The model answered plainly."""

    def opinion_failed(self, number: int, reason: str, usage: Usage) -> None:
        """There is no usable opinion; it may have cost something all the same."""

    def request_dropped(self, usage: Usage) -> None:
        """A call was cancelled: what it used by then, as far as can be known."""


@dataclass(slots=True)
class OpinionAsker:
    """`goal` is the governing prompt."""

    provider: Provider
    goal: str
    guards: TextGuards
    sink: OpinionSink
    _task: asyncio.Task[None] | None = None
    _cancelled: CancelledCalls = field(default_factory=CancelledCalls)

    def carry_out(self, effect: AskSecondOpinion | CancelOpinion) -> None:
        """Start a request, of whose end the sink hears, or drop it."""
        self.cancel()
        if isinstance(effect, CancelOpinion):
            return
        self._task = asyncio.get_running_loop().create_task(self._run(effect), name="second opinion")

    def cancel(self) -> None:
        """Drop the open request."""
        self._cancelled.cancel(self._task)
        self._task = None

    async def close(self) -> None:
        """Drop the open request and give back the provider's connections."""
        self.cancel()
        await self._cancelled.wait()
        await self.provider.close()

    async def _run(self, effect: AskSecondOpinion) -> None:
        usage, said = Usage(), list[str]()
        request = None
        try:
            request = self._build(effect)
            self.sink.opinion_asked(request)
            answer = await self.provider.propose(request, said.append)
            usage = answer.usage
            agrees, reason = read_opinion(answer)
        except asyncio.CancelledError:
            report_cancelled(self.provider, request, said, self.sink.request_dropped)
            raise
        except UnusableReply as problem:
            self.sink.opinion_failed(effect.request, str(problem), problem.usage)
        except ProviderError as problem:
            self.sink.opinion_failed(effect.request, str(problem), usage)
        except Exception as problem:
            reason = f"it failed unexpectedly: {type(problem).__name__}: {problem}"
            self.sink.opinion_failed(effect.request, reason, Usage(cost_usd=None))
        else:
            self.sink.opinion_given(request, answer, agrees, reason)

    def _build(self, effect: AskSecondOpinion) -> ReplyRequest:
        material = OpinionMaterial(
            number=effect.request,
            detection=effect.detection,
            reply=effect.reply,
            risk=effect.risk,
            marker=secrets.token_hex(8),
            goal=self.goal,
        )
        return build_opinion(material, self.guards)


class OpinionDesk:
    """The sink of a live session: recorded, counted, and given to the core as events."""

    def __init__(self, session: LiveSession) -> None:
        self._session = session

    def fault(self, problem: Exception) -> None:
        """A fault here is one of the session."""
        self._session.fault(problem)

    @ends_by_fault
    def opinion_asked(self, request: ReplyRequest) -> None:
        """The request as it is about to be sent."""
        self._session.recorder.request(request, OPINION)
        for warning in request.warnings:
            self._session.listener.on_note(f"second opinion: {warning}")

    @ends_by_fault
    def opinion_given(self, request: ReplyRequest, answer: Proposal, agrees: bool, reason: str) -> None:
        """The model answered plainly."""
        session = self._session
        session.recorder.proposal(request, answer, OPINION)
        session.spent(answer.usage)
        number, used = request.number, usage_fields(answer.usage)
        session.feed(OpinionGiven(at=session.clock(), request=number, agrees=agrees, reason=reason, **used))

    @ends_by_fault
    def opinion_failed(self, number: int, reason: str, usage: Usage) -> None:
        """There is no usable opinion."""
        session = self._session
        session.spent(usage)
        session.feed(OpinionFailed(at=session.clock(), request=number, reason=reason, **usage_fields(usage)))

    def request_dropped(self, usage: Usage) -> None:
        """A call was cancelled."""
        self._session.request_dropped(usage)
