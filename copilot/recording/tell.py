"""From records to a `Story`: who each step belongs to, and what a reviewer is told of it."""

from __future__ import annotations

from collections.abc import Iterable

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection, ScreenKind
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.reply import Autonomy, Decision, Proposal, Reply
from copilot.core.typist import Outcome
from copilot.recording.plan_story import PlanTeller
from copilot.recording.story import HELD_VERDICTS, Happening, Mark, Prompt, Ran, Reading, Sort, Span, Story

NO_REPLY = "no reply, it is left to the person"
JUST_ENTER = "Enter alone, which takes the default"


def has_reply(reply: Reply) -> bool:
    """Whether there is anything that could be sent."""
    return reply.choice is not None or reply.text is not None


def outcome_words(outcome: str) -> str:
    """What became of a typed reply; `blocked` alone reads as if it had failed."""
    return "taken, and the next prompt waits" if outcome == Outcome.BLOCKED.value else outcome


def reply_words(reply: Reply) -> str:
    """What would be sent, or that nothing would."""
    return str(reply) or (JUST_ENTER if has_reply(reply) else NO_REPLY)


_KEPT_KINDS = frozenset({ScreenKind.UNKNOWN, ScreenKind.ERROR})


def story_of(steps: Iterable[tuple[float, Event | Effect]], duration: float) -> Story:
    """The story of a run: `steps` are its events and effects with their times, in order."""
    teller = Teller()
    for at, step in steps:
        teller.hear(at, step)
    return teller.story(duration)


class Teller:
    """Gathers the steps of a run."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self._spans: list[Span] = []
        self._readings: list[Reading] = []
        self._prompts: list[Prompt] = []
        self._settled: ev.ScreenSettled | None = None
        self._prompt: Prompt | None = None
        self._of_decision: dict[int, Prompt] = {}
        self._of_request: dict[int, Prompt] = {}
        self._of_ticket: dict[int, Ran] = {}
        self._levels: list[tuple[float, Autonomy]] = []
        self._plan = PlanTeller()

    def hear(self, at: float, step: Event | Effect) -> None:
        """One more step."""
        self._on_plan(at, step)
        match step:
            case ev.ScreenSettled():
                self._on_reading(at, step)
            case fx.EnterState():
                self._enter(at, step)
            case fx.AskProvider():
                prompt = self._present(at)
                prompt.requests.append(step.request)
                self._of_request[step.request] = prompt
                prompt.history.append(Happening(at, "asked the provider", step.instruction))
            case ev.ReplyProposed():
                self._on_proposal(at, self._of_request.get(step.request), step.proposal)
            case ev.ReplyFailed():
                if (prompt_ := self._of_request.get(step.request)) is not None:
                    prompt_.history.append(Happening(at, "no reply", step.reason))
            case fx.RecordDecision() | fx.WriteKeys() | fx.ReplyTaken() | fx.ReplyExpired():
                self._on_answer(at, step)
            case fx.EndRun():
                self._history(at, "end of the run", f"{step.outcome}: {step.reason}")
            case _:
                self._on_person(at, step)

    def _on_plan(self, at: float, step: Event | Effect) -> None:
        """What it says of the plan: each move stands in the history, those of whole steps are marked too."""
        words = self._plan.hear(at, step)
        if words:
            self._history(at, "plan", words)
            if isinstance(step, fx.PlanMoved) and not step.part:
                self._mark(at, Sort.PLAN, words)
        match step:
            case fx.RunCommand() if (owner := self._of_decision.get(step.decision)) is not None:
                owner.ran[step.decision] = self._of_ticket[step.ticket] = Ran(at)
            case ev.CommandEnded() if (ran := self._of_ticket.get(step.ticket)) is not None:
                ran.end = "exit code 0" if step.passed else step.outcome
            case _:
                pass

    def _on_answer(self, at: float, step: Effect) -> None:
        match step:
            case fx.RecordDecision():
                self._on_decision(at, step.decision)
            case fx.WriteKeys():
                self._on_keys(at, step)
            case fx.ReplyTaken():
                if (owner := self._of_decision.get(step.decision)) is not None:
                    owner.outcome = step.outcome
                    owner.history.append(Happening(at, "outcome", outcome_words(step.outcome)))
            case fx.ReplyExpired():
                self._on_expired(at, step)

    def story(self, duration: float) -> Story:
        """All that was heard, `duration` seconds long."""
        duration = max([duration, *(span.start for span in self._spans)])
        self._close(duration)
        if self._spans:
            last = self._spans.pop()
            self._spans.append(Span(last.start, duration, last.state, last.reason))
        marks = sorted(self.marks, key=lambda mark: mark.at)
        return Story(
            duration,
            tuple(self._spans),
            tuple(self._readings),
            tuple(self._prompts),
            tuple(marks),
            self._plan.story,
            tuple(self._levels),
        )

    def _on_reading(self, at: float, step: ev.ScreenSettled) -> None:
        self._readings.append(Reading(at, step.detection))
        before = self._prompt
        if before is not None and before.detection.identity == step.detection.identity != "":
            return
        self._close(at)
        self._settled = step
        if step.detection.asks or step.detection.kind in _KEPT_KINDS:
            self._open(at)

    def _open(self, at: float) -> Prompt:
        step = self._settled
        detection = step.detection if step is not None else Detection(ScreenKind.STARTING)
        self._prompt = Prompt(len(self._prompts) + 1, at, at, detection)
        if step is not None:
            self._prompt.danger, self._prompt.option_dangers = step.danger, step.option_dangers
            self._prompt.first_seen_at = step.first_seen_at
        self._prompts.append(self._prompt)
        self._mark(at, Sort.PROMPT, detection.question or "")
        return self._prompt

    def _present(self, at: float) -> Prompt:
        """The prompt that stands; a ready composer becomes one when something is decided for it."""
        return self._prompt if self._prompt is not None else self._open(at)

    def _close(self, at: float) -> None:
        if self._prompt is not None:
            self._prompt.until = max(at, self._prompt.at)
            self._prompt = None

    def _enter(self, at: float, step: fx.EnterState) -> None:
        if self._spans:
            last = self._spans[-1]
            if last.state is step.state and last.reason == step.reason:
                return
            self._spans[-1] = Span(last.start, at, last.state, last.reason)
        self._spans.append(Span(at, at, step.state, step.reason))

    def _on_proposal(self, at: float, prompt: Prompt | None, proposal: Proposal) -> None:
        if prompt is not None:
            prompt.proposals.append((at, proposal))
            prompt.history.append(Happening(at, "proposed", reply_words(proposal.reply)))

    def _on_decision(self, at: float, decision: Decision) -> None:
        prompt = next(
            (one for one in reversed(self._prompts) if one.detection.identity == decision.identity), None
        )
        if prompt is None or not decision.identity:
            prompt = self._present(at)
        self._of_decision[decision.number] = prompt
        prompt.decisions.append((at, decision))
        prompt.history.append(Happening(at, decision.verdict.value, decision.reason))
        sort = Sort.HELD if decision.verdict in HELD_VERDICTS else Sort.DECISION
        self.marks.append(Mark(at, sort, decision.reason, prompt.number))

    def _on_keys(self, at: float, step: fx.WriteKeys) -> None:
        prompt = self._of_decision.get(step.decision)
        if prompt is not None:
            prompt.keys.append((at, step))
            prompt.history.append(Happening(at, "typed", keys_text(step)))

    def _on_expired(self, at: float, step: fx.ReplyExpired) -> None:
        prompt = next(
            (one for one in reversed(self._prompts) if one.detection.identity == step.identity), None
        )
        if prompt is not None:
            prompt.outcome = prompt.outcome or "expired"
            prompt.expired.append((at, step.reason))
            prompt.history.append(Happening(at, "expired", step.reason))
            self.marks.append(Mark(at, Sort.EXPIRED, step.reason, prompt.number))

    def _on_person(self, at: float, step: Event | Effect) -> None:
        word = text = ""
        match step:
            case ev.PersonTyped():
                word, text = "the person took over", "typed in the terminal"
            case ev.PersonSent():
                word, text = "the person sent", reply_words(step.reply)
            case ev.PersonDismissed():
                word = "the person stopped it" if step.keep else "the person dismissed it"
                if self._prompt is not None and not step.keep:
                    self._prompt.dismissed.append(at)
            case ev.PersonAskedAgain():
                word, text = "the person asked again", step.instruction
            case ev.AutonomyChanged():
                self._levels.append((at, step.level))
                word, text = "the person chose the level", step.level.value
            case ev.GoverningPromptChanged():
                word, text = "the person changed the governing prompt", f"version {step.number}, {step.file}"
            case ev.Interrupted():
                word = "the person interrupted"
        if word:
            self._history(at, word, text)
            self._mark(at, Sort.PERSON, f"{word}: {text}" if text else word)

    def _history(self, at: float, word: str, text: str) -> None:
        if self._prompt is not None:
            self._prompt.history.append(Happening(at, word, text))

    def _mark(self, at: float, sort: Sort, label: str) -> None:
        self.marks.append(Mark(at, sort, label, self._prompt.number if self._prompt else 0))


def keys_text(step: fx.WriteKeys) -> str:
    """What one write typed, in words: text in quotes, keys by name."""
    parts = [f"“{step.text}”"] if step.text else []
    return " ".join([*parts, *step.keys]) + (" (pasted)" if step.paste else "")
