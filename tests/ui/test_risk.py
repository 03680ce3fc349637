"""What decided the risk is marked, in the panel and on the very cells of the terminal where it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from textual.widgets import Static

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, Option, Subject
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.detection.examiner import Examiner
from copilot.screen import TerminalScreen
from copilot.tui.widgets.risk_text import marked, risk_places, short_risk
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import cockpit
from tests.ui.scenes import permission, risky, withdrawn, writing

COMMAND = "cat notes && rm -rf build dist && cat notes"
HIGH = Risk(RiskLevel.HIGH, ("deletes files",), "files.delete", "rm -rf build dist", COMMAND.index("rm"))


def asked(text: str = COMMAND, rows: Sequence[int] = (), **changes: object) -> Detection:
    return Detection(
        ScreenKind.PERMISSION,
        question="Run it?",
        options=(Option("Yes"),),
        evidence=tuple(range(6)),
        subject=Subject("shell", text, False, tuple(rows)),
        identity="p",
        **changes,  # type: ignore[arg-type]
    )


def cells_of(*rows: str, columns: int = 20) -> Callable[[int], Sequence[str]]:
    screen = TerminalScreen(columns, 12)
    screen.feed("\r\n".join(rows).encode())
    return lambda row: screen.visible_row(row).picture_of(columns).characters


def shown(places: Sequence[tuple[int, int, int]], cells: Callable[[int], Sequence[str]]) -> list[str]:
    return ["".join(cells(row)[start:end]) for row, start, end in places]


def test_it_is_found_over_the_rows_that_a_box_breaks_it_into() -> None:
    rows = ("╭──────────────────╮", "│ cat notes && rm  │", "│ -rf build dist   │", "│ && cat notes     │")
    cells = cells_of(*rows)
    places = risk_places(asked(), HIGH, cells)
    assert shown(places, cells) == ["rm", "-rf build dist"]


def test_it_is_found_where_the_terminal_itself_wraps_in_the_midst_of_a_word() -> None:
    cells = cells_of("Run it?", COMMAND, columns=22)
    assert shown(risk_places(asked(), HIGH, cells), cells) == ["rm -rf bu", "ild dist"]


def test_of_two_that_look_alike_it_is_the_one_that_was_judged() -> None:
    text = "ls a && ls /etc && ls a"
    risk = Risk(RiskLevel.HIGH, ("outside",), "path.outside", "ls a", text.rindex("ls a"))
    cells = cells_of(text, columns=40)
    assert risk_places(asked(text), risk, cells) == ((0, 19, 23),)
    assert risk_places(asked(text), replace(risk, start=None), cells) == (), "which one is not known"


def test_wide_characters_are_marked_whole() -> None:
    text = "cat 日本 && rm 語"
    risk = Risk(RiskLevel.HIGH, ("deletes",), "files.delete", "rm 語", text.index("rm"))
    cells = cells_of(text, columns=40)
    assert risk_places(asked(text), risk, cells) == ((0, 12, 17),)


def test_a_word_of_a_question_is_found_whatever_its_case() -> None:
    detection = Detection(ScreenKind.YES_NO, question="Overwrite it? [y/N]", evidence=(0,), identity="q")
    risk = Risk(RiskLevel.HIGH, ("needs a person",), "words.destroys", "overwrite")
    cells = cells_of("Overwrite it? [y/N]")
    assert shown(risk_places(detection, risk, cells), cells) == ["Overwrite"]
    assert marked("Overwrite it?", risk).plain == "Overwrite it?"


@pytest.mark.parametrize(
    ("detection", "risk"),
    [
        (asked(), replace(HIGH, level=RiskLevel.LOW)),
        (asked(), replace(HIGH, part="", start=None)),
        (asked("another command", rows=(0,)), HIGH),
        (replace(asked(), kind=ScreenKind.BUSY), HIGH),
    ],
)
def test_what_is_not_plain_or_no_danger_is_not_marked(detection: Detection, risk: Risk) -> None:
    assert risk_places(detection, risk, cells_of("nothing like it", columns=60)) == ()
    if risk.level is not RiskLevel.HIGH or not risk.part or not detection.asks:
        assert risk_places(detection, risk, cells_of(COMMAND, columns=60)) == ()


def test_only_the_rows_of_the_subject_count() -> None:
    """The same command in what the CLI said before is not the one that would be run."""
    cells = cells_of(COMMAND, COMMAND, columns=60)
    assert risk_places(asked(rows=(1,)), HIGH, cells) == ((1, 13, 30),)


def test_an_excerpt_keeps_the_part_in_sight_and_harmless() -> None:
    content = marked(
        "x" * 200 + " && rm -rf build\x1b[2J",
        Risk(RiskLevel.HIGH, (), "r", "rm -rf build\x1b[2J", 204),
        most=40,
    )
    assert content.plain.startswith("…") and "rm -rf build" in content.plain
    assert content.cell_length <= 40 and "\x1b" not in content.plain
    assert marked("a part of it", Risk(RiskLevel.HIGH, (), "r", "not in it"), most=40).plain == "not in it"


async def test_the_cockpit_marks_it_in_the_terminal_until_the_danger_is_gone() -> None:
    session = risky()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        for size in ((120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            lines = [terminal.render_line(y).crop(terminal.gutter_width) for y in range(terminal.size.height)]
            found = [one.text.strip() for line in lines for one in line if one.style and one.style.underline]
            assert " ".join(found) == "rm -rf build/cache dist", size
        session.show(detection=Detection(ScreenKind.BUSY), proposal=None, decision=None)
        await pilot.pause()
        assert not terminal.risky


async def test_the_command_of_the_dialog_is_marked_where_the_profile_reads_it() -> None:
    """The rows that a scene gives are those of the real reading, before and after a resize."""
    session = permission()
    async with cockpit(session, (80, 24)) as (_, screen):
        real = Examiner(load_profile("claude")).examine(session.screen.snapshot()).detection
        shown = session.view.detection
        assert real.subject is not None and shown.subject is not None and real.subject.rows
        assert (shown.evidence, shown.subject.rows) == (real.evidence, real.subject.rows)
        assert [piece.row for piece in screen.query_one(TerminalView).risky] == list(real.subject.rows)


@pytest.mark.parametrize("no_color", [True, False])
async def test_without_colours_the_most_dangerous_is_the_strongest(
    no_color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    async with cockpit(permission(), (120, 40)) as (_, screen):
        lines = screen.query_one("#reply-text", Static).render_line
        chips = [one for y in range(12) for one in lines(y) if "risk " in one.text and one.style]
        assert [bool(one.style and one.style.reverse) for one in chips] == [False, no_color], (
            "none, then high"
        )
        terminal = screen.query_one(TerminalView)
        line = terminal.render_line(terminal.risky[0].row)
        marks = [one.style for one in line if one.style and one.style.underline]
        assert {bool(one.reverse) for one in marks} == {no_color}


@pytest.mark.parametrize("scene", [withdrawn, writing])
def test_without_a_reply_decided_about_the_risk_is_that_of_a_yes(scene: Callable[[], FakeSession]) -> None:
    assert short_risk(scene().view).plain == "yes: ▆ risk high"
    assert short_risk(scene().view, brief=True).plain == "yes: ▆ high"
