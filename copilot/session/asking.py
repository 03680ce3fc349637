"""Ask the provider: gather the material of the prompt, make the call, report the outcome."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypedDict

from copilot.core.effects import AskProvider, CancelRequest
from copilot.core.reply import Proposal, ReplyRequest, Usage
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


class ReplySink(Protocol):
    """Receives the outcome of each request."""

    def request_made(self, request: ReplyRequest) -> None:
        """The request is built and the call is about to start."""

    def reply_text(self, text: str) -> None:
        """The next piece of the raw reply."""

    def reply_proposed(self, request: ReplyRequest, proposal: Proposal) -> None:
        """The call returned a usable reply."""

    def reply_failed(self, number: int, reason: str, usage: Usage) -> None:
        """The call returned no usable reply; `usage` is what it cost all the same."""

    def request_dropped(self, usage: Usage) -> None:
        """A call was cancelled; `usage` is an estimate."""


class UsageFields(TypedDict):
    """The usage of one call, as fields of an event."""

    cost_usd: float | None
    input_tokens: int
    output_tokens: int


def usage_fields(usage: Usage) -> UsageFields:
    return {
        "cost_usd": usage.cost_usd,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
    }


def report_cancelled(
    provider: Provider, request: ReplyRequest | None, received: list[str], report: Callable[[Usage], None]
) -> None:
    """Report the estimated usage of a cancelled call that had reached a model."""
    if request is not None and isinstance(provider, EstimatesUsage):
        report(provider.estimated_usage(request, "".join(received)))


class CancelledCalls:
    """Cancelled calls that have not ended, and so have not reported their usage."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def cancel(self, task: asyncio.Task[None] | None) -> None:
        """Cancel a call that is still running."""
        if task is not None and not task.done() and task.cancel():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def wait(self) -> None:
        """Wait until all cancelled calls have ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDefaults:
    """The material that all requests of a run share."""

    governing_prompt: str
    profile_title: str
    upload: bool
    guards: TextGuards


class Asker:
    """Runs one request at a time; a new one cancels the one before."""

    def __init__(
        self,
        provider: Provider,
        defaults: RequestDefaults,
        recent_output: Callable[[], RecentOutput],
        environment: Callable[[], Awaitable[EnvironmentSnapshot | None]],
        sink: ReplySink,
        history: Iterable[QuestionAnswer] = (),
    ) -> None:
        """`history` holds the questions and answers of the run that this one resumes."""
        self.provider = provider
        self.governing_prompt = defaults.governing_prompt
        """The governing prompt of the next request."""
        self._defaults = defaults
        self._recent_output = recent_output
        self._environment = environment
        self._sink = sink
        self._history: deque[QuestionAnswer] = deque(history, maxlen=HISTORY_LENGTH)
        self._task: asyncio.Task[None] | None = None
        self._cancelled = CancelledCalls()
        self._proposed: deque[str] = deque(maxlen=_EARLIER_REPLIES)
        self._proposed_for = ("", "")
        """The prompt identity and the governing prompt that `_proposed` replied to."""

    def carry_out(self, effect: AskProvider | CancelRequest) -> None:
        """Start a request, or cancel the running one."""
        if isinstance(effect, AskProvider):
            self.ask(effect)
        else:
            self.cancel()

    def ask(self, effect: AskProvider) -> None:
        """Start the request; the sink receives its outcome."""
        self.cancel()
        self._task = asyncio.get_running_loop().create_task(self._run(effect), name="ask provider")

    def cancel(self) -> None:
        """Cancel the running request."""
        self._cancelled.cancel(self._task)
        self._task = None

    def ignored_instruction(self, request: ReplyRequest) -> str:
        """Why the provider ignores the person's instruction; empty if it follows it, or if there is none."""
        provider = self.provider
        if request.instructs and isinstance(provider, TakesNoInstruction):
            return provider.cannot_follow
        return ""

    def remember(self, answered: QuestionAnswer) -> None:
        """Add an answer that was typed; requests hold the last ten."""
        self._history.append(answered)

    async def close(self) -> None:
        """Cancel the running request and close the provider's connections."""
        self.cancel()
        await self._cancelled.wait()
        await self.provider.close()

    async def _run(self, effect: AskProvider) -> None:
        request: ReplyRequest | None = None
        received: list[str] = []

        def receive(text: str) -> None:
            received.append(text)
            self._sink.reply_text(text)

        try:
            request = await self._build(effect)
            self._sink.request_made(request)
            proposal = await self.provider.propose(request, receive)
            self._proposed.append(str(proposal.reply))
        except asyncio.CancelledError:
            report_cancelled(self.provider, request, received, self._sink.request_dropped)
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
        defaults, prompt_key = self._defaults, (effect.detection.identity, self.governing_prompt)
        if prompt_key != self._proposed_for:
            self._proposed.clear()
            self._proposed_for = prompt_key
        recent = self._recent_output()
        # no identity: no earlier replies
        earlier = tuple(filter(None, self._proposed)) if prompt_key[0] else ()
        material = RequestMaterial(
            number=effect.request,
            detection=effect.detection,
            marker=secrets.token_hex(8),
            governing_prompt=self.governing_prompt,
            recent_output=recent.text,
            hidden=recent.hidden,
            environment=await self._environment() if defaults.upload else None,
            history=tuple(self._history),
            instruction=effect.instruction,
            earlier=earlier,
            plan_step=effect.plan_step,
            profile_title=defaults.profile_title,
            upload=defaults.upload,
        )
        return build_request(material, defaults.guards)
