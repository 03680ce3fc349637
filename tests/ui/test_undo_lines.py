"""Which checkpoints are listed, by which words, and how a diff is cut."""

from __future__ import annotations

from copilot.checkpoints.checkpoint import Changes
from copilot.checkpoints.undo import FileUndo
from copilot.core.checkpoints import Author
from copilot.tui.undo_content import MOST_CHARACTERS, MOST_ROWS, cut_diff
from copilot.tui.undo_lines import UndoLine, undo_lines
from tests.fakes.fake_undo import checkpoint

PROGRAM, PERSON, UNDO, START = Author.PROGRAM, Author.PERSON, Author.UNDO, Author.START
MADE = Changes(created=("a",))


def told(*lines: UndoLine) -> list[tuple[int, str, str]]:
    return [(line.target.number, line.words, ", ".join(map(str, line.since))) for line in lines]


def test_one_line_for_each_piece_of_the_programs_work() -> None:
    lines = undo_lines(
        (
            checkpoint(0, START, "start"),
            checkpoint(1, PROGRAM, "waits", text="Create a?"),
            checkpoint(2, PERSON, "reply", Changes(changed=("mine",)), decision=1, text="Yes"),
            checkpoint(3, PROGRAM, "waits", MADE, text="Run it?"),
            checkpoint(4, PERSON, "reply", decision=2, text="No"),
            checkpoint(5, PROGRAM, "turn", text="completed"),
            checkpoint(6, PERSON, "reply", decision=3, text="go on"),
            checkpoint(7, PROGRAM, "command", Changes((), ("a", "b"), ("c",)), text="npm test"),
            checkpoint(8, PROGRAM, "end"),
        )
    )
    assert told(*lines) == [
        (6, "before reply 3: go on", "program: 2 changed 1 removed"),
        (2, "before reply 1: Yes", "program: 1 created"),
    ]
    assert [line.at for line in lines] == [60.0, 20.0]


def test_the_newest_reply_is_listed_before_it_is_known_what_it_changes() -> None:
    begun = (checkpoint(0, START, "start"),)
    assert told(*undo_lines(begun)) == [(0, "start of the run", "")]
    waits = (*begun, checkpoint(1, PROGRAM, "waits"))
    assert undo_lines(waits) == () == undo_lines(())
    replied = (*waits, checkpoint(2, PERSON, "reply", decision=1, text="Yes"))
    assert told(*undo_lines(replied)) == [(2, "before reply 1: Yes", "")]


def test_a_look_at_what_an_undo_would_do_leaves_no_line() -> None:
    looked = (
        checkpoint(0, START, "start"),
        checkpoint(1, PERSON, "reply", decision=1, text="Yes"),
        checkpoint(2, PROGRAM, "undo", MADE, decision=1),
        checkpoint(3, PROGRAM, "undo", Changes(changed=("a",)), decision=1),
    )
    assert told(*undo_lines(looked)) == [(1, "before reply 1: Yes", "program: 1 created")]
    ended = (*looked, checkpoint(4, PROGRAM, "waits", Changes(("b",), (), ("a",))))
    assert told(*undo_lines(ended)) == [(1, "before reply 1: Yes", "program: 1 created")]


def test_an_undo_can_be_undone_by_the_line_before_it() -> None:
    undone = (
        checkpoint(0, START, "start"),
        checkpoint(1, PROGRAM, "end", MADE, at=7.0),
        checkpoint(2, PERSON, "undo", at=0.0),
        checkpoint(3, UNDO, "undo", Changes(removed=("a",)), at=0.0),
        checkpoint(4, PERSON, "undo", at=0.0),
    )
    lines = undo_lines(undone)
    assert told(*lines) == [
        (2, "before an undo", "undo: 1 removed"),
        (0, "start of the run", "program: 1 created"),
    ]
    assert lines[0].at == 20.0, "by the time of the day: it was made by another process"
    again = (
        *undone,
        checkpoint(5, UNDO, "undo", MADE, at=0.0),
        checkpoint(6, PROGRAM, "waits", Changes(("z",))),
    )
    assert told(*undo_lines(again))[:2] == [
        (5, "after an undo", "program: 1 created"),
        (4, "before an undo", "undo: 1 created"),
    ]


def test_a_diff_is_cut_and_what_is_left_out_is_counted() -> None:
    file = FileUndo("a", "restore")
    head = "--- a\n+++ a\n"
    assert cut_diff(file, "") == cut_diff(file, head) and not cut_diff(file, head).rows
    assert cut_diff(file, head + "binary: no lines to show\n").rows == ("binary: no lines to show",)
    assert cut_diff(file, head + "@@ -1 +1 @@\n-a\n+b").rows == ("@@ -1 +1 @@", "-a", "+b")
    assert cut_diff(file, head + "@@ -1 +1 @@\n--- a\n+++ b\n").rows[1:] == ("--- a", "+++ b")
    long = cut_diff(file, head + "+x\n" * (MOST_ROWS + 7))
    assert (len(long.rows), long.more) == (MOST_ROWS, 7)
    wide = cut_diff(file, head + "+" + "x" * (3 * MOST_CHARACTERS) + "\n+y\n+z\n")
    assert (len(wide.rows), wide.more) == (1, 3)
