"""Going on with an earlier run: what it left of its plan, its talk, and what nobody knows the outcome of.

Nothing that it may have typed is typed again by itself.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection, ScreenKind
from copilot.core.effects import Effect, PlanMoved, ReplyTaken, RunCommand, WriteKeys
from copilot.core.events import CommandEnded, Event
from copilot.core.plan import Plan, PlanPrompt
from copilot.core.plan_progress import Carried
from copilot.core.profile import Profile
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.prompting.request import HISTORY_LENGTH, QuestionAnswer
from copilot.recording.manifest import read_manifest
from copilot.recording.run_place import PROMPTS_FOLDER, given_run
from copilot.recording.runs import RecordedRun, open_run
from copilot.recording.transcript_reader import unfinished_intents

# What a run left of its plan, read from its events and effects: what is done, sent, or unclear.
#
# The records of one run are enough: a resumed run writes first what it took over. A part whose keys were
# meant to be typed, or whose command was meant to run, without an outcome on record, is unclear and never
# done again by itself.


Part = tuple[int, str]
_TAKEN = ("taken", "blocked")


@dataclass(slots=True)
class _Seen:
    began: bool = False
    parts: dict[Part, PlanMoved] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    outcomes: dict[int, str] = field(default_factory=dict)
    sent: set[Part] = field(default_factory=set)
    """Prompts that were taken once. What is typed for them later asks the CLI to go on."""
    unclear: dict[Part, str] = field(default_factory=dict)
    """The texts of parts that an earlier run left unclear."""
    ran: dict[int, int] = field(default_factory=dict)
    """Tickets of commands by their decisions."""
    passed: dict[int, bool] = field(default_factory=dict)
    """How commands ended, by ticket."""


@dataclass(frozen=True, slots=True)
class Left:
    """The parts of a plan by what became of them, and the digests of the steps that were begun.

    `began` is False for a run killed before it had written what it took over: the run before it counts.
    """

    began: bool = False
    done: frozenset[Part] = frozenset()
    sent: Part | None = None
    unclear: Part | None = None
    unclear_text: str = ""
    digests: Mapping[int, str] = field(default_factory=dict)

    def carried(self, *, continues: bool) -> Carried:
        """The same for the next run; `continues` tells whether the CLI has its conversation back."""
        return Carried(self.done, self.sent, self.unclear, self.unclear_text, continues)

    def changed_step(self, plan: Plan) -> int:
        """The number of the first step that was begun and is another one in `plan`; 0 if all are the same."""
        for step, digest in sorted(self.digests.items()):
            if step > len(plan.steps) or plan.steps[step - 1].digest != digest:
                return step
        return 0


def left_by(steps: Iterable[Event | Effect]) -> Left:
    """What these events and effects of one run left of its plan."""
    seen = _Seen()
    for step in steps:
        _take(seen, step)
    done: set[Part] = set()
    sent: Part | None = None
    unclear: tuple[Part, str] | None = None
    for part, moved in seen.parts.items():
        match _became(seen, part, moved):
            case "done":
                done.add(part)
            case "sent":
                sent = part
            case "unclear":
                unclear = part, seen.unclear.get(part, moved.text)
    digests = {step: moved.digest for (step, _), moved in seen.parts.items() if step}
    return Left(
        seen.began,
        frozenset(done),
        sent,
        unclear[0] if unclear else None,
        unclear[1] if unclear else "",
        digests,
    )


def _take(seen: _Seen, step: Event | Effect) -> None:
    match step:
        case PlanMoved(step=0):
            seen.began = True
        case PlanMoved():
            part = step.step, step.part
            if step.state == "sent":
                seen.sent.add(part)
            elif step.state == "unclear":
                seen.unclear[part] = step.text
            seen.parts[part] = step
        case WriteKeys():
            seen.written.add(step.decision)
        case ReplyTaken():
            seen.outcomes[step.decision] = step.outcome
        case RunCommand():
            seen.ran[step.decision] = step.ticket
        case CommandEnded():
            seen.passed[step.ticket] = step.passed
        case _:
            pass


def _became(seen: _Seen, part: Part, moved: PlanMoved) -> str:
    """done, sent, unclear, or nothing: the part is due as if it had never begun."""
    if moved.part.startswith("verify"):
        return ""
    became = _by_itself(seen, moved)
    if part in seen.sent and became != "done":
        return "sent"
    return "unclear" if part in seen.unclear and not became else became


def _by_itself(seen: _Seen, moved: PlanMoved) -> str:
    """What the last move of a part says, whatever was before."""
    match moved.state:
        case "done" | "skipped":
            return "done"
        case "sent" | "unclear":
            return moved.state
        case "typing" if moved.decision in seen.written:
            return "sent" if seen.outcomes.get(moved.decision) in _TAKEN else "unclear"
        case "began" if moved.decision in seen.ran:
            passed = seen.passed.get(seen.ran[moved.decision])
            return {None: "unclear", True: "done", False: ""}[passed]
    return ""


_MOST_PARENTS = 50
_TALKED = frozenset({ScreenKind.COMPLETED, ScreenKind.QUESTION, ScreenKind.PERMISSION})
"""Kinds of screen that show that the CLI has been told something."""
_AS_BEFORE = (
    "profile", "plan", "provider", "model", "base_url", "playbook", "cwd", "columns", "lines", "max_steps",
    "dry_run", "detectors", "second_opinion", "second_opinion_provider", "second_opinion_model",
    "second_opinion_base_url",
)  # fmt: skip
_CARRIED = {"governing_prompt": "prompt", "timeout_seconds": "timeout", "max_cost_usd": "max_cost"}


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier run left. `unclear` are replies that were being typed when it ended, as a line each."""

    folder: Path
    left: Left
    talked: bool = False
    history: tuple[QuestionAnswer, ...] = ()
    unclear: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def find_run(name: str, environment: Mapping[str, str]) -> Path:
    """The folder of a run: given as such, as its manifest, or by its id. Raises InputError."""
    return open_run(given_run(Path(name).expanduser(), environment)).path.absolute()


def read_earlier(folder: str) -> Earlier:
    """What the run in this folder left, and the runs that it went on with. Raises InputError."""
    newest: Earlier | None = None
    path: Path | None = Path(folder)
    for _ in range(_MOST_PARENTS):
        if path is None:
            break
        earlier, path = _read_one(path, newest is None)
        if newest is None:
            newest = earlier
            continue
        newest = _joined(newest, earlier)
    assert newest is not None
    return newest


def _over(path: Path) -> RecordedRun:
    """The run in this folder. Raises InputError if it still goes on."""
    run = open_run(path)
    if run.running:
        raise InputError(f"--resume: {path} is still running; end it first")
    return run


def _joined(newer: Earlier, older: Earlier) -> Earlier:
    """A run that was killed before it had written what it took over tells nothing of the plan."""
    left = newer.left if newer.left.began else older.left
    history = (*older.history, *newer.history)[-HISTORY_LENGTH:]
    return Earlier(newer.folder, left, newer.talked or older.talked, history, newer.unclear, newer.notes)


def _read_one(path: Path, newest: bool) -> tuple[Earlier, Path | None]:
    run = _over(path)
    steps = [step for _, step in run.steps()]
    notes = [f"the transcript of {run.path.name}: {problem}" for problem in run.problems] if newest else []
    earlier = Earlier(
        run.path.absolute(),
        left_by(steps),
        _talked(steps),
        _history(steps),
        _unclear(run, steps),
        tuple(notes),
    )
    parent = run.manifest.get("parent")
    older = Path(parent) if isinstance(parent, str) and parent else None
    return earlier, older if older is not None and older.is_dir() else None


def _talked(steps: Sequence[ev.Event | fx.Effect]) -> bool:
    for step in steps:
        if isinstance(step, ev.ScreenSettled) and step.detection.kind in _TALKED:
            return True
        if isinstance(step, fx.PlanMoved) and step.state == "sent":
            return True
    return False


def _history(steps: Sequence[ev.Event | fx.Effect]) -> tuple[QuestionAnswer, ...]:
    """Questions and the answers that were taken."""
    asked = Detection(ScreenKind.STARTING)
    decided: dict[int, QuestionAnswer] = {}
    pairs: list[QuestionAnswer] = []
    for step in steps:
        match step:
            case ev.ScreenSettled() if step.detection.waiting:
                asked = step.detection
            case fx.RecordDecision():
                question = asked.question or asked.kind.value
                answer = str(step.decision.reply or "(refused)")
                decided[step.decision.number] = QuestionAnswer(question, answer, by=step.decision.by)
            case fx.ReplyTaken() if step.decision in decided and step.outcome in ("taken", "blocked"):
                pairs.append(decided[step.decision])
    return tuple(pairs[-HISTORY_LENGTH:])


def _unclear(run: RecordedRun, steps: Sequence[ev.Event | fx.Effect]) -> tuple[str, ...]:
    decisions = {step.decision.number: step.decision for step in steps if isinstance(step, fx.RecordDecision)}
    lines = []
    for number in unfinished_intents(run.records):
        said = str(decisions[number].reply or "a refusal") if number in decisions else "a reply"
        lines.append(
            f"decision {number} of {run.path.name} was being typed when it ended: {said!r}; "
            "what became of it is not known, and it is not typed again"
        )
    return tuple(lines)


def carried_into(plan: Plan, earlier: Earlier, profile: Profile) -> Carried:
    """What the plan of this run takes over. Raises InputError if a step that was begun is another one now."""
    changed = earlier.left.changed_step(plan)
    if changed:
        raise InputError(
            f"--resume: step {changed} of the plan is not the one that {earlier.folder.name} began; "
            "steps after it may change, this one not"
        )
    return earlier.left.carried(continues=earlier.talked and bool(profile.launch.continue_arguments))


def continued(child: tuple[str, ...], earlier: Earlier, profile: Profile) -> tuple[str, ...]:
    """The argv that takes up the CLI's conversation, if it had one and the profile knows how."""
    more = profile.launch.continue_arguments
    if not earlier.talked or not more or child[-len(more) :] == more:
        return child
    return (*child, *more)


def without_task(child: Sequence[str]) -> tuple[str, ...]:
    """The argv of an earlier run without words that look like its task: they were said already."""
    kept = list(child[:1])
    for before, word in itertools.pairwise(child):
        option_value = before.startswith("-") and "=" not in before and not any(map(str.isspace, word))
        if word.startswith("-") or option_value:
            kept.append(word)
    return tuple(kept)


def as_before(flags: Mapping[str, Any], child: tuple[str, ...]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The options of a resumed run: those given, and the earlier run's for the rest.

    What widens a run (autonomy, grants, trust) is not taken over: it is said anew. Raises InputError.
    """
    folder = find_run(str(flags["resume"]), os.environ)
    settings = _over(folder).manifest
    before = {**_objects(settings.get("limits")), **_objects(settings.get("settings"))}
    filled = {name: before[name] for name in _AS_BEFORE if before.get(name) not in (None, "", False)}
    filled |= {option: before[name] for name, option in _CARRIED.items() if before.get(name)}
    if isinstance(changed := settings.get("governing_prompt_file"), str):
        filled["prompt"] = str(folder / PROMPTS_FOLDER / Path(changed).name)
    if before.get("upload") is False:
        filled["no_upload"] = True
    argv = before.get("child")
    if not child and isinstance(argv, list):
        child = without_task([str(word) for word in argv])
    return {**filled, **flags, "resume": str(folder)}, child


def level_note(settings: RunSettings, level_from: str) -> str:
    """Which level a resumed run has, for a person who may think that it is the earlier one's."""
    before = _objects(read_manifest(Path(settings.resume or "")).get("settings")).get("autonomy")
    said = f"this run is at level {settings.autonomy.value} ({level_from})"
    if before in (None, settings.autonomy.value):
        return said
    return f"{said}; the earlier run's {before} is not taken over: --autonomy {before} takes it up"


def _objects(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def checked_plan(plan: Plan, settings: RunSettings, profile: Profile) -> None:
    """Raises InputError where the plan cannot be done by a run with these settings, by this CLI."""
    if settings.autonomy.value == "watch":
        raise InputError("--plan: at level watch nothing is done; give --autonomy suggest, assist or full")
    leading = profile.reply_keys.avoid_leading
    for index, step in enumerate(plan.steps):
        for task in step.tasks:
            if isinstance(task, PlanPrompt) and task.text[0] in leading:
                raise InputError(
                    f"--plan: step {plan.label(index)}: send: a text that begins with {task.text[0]!r} is a "
                    f"command of {profile.title or profile.name}, not a message; begin it with a word"
                )
