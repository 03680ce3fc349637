"""Options and replies in the reply panel: rows that run on, and of many options those round the mark."""

from __future__ import annotations

from itertools import product

import pytest
from rich.cells import cell_len
from textual.content import Content

from copilot.core.detection import Detection, Option
from copilot.core.reply import Proposal, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.view import SessionView
from copilot.tui.model import CockpitModel
from copilot.tui.text import cut_to, hanging, noted
from copilot.tui.widgets.reply_panel import Room, reply_content
from tests.ui.scenes import SCENES

LONG = "Yes, and always allow access to the whole build folder from this project"


def _panel(labels: tuple[str, ...], room: Room, proposed: Reply | None = None) -> list[str]:
    options = tuple(Option(label, str(number)) for number, label in enumerate(labels, 1))
    detection = Detection(ScreenKind.MENU, question="Which one?", options=options, identity="p")
    model = CockpitModel()
    proposal = None if proposed is None else Proposal(proposed, provider="rules")
    model.update(SessionView(detection=detection, proposal=proposal), 0.0)
    return reply_content(model, room).plain.splitlines()


def test_a_label_that_runs_on_goes_on_where_it_began() -> None:
    rows = _panel(("Yes", LONG, "No"), Room(40, 20), Reply(choice="No"))
    at = next(index for index, row in enumerate(rows) if "Yes, and" in row)
    column = rows[at].index("Yes, and")
    assert rows[at + 1][:column].strip() == ""
    assert rows[at + 1][column] != " "
    whole = " ".join(row.strip() for row in rows[at : at + 3])
    assert whole == f"2 {LONG}"
    assert rows[at + 3].split() == ["▸", "3", "No", "◆", "proposed"]


def test_where_there_is_no_room_labels_are_cut_and_their_place_among_all_is_told() -> None:
    labels = tuple(f"choice {number} of a long list of things" for number in range(1, 10))
    rows = _panel(labels, Room(40, 9), Reply(choice=labels[6]))
    shown = [row for row in rows if "choice" in row]
    assert 2 <= len(shown) < 9
    assert any("▸ 7" in row for row in shown)
    first, last = shown[0].split()[0], shown[-1].split()[0]
    assert f"   {first}-{last} of 9" in rows
    assert len(rows) <= 9


def test_each_row_of_a_reply_has_its_bar() -> None:
    detection = Detection(ScreenKind.QUESTION, question="Which one?", identity="p")
    model = CockpitModel()
    text = "Use SQLite for now and keep the access behind one module\nso that we can change it."
    proposal = Proposal(Reply(text=text), provider="rules")
    model.update(SessionView(detection=detection, proposal=proposal), 0.0)
    rows = reply_content(model, Room(30, 20)).plain.splitlines()
    bars = [row for row in rows if row.startswith("┃ ")]
    assert " ".join(row[2:] for row in bars) == text.replace("\n", " ")
    assert max(map(len, bars)) <= 30


def test_no_row_is_wider_than_it_may_be() -> None:
    texts = "one two three four five six", "数据库数据库数据库数据库", "x" * 50, ""
    for text, width in product(texts, (1, 12, 20, 60)):
        rows = hanging(Content("  1 "), Content(text), width).plain.split("\n")
        assert all(cell_len(row) <= max(width, 12) for row in rows), (text, width)
        assert all(row.startswith("    ") for row in rows[1:]), (text, width)
        assert "".join(row[4:] for row in rows).replace(" ", "") == text.replace(" ", ""), (text, width)


def test_a_note_goes_on_below_its_text_and_its_tail_is_not_torn() -> None:
    head, tail = "▲ your turn  ", " (model 62%)"
    text = "one two three four five six seven eight nine ten eleven"
    for width in (20, 30, 48, 76):
        rows = noted(Content(head), Content(text), width, Content(tail)).plain.split("\n")
        assert all(cell_len(row) <= width for row in rows), width
        step = len(head) if len(head) <= width * 0.4 else 2
        assert all(row.startswith(" " * step) and row[step] != " " for row in rows[1:]), width
        assert tail.strip() in rows[-1], width
        assert " ".join(" ".join(rows).split()) == " ".join(f"{head}{text}{tail}".split()), width


def test_what_is_cut_says_so_on_its_last_row() -> None:
    rows = Content("one two\nthree four\nfive")
    assert cut_to(rows, 3, 10).plain == rows.plain
    assert cut_to(rows, 2, 12).plain == "one two\nthree four …"
    assert cut_to(rows, 2, 10).plain == "one two\nthree fou…"


@pytest.mark.parametrize("scene", ["permission", "question", "risky"])
def test_the_notes_of_a_reply_never_begin_at_the_edge_again(scene: str) -> None:
    model = CockpitModel()
    model.panel_keys = {"allow": "u"}
    model.update(SCENES[scene]().view, 0.0)
    model.may_allow = scene == "risky"
    for width in (40, 46, 60, 76):
        rows = reply_content(model, Room(width, 40, focused=True, asked=False)).plain.splitlines()
        notes = rows[next(index for index, row in enumerate(rows) if "risk" in row) :]
        assert all(row[0] in " ▁▂▄▆█▲≡" and cell_len(row) <= width for row in notes if row), width
        assert any("(claude-sonnet-4-5" in row and row.endswith(")") for row in notes), width
        assert scene != "risky" or any("u allows exactly this" in row for row in notes), width
