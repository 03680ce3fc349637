"""Which checkpoints are listed, what has changed until the next, and which are worth going back to."""

from __future__ import annotations

from copilot.checkpoints.checkpoint import Changes, Checkpoint
from copilot.checkpoints.listing import Row, rows_of, worth_returning
from copilot.core.checkpoints import Author
from tests.fakes.fake_undo import checkpoint

PROGRAM, PERSON, UNDO = Author.PROGRAM, Author.PERSON, Author.UNDO
START = checkpoint(0, Author.START, "start")
MADE = Changes(created=("a",))


def numbers(rows: list[Row]) -> list[int]:
    return [row.checkpoint.number for row in rows]


def since(row: Row) -> dict[Author, Changes]:
    return dict(row.since)


def test_going_back_is_worth_it_where_the_program_worked_next() -> None:
    rows = rows_of(
        (
            START,
            checkpoint(1, PROGRAM, "waits"),
            checkpoint(2, PERSON, "reply", Changes(changed=("mine",)), decision=1),
            checkpoint(3, PROGRAM, "waits", MADE),
            checkpoint(4, PERSON, "reply", decision=2),
            checkpoint(5, PROGRAM, "command", Changes((), ("a", "b"), ("c",))),
            checkpoint(6, PROGRAM, "end"),
        )
    )
    assert numbers(worth_returning(rows)) == [4, 2]
    assert since(worth_returning(rows)[0]) == {PROGRAM: Changes((), ("a", "b"), ("c",))}


def test_the_newest_reply_is_worth_it_before_it_is_known_what_it_changes() -> None:
    assert numbers(worth_returning(rows_of((START,)))) == [0]
    waits = (START, checkpoint(1, PROGRAM, "waits"))
    assert worth_returning(rows_of(waits)) == [] == worth_returning(rows_of(()))
    assert numbers(worth_returning(rows_of((*waits, checkpoint(2, PERSON, "reply"))))) == [2]


def test_what_came_and_went_is_no_change_and_a_look_at_an_undo_no_row() -> None:
    looked: tuple[Checkpoint, ...] = (
        START,
        checkpoint(1, PERSON, "reply"),
        checkpoint(2, PROGRAM, "undo", MADE),
        checkpoint(3, PROGRAM, "undo", Changes(changed=("a",))),
    )
    assert numbers(rows_of(looked)) == [0, 1]
    assert since(rows_of(looked)[1]) == {PROGRAM: MADE}
    ended = (*looked, checkpoint(4, PROGRAM, "waits", Changes(("b",), (), ("a",))))
    assert since(rows_of(ended)[1]) == {PROGRAM: Changes(created=("b",))}
    again = (*ended, checkpoint(5, PERSON, "reply"), checkpoint(6, PROGRAM, "end", Changes(removed=("b",))))
    made_again = (*again[:-1], checkpoint(6, PROGRAM, "end", Changes(removed=("c",))))
    assert since(rows_of(again)[-2]) == {PROGRAM: Changes(removed=("b",))}
    assert since(rows_of(made_again)[-2]) == {PROGRAM: Changes(removed=("c",))}


def test_both_sides_of_an_undo_have_rows() -> None:
    rows = rows_of(
        (
            START,
            checkpoint(1, PROGRAM, "end", MADE),
            checkpoint(2, PERSON, "undo"),
            checkpoint(3, UNDO, "undo", Changes(removed=("a",))),
            checkpoint(4, PERSON, "undo"),
        )
    )
    assert numbers(rows) == [0, 1, 2, 3]
    assert [(one.checkpoint.number, since(one)) for one in worth_returning(rows)] == [
        (2, {UNDO: Changes(removed=("a",))}),
        (0, {PROGRAM: MADE}),
    ]
