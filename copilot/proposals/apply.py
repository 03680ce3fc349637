"""Puts a result into a folder: all of it or nothing, below open folders, and so that `copilot undo` finds it.

The folder is kept as a checkpoint first. What is written goes through the journal of the checkpoints, so a
process that is killed in the middle leaves a run that undo brings back whole.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from copilot.checkpoints.checkpoint import Checkpoint, Moment
from copilot.checkpoints.entries import Kind, differing
from copilot.checkpoints.journal import Step
from copilot.checkpoints.states import Contents
from copilot.checkpoints.store import CheckpointStore
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.reply import Autonomy
from copilot.core.risk import Risk
from copilot.core.settings import RunSettings
from copilot.private_files import write_private
from copilot.proposals.carry_out import Done, carry_out
from copilot.proposals.judge import judged
from copilot.proposals.ranges import Refused
from copilot.proposals.session import SessionResult
from copilot.proposals.world import World
from copilot.proposals.write import write
from copilot.recording.artifacts import PROPOSALS_NAME
from copilot.recording.manifest import first_manifest, redacted, write_manifest
from copilot.recording.run_place import make_run_folder
from copilot.recording.transcript import TranscriptWriter, json_text

_PROFILE = "proposals"


@dataclass(frozen=True, slots=True)
class Planned:
    """What a result would do: its operations, and the world that they lead to. Nothing is changed yet.

    `risks` is what the guard says of each file that changes, by path.
    """

    done: tuple[Done, ...]
    before: Checkpoint
    world: World
    risks: Mapping[str, Risk]

    @property
    def steps(self) -> dict[str, Step]:
        """What was and what will be at each path that changes."""
        return _steps(self.world)

    @property
    def changed(self) -> list[str]:
        """The files that change, sorted; folders come and go with them, or are named where they are alone."""
        paths = sorted(self.steps)
        return [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]


def plan(store: CheckpointStore, result: SessionResult, rules: Sequence[str] | None = None) -> Planned:
    """Keep the folder as it is now, work out the result on it, and judge it with the grants of `rules`.

    With None it is not judged: who applies what was judged before. Raises Refused, InputError and
    CheckpointError.
    """
    with world_of(store) as world:
        done = tuple(carry_out(result, world))
        risks = {} if rules is None else judged(world, _steps(world), store.project, rules)
    return Planned(done, store.checkpoints()[-1], world, risks)


def _steps(world: World) -> dict[str, Step]:
    before, after = world.before, world.entries
    return {path: Step(before.get(path), after.get(path)) for path in differing(before, after)}


@contextlib.contextmanager
def world_of(store: CheckpointStore) -> Iterator[World]:
    """The folder as it is now, in memory. Raises CheckpointError."""
    taken = store.take(Author.START, Moment(CheckpointMoment.START.value, 0.0))
    with Contents(store.repository) as contents:
        yield World(store.state(taken.commit), contents.read)


def apply(store: CheckpointStore, planned: Planned, text: str) -> None:
    """Write what was planned. Raises Refused if the folder is another by now, or a part could not be written,
    and Interrupted for a signal; then the folder is as it was.
    """
    moment = Moment(CheckpointMoment.COMMAND.value, 0.0, 0, text)
    with store.writing() as lock:
        fresh = store.keep_now(Author.PERSON, moment, lock, only_changes=True)
        if fresh.commit != planned.before.commit:
            raise Refused("the folder changed after it was looked at; apply the proposals again")
        now, after = planned.world.before, planned.world.entries
        if not differing(now, after):
            return
        store.keep_state(planned.before.commit, after, planned.world.contents.values(), lock)
        failed = write(store, now, after, moment, lock)
    if failed:
        path, why = next(iter(failed.items()))
        raise Refused(f"{path}: {why}; nothing is changed, mend that and apply the proposals again")


def make_run(folder: Path, project: Path) -> CheckpointStore:
    """The records of an application, as those of a run, for `copilot undo`. Raises InputError."""
    make_run_folder(folder)
    settings = RunSettings(
        child=("copilot", "proposals", "apply"),
        profile=_PROFILE,
        autonomy=Autonomy.SUGGEST,
        cwd=str(project),
        log_folder=str(folder),
        checkpoints=True,
    )
    manifest = first_manifest(folder.name, settings, started_at=_now(), profile_hash="", child_version="")
    manifest["outcome"] = {"word": "completed", "exit_code": 0, "reason": "proposals"}
    manifest["summary"] = {"steps": 0, "held": 0, "cost_usd": 0.0, "seconds": 0.0}
    write_manifest(folder, manifest)
    TranscriptWriter(folder).close()
    return CheckpointStore.make(folder, project)


def write_record(folder: Path, result: SessionResult, planned: Planned, clean: Callable[[str], str]) -> None:
    """Record each operation, also what was only simulated, redacted. Raises OSError."""
    said: dict[str, Any] = {
        "version": 1,
        "id": result.id,
        "complete": result.complete,
        "operations": [asdict(one) for one in planned.done],
        "changed": planned.changed,
        "risks": {path: [one.level.word, one.reason] for path, one in planned.risks.items()},
    }
    write_private(folder / PROPOSALS_NAME, json_text(redacted(said, clean), indent=2) + "\n")


def kind_word(world: World, path: str) -> str:
    """What becomes of a path: create, change or delete."""
    before, after = world.before.get(path), world.entries.get(path)
    if before is None:
        return "create"
    word = "change" if after is not None else "delete"
    return f"{word} folder" if before.kind is Kind.FOLDER else word


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
