"""Whether a proposed rule reads its own screen, and no other that is already understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from copilot.config.profile_checks import faults
from copilot.config.profile_examples import read_example
from copilot.core.detection import ScreenKind
from copilot.core.profile import Profile
from copilot.core.screen_rules import Rule, RuleExample
from copilot.core.snapshot import ScreenSnapshot
from copilot.detectors import Examiner
from copilot.detectors.regions import Regions
from copilot.errors import InputError
from copilot.recording.asciicast import Cast
from copilot.recording.unknown_screens import Label
from copilot.replay.detect import settled_of
from copilot.replay.learn.proposal import example_of

KnownScreen = tuple[ScreenSnapshot, Label | None]


def with_rule(profile: Profile, rule: Rule) -> Profile:
    """The profile with one more rule."""
    return replace(profile, screen=replace(profile.screen, rules=(*profile.screen.rules, rule)))


def with_example(profile: Profile, rule: Rule, snapshot: ScreenSnapshot) -> Rule:
    """The rule with this screen as its example, as short as it can be.

    Raises InputError if the rule does not read the screen, or not without its styles.
    """
    fault = next(faults(with_rule(profile, rule)), None)
    if fault is not None:
        raise InputError(f"the rule would be wrong: {fault}")
    examiner = Examiner(with_rule(profile, rule))
    detection = examiner.examine(snapshot).detection
    if detection.rule != rule.id:
        note = f" ({detection.note})" if detection.note else ""
        raise InputError(f"{detection.rule} overrules it on its own screen{note}")
    region = Regions(snapshot, profile.screen).region(rule.region)
    top = region.rows[0] if region is not None and region.rows else 0
    for first_row in (top, 0):
        example = _filled(examiner, rule, example_of(snapshot, first_row))
        if example is not None:
            return replace(rule, examples=(example,))
    raise InputError("it can only be told by its colours or styles, which an example does not hold")


def _filled(examiner: Examiner, rule: Rule, example: RuleExample) -> RuleExample | None:
    """The example with question and options as they are read; None if the rule does not read it."""
    verdict = read_example(examiner, rule, example)
    if verdict.why_not or verdict.detection.rule != rule.id:
        return None
    options = tuple(option.label for option in verdict.detection.options)
    return replace(example, question=verdict.detection.question, options=options)


def false_matches(
    profile: Profile, rule: Rule, others: Iterable[KnownScreen], recording: Cast | None
) -> Iterator[str]:
    """Every screen that the rule would take over though it is something else, in words."""
    richer = with_rule(profile, rule)
    examiner = Examiner(richer)
    for other in profile.screen.rules:
        for number, example in enumerate(other.examples):
            if read_example(examiner, other, example).detection.rule == rule.id:
                yield f"it takes over example {number} of {other.id}"
    for snapshot, label in others:
        if label is None or label.kind.value == rule.kind:
            continue
        if examiner.examine(snapshot).detection.rule == rule.id:
            yield f"it matches another screen of the run, which is labelled {label.kind.value}"
    if recording is not None:
        yield from _in_recording(profile, richer, rule, recording)


def _in_recording(profile: Profile, richer: Profile, rule: Rule, recording: Cast) -> Iterator[str]:
    """Moments of the run that were understood without the rule and are read by it now."""
    before = [(settled.at, settled.detection.kind) for settled in settled_of(recording, profile)]
    for settled in settled_of(recording, richer):
        if settled.detection.rule != rule.id:
            continue
        known = [kind for at, kind in before if at <= settled.at]
        if known and known[-1] not in (ScreenKind.UNKNOWN, ScreenKind.BUSY, ScreenKind.STARTING):
            yield f"it takes over a {known[-1].value} of the run at {settled.at:.1f} s"
            return
