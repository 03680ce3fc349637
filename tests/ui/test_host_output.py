"""Text whose width terminals dispute moves nothing that stands right of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from copilot.tui.host_app import with_columns_fixed
from tests.real.tmux import Tmux

FAMILY, FLAG, HEART, THUMB = "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "👍🏽"


@pytest.mark.parametrize(
    "data",
    [
        "\x1b[1;1Hplain",
        "\x1b[1;1Hgrößer │ ─╮ 漢字 👍 ✅",
        "\x1b[?2026h\x1b[2;3H\x1b[1;38;2;1;2;3mbold\x1b[0m",
        f"no place is known: {FAMILY}",
        f"\x1b]2;a title {FAMILY}\x07",
        f"\x1b[1;1H\x1b[3Bmoved {FAMILY}",
    ],
)
def test_what_is_sure_or_has_no_place_stays(data: str) -> None:
    assert with_columns_fixed(data) == data


def test_the_place_is_told_after_each() -> None:
    data = f"\x1b[2;5Hab\x1b[1m{THUMB}\x1b[0m{FLAG}c\x1b[3;1H漢{HEART}"
    expected = (
        f"\x1b[2;5Hab\x1b[1m  \x1b[7G{THUMB}\x1b[9G\x1b[0m  \x1b[9G{FLAG}\x1b[11Gc"
        f"\x1b[3;1H漢  \x1b[3G{HEART}\x1b[5G"
    )
    assert with_columns_fixed(data) == expected


@pytest.mark.parametrize("text", [FAMILY, FLAG, HEART, THUMB, "🫠", "1️⃣", "हिन्दी", "a👩‍🚀b", "é漢👍"])
def test_what_follows_stands_in_its_column_in_a_real_terminal(text: str, tmp_path: Path) -> None:
    """tmux 3.3 gives a family 8 cells, and a heart with its variation 1."""
    row = tmp_path / "row"
    row.write_text(
        with_columns_fixed(f"\x1b[2J\x1b[1;1H{text}{' ' * (20 - cell_len(text))}│"), encoding="utf-8"
    )
    with Tmux(["sh", "-c", f"cat {row}; sleep 60"], columns=40, lines=5) as terminal:
        terminal.screen_after("│", 20)
        assert terminal.asked("#{cursor_x}") == "21"
