"""Resume an earlier run: what it left of its plan and its conversation, and what has no known outcome.

Nothing that it may have typed is typed again by itself.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.core.plan import Plan, PlanPrompt
from copilot.core.plan_progress import Carried
from copilot.core.profile import Profile
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.engine.plan_history import HELD, PlanHistory, PlanPart
from copilot.engine.timeline import TAKEN, Timeline
from copilot.errors import InputError
from copilot.plain_files import is_folder
from copilot.prompting.request import HISTORY_LENGTH, QuestionAnswer
from copilot.recording.artifacts import PROMPTS_FOLDER
from copilot.recording.manifest import read_manifest
from copilot.recording.run_place import given_run
from copilot.recording.runs import RecordedRun, open_run
from copilot.session.undone import is_due, not_undone, undo_after

Part = tuple[int, str]


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
        """The same for the next run; `continues`: the CLI has its conversation back."""
        return Carried(self.done, self.sent, self.unclear, self.unclear_text, continues)

    def changed_step(self, plan: Plan) -> int:
        """The number of the first step that was begun and is another one in `plan`; 0 if all are the same."""
        for step, digest in sorted(self.digests.items()):
            if step > len(plan.steps) or plan.steps[step - 1].digest != digest:
                return step
        return 0


def left_by(timeline: Timeline, first_due: int = 0) -> Left:
    """What a run left of its plan. Its own records are enough: it writes first what it took over.

    A part whose keys were meant to be typed, or whose command was meant to run, without an outcome on record,
    is unclear and never done again by itself. Parts that an undo took back are due again: those that the
    records call so, and those begun by decision `first_due` or later (0: none).
    """
    plan = timeline.plan or PlanHistory()
    became: dict[Part, tuple[str, str]] = {}
    for number, step in plan.steps.items():
        if step.moves and not any(is_due(part, first_due) for part in step.parts):
            became[number, ""] = _STATES_LEFT.get(step.moves[-1].state, ""), ""
        for name in dict.fromkeys(part.name for part in step.parts):
            parts = not_undone([part for part in step.parts if part.name == name], first_due)
            became[number, name] = _became(parts, timeline)
    last = {word: part for part, (word, _) in became.items()}
    unclear = last.get("unclear")
    return Left(
        plan.began,
        frozenset(part for part, (word, _) in became.items() if word == "done"),
        last.get("sent"),
        unclear,
        became[unclear][1] if unclear is not None else "",
        {number: step.digest for number, step in plan.steps.items() if step.digest is not None},
    )


_STATES_LEFT = {"done": "done", "skipped": "done", "sent": "sent", "unclear": "unclear"}


def _became(parts: Sequence[PlanPart], timeline: Timeline) -> tuple[str, str]:
    """What became of the parts of one name, which are one part that began again, and its text.

    It is done, sent, unclear, or nothing: then it is due as if it had never begun. What is only held never
    began.
    """
    parts = [part for part in parts if part.moves[-1].state != HELD]
    if not parts or parts[-1].name.startswith("verify"):
        return "", ""
    last, moves = parts[-1], [move for part in parts for move in part.moves]
    texts = [move.text for move in moves if move.state == "unclear"]
    word = _STATES_LEFT.get(moves[-1].state) or _begun(last, moves[-1].state, timeline)
    # What is typed for a prompt that was taken once asks the CLI to go on.
    if word != "done" and any(move.state == "sent" for move in moves):
        return "sent", ""
    return word or ("unclear" if texts else ""), texts[-1] if texts else last.text


def _begun(part: PlanPart, state: str, timeline: Timeline) -> str:
    """What the keys or the command of a part came to, of which nothing else is on record."""
    if state == "typing" and part.decision in timeline.typed:
        return "sent" if timeline.typed[part.decision] in TAKEN else "unclear"
    if state == "began" and part.ran is not None:
        return {None: "unclear", True: "done", False: ""}[part.ran.passed]
    return ""


_MOST_PARENTS = 50
_TALKED = frozenset({ScreenKind.COMPLETED, ScreenKind.QUESTION, ScreenKind.PERMISSION})
"""Kinds of screen that show that the CLI was given a task."""
_AS_BEFORE = (
    "profile", "plan", "provider", "model", "base_url", "playbook", "cwd", "columns", "lines", "max_steps",
    "dry_run", "detectors", "second_opinion", "second_opinion_provider", "second_opinion_model",
    "second_opinion_base_url",
)  # fmt: skip
_PUT_BACK = (
    "files that {name} changed were put back (checkpoint {number}): what its plan did since then is due "
    "again; a conversation that is taken up does not know of it"
)
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
    earlier, parent = _read_one(Path(folder))
    for _ in range(_MOST_PARENTS):
        if parent is None:
            break
        older, parent = _read_one(parent)
        earlier = _joined(earlier, older)
    return earlier


def _over(path: Path) -> RecordedRun:
    """The run in this folder. Raises InputError if it still goes on."""
    run = open_run(path)
    if run.running:
        raise InputError(f"--resume: {path} is still running; end it first")
    return run


def _joined(newer: Earlier, older: Earlier) -> Earlier:
    """A run that was killed before it had written what it took over says nothing of the plan."""
    left = newer.left if newer.left.began else older.left
    history = (*older.history, *newer.history)[-HISTORY_LENGTH:]
    return Earlier(newer.folder, left, newer.talked or older.talked, history, newer.unclear, newer.notes)


def _read_one(path: Path) -> tuple[Earlier, Path | None]:
    run = _over(path)
    timeline, name = run.timeline(), run.path.name
    undo = undo_after(run.path, timeline)
    notes = [f"the transcript of {name}: {problem}" for problem in run.problems]
    if undo is not None:
        notes.append(_PUT_BACK.format(name=name, number=undo.number))
    earlier = Earlier(
        run.path.absolute(),
        left_by(timeline, undo.moment.decision if undo is not None else 0),
        _talked(timeline),
        _history(timeline),
        _unclear(name, timeline),
        tuple(notes),
    )
    parent = run.manifest.get("parent")
    older = Path(parent) if isinstance(parent, str) and parent else None
    return earlier, older if older is not None and is_folder(older) else None


def _talked(timeline: Timeline) -> bool:
    if any(reading.detection.kind in _TALKED for reading in timeline.readings):
        return True
    steps = timeline.plan.steps.values() if timeline.plan is not None else ()
    return any(move.state == "sent" for step in steps for part in step.parts for move in part.moves)


def _history(timeline: Timeline) -> tuple[QuestionAnswer, ...]:
    """Questions and the answers that were taken."""
    pairs = []
    for prompt, decision in timeline.taken[-HISTORY_LENGTH:]:
        question = prompt.detection.question or prompt.detection.kind.value
        pairs.append(QuestionAnswer(question, str(decision.reply or "(refused)"), by=decision.by))
    return tuple(pairs)


def _unclear(name: str, timeline: Timeline) -> tuple[str, ...]:
    lines = []
    for number in timeline.unfinished:
        _, decision = timeline.decided.get(number, (None, None))
        said = str(decision.reply or "a refusal") if decision is not None else "a reply"
        lines.append(
            f"decision {number} of {name} was being typed when it ended: {said!r}; "
            "what became of it is not known, and it is not typed again"
        )
    return tuple(lines)


def carry_into(plan: Plan, earlier: Earlier, profile: Profile) -> Carried:
    """What the plan of this run takes over. Raises InputError if a step that was begun is another one now."""
    changed = earlier.left.changed_step(plan)
    if changed:
        raise InputError(
            f"--resume: step {changed} of the plan is not the one that {earlier.folder.name} began; "
            "steps after it may change, this one not"
        )
    return earlier.left.carried(continues=earlier.talked and bool(profile.launch.continue_arguments))


def command_to_continue(child: tuple[str, ...], earlier: Earlier, profile: Profile) -> tuple[str, ...]:
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

    What widens a run (autonomy, grants, trust) is not taken over: it must be given again. Raises InputError.
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


def check_plan(plan: Plan, settings: RunSettings, profile: Profile) -> None:
    """Raise InputError where the plan cannot be done by a run with these settings, by this CLI."""
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
