"""The pure parts of the cockpit: layout, words, marks, pacing, painting, options, keymap, themes."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from rich.console import Console
from rich.style import Style as RichStyle
from textual.strip import Strip

from copilot.core.detection import Detection, Option
from copilot.core.reply import Proposal, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import Style
from copilot.core.states import RunState
from copilot.engine.view import SessionView
from copilot.errors import InputError
from copilot.screen import TerminalScreen
from copilot.screen.rows import Picture, Row
from copilot.screen.styles import DEFAULT
from copilot.screen.theme import hex_contrast as contrast
from copilot.tui.describe import badge, elapsed, money, title_line
from copilot.tui.keymap import ACTIONS, Place
from copilot.tui.layout import Form, layout_for, terminal_size
from copilot.tui.model import CockpitModel
from copilot.tui.options import UiOptions, options_from_environment
from copilot.tui.themes import PALETTES, THEMES
from copilot.tui.widgets.detector_panel import row_of_label
from copilot.tui.widgets.key_bar import fitting, hints_for
from copilot.tui.widgets.looking_back import TextSelection
from copilot.tui.widgets.overlays import Overlays
from copilot.tui.widgets.pacing import LONGEST_HOLD_SECONDS, FramePacer
from copilot.tui.widgets.paint import Overlay, StripPainter, laid_over, resolve, rgb
from copilot.tui.widgets.reply_panel import readable_stream
from tests.ui.harness import app_on, cockpit
from tests.ui.scenes import SCENES

DOCS = Path(__file__).resolve().parents[2] / "docs" / "tui.md"


FORMS = {
    Form.COMPACT: ((80, 24), (40, 12)),
    Form.TALL: ((120, 40),),
    Form.WIDE: ((200, 60), (140, 24), (250, 80)),
    Form.TOO_SMALL: ((39, 12), (40, 11)),
}


def test_layout() -> None:
    for form, sizes in FORMS.items():
        assert {layout_for(*size).form for size in sizes} == {form}


def test_terminal_keeps_most_of_the_window() -> None:
    for columns in range(40, 251, 7):
        for lines in range(12, 81, 3):
            width, height = terminal_size(columns, lines)
            assert width * 10 >= columns * 6, (columns, lines)
            assert height * 10 >= lines * 6, (columns, lines)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (140, 30), (60, 18)])
async def test_child_gets_its_size_once_and_right(size: tuple[int, int]) -> None:
    session = SCENES["busy"]()
    session.screen.resize(*terminal_size(*size))
    async with app_on(session).run_test(size=size) as pilot:
        await pilot.pause(0.1)
        assert session.sizes == []
        await pilot.resize_terminal(100, 34)
        await pilot.pause(0.2)
        assert session.sizes[-1] == terminal_size(100, 34)


async def test_no_state_of_the_session_resizes_the_child() -> None:
    session = SCENES["busy"]()
    session.screen.resize(*terminal_size(80, 24))
    async with app_on(session).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for scene in ("permission", "countdown", "question", "stale", "completed"):
            session.view = SCENES[scene]().view
            session.show()
            await pilot.pause()
        await pilot.press("ctrl+right_square_bracket", "p")
        await pilot.pause(0.1)
        assert session.sizes == []


def test_badges() -> None:
    for scene, word in {
        "busy": "● BUSY",
        "permission": "▲ HELD",
        "countdown": "▶ SENDING",
        "writing": "◌ THINKING",
        "completed": "✓ DONE",
        "password": "▲ YOUR TURN",
    }.items():
        session = SCENES[scene]()
        model = CockpitModel()
        model.update(session.view, 70.0)
        state = badge(model, session.now)
        assert f"{state.shape} {state.word}" == word, scene


def test_each_state_has_its_own_word_and_shape() -> None:
    for state in RunState:
        for kind in ScreenKind:
            model = CockpitModel()
            model.update(SessionView(state=state, detection=Detection(kind)), 0.0)
            shown = badge(model, 1.0)
            assert shown.word and len(shown.shape) == 1


def test_busy_time_counts_from_its_beginning() -> None:
    model = CockpitModel()
    model.update(SessionView(state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY)), 10.0)
    model.update(SessionView(state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY), steps=1), 20.0)
    assert badge(model, 75.0).detail == "1:05"


def test_title_says_who_needs_what() -> None:
    model = CockpitModel()
    model.update(SCENES["permission"]().view, 0.0)
    assert title_line(model, 1.0) == "▲ held permission · claude · copilot"


def test_elapsed_time_and_money_which_never_calls_the_unknown_free() -> None:
    assert [elapsed(seconds) for seconds in (0, 67.9, 3723, -1)] == ["0:00", "1:07", "1:02:03", "0:00"]
    costs = None, 0.0, 0.0142, 1.5
    assert [money(cost) for cost in costs] == ["cost unknown", "$0.00", "$0.0142", "$1.50"]


ROWS = [
    "Do you want to proceed?",
    "❯ 1. Yes",
    "  2. Yes, and always allow",
    "  3. No",
    "│ 4) Other  │",
    "[x] tick me",
]


def test_row_of_a_label_is_exact_or_none() -> None:
    labels = "Yes", "Yes, and always allow", "No", "Other", "tick me", "always", "to"
    rows = [row_of_label(label, range(len(ROWS)), lambda y: ROWS[y]) for label in labels]
    assert rows == [1, 2, 3, 4, 5, None, None]


def test_row_of_a_label_that_stands_twice_is_not_guessed() -> None:
    assert row_of_label("Yes", range(2), lambda y: "1. Yes") is None


def test_pacing_paints_at_once_then_at_the_cap() -> None:
    pacer = FramePacer()
    assert pacer.wait(10.0, synchronized=False) == 0.0
    pacer.painted(10.0)
    assert pacer.wait(10.01, synchronized=False) == pytest.approx(1 / 30 - 0.01)
    assert pacer.wait(10.1, synchronized=False) == 0.0


def test_pacing_holds_a_synchronized_update_but_not_for_long() -> None:
    pacer = FramePacer()
    assert pacer.wait(5.0, synchronized=True) == pytest.approx(LONGEST_HOLD_SECONDS)
    assert pacer.wait(5.1, synchronized=True) == pytest.approx(0.05)
    assert pacer.wait(5.16, synchronized=True) == 0.0
    assert pacer.wait(5.17, synchronized=False) == 0.0


def _row(data: bytes, columns: int = 20) -> Picture:
    screen = TerminalScreen(columns, 2)
    screen.feed(data)
    return screen.visible_row(0).picture_of(columns)


def test_strip_has_the_text_and_the_width_of_its_row() -> None:
    painter = StripPainter(PALETTES["copilot-dark"])
    for text in ("plain", "\x1b[31mred\x1b[0m x", "漢字 wide", "👨‍👩‍👧 ❤️ ok", "e\u0301 combining"):
        picture = _row(text.encode())
        strip = painter.strip(picture, painter.runs(picture))
        assert strip.cell_length == 20
        assert sum(segment.cell_length for segment in strip) == 20
        assert strip.text.rstrip() == re.sub("\x1b\\[[0-9]*m", "", text)


def test_cells_with_controls_do_not_reach_the_terminal() -> None:
    painter = StripPainter(PALETTES["copilot-dark"])
    row = Row(["\x1b", "\x9b", "a", "\u202e", "\xad"], [DEFAULT] * 5)
    picture = row.picture_of(5)
    strip = painter.strip(picture, painter.runs(picture))
    assert strip.text == "��a-"
    assert strip.render(Console()).endswith("m��a-\x1b[0m")


def test_concealed_text_is_not_shown_and_colours_are_the_palette_s() -> None:
    painter = StripPainter(PALETTES["copilot-light"])
    hidden = painter.rich_style(Style(conceal=True))
    assert hidden.color == hidden.bgcolor
    assert rgb(1, "", painter.palette.ansi) == PALETTES["copilot-light"].ansi[1]
    assert rgb(16 + 36 * 5, "", painter.palette.ansi) == "#ff0000"
    assert rgb(255, "", painter.palette.ansi) == "#eeeeee"


def test_text_that_could_not_be_read_is_drawn_stronger() -> None:
    painter = StripPainter(PALETTES["copilot-light"])
    white = painter.rich_style(Style(foreground="#ffffff"))
    assert white.color is not None
    assert contrast(white.color.get_truecolor().hex, PALETTES["copilot-light"].background) >= 2.2


def test_cursor_is_laid_over_the_strip() -> None:
    painter = StripPainter(PALETTES["copilot-dark"])
    picture = _row("漢字 abc".encode())
    runs = painter.runs(picture)
    strip = painter.strip(picture, runs)
    reverse = Overlay(painter, lambda own: own + RichStyle(reverse=True))
    drawn = painter.strip(picture, laid_over(runs, 2, 4, reverse))
    assert (drawn.text, drawn.cell_length) == (strip.text, strip.cell_length)
    assert [segment.text for segment in drawn if segment.style and segment.style.reverse] == ["字"]


def test_a_row_strip_is_a_strip_in_all_else() -> None:
    painter = StripPainter(PALETTES["copilot-dark"])
    picture = _row("\x1b[31mred\x1b[0m 漢字".encode())
    strip = painter.strip(picture, painter.runs(picture), (" ", painter.default))
    plain = Strip(list(strip), strip.cell_length)
    assert strip == plain and strip.cell_length == 21
    assert [part.text for part in strip.divide([3, 6, 21])] == [
        part.text for part in plain.divide([3, 6, 21])
    ]
    assert strip.divide([21])[0] is strip
    assert strip.crop(2, 9).text == plain.crop(2, 9).text
    assert _seen(strip.render(Console())) == _seen(plain.render(Console(color_system="truecolor")))


def _seen(ansi: str) -> list[tuple[str, str, str]]:
    """What a terminal makes of it."""
    screen = TerminalScreen(30, 1)
    screen.feed(ansi.encode())
    return [(cell.text, str(cell.foreground), str(cell.background)) for cell in screen.snapshot().rows[0]]


def test_selection_spans_and_text() -> None:
    selection = TextSelection()
    selection.start(1, 3)
    assert not selection.there
    selection.extend(0, 2)
    assert [selection.span(line, 5) for line in range(3)] == [(2, 5), (0, 4), None]
    assert selection.text([list("abcd "), list("efghi"), list("x")]) == "cd\nefgh"


def test_options() -> None:
    for variable, value, options in (
        ("HOME", "", UiOptions("ctrl+]", "auto")),
        ("COPILOT_LEADER", "F12", UiOptions("f12", "auto")),
        ("COPILOT_THEME", "light", UiOptions("ctrl+]", "light")),
        ("COLORFGBG", "0;15", UiOptions("ctrl+]", "auto", likely_theme="light")),
        ("COPILOT_THEME", "ansi", UiOptions("ctrl+]", "ansi-dark")),
    ):
        assert options_from_environment({variable: value}) == options, (variable, value)


def test_bad_options_name_themselves_and_the_fix() -> None:
    bad = {"COPILOT_LEADER": ("ctrl+m", "x", "ctrl+c", "f99"), "COPILOT_THEME": ("blue",)}
    for name, value in ((name, value) for name, values in bad.items() for value in values):
        with pytest.raises(InputError, match=f"{name}.*use"):
            options_from_environment({name: value})


def test_leader_names() -> None:
    for leader, key, label in (
        ("ctrl+]", "ctrl+right_square_bracket", "^]"),
        ("f12", "f12", "F12"),
        ("ctrl+g", "ctrl+g", "^G"),
        ("ctrl+space", "ctrl+at", "^Space"),
        ("ctrl+\\", "ctrl+backslash", "^\\"),
    ):
        assert (UiOptions(leader).leader_key, UiOptions(leader).leader_label) == (key, label)


def test_stream_is_readable_while_it_comes() -> None:
    assert readable_stream("plain words") == "plain words"
    assert readable_stream('{"cho') == "…"
    assert readable_stream('{"choice": "No", "reason": "it \\"is') == 'choice: No\nreason: it "is'


def test_mark_and_reply_to_send() -> None:
    options = (Option("Yes", "1", selected=True), Option("No", "2"))
    detection = Detection(ScreenKind.PERMISSION, options=options, identity="x")
    model = CockpitModel()
    model.update(SessionView(detection=detection), 0.0)
    assert model.reply_to_send(from_panel=False) is None
    assert model.reply_to_send(from_panel=True) == Reply(choice="Yes")
    proposal = Proposal(Reply(choice="No", text="because"))
    model.update(SessionView(detection=detection, proposal=proposal), 0.0)
    assert model.reply_to_send(from_panel=False) == proposal.reply
    model.move_mark(1)
    assert model.marked_index() == 1
    model.move_mark(-1)
    assert model.reply_to_send(from_panel=False) == Reply(choice="Yes")
    model.update(SessionView(detection=Detection(ScreenKind.MENU, options=options, identity="y")), 0.0)
    assert model.chosen is None


def test_footer_offers_the_way_to_all_else_at_every_width() -> None:
    for room in range(10, 200):
        for place in (Place.TERMINAL, Place.LEADER, Place.REPLY):
            assert "help" in [hint.action for hint in fitting(hints_for(place, prompt=True), room)]


def test_each_action_has_words() -> None:
    for action in ACTIONS:
        assert action.help.endswith(".") and len(action.help) < 90, action.id
        assert action.label or not action.footer


OURS = [name for name, palette in PALETTES.items() if not palette.native]
"""Themes whose colours we know."""


def test_matches_can_be_read() -> None:
    for theme in (theme for theme in THEMES.values() if theme.name in OURS):
        painter = StripPainter(PALETTES[theme.name])
        colours = {**theme.to_color_system().generate(), **theme.variables}
        overlays = Overlays(painter, colours, no_color=False)
        for overlay in (overlays.match, overlays.current_match, overlays.cursor_block):
            look = overlay.over(painter.default).rich
            assert look.color is not None and look.bgcolor is not None
            seen = contrast(look.color.get_truecolor().hex, look.bgcolor.get_truecolor().hex)
            assert seen >= 4.5, theme.word


def test_palettes_can_be_read() -> None:
    for name in OURS:
        palette = PALETTES[name]
        assert contrast(palette.foreground, palette.background) >= 7
        for number, colour in enumerate(palette.ansi):
            assert number in (0, 8) or contrast(colour, palette.background) >= 4.5, (name, number)
        for front, behind in product(("default", *range(16)), range(16)):
            text, ground = resolve(Style(front, behind), palette)
            readable = text == ground if front == behind else contrast(text, ground) >= 3
            assert readable, (name, front, behind)


def test_a_faint_edge_of_blocks_stays_faint() -> None:
    screen = TerminalScreen(6, 1)
    screen.feed("\x1b[38;2;20;27;34m▄▄\x1b[Cab".encode())
    painter = StripPainter(PALETTES["copilot-dark"])
    picture = screen.visible_row(0).picture_of(6)
    shown = painter.strip(picture, painter.runs(picture)).render(Console())
    edge, text = shown.index("38;2;20;27;34"), shown.index("ab")
    assert edge < shown.index("▄▄") < text
    assert "38;2;20;27;34" not in shown[shown.index("▄▄") : text]


def test_colours_that_a_program_chose_itself_stay() -> None:
    palette = PALETTES["copilot-dark"]
    assert resolve(Style("#333333", "#222222"), palette) == ("#333333", "#222222")
    assert resolve(Style(236, 235), palette) == ("#303030", "#262626")


async def test_notes_from_outside_are_harmless() -> None:
    session = SCENES["busy"]()
    async with cockpit(session) as (pilot, screen):
        assert session.listener is not None
        session.listener.on_note("bad \x1b]52;c;eA==\x07 [red]note[/]")
        await pilot.pause()
        shown = str(screen.query_one("#status").render())
        assert "\x1b" not in shown and "[red]note[/]" in shown


async def test_every_note_of_a_start_is_shown_one_after_the_other() -> None:
    session = SCENES["busy"]()
    async with cockpit(session, size=(160, 30)) as (pilot, screen):
        assert session.listener is not None
        for note in ("keys kept back: OPENAI_API_KEY", "replies come from nobody", "profile is unverified"):
            session.listener.on_note(note)
        seen = []
        for _ in range(4):
            await pilot.pause()
            seen.append(screen.panels.status.note)
            screen.notes.expire()
        assert seen == [
            "keys kept back: OPENAI_API_KEY",
            "replies come from nobody",
            "profile is unverified",
            "",
        ]
        session.listener.on_note("replies come from nobody")
        await pilot.pause()
        screen.notes.show("nothing opens here")
        assert screen.panels.status.note == "nothing opens here", "what answers a key is shown at once"


async def test_bell_and_title_once_for_each_prompt() -> None:
    session = SCENES["busy"]()
    app = app_on(session)
    rings: list[int] = []
    app.bell = lambda: rings.append(1)  # type: ignore[method-assign]
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for _ in range(2):
            session.view = SCENES["permission"]().view
            session.show(steps=_)
            await pilot.pause()
        assert len(rings) == 1
        session.view = SCENES["question"]().view
        session.show()
        await pilot.pause()
        assert len(rings) == 2


async def test_all_panels_show_the_same_moment() -> None:
    session = SCENES["writing"]()
    async with cockpit(session, (80, 24)) as (pilot, screen):
        for size in ((80, 24), (120, 40), (160, 45)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            for scene, word, other in (("writing", "THINKING", "HELD"), ("permission", "HELD", "THINKING")):
                session.view = SCENES[scene]().view
                session.show()
                await pilot.pause()
                shown = "\n".join(strip.text for strip in screen._compositor.render_strips())
                assert word in shown and other not in shown, size


async def test_empty_reply_is_said_to_be_enter_alone() -> None:
    session = SCENES["question"]()
    session.show(proposal=Proposal(Reply(text="")))
    async with cockpit(session, (120, 40)) as (_, screen):
        assert "Enter alone" in "".join(strip.text for strip in screen._compositor.render_strips())
