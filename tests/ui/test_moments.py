"""The run as a line in the live cockpit, and looking back from it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.reply import Decision, Reply, Verdict
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.engine.view import SessionView
from copilot.tui.run_line import MOST_MOMENTS, RunLine, span_kind
from copilot.tui.screens.moment import MomentScreen, StillPicture
from copilot.tui.widgets.timeline import SPAN_LOOKS, RunTimeline, Scale, SpanKind, timeline_content
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import busy

HOLD = Decision(1, Verdict.HOLD, "p1", Reply(choice="No"), "yours to send", "policy.level")
SENT = Decision(2, Verdict.SEND, "p2", Reply(choice="Yes"), "risk low", "policy.full")
BY_HAND = Decision(3, Verdict.SEND, "p3", Reply(text="pnpm"), "you sent it", "policy.person", by="person")


def test_states_on_the_line() -> None:
    busy_view = SessionView(state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY))
    ready = SessionView(state=RunState.AWAITING_INPUT, detection=Detection(ScreenKind.IDLE))
    asked = SessionView(state=RunState.ASKING_QUESTION, detection=Detection(ScreenKind.MENU))
    kinds = [span_kind(view) for view in (busy_view, ready, asked)]
    kinds += [
        span_kind(SessionView(state=state))
        for state in (RunState.HELD, RunState.ANSWERING, RunState.COMPLETED)
    ]
    assert kinds == [
        SpanKind.WORKING,
        SpanKind.READY,
        SpanKind.ASKING,
        SpanKind.HELD,
        SpanKind.TYPING,
        SpanKind.ENDED,
    ]


def test_a_reply_that_counts_down_does_not_look_as_one_that_is_written() -> None:
    written = SessionView(state=RunState.ASKING_QUESTION, waiting_for_provider=True)
    counted = SessionView(state=RunState.ASKING_QUESTION, countdown_ends_at=3.0)
    looks = [SPAN_LOOKS[span_kind(view)] for view in (written, counted)]
    assert looks[0][0] != looks[1][0] and looks[0][1] != looks[1][1]


def test_the_line_ends_at_round_times_and_grows_steadily() -> None:
    ends = list(dict.fromkeys(RunLine().scale(now, 10).ends for now in range(0, 200_000, 10)))
    assert all(end % 3600 == 0 for end in ends if end > 5400) and all(end % 30 == 0 for end in ends)
    assert all(1.3 < after / before < 1.7 for before, after in pairwise(ends))


def test_the_end_of_a_run_is_seen_where_it_ended() -> None:
    line = RunLine()
    line.view_changed(SessionView(state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY)), "", 0.0)
    line.view_changed(SessionView(state=RunState.COMPLETED), "", 30.0)
    assert timeline_content(line.spans(59.0), [], Scale(0.0, 60.0, 6)).plain == "▃▃▃■╌╌"


def test_once_a_run_is_over_its_line_ends_where_it_ended() -> None:
    line = RunLine()
    line.view_changed(SessionView(state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY)), "", 0.0)
    assert line.scale(74.0, 10).ends == 90.0
    line.view_changed(SessionView(state=RunState.COMPLETED), "", 74.0)
    line.step(ev.ChildExited(at=76.0, status=0), 76.0, tuple)
    scale = line.scale(300.0, 10)
    assert scale.ends == 76.0
    assert timeline_content(line.spans(300.0), line.marks(), scale).plain.endswith("▃■")


def test_spans_follow_the_states_and_end_with_the_run() -> None:
    line = RunLine()
    line.view_changed(SessionView(state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY)), "", 0.0)
    line.view_changed(SessionView(state=RunState.HELD), "sure?", 5.0)
    assert [(span.start, span.end, span.kind) for span in line.spans(8.0)] == [
        (0.0, 5.0, SpanKind.WORKING),
        (5.0, 8.0, SpanKind.HELD),
    ]
    line.view_changed(SessionView(state=RunState.COMPLETED), "", 9.0)
    assert line.spans(100.0)[-1].end == 9.0


def test_marks_differ_by_shape_for_each_thing_decided() -> None:
    refused = Decision(4, Verdict.REFUSE, "p4", None, "nobody is there", "policy.headless")
    steps: list[ev.Event | fx.Effect] = [
        *(fx.RecordDecision(decision) for decision in (HOLD, SENT, BY_HAND, refused)),
        fx.ReplyExpired("p1", "the prompt changed"),
    ]
    line = RunLine()
    for step in [*steps, ev.PersonTyped(at=1.0)]:
        line.step(step, 1.0, tuple)
    assert len({mark.shape for mark in line.marks()}) == len(line.marks()) == len(steps)
    assert line.marks()[2].label == "you sent: pnpm"


def test_only_so_many_moments_are_kept() -> None:
    line = RunLine()
    for number in range(MOST_MOMENTS + 50):
        line.step(fx.RecordDecision(HOLD), float(number), tuple)
    assert len(line.moments) == MOST_MOMENTS
    assert line.moments[0].mark.at == 50.0


def test_the_scale_grows_in_leaps() -> None:
    line = RunLine()
    assert [line.scale(now, 10).ends for now in (1.0, 59.0, 61.0, 89.0, 500.0)] == [60, 60, 90, 90, 600]


async def test_a_moment_shows_the_screen_as_it_stood() -> None:
    session = busy()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        _tell(session, "the first screen", HOLD, 10.0)
        _tell(session, "the second screen", SENT, 40.0)
        await pilot.press(LEADER, "i")
        await pilot.pause()
        page = pilot.app.screen
        assert isinstance(page, MomentScreen)
        assert "sent: Yes" in _text(page)
        assert "the second screen" in _rows(page)
        await pilot.press("left")
        assert "held: No" in _text(page)
        assert "yours to send" in _text(page)
        assert "the first screen" in _rows(page)
        await pilot.press("left", "end")
        assert "the second screen" in _rows(page)
        session.feed(b"\x1b[2J\x1b[Hsomething new")
        assert "the second screen" in _rows(page)
        assert session.typed == b""
        await pilot.press("escape")
        assert pilot.app.screen is screen


async def test_in_a_small_window_the_end_of_the_screen_is_in_view_from_edge_to_edge() -> None:
    session = busy()
    async with cockpit(session, (80, 24)) as (pilot, _):
        rows = [f"row {number}" for number in range(16)]
        _tell(session, "\r\n".join(["x" * 80, "─" * 80, *rows]), HOLD, 10.0)
        await pilot.press(LEADER, "i")
        await pilot.pause()
        page = pilot.app.screen
        picture, window = page.query_one(StillPicture), page.query_one("#moment-screen")
        assert len(picture.rows) == 18
        assert window.scroll_offset.y == window.max_scroll_y > 0
        assert page.query_one(".page").region.width == 80
        assert picture.render_line(0).text.endswith("x…")
        assert picture.render_line(0).cell_length == picture.size.width == 77
        assert "…" not in picture.render_line(1).text


async def test_a_mark_is_clicked() -> None:
    session = busy()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        _tell(session, "the first screen", HOLD, 10.0)
        _tell(session, "the second screen", SENT, 55.0)
        session.now = 58.0
        session.show()
        await pilot.pause()
        strip = screen.query_one(RunTimeline)
        column = str(strip.content).index("▲")
        assert await pilot.click(RunTimeline, offset=(column + 1, 0))
        await pilot.pause()
        assert isinstance(pilot.app.screen, MomentScreen)
        assert "held: No" in _text(pilot.app.screen)


async def test_without_a_moment_it_is_said() -> None:
    async with cockpit(busy()) as (pilot, screen):
        await pilot.press(LEADER, "i")
        assert "nothing has been decided" in screen.model.notes[-1]


def _tell(session: FakeSession, shown: str, decision: Decision, at: float) -> None:
    assert session.listener is not None
    session.feed(b"\x1b[2J\x1b[H" + shown.encode())
    session.listener.on_step(fx.RecordDecision(decision), at)


def _text(page: MomentScreen) -> str:
    return str(page.query_one("#moment-text").render())


def _rows(page: MomentScreen) -> str:
    return "\n".join(row.text for row in page.query_one(StillPicture).rows)


@pytest.mark.parametrize(("status", "says"), [(0, "exited with 0"), (-9, "was ended by signal 9")])
def test_how_the_program_ended_is_said_in_words(status: int, says: str) -> None:
    line = RunLine()
    line.step(ev.ChildExited(at=1.0, status=status), 1.0, lambda: ())
    assert line.moments[-1].mark.label == f"the program {says}"


def test_a_program_that_copilot_ended_has_not_failed() -> None:
    line = RunLine()
    line.step(fx.SignalChild("end"), 1.0, lambda: ())
    line.step(ev.ChildExited(at=2.0, status=-1), 2.0, lambda: ())
    mark = line.moments[-1].mark
    assert (mark.label, mark.tone) == ("the program was ended by copilot", "secondary")


def test_what_counted_down_is_told_with_what_became_of_it() -> None:
    counted = replace(SENT, number=4, verdict=Verdict.SEND_AFTER_COUNTDOWN)
    line = RunLine()
    line.step(fx.RecordDecision(counted), 1.0, tuple)
    assert [mark.label for mark in line.marks()] == ["countdown: Yes"], "nothing is sent yet"
    line.step(fx.RecordDecision(replace(HOLD, number=5, by="person", reply=Reply(choice="Yes"))), 2.0, tuple)
    assert [mark.label for mark in line.marks()] == ["countdown: Yes", "you stopped it: Yes"]
    line.step(fx.RecordDecision(replace(counted, number=6)), 3.0, tuple)
    line.step(fx.WriteKeys(6, ("1",)), 6.0, tuple)
    assert [mark.label for mark in line.marks()][2:] == ["sent after a countdown: Yes"]
    assert line.marks()[0].label == "countdown: Yes"


def test_files_that_changed_and_were_put_back_are_marked() -> None:
    taken = ev.CheckpointTaken(
        at=1.0, number=3, moment=CheckpointMoment.WAITS, author=Author.PROGRAM, before=2, created=("a", "b")
    )
    steps: list[ev.Event] = [
        taken,
        replace(taken, author=Author.PERSON, created=(), removed=("c",)),
        replace(taken, created=()),
        ev.FilesRestored(at=4.0, number=2, before=2, paths=("a", "b")),
        ev.CheckpointFailed(at=5.0, moment=CheckpointMoment.REPLY, reason="the disk is full", before=3),
    ]
    line = RunLine()
    for step in steps:
        line.step(step, step.at, tuple)
    assert [(mark.shape, mark.label) for mark in line.marks()] == [
        ("±", "files changed by the program: 2 created"),
        ("±", "files changed by the person: 1 removed"),
        ("↶", "you put back 2 files as at checkpoint 2"),
        ("!", "no checkpoint: the disk is full"),
    ]
