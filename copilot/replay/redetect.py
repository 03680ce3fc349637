"""Today's detectors and policy over an old run: what would be seen and decided otherwise.

The recording is read again on its own clock, and each prompt of the run is compared with what is read there
today. Then the core rules on it again, at the level of that time, with the reply that was proposed then, or
one that a provider writes today for the same request. The guard judges by what the run saw on the disk, never
by the disk of today; where a look is not on record, the risk is that of the run. What rested on the kernel's
facts cannot be read again from a recording. Both are said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import (
    Detection,
    EvidenceSource,
)
from copilot.core.orchestrator import handle
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy, Decision, Proposal
from copilot.core.risk import Risk
from copilot.core.run import Run
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.disk_looks import RecordedLooks
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.review import Prompt, Reading, RunReview
from copilot.guard.grants import Grant
from copilot.guard.prompt_permissions import NO_PERMISSIONS, PromptPermissions
from copilot.guard.rule_files import RuleBook
from copilot.recording.asciicast import Cast
from copilot.replay.driver import CastPlayer, watching

SLACK_SECONDS = 0.3
"""The recording's clock and the run's frames differ by less."""
_SHORTEST_NEW_SECONDS = 0.6
_SHORTEST_READING_SECONDS = 1.5
_REDACTED = "[secret:"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference from the recorded run. `prompt` is the number of the run's prompt, 0 for a new one."""

    at: float
    prompt: int
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Redetection:
    """What is otherwise, how many prompts were compared, and what could not be."""

    changes: tuple[Change, ...]
    compared: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judging:
    """By what is ruled today: profile, level (None: that of then), the run's circumstances, the rules."""

    profile: Profile
    autonomy: Autonomy | None
    headless: bool
    trust: bool
    dry_run: bool
    folders: tuple[str, ...]
    """The spellings of the project's folder."""
    looks: RecordedLooks
    grants: tuple[Grant, ...] = ()
    book: RuleBook | None = None
    version: str = ""
    permissions: PromptPermissions = NO_PERMISSIONS
    """What the governing prompt allows."""


def readings_today(cast: Cast, judging: Judging) -> list[ev.ScreenSettled]:
    """All that settles today over the recording."""
    return list(CastPlayer(cast, watching(cast, judging.profile, judging.version)).settled())


def redetect(
    review: RunReview,
    today: Sequence[ev.ScreenSettled],
    judging: Judging,
    level_at: Callable[[float], Autonomy],
    proposals: dict[int, Proposal] | None = None,
) -> Redetection:
    """Compare the run with today's readings. `level_at` is the level of then.

    `proposals` are replies written today, by the prompt's number; without it those of then are ruled on.
    """
    changes: list[Change] = []
    left_out: list[str] = []
    compared = 0
    for prompt in review.prompts:
        if not (prompt.detection.asks or prompt.detection.kind is ScreenKind.UNKNOWN):
            continue
        if prompt.detection.source is EvidenceSource.TTY:
            left_out.append(f"prompt {prompt.number} rested on the kernel's facts, which are not recorded")
            continue
        compared += 1
        detection = _standing(prompt, today, review.duration)
        seen = _seen_otherwise(prompt, detection)
        changes += seen
        if detection is not None and detection.waiting:
            level = judging.autonomy or level_at(prompt.at)
            proposal = (proposals or {}).get(prompt.number) if proposals is not None else _proposed(prompt)
            if proposals is not None:
                changes += _replied_otherwise(prompt, proposal)
            judged: _Judged | None = _judged(prompt, detection, judging)
            if missing := judging.looks.missing:
                left_out.append(
                    f"the risk of prompt {prompt.number} rests on what is not recorded: {missing[0]}"
                )
                judged = None if seen else _Judged(prompt.risk, prompt.option_risks)
            if judged is not None:
                changes += _ruled_otherwise(prompt, detection, judged, judging, level, proposal)
    changes += _new_prompts(review, today) + _other_readings(review, today)
    changes.sort(key=lambda change: (change.at, change.prompt))
    return Redetection(tuple(changes), compared, tuple(left_out))


# -- what is seen ------------------------------------------------------------------------------------


def _intervals(today: Sequence[ev.ScreenSettled], end: float) -> list[tuple[float, float, Detection]]:
    starts = [one.at for one in today]
    if not starts:
        return []
    return [
        (one.at, until, one.detection) for one, until in zip(today, [*starts[1:], max(end, 0.0)], strict=True)
    ]


def _standing(prompt: Prompt, today: Sequence[ev.ScreenSettled], end: float) -> Detection | None:
    """What is read today while the prompt was open: the same if it is there at all, else what fits best."""
    first, last = prompt.at - SLACK_SECONDS, max(prompt.until, prompt.at) + SLACK_SECONDS
    there = [
        (min(until, last) - max(at, first), detection)
        for at, until, detection in _intervals(today, end + SLACK_SECONDS)
        if at < last and until > first
    ]
    same = next((one for _, one in there if not _differences(prompt.detection, one)), None)
    if same is not None:
        return same
    asking = [(overlap, one) for overlap, one in there if one.asks or one.kind is ScreenKind.UNKNOWN]
    best = max(asking or there, key=lambda item: item[0], default=None)
    return best[1] if best is not None else None


def _seen_otherwise(prompt: Prompt, detection: Detection | None) -> list[Change]:
    if detection is None:
        return [Change(prompt.at, prompt.number, "seen", _words(prompt.detection), "nothing")]
    return [
        Change(prompt.at, prompt.number, what, before, after)
        for what, before, after in _differences(prompt.detection, detection)
    ]


def _differences(old: Detection, new: Detection) -> list[tuple[str, str, str]]:
    """What differs in what a reply depends on: the kind, else question, options, subject."""
    if old.kind is not new.kind:
        return [("kind", _words(old), _words(new))]
    texts = [
        ("question", old.question or "", new.question or ""),
        ("options", _labels(old), _labels(new)),
        ("subject", _subject(old), _subject(new)),
    ]
    return [
        (what, before, after)
        for what, before, after in texts
        if _REDACTED not in before + after and "".join(before.split()) != "".join(after.split())
    ]


def _labels(detection: Detection) -> str:
    return " / ".join(option.label for option in detection.options)


def _subject(detection: Detection) -> str:
    subject = detection.subject
    if subject is None:
        return ""
    text = subject.text if detection.shown_subject is not None else "nothing"
    return f"{subject.action}{' (cut)' if subject.cut else ''}: {text}"


def _words(detection: Detection) -> str:
    return f"{detection.kind.value} ({detection.rule})" if detection.rule else detection.kind.value


def _new_prompts(review: RunReview, today: Sequence[ev.ScreenSettled]) -> list[Change]:
    """What asks today where the run saw no prompt."""
    changes = []
    for at, until, detection in _intervals(today, review.duration):
        if not detection.asks or until - at < _SHORTEST_NEW_SECONDS:
            continue
        first, last = at - SLACK_SECONDS, until + SLACK_SECONDS
        met = any(
            prompt.at < last and max(prompt.until, prompt.at) > first
            for prompt in review.prompts
            if prompt.detection.asks or prompt.detection.kind is ScreenKind.UNKNOWN
        )
        if not met:
            changes.append(Change(at, 0, "new prompt", "no prompt", _words(detection)))
    return changes


def _other_readings(review: RunReview, today: Sequence[ev.ScreenSettled]) -> list[Change]:
    """Times in which the CLI was ready, or worked, and today it is read as the other."""
    changes: list[Change] = []
    if not review.readings:
        return changes
    ends = [*(reading.at for reading in review.readings[1:]), review.duration]
    intervals = _intervals(today, review.duration)
    for reading, until in zip(review.readings, ends, strict=True):
        if until - reading.at < _SHORTEST_READING_SECONDS or not _plain(reading):
            continue
        kind = _longest(intervals, reading.at, until)
        plain = kind in _READY_OR_BUSY
        if kind is not None and plain and (kind in _READY) != (reading.detection.kind in _READY):
            changes.append(Change(reading.at, 0, "reading", _words(reading.detection), kind.value))
    return changes


_READY = frozenset({ScreenKind.IDLE, ScreenKind.COMPLETED})
_READY_OR_BUSY = _READY | {ScreenKind.BUSY}


def _plain(reading: Reading) -> bool:
    return reading.detection.kind in _READY_OR_BUSY and reading.detection.source is not EvidenceSource.TTY


def _longest(
    intervals: Sequence[tuple[float, float, Detection]], first: float, last: float
) -> ScreenKind | None:
    times: dict[ScreenKind, float] = {}
    for at, until, detection in intervals:
        overlap = min(until, last) - max(at, first)
        if overlap > 0:
            times[detection.kind] = times.get(detection.kind, 0.0) + overlap
    return max(times, key=lambda kind: times[kind], default=None)


# -- what is decided ---------------------------------------------------------------------------------


def _proposed(prompt: Prompt) -> Proposal | None:
    return prompt.proposals[0][1] if prompt.proposals else None


def _replied_otherwise(prompt: Prompt, proposal: Proposal | None) -> list[Change]:
    if proposal is None or not prompt.proposals:
        return []
    before, after = str(prompt.proposals[0][1].reply), str(proposal.reply)
    return [Change(prompt.at, prompt.number, "reply", before, after)] if before != after else []


class _Judged(NamedTuple):
    """The risk of saying yes, and of each option."""

    risk: Risk
    options: tuple[Risk, ...]


def _judged(prompt: Prompt, detection: Detection, judging: Judging) -> _Judged:
    """What today's guard makes of it, by what the run saw on the disk."""
    judging.looks.begin(prompt.at)
    assessor = RiskAssessor(judging.looks.scope(prompt.made), judging.book, judging.permissions)
    return _Judged(assessor.prompt(detection, judging.grants), assessor.options(detection, judging.grants))


def _ruled_otherwise(
    prompt: Prompt,
    detection: Detection,
    judged: _Judged,
    judging: Judging,
    level: Autonomy,
    proposal: Proposal | None,
) -> list[Change]:
    changes = []
    risk = judged.risk
    if risk.level is not prompt.risk.level and detection.asks:
        changes.append(Change(prompt.at, prompt.number, "risk", _risk_words(prompt.risk), _risk_words(risk)))
    old = next((one for _, one in prompt.decisions if one.by == "policy"), None)
    if old is None or not old.rule.startswith("policy."):
        return changes
    new = _decide_today(detection, judged, judging, level, proposal, prompt.first_seen_at)
    if new is not None and (new.verdict, new.rule) != (old.verdict, old.rule):
        changes.append(
            Change(prompt.at, prompt.number, "decision", _decision_words(old), _decision_words(new))
        )
    return changes


def _decide_today(
    detection: Detection,
    judged: _Judged,
    judging: Judging,
    level: Autonomy,
    proposal: Proposal | None,
    first_seen_at: float,
) -> Decision | None:
    """The core's first decision on this prompt; None if it would ask a provider and nothing was proposed."""
    run = Run(
        profile=judging.profile,
        autonomy=level,
        headless=judging.headless,
        trust=judging.trust,
        launch_folders=judging.folders,
        dry_run=judging.dry_run,
    )
    handle(run, ev.Started(at=0.0))
    settled = ev.ScreenSettled(
        at=first_seen_at + 1.0,
        detection=detection,
        risk=judged.risk,
        option_risks=judged.options,
        first_seen_at=first_seen_at,
    )
    effects = list(handle(run, settled))
    asked = next((effect for effect in effects if isinstance(effect, fx.AskProvider)), None)
    if asked is not None and proposal is not None:
        effects += handle(
            run, ev.ReplyProposed(at=first_seen_at + 2.0, request=asked.request, proposal=proposal)
        )
    return next((effect.decision for effect in effects if isinstance(effect, fx.RecordDecision)), None)


def _risk_words(risk: Risk) -> str:
    return f"{risk.level.word} ({risk.reason})" if risk.reason else risk.level.word


def _decision_words(decision: Decision) -> str:
    return f"{decision.verdict.value}: {decision.reason} [{decision.rule}]"
