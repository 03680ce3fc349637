"""Themes: contrast of every built-in one, the next by a key and remembered, the terminal's own, the user's."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.color import ColorType
from rich.console import Console
from rich.style import Style as RichStyle

from copilot.core.snapshot import Colour, Style
from copilot.errors import InputError
from copilot.screen import TerminalScreen
from copilot.screen.theme import hex_contrast as contrast
from copilot.tui.options import UiOptions, options_from_environment
from copilot.tui.preferences import FILE_NAME, PreferenceKeeper, load
from copilot.tui.themes import (
    BUILT_IN,
    DARK,
    DARK_CELLS,
    LIGHT,
    TEXT_PAIRS,
    THEMES,
    AppTheme,
    load_themes,
    palette_of,
    theme_of,
)
from copilot.tui.widgets.overlays import Overlays
from copilot.tui.widgets.paint import StripPainter
from copilot.tui.widgets.terminal import TerminalView
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import busy, permission

_NAMES = "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"
_NORMAL = "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"
_BRIGHT = "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"
XTERM = {f"ansi_{name}": colour for name, colour in zip(_NAMES, _NORMAL, strict=True)} | {
    f"ansi_bright_{name}": colour for name, colour in zip(_NAMES, _BRIGHT, strict=True)
}
"""What the sixteen are in xterm without settings of its own; other terminals have softer ones."""


def shown(skin: AppTheme, name: str, *, behind: bool) -> str:
    """A colour of the theme as it is seen, in xterm where it is the terminal's."""
    value = {**skin.to_color_system().generate(), **skin.variables}[name]
    if value in ("ansi_default", "transparent"):
        return "#000000" if behind == skin.dark else "#ffffff"
    return XTERM.get(value, value)


@pytest.mark.parametrize("skin", BUILT_IN, ids=lambda skin: skin.word)
def test_contrast_is_at_least_4_5(skin: AppTheme) -> None:
    for text, ground in TEXT_PAIRS:
        front, behind = shown(skin, text, behind=False), shown(skin, ground, behind=True)
        assert contrast(front, behind) >= 4.5, (text, ground)


async def test_the_key_takes_the_next_theme_round_the_end_and_it_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    own = theme_of("mine", {"cockpit": {"background": "#000000"}}, "mine.toml")
    options = UiOptions(themes={**THEMES, "mine": own})
    async with cockpit(busy(), options=options, preferences=PreferenceKeeper(path)) as (pilot, _):
        for name in ("light", "ansi-dark", "ansi-light", "mine", "dark", "light"):
            await pilot.press(LEADER, "t")
            assert pilot.app.theme == load(path).theme == f"copilot-{name}"
    async with cockpit(busy(), options=options, preferences=PreferenceKeeper(path)) as (pilot, _):
        assert pilot.app.theme == "copilot-light"
    asked_for = UiOptions(theme="dark")
    async with cockpit(busy(), options=asked_for, preferences=PreferenceKeeper(path)) as (pilot, _):
        assert pilot.app.theme == "copilot-dark"


def test_a_remembered_theme_that_is_gone_gives_the_likely_one() -> None:
    assert UiOptions(likely_theme="light").initial_theme("copilot-gone").word == "light"


GREYS = ("#949494", "#999999", "#afafaf", "#ffffff", "#5f87ff", "#d77757")
"""Colours that programs write on a dark ground."""


def test_the_programs_text_can_be_read_on_a_light_ground_and_marked_as_evidence() -> None:
    painter = StripPainter(palette_of(LIGHT))
    overlays = Overlays(painter, {**LIGHT.to_color_system().generate(), **LIGHT.variables}, no_color=False)
    colours: tuple[Colour, ...] = (*GREYS, "default", *range(16))
    for colour, (dim, least) in product(colours, ((False, 4.5), (True, 3.0))):
        plain = painter.rich_style(Style(colour, "default", dim=dim))
        marked = overlays.evidence._change(plain)
        assert marked.bgcolor == RichColor.parse(LIGHT.variables["evidence"])
        for look in (plain, marked):
            assert look.color is not None and look.bgcolor is not None
            seen = contrast(look.color.get_truecolor().hex, look.bgcolor.get_truecolor().hex)
            assert seen >= least, (colour, dim)


def test_what_is_concealed_stays_so() -> None:
    for dim in (False, True):
        look = StripPainter(palette_of(LIGHT)).rich_style(Style("#949494", "default", conceal=True, dim=dim))
        assert look.color == look.bgcolor


# The terminal's own colours


async def test_an_ansi_theme_uses_no_colour_but_the_terminals() -> None:
    async with cockpit(permission(), (120, 40), theme="ansi-dark") as (pilot, screen):
        for word in ("ansi-dark", "ansi-light"):
            pilot.app.theme = THEMES[word].name
            await pilot.pause()
            strips = screen._compositor.render_strips()[screen.query_one(TerminalView).region.bottom :]
            styles = [segment.style or RichStyle() for strip in strips for segment in strip]
            colours = [colour for style in styles for colour in (style.color, style.bgcolor)]
            kinds = {colour.type for colour in colours if colour is not None}
            assert kinds == {ColorType.DEFAULT, ColorType.STANDARD}, word


def test_cells_keep_the_terminals_colours() -> None:
    painter = StripPainter(palette_of(THEMES["ansi-dark"]))
    look = painter.rich_style(Style(3, "default", reverse=True))
    assert look.color is not None
    assert look.bgcolor is not None
    assert (look.color.number, look.bgcolor.type, look.reverse) == (3, ColorType.DEFAULT, True)
    screen = TerminalScreen(4, 1)
    screen.feed(b"\x1b[31mred")
    picture = screen.visible_row(0).picture_of(4)
    assert "\x1b[0;31;49m" in painter.strip(picture, painter.runs(picture)).render(Console())


def test_the_cursor_is_seen_on_a_reversed_cell() -> None:
    painter = StripPainter(palette_of(THEMES["ansi-dark"]))
    variables = {**THEMES["ansi-dark"].to_color_system().generate(), **THEMES["ansi-dark"].variables}
    overlays = Overlays(painter, variables, no_color=False)
    for reverse in (False, True):
        cell = painter.rich_style(Style("default", "default", reverse=reverse))
        assert overlays.cursor_block._change(cell).reverse is not bool(cell.reverse)


# The user's


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    (folder / "themes").mkdir(exist_ok=True)
    path = folder / "themes" / name
    path.write_text(text, "utf-8")
    return path


def test_a_file_makes_a_theme(tmp_path: Path) -> None:
    sixteen = [f"#{number:02x}4455" for number in range(16)]
    written(
        tmp_path,
        'base = "light"\n[cockpit]\nbackground = "#FDF6E3"\nrule = "#e0d8c0"\n'
        f"[terminal]\ncolours = {sixteen}\n",
    )
    (skin,) = load_themes(tmp_path)
    assert (skin.word, skin.name, skin.dark, skin.background) == ("mine", "copilot-mine", False, "#fdf6e3")
    assert skin.variables["ground"] == "#e0d8c0"
    assert skin.palette.background == "#fdf6e3"
    assert skin.palette.ansi == tuple(sixteen)
    options = options_from_environment({"COPILOT_THEME": "mine"}, tmp_path)
    assert options.initial_theme("copilot-dark") == skin


async def test_it_is_drawn(tmp_path: Path) -> None:
    written(tmp_path, '[cockpit]\nbackground = "#102030"\n')
    options = options_from_environment({"COPILOT_THEME": "mine"}, tmp_path)
    session = busy()
    async with cockpit(session, options=options) as (pilot, _):
        assert pilot.app.current_theme.background == "#102030"
        assert session.screen.theme.background == (0x10, 0x20, 0x30)


def test_without_a_folder_there_are_the_built_in_ones(tmp_path: Path) -> None:
    assert list(options_from_environment({}, tmp_path).themes) == ["dark", "light", "ansi-dark", "ansi-light"]
    assert palette_of(DARK) == DARK_CELLS


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("base = ", "not TOML"),
        ('base = "blue"', "base: use dark or light"),
        ('colors = "red"', "'colors' is no key of a theme"),
        ('[cockpit]\nwarnning = "#000000"', "[cockpit] warnning: no such colour; did you mean 'warning'"),
        ('[cockpit]\nwarning = "orange"', "[cockpit] warning: 'orange' is no colour"),
        ('cockpit = "dark"', "cockpit: write it as a table"),
        ('terminal = "dark"', "terminal: write it as a table"),
        ('[cockpit]\nwarning = "#101820"', "[cockpit] warning: its contrast to background is 1."),
        ('[terminal]\nforeground = "#0d1117"', "[terminal] foreground: too near"),
        ('[terminal]\ncolours = ["#000000"]', "[terminal] colours: give sixteen"),
        (f"[terminal]\ncolours = {['#000000'] * 15 + [7]}", "[terminal] colours: number 15: 7 is no colour"),
        ("\udcff", "line 1: is not UTF-8"),
    ],
)
def test_a_faulty_file_is_refused_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, "")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as refused:
        options_from_environment({}, tmp_path)
    told = str(refused.value)
    assert told.startswith(str(path))
    assert says in told
    assert "\n" not in told


@pytest.mark.parametrize("name", ["dark.toml", "ansi.toml", "auto.toml", "Mine.toml", "a b.toml"])
def test_a_name_that_means_something_else_is_refused(tmp_path: Path, name: str) -> None:
    written(tmp_path, "", name)
    with pytest.raises(InputError, match="cannot name a theme"):
        load_themes(tmp_path)
