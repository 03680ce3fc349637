"""A profile for a CLI that has none, from labelled moments of its runs: what a kind shares and no other has.

It extends `generic`, whose reading remains wherever the labels leave a doubt. What is learned says when the
CLI works, when its input box is ready, and which dialogs are of another kind than they were read as. No
option permits more than before, unless the person names its label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import re2
import tomli_w

from copilot.config.profile_files import FALLBACK, load_profile, profile_paths, read_toml
from copilot.core.detection import Detection
from copilot.core.events import ScreenSettled
from copilot.core.profile import Profile
from copilot.core.reply_keys import matches_any
from copilot.core.screen_kinds import PROMPT_KINDS, READY_KINDS, ScreenKind
from copilot.core.screen_rules import Clause, Rule
from copilot.detection import Examiner
from copilot.detection.regions import Regions
from copilot.errors import InputError
from copilot.recording.asciicast import INPUT, Cast
from copilot.recording.unknown_screens import shape_of
from copilot.replay.cues import find_cues
from copilot.replay.detect import settled_of
from copilot.replay.learn import rule_of, rule_table
from copilot.replay.moments import Moment
from copilot.replay.went_on import moved_alone, worked_alone

_BUSY_REGION, _READY_REGION = "last 8", "last 5"
_LEAST_BUSY = _LEAST_READY = 2
_BUSY_PRIORITY, _QUESTION_PRIORITY, _READY_PRIORITY = 47, 46, 45
"""Below all dialogs and lines of `generic`, above its own composers (41 to 46)."""
_CUED_SECONDS = 0.6
"""A cue that no busy screen has says that it is ready."""
_STILL_SECONDS = 1.2
"""Only the cues of work are missing: nothing may move besides. Half of what `generic` waits without any."""
_WORKS = (".learned.busy", "generic.composer.busy")
_SETTLES_WITHIN = 1.5
"""A person may label a screen before it has settled."""
_DIALOG = Clause(form="numbered|pointer|radio|toggle|buttons")
_FIELDS = (Clause(composer=True), Clause(form="cued_field"))
_ASKS = "generic.composer.asks"
_NO_PROMPT = frozenset({ScreenKind.BUSY, ScreenKind.STARTING, ScreenKind.UNKNOWN})
_AT_PROMPT = PROMPT_KINDS - {ScreenKind.QUESTION}


@dataclass(frozen=True, slots=True)
class Taught:
    """A new profile. `right` of `moments` are read as labelled, by `generic` `before`; `unsure`: doubts."""

    profile: Profile
    rules: tuple[Rule, ...]
    right: int
    moments: int
    before: int
    unsure: tuple[str, ...] = ()


@dataclass
class _Lesson:
    """What is gathered on the way."""

    profile: Profile
    moments: Sequence[Moment]
    rules: list[Rule] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)

    def add(self, *rules: Rule) -> None:
        self.rules += rules
        self.profile = _with_rules(self.profile, rules)

    def texts(self, region: str, wanted: Sequence[Moment]) -> list[str]:
        regions = (Regions(one.snapshot, self.profile.screen).region(region) for one in wanted)
        return [one.text if one is not None else "" for one in regions]


def teach(moments: Sequence[Moment], name: str, base: Profile | None = None) -> Taught:
    """A profile from these moments. Raises InputError if they are too few or contradict each other."""
    _check_enough(moments)
    _check_contradictions(moments)
    generic = base or load_profile(FALLBACK)
    lesson = _Lesson(replace(generic, name=name, unverified=True), moments)
    busy = _busy_rule(lesson, name)
    if busy is not None:
        lesson.add(busy)
    _add_ready(lesson, name, busy)
    for moment in moments:
        if moment.kind in _AT_PROMPT:
            _add_prompt(lesson, moment)
    lesson.unsure += _never_seen(moments)
    before, right = _read_right(moments, generic), _read_right(moments, lesson.profile)
    lesson.unsure += [
        f"{moments[place].name} is labelled {moments[place].kind.value}, read as {kind}"
        for place, kind in right.wrong
    ]
    return Taught(
        lesson.profile, tuple(lesson.rules), right.count, len(moments), before.count, tuple(lesson.unsure)
    )


def _check_enough(moments: Sequence[Moment]) -> None:
    ready, busy = sum(one.ready for one in moments), sum(one.kind is ScreenKind.BUSY for one in moments)
    asked = sum(one.kind in _AT_PROMPT for one in moments)
    lacking = [
        f"{wanted - have} more of {what}"
        for what, have, wanted in (
            ("a ready composer", ready, _LEAST_READY),
            ("busy", busy, _LEAST_BUSY),
            ("a permission or another prompt", asked, 1),
        )
        if have < wanted
    ]
    if lacking:
        raise InputError(f"{len(moments)} labelled screens are too few: label {', '.join(lacking)}")


def _check_contradictions(moments: Sequence[Moment]) -> None:
    said: dict[tuple[str, ...], Moment] = {}
    for one in moments:
        other = said.setdefault(shape_of(one.snapshot), one)
        alike = other.kind is one.kind or (other.ready and one.ready)
        if not alike:
            raise InputError(
                f"{other.name} and {one.name} show the same, and are labelled {other.kind.value} and "
                f"{one.kind.value}: correct one of the labels"
            )


def _with_rules(profile: Profile, rules: Sequence[Rule]) -> Profile:
    return replace(profile, screen=replace(profile.screen, rules=(*profile.screen.rules, *rules)))


def _busy_rule(lesson: _Lesson, name: str) -> Rule | None:
    """Its cues are in no screen at rest. A dialog may show them: it outranks this rule."""
    busy = [one for one in lesson.moments if one.kind is ScreenKind.BUSY]
    rest = [one for one in lesson.moments if one.kind is not ScreenKind.BUSY and one.kind not in _AT_PROMPT]
    cues = find_cues(lesson.texts(_BUSY_REGION, busy), lesson.texts(_BUSY_REGION, rest))
    if not cues:
        lesson.unsure.append("nothing that only busy screens show: work is read as without a profile")
        return None
    return Rule(
        id=f"{name}.learned.busy",
        kind=ScreenKind.BUSY.value,
        region=_BUSY_REGION,
        priority=_BUSY_PRIORITY,
        any=tuple(Clause(pattern=cue) for cue in cues),
        evidence=f"learned: in {len(busy)} busy screens and in none of {len(rest)} that were at rest",
    )


def _add_ready(lesson: _Lesson, name: str, busy: Rule | None) -> None:
    """The surest rule for a ready composer that the recordings do not contradict; none under doubt."""
    ready = [one for one in lesson.moments if one.ready]
    if not _has_field(lesson, ready):
        lesson.unsure.append(
            "its input box has no form that is known: composers are read as without a profile"
        )
        return
    others = [one for one in lesson.moments if one.kind is ScreenKind.BUSY or one.kind in _AT_PROMPT]
    cues = find_cues(lesson.texts(_READY_REGION, ready), lesson.texts(_READY_REGION, others))
    known = bool(cues) or busy is not None
    for shown, still in ((cues, False), (cues, True)) if known else ():
        rules = _ready_rules(lesson.profile, name, shown, busy, still=still)
        moved = _goes_on(_with_rules(lesson.profile, rules), rules, lesson.moments)
        if not moved:
            lesson.add(*rules)
            if still:
                lesson.unsure.append(
                    f"a ready composer counts only after {_STILL_SECONDS} s in which nothing moves"
                )
            return
        lesson.unsure.append(moved)
    lesson.unsure.append("nothing tells a ready composer from a busy one: it is read as without a profile")


def _has_field(lesson: _Lesson, ready: Sequence[Moment]) -> bool:
    seen = (Regions(one.snapshot, lesson.profile.screen) for one in ready)
    return all(
        one.composer is not None or (one.input_field is not None and one.input_field.cue) for one in seen
    )


def _ready_rules(
    profile: Profile, name: str, cues: Sequence[str], busy: Rule | None, *, still: bool
) -> tuple[Rule, Rule]:
    """A ready composer, and one whose last words above ask something: it goes first."""
    shown = (Clause(pattern=f"(?:{'|'.join(cues)})", region=_READY_REGION),) if cues else ()
    works = tuple(replace(clause, region=_BUSY_REGION) for clause in busy.any) if busy is not None else ()
    asks = next(rule for rule in profile.screen.rules if rule.id == _ASKS)
    seconds = _STILL_SECONDS if still else _CUED_SECONDS
    evidence = "learned: " + ("cues of a ready screen" if cues else "an input box without the cues of work")
    idle = Rule(
        id=f"{name}.learned.ready",
        kind=ScreenKind.IDLE.value,
        region="screen",
        priority=_READY_PRIORITY,
        all=shown,
        any=_FIELDS,
        not_=(_DIALOG, *works),
        still=still,
        confirm_seconds=seconds,
        certainty=0.8,
        evidence=evidence,
    )
    question = replace(
        asks,
        id=f"{name}.learned.question",
        priority=_QUESTION_PRIORITY,
        all=(*asks.all, *shown),
        not_=(*asks.not_, *works),
        still=still,
        confirm_seconds=seconds,
        examples=(),
        evidence=evidence,
    )
    return question, idle


def _goes_on(profile: Profile, rules: Sequence[Rule], moments: Sequence[Moment]) -> str:
    """Where the CLI went on by itself after these rules had settled; empty if nowhere."""
    own = {rule.id for rule in rules}
    for cast in _recordings(moments):
        settled = list(settled_of(cast, profile))
        ready = [one.at for one in settled if one.detection.rule in own]
        works = [one.at for one in settled if one.detection.rule.endswith(_WORKS)]
        at = min([*moved_alone(cast, ready), *worked_alone(cast, ready, works)], default=None)
        if at is not None:
            return f"a screen read as ready at {at:.1f} s of a recording went on by itself"
    return ""


def _recordings(moments: Sequence[Moment]) -> list[Cast]:
    return list({id(one.recording): one.recording for one in moments}.values())


def _add_prompt(lesson: _Lesson, moment: Moment) -> None:
    """A rule for a prompt that is read as another kind; what is read rightly needs none."""
    if Examiner(lesson.profile).examine(moment.snapshot).detection.kind is moment.kind:
        return
    others = [(one.snapshot, one.label) for one in lesson.moments if one is not moment]
    evidence = f"learned: {moment.name}, labelled {moment.kind.value}"
    cast = moment.recording
    said = [(one.at, one.kind) for one in lesson.moments if one.recording is cast]
    try:
        lesson.add(rule_of(lesson.profile, moment.snapshot, moment.label, evidence, others, cast, said))
    except InputError as problem:
        lesson.unsure.append(f"{moment.name}: no rule: {problem}")


def _never_seen(moments: Sequence[Moment]) -> Iterator[str]:
    counts = Counter(one.kind for one in moments)
    for kind in (ScreenKind.PERMISSION, ScreenKind.MENU, ScreenKind.QUESTION):
        if not counts[kind]:
            yield f"no {kind.value} was labelled: it is read by its form"


@dataclass(frozen=True, slots=True)
class _Right:
    count: int
    wrong: tuple[tuple[int, str], ...]


def _read_right(moments: Sequence[Moment], profile: Profile) -> _Right:
    """How many moments are settled as labelled over their recordings; the others with their reading."""
    wrong: list[tuple[int, str]] = []
    for cast in _recordings(moments):
        settled = list(settled_of(cast, profile))
        for place, moment in enumerate(moments):
            if moment.recording is cast:
                last = _settled_at(settled, moment)
                if not _as_labelled(last, moment):
                    wrong.append((place, last.kind.value if last is not None else "nothing"))
    return _Right(len(moments) - len(wrong), tuple(sorted(wrong)))


def _settled_at(settled: Sequence[ScreenSettled], moment: Moment) -> Detection | None:
    """What it was read as; of a prompt that had not settled yet, what it was read as soon after."""
    keys = [event.at for event in moment.recording.events if event.code == INPUT and event.at > moment.at]
    until = min([moment.at + _SETTLES_WITHIN, *keys[:1]])
    now = next((one.detection for one in reversed(settled) if one.at <= moment.at), None)
    soon = (one.detection for one in settled if moment.at < one.at < until and now != one.detection)
    waits = moment.kind is not ScreenKind.BUSY and (now is None or now.kind in _NO_PROMPT)
    return next(soon, now) if waits else now


def _as_labelled(seen: Detection | None, moment: Moment) -> bool:
    if seen is None:
        return False
    same = seen.kind is moment.kind or (moment.ready and seen.kind in READY_KINDS)
    options = moment.label.options
    return same and (not options or tuple(one.label for one in seen.options) == options)


def approving(profile: Profile, labels: Sequence[str], moments: Sequence[Moment]) -> tuple[str, ...]:
    """Patterns of exactly these labels. Raises InputError for one that no permission has, or that widens."""
    shown = {
        option.label
        for one in moments
        if one.kind is ScreenKind.PERMISSION
        for option in Examiner(profile).examine(one.snapshot).detection.options
    }
    for label in labels:
        if label not in shown:
            raise InputError(
                f"--approve {label!r}: no labelled permission has it; options: {', '.join(sorted(shown))}"
            )
        if matches_any(label, profile.reply_keys.widening_options):
            raise InputError(f"--approve {label!r}: sounds as if it permitted more than what is asked")
    return tuple(re2.escape(label) for label in labels)


def profile_toml(taught: Taught, names: Sequence[str], approve: Sequence[str] = ()) -> str:
    """The profile as a file: `generic` in all but what was learned, capped at `suggest`."""
    base = read_toml(profile_paths()[FALLBACK])
    keys = dict(base.get("reply_keys", {}))
    if approve:
        keys["approve_options"] = [*taught.profile.reply_keys.approve_options, *approve]
    screen = {key: value for key, value in base["screen"].items() if key != "rules"}
    data: dict[str, Any] = {
        "schema_version": 1,
        "name": taught.profile.name,
        "title": taught.profile.name,
        "unverified": True,
        "extends": FALLBACK,
        "launch": {"names": list(names), "version_arguments": []},
        "limits": {"level": "suggest"},
        "reply_keys": keys,
        "screen": screen | {"rules": [rule_table(rule) for rule in taught.rules]},
    }
    return _HEAD + tomli_w.dumps(data, multiline_strings=True)


_HEAD = """\
# Learned from labelled screens (`copilot profiles learn`). `unverified` keeps the autonomy at `suggest`: use
# it, label what it reads wrongly, and delete that line once its replies were right.
"""
