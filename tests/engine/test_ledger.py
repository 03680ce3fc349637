"""What a run's program made itself, and what takes that away."""

from __future__ import annotations

from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.engine.ledger import Ledger


def taken(
    author: Author,
    *,
    created: tuple[str, ...] = (),
    changed: tuple[str, ...] = (),
    removed: tuple[str, ...] = (),
    unlisted: int = 0,
) -> ev.CheckpointTaken:
    return ev.CheckpointTaken(
        at=1.0,
        number=1,
        moment=CheckpointMoment.TURN,
        author=author,
        before=2,
        created=created,
        changed=changed,
        removed=removed,
        unlisted=unlisted,
    )


def ledger(*steps: ev.Event) -> Ledger:
    made = Ledger()
    for step in steps:
        made.receive(step)
    return made


MADE = taken(Author.PROGRAM, created=("a", "b", "c"))


def test_what_the_program_made_and_nobody_changed_since_is_its_own() -> None:
    assert ledger(MADE).made == {"a", "b", "c"}
    assert ledger(MADE, taken(Author.PROGRAM, changed=("a",), removed=("b",))).made == {"a", "c"}
    assert ledger(MADE, taken(Author.PERSON, changed=("a",), removed=("b",))).made == {"c"}
    assert ledger(taken(Author.PERSON, created=("a",))).made == set()


def test_what_was_there_before_is_not_its_own_when_it_is_made_again() -> None:
    removed, made = taken(Author.PROGRAM, removed=("d",)), taken(Author.PROGRAM, created=("d",))
    assert ledger(MADE, removed, made).made == {"a", "b", "c"}
    own_again = taken(Author.PROGRAM, removed=("a",)), taken(Author.PROGRAM, created=("a",))
    assert ledger(MADE, *own_again).made == {"a", "b", "c"}


def test_what_an_undo_touched_is_not() -> None:
    undone = ledger(MADE, ev.FilesRestored(at=2.0, number=5, before=1, paths=("a",)))
    assert undone.made == {"b", "c"}
    assert [(one.checkpoint, one.count) for one in undone.restored] == [(5, 1)]


def test_what_is_not_listed_may_be_any_of_them() -> None:
    assert ledger(MADE, taken(Author.PERSON, unlisted=1)).made == set()
    assert ledger(MADE, ev.FilesRestored(at=2.0, number=5, before=1, paths=("a",), unlisted=1)).made == set()
    assert ledger(MADE, taken(Author.PROGRAM, unlisted=1)).made == {"a", "b", "c"}


def test_what_may_be_moved_from_elsewhere_is_not() -> None:
    moved = taken(Author.PROGRAM, created=("new.txt",), removed=("old.txt",))
    assert ledger(MADE, moved).made == {"a", "b", "c"}
    assert ledger(MADE, taken(Author.PROGRAM, created=("z",), removed=("a",))).made == {"b", "c", "z"}
    assert ledger(taken(Author.PROGRAM, created=("z",), unlisted=3)).made == set()
