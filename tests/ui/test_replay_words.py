"""What a replay says of a moment: by the cockpit's words, each once, and nothing sent that was never typed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.content import Content
from textual.widgets import Static

from copilot.core.reply import Autonomy, Reply
from copilot.core.screen_kinds import KIND_WORDS, ScreenKind
from copilot.core.states import RunState
from copilot.engine.review import Mark, Moment, RunReview, Sort
from copilot.tui.replay.bars import FULL_LINES, ticks, timeline_content
from copilot.tui.replay.describe import badge_of, mark_cells, moment_of
from tests.engine.test_timeline import review_of
from tests.replay.golden import GOLDEN
from tests.ui.replay_harness import replaying, terminal_of, text_of

DRY, PERSON, FULL = GOLDEN / "claude-rm-rf", GOLDEN / "demo-person", GOLDEN / "demo-full"
SMALL = (80, 24)


async def test_a_reply_of_a_dry_run_is_not_called_sent() -> None:
    async with replaying(DRY) as (pilot, screen):
        await pilot.press("n", "n", "d")
        badge, why = text_of(screen, "#replay-seen").splitlines()[:2]
        assert "▲ HELD" in badge and why == "▲ held  dry run: nothing is typed"
        assert "▷ would send" in text_of(screen, "#replay-done")
        assert "▶ send" not in text_of(screen, "#replay-done")
        strip = text_of(screen, "#replay-strip")
        assert "▲ held: dry run: nothing is typed" in strip and "▷ would send" in strip
        marks = text_of(screen, "#replay-timeline").splitlines()[0]
        assert "▷" in marks and "▶" not in marks
        lines = text_of(screen, "#replay-seen").splitlines()
        assert "▸   4 No ◆ proposed" in lines and "  ❯ 1 Yes" in lines
        heading = next(line for line in text_of(screen, "#replay-done").splitlines() if "decision" in line)
        assert heading == "the decision  ▆ high risk of a yes", "of what was refused"


async def test_one_that_was_typed_is_called_sent_to_its_end() -> None:
    async with replaying(FULL) as (pilot, screen):
        await pilot.press("n", "d")
        assert "▶ send" in text_of(screen, "#replay-done")
        screen.model.go(screen.model.review.prompts[0].until - 0.01)
        screen.show_all(jumped=True)
        assert "▶ send" in text_of(screen, "#replay-done")
        assert not any(sign is not None and sign.shape == "▷" for sign in mark_cells(screen.model.review, 90))


def moment(state: RunState, kind: ScreenKind = ScreenKind.PERMISSION, *, at: float | None = None) -> Moment:
    """The first prompt of a run, before anything is proposed, or later; with another state and kind."""
    review = review_of("demo-person")
    found = review.moment(review.prompts[0].at if at is None else at)
    return replace(found, state=state, detection=replace(found.detection, kind=kind))


@pytest.mark.parametrize(
    ("seen", "badge"),
    [
        (moment(RunState.RUNNING, ScreenKind.BUSY), "● busy"),
        (moment(RunState.RUNNING, ScreenKind.STARTING), "◔ starting"),
        (moment(RunState.AWAITING_INPUT, ScreenKind.IDLE), "○ ready"),
        (moment(RunState.AWAITING_INPUT, ScreenKind.COMPLETED), "✓ turn done"),
        (moment(RunState.ASKING_QUESTION), "◌ thinking"),
        (replace(moment(RunState.ASKING_QUESTION), prompt=None), "▲ your turn"),
        (moment(RunState.HELD), "▲ your turn"),
        (moment(RunState.HELD, at=0.7), "▲ held"),
        (moment(RunState.ANSWERING), "» typing"),
    ],
)
def test_badges_are_those_of_the_cockpit(seen: Moment, badge: str) -> None:
    sign = badge_of(seen)
    assert f"{sign.shape} {sign.word}" == badge


def test_every_state_has_a_badge() -> None:
    assert all(badge_of(moment(state)).word for state in RunState)


async def test_why_it_is_held_stands_once_the_decision_by_its_word_and_what_was_not_proposed() -> None:
    async with replaying(PERSON) as (pilot, screen):
        await pilot.press("h")
        reason = "at level suggest, every reply waits for you"
        seen = text_of(screen, "#replay-seen")
        assert f"▲ held {reason}" in " ".join(seen.split())
        decided = text_of(screen, "#replay-done").split("the decision")[1].split("what happened")[0]
        assert "▲ held" in decided and reason not in decided
        assert "hold" not in decided
        assert "at level suggest" in text_of(screen, "#replay-status")
        prompt = screen.model.review.prompts[0]
        at, proposal = prompt.proposals[0]
        for reply, words in (
            (Reply(), "no reply, it is left to"),
            (Reply(text=""), "Enter alone, which takes"),
        ):
            prompt.proposals[0] = at, replace(proposal, reply=reply)
            screen.show_all()
            assert words in text_of(screen, "#replay-done")
        assert "the reply proposed" in text_of(screen, "#replay-done")
        screen.model.review = replace(screen.model.review, levels=((screen.model.at, Autonomy.FULL),))
        screen.show_all()
        assert "level full" in text_of(screen, "#replay-status")
        await pilot.press("home")
        assert "level suggest" in text_of(screen, "#replay-status")


def expiring(review: RunReview, at: float) -> RunReview:
    """The same run in which the reply to the first prompt died at that moment."""
    first = review.prompts[0]
    first.expired.append((at, "the terminal is yours"))
    return review


async def test_a_reply_that_died_is_told_and_is_no_longer_held() -> None:
    async with replaying(PERSON) as (pilot, screen):
        await pilot.press("h")
        assert "▲ HELD" in text_of(screen, "#replay-seen") and "◆ proposed" in text_of(screen, "#replay-seen")
        expiring(screen.model.review, screen.model.at)
        screen.show_all()
        assert "▲ YOUR TURN" in text_of(screen, "#replay-seen")
        assert "◆ proposed" not in text_of(screen, "#replay-seen")
        done = screen.query_one("#replay-done", Static).content
        assert isinstance(done, Content) and "✗ expired  the terminal is yours" in done.plain
        reply = str(screen.model.review.prompts[0].proposals[0][1].reply)
        struck = [span for span in done.spans if "strike" in str(span.style)]
        assert [done.plain[span.start : span.end] for span in struck] == [reply]


async def test_a_jump_says_in_words_where_it_led() -> None:
    async with replaying(PERSON) as (pilot, screen):
        notes = []
        for key in ("n", "h", "t", "x", "X", "home", "T"):
            await pilot.press(key)
            notes.append(screen.note_text)
        assert notes[:3] == [
            "prompt 1, permission: Do you want to create greeting.py?",
            "held: at level suggest, every reply waits for you",
            "the person sent: Yes",
        ]
        assert notes[3:5] == [
            "nothing that today would be otherwise after this",
            "nothing that today would be otherwise before this",
        ]
        assert notes[6] == "nothing that a person did before this"


async def test_kinds_are_named_by_their_words() -> None:
    async with replaying(FULL) as (pilot, screen):
        await pilot.press("n", "n", "n")
        assert text_of(screen, "#replay-strip").startswith(KIND_WORDS[ScreenKind.YES_NO])
        await pilot.press("v", "k")
        box = pilot.app.screen.query_one("#verdict-box")
        assert str(box.border_title) == "prompt 3: yes or no"
        words = str(pilot.app.screen.query_one("#verdict-words", Static).content)
        assert "trust this folder?" in words and "text_input" not in words


async def test_a_small_window_says_nothing_twice() -> None:
    async with replaying(PERSON, size=SMALL) as (pilot, screen):
        for size in ((200, 50), SMALL):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert ("p panel" in text_of(screen, "#replay-keys")) is (size == SMALL)
        await pilot.press("h")
        assert screen.note_text and "at level suggest" in text_of(screen, "#replay-strip")
        assert "at level" not in text_of(screen, "#replay-status")
        await pilot.press("end", "n")
        assert "no prompt after" in text_of(screen, "#replay-status")
        await pilot.press("p")
        await pilot.pause()
        assert not screen.query_one("#replay-strip").display


async def test_of_a_terminal_that_is_too_high_the_end_is_shown() -> None:
    async with replaying(DRY, size=SMALL) as (pilot, screen):
        await pilot.press("n", "n", "d")
        shown = terminal_of(screen).splitlines()
        assert "Esc to cancel" in shown[-1] and any("◆   4. No" in row for row in shown)
        await pilot.press("ctrl+up")
        assert "Esc to cancel" not in terminal_of(screen).splitlines()[-1]


async def test_evidence_far_above_the_end_is_in_view_all_the_same() -> None:
    async with replaying(DRY, size=(80, 16)) as (pilot, screen):
        await pilot.press("n", "n", "d")
        assert any("Do you want to proceed?" in row for row in terminal_of(screen).splitlines())


def test_the_playhead_is_seen_on_a_held_span() -> None:
    review = review_of("demo-person")
    held = next(review.marks_of(Sort.HELD))
    states = timeline_content(review, held.at + 0.1, 100, 4).split("\n")[1]
    place = states.plain.index("┃")
    assert states.plain[place + 1] == "█" and "reverse" not in str(states.spans)


def test_the_rulers_ticks_are_round() -> None:
    for duration, width, some in (
        (5.7, 198, [0, 0.5, 1]),
        (9.1, 118, [0, 1, 2]),
        (9.1, 78, [0, 2, 4]),
        (240.0, 78, [0, 60, 120]),
        (3600.0, 118, [0, 600, 1200]),
        (3e6, 100, [0, 3e6]),
        (0.0, 100, [0]),
    ):
        assert ticks(duration, width)[:3] == some, duration


def test_a_tick_stands_at_its_moment() -> None:
    review = replace(review_of("demo-person"), duration=10.0, marks=(Mark(4.0, Sort.PLAN, "x"),))
    marks, *_, ruler = timeline_content(review, 9.9, 100, 4).plain.split("\n")
    assert marks.index("┃") == ruler.index("┴0:04")


def test_the_playhead_never_stands_in_a_time_of_the_ruler() -> None:
    review = RunReview(60.0, (), (), (), ())
    for head in range(80):
        ruler = timeline_content(review, moment_of(head, 60.0, 80), 80, FULL_LINES).plain.splitlines()[-1]
        assert ruler[head] == "▲"
        times = re.findall(r"┴(\S*)", ruler.replace("▲", " "))
        assert all(re.fullmatch(r"|\d+:\d\d(\.\d)?", one) for one in times), ruler
