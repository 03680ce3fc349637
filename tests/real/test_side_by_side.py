"""Each program shows the same in bare tmux, in our emulated screen, and in the cockpit."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.real.cells import Picture, read_rows
from tests.real.compare import emulated_differences, painted_differences
from tests.real.side_by_side import run
from tests.real.side_by_side_programs import ALL, scene
from tests.real.side_by_side_steps import Absent

PICTURES = "SIDE_BY_SIDE_PICTURES"
"""A folder for the pictures of what differs; else they lie in the test's own."""


KNOWN = {
    "top": "tmux erases nothing by CSI K while a wrap is pending",
    "python": "tmux shows one blank row below the prompt after shrinking; not explained",
}


def _programs() -> list[object]:
    def marks(name: str) -> list[pytest.MarkDecorator]:
        return [pytest.mark.xfail(reason=KNOWN[name], strict=name == "top")] if name in KNOWN else []

    return [pytest.param(name, marks=marks(name)) for name in ALL]


@pytest.mark.real_cli
@pytest.mark.timeout(400)
@pytest.mark.usefixtures("tmux_needed")
@pytest.mark.parametrize("name", _programs())
def test_it_looks_the_same(name: str, tmp_path: Path) -> None:
    files, pieces = tmp_path / "files", tmp_path / "pieces"
    files.mkdir()
    pieces.mkdir()
    folder = Path(os.environ.get(PICTURES, tmp_path / "pictures"))
    with ExitStack() as stack:
        try:
            on = scene(name, files, stack)
        except Absent as reason:
            pytest.skip(str(reason))
        for result in run(on, pieces):
            if not result.same:
                result.save(folder, name)
            assert result.same, f"{result.report(name)}\npictures: {folder}"


def _picture(captured: str) -> Picture:
    return Picture(6, read_rows(captured), (0, 5))


@pytest.mark.parametrize(
    "other",
    [
        "abC\x1b[31md\x1b[0m",
        "abc\x1b[32md\x1b[0m",
        "abc\x1b[1;31md\x1b[0m",
        "abc\x1b[31md\x1b[0m\x1b[44m \x1b[0m",
        "abc\x1b[4;31md\x1b[0m",
        "abc\x1b[31md\x1b[0mx",
        "",
    ],
)
def test_any_difference_is_seen(other: str) -> None:
    one = _picture("abc\x1b[31md\x1b[0m")
    assert not emulated_differences(one, one)
    assert emulated_differences(one, _picture(other))


def test_what_tmux_prints_is_read() -> None:
    captured = "a\u6f22e\u0301\x1b[1;38;5;208mB\x1b[0;48;2;1;2;3m \x1b[0m\x0eq\x0f\n\x1b[4:3mu\nv\x1b[0m"
    first, second, third = read_rows(captured)
    assert [(glyph.text, glyph.width) for glyph in first[:3]] == [("a", 1), ("\u6f22", 2), ("e\u0301", 1)]
    assert first[3].style.bold
    assert first[3].style.foreground == 208
    assert first[4].style.background == "#010203"
    assert first[5].text == "─"
    assert second[0].style.underline
    assert third[0].style.underline


def test_the_cursor_must_be_painted_where_it_is() -> None:
    bare = Picture(3, read_rows("abc"), (0, 1))
    plain = "\x1b[38;2;217;223;231m\x1b[48;2;13;17;23m"
    block = "\x1b[38;2;13;17;23m\x1b[48;2;217;223;231m"
    right = Picture(3, read_rows(f"{plain}a{block}b{plain}c"), None)
    assert not painted_differences(bare, right, 2)
    assert painted_differences(bare, right, 6)
    assert painted_differences(bare, Picture(3, read_rows(f"{plain}abc"), None), 2)
    assert painted_differences(bare, Picture(3, read_rows(f"{plain}ab{block}c"), None), 2)
