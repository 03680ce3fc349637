"""Random histories of a CLI and a person: what undo gives back, and that nothing of the person's is lost."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from copilot.checkpoints.entries import Entry, Kind, blob_id
from copilot.checkpoints.states import Contents, read_state
from copilot.checkpoints.store import Author, Budget, Checkpoint, CheckpointStore, Moment
from copilot.checkpoints.undo import apply_undo, plan_undo
from tests.checkpoints.projects import Hand, Thing, fingerprint, make_project, things
from tests.examples import some

HISTORIES, GROUPS = 500, 50
HUGE = 60_000
BUDGET = Budget(file_bytes=HUGE - 1)
TOKEN = re.compile(rb"PERSON-\d+-[0-9a-f]{8}")
MIXED = (Author.PROGRAM, Author.PERSON)


class History:
    """A project that a CLI and a person change in turn; what was in it is kept for each checkpoint."""

    def __init__(self, folder: Path, seed: int, more: Callable[[Path], None] = lambda _: None) -> None:
        self.chance = random.Random(seed)
        self.project = make_project(folder / "project", self.chance)
        more(self.project)
        (folder / "run").mkdir()
        self.store = CheckpointStore.make(folder / "run", self.project, BUDGET)
        self.hands = {who: Hand(self.project, who.name, self.chance, HUGE) for who in MIXED}
        self.was: dict[int, dict[str, Thing]] = {}
        self.refused: set[str] = set()
        self.took(self.store.take(Author.START, Moment("start", 0.0)))

    def took(self, checkpoint: Checkpoint) -> Checkpoint:
        self.was[checkpoint.number] = things(self.project)
        return checkpoint

    def go_on(self, who: Author) -> None:
        self.hands[who].act(self.chance.randrange(1, 8))
        what = "waits" if who is Author.PROGRAM else "reply"
        self.took(self.store.take(who, Moment(what, 0.0)))

    def undo(self) -> Checkpoint:
        """Go back to some checkpoint; that one."""
        target = self.chance.choice(self.store.checkpoints())
        plan = plan_undo(self.store, target, author=Author.PERSON)
        self.took(plan.before)
        result = apply_undo(self.store, plan)
        self.refused = {path.rstrip("/") for path, _, _ in result.refused}
        self.took(result.checkpoint)
        return target

    def check_states(self) -> None:
        """Every checkpoint holds what was there, as read from the disk."""
        for one in self.store.checkpoints():
            assert_state(read_state(self.store.repository, one.commit), self.was[one.number])


def assert_state(state: dict[str, Entry], was: dict[str, Thing]) -> None:
    """A state of the store says the same as the plain reading of the project."""
    said = {}
    for path, entry in state.items():
        if path and entry.kind is not Kind.UNCOVERED:
            said[path] = (entry.kind.value, entry.mode, entry.blob)
    true = {
        path: (thing.kind, thing.mode, blob_id(thing.data) if thing.kind != "folder" else "")
        for path, thing in was.items()
        if thing.kind == "folder" or len(thing.data) < HUGE
    }
    assert said == true


def covered(found: dict[str, Thing], *others: dict[str, Thing]) -> dict[str, Thing]:
    """Without what was too large in this or the other states."""
    large = {path for state in (found, *others) for path, thing in state.items() if len(thing.data) >= HUGE}
    below = tuple(f"{path}/" for path in large)
    return {path: thing for path, thing in found.items() if path not in large and not path.startswith(below)}


def near(path: str, other: str) -> bool:
    """Whether one is the other or above it."""
    return path == other or path.startswith(f"{other}/") or other.startswith(f"{path}/")


def tokens(found: Iterable[Thing]) -> set[bytes]:
    """What the person wrote."""
    return {token for thing in found for token in TOKEN.findall(thing.data)}


def to_be_kept(store: CheckpointStore, target: Checkpoint, last: int) -> set[bytes]:
    """What the person wrote, is there at the checkpoint `last`, and going back to the target keeps.

    That is what was there at the target or was written after it; not what an undo has brought back since, as
    going back to before that undo undoes it too.
    """
    cache: dict[str, set[bytes]] = {"": set()}
    taken = store.checkpoints()[target.number : last + 1]
    with Contents(store.repository) as contents:

        def written(one: Checkpoint) -> set[bytes]:
            found: set[bytes] = set()
            for entry in read_state(store.repository, one.commit).values():
                if entry.blob not in cache:
                    cache[entry.blob] = set(TOKEN.findall(contents.read(entry.blob)))
                found |= cache[entry.blob]
            return found

        kept = before = written(target)
        for one in taken:
            now = written(one)
            kept = kept | (now - before if one.author is Author.PERSON else set())
            before = now
    return kept & before


def kept_aside(store: CheckpointStore) -> set[bytes]:
    """What the person wrote in versions that an undo refused to put in place."""
    return {
        token
        for path in (store.folder / "undo").rglob("*")
        if path.is_file()
        for token in TOKEN.findall(path.read_bytes())
    }


def groups() -> list[int]:
    return list(some(range(GROUPS), GROUPS))


def seeds(group: int) -> range:
    return range(group * HISTORIES // GROUPS, (group + 1) * HISTORIES // GROUPS)


@pytest.mark.examples
@pytest.mark.parametrize("group", groups())
def test_without_a_person_undo_gives_back_every_byte_and_mode(tmp_path: Path, group: int) -> None:
    for seed in seeds(group):
        history = History(tmp_path / str(seed), seed)
        for _ in range(history.chance.randrange(1, 6)):
            history.go_on(Author.PROGRAM)
        last = len(history.store.checkpoints()) - 1
        target = history.undo()
        history.check_states()
        was, now, after = history.was[target.number], history.was[last], things(history.project)
        if covered(now) != now or covered(was) != was:
            # Folders stay above what is not covered, and what is in their place stays away.
            large = {*now, *was} - {*covered(now, was), *covered(was, now)}
            assert all(any(near(path, one) for one in large) for path in history.refused)
            was, after = (
                {
                    path: thing
                    for path, thing in covered(one, was, now).items()
                    if thing.kind != "folder" and path not in history.refused
                }
                for one in (was, after)
            )
        assert after == was, seed
        history.store.close()


@pytest.mark.examples
@pytest.mark.parametrize("group", groups())
def test_nothing_of_the_persons_is_lost(tmp_path: Path, group: int) -> None:
    for seed in seeds(group):
        history = History(tmp_path / str(seed), seed + HISTORIES)
        for _ in range(2):
            for _ in range(history.chance.randrange(1, 5)):
                history.go_on(history.chance.choice(MIXED))
            before = len(history.store.checkpoints())
            target = history.undo()
            after = things(history.project)
            kept = to_be_kept(history.store, target, before)
            assert kept <= tokens(after.values()) | kept_aside(history.store), seed
            assert_untouched_is_as_it_was(history, target, after)
        history.check_states()
        history.store.close()


def assert_untouched_is_as_it_was(history: History, target: Checkpoint, after: dict[str, Thing]) -> None:
    """Files and links that no person touched since are those of the target."""
    taken = history.store.checkpoints()
    touched: set[str] = set()
    for one in taken[target.number + 1 :]:
        if one.author is Author.PERSON:
            earlier, later = history.was[one.number - 1], history.was[one.number]
            touched |= {path for path in {*earlier, *later} if earlier.get(path) != later.get(path)}
    was = history.was[target.number]
    others = [history.was[one.number] for one in taken[target.number :]]
    large = {path for state in others for path in set(state) - set(covered(state))}
    assert all(any(near(path, one) for one in (*touched, *large)) for path in history.refused)
    for path in {*covered(was, *others), *covered(after, *others)}:
        is_near = any(near(path, one) for one in (*touched, *history.refused))
        pair = [found.get(path, None) for found in (was, after)]
        if not is_near and not any(thing is not None and thing.kind == "folder" for thing in pair):
            first, second = ((one.kind, one.mode, one.data) if one else None for one in pair)
            assert first == second, path


def test_the_users_git_folder_is_bit_for_bit_the_same(tmp_path: Path) -> None:
    history = History(tmp_path, 7)
    subprocess.run(["git", "init", "-q", history.project], check=True)
    subprocess.run(["git", "-C", history.project, "add", "."], check=True)
    before = fingerprint(history.project / ".git")
    for _ in range(6):
        history.go_on(history.chance.choice(MIXED))
    for _ in range(3):
        history.undo()
    assert fingerprint(history.project / ".git") == before
    history.store.close()
