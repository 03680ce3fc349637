"""Kept screens and their labels on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import ScreenSnapshot
from copilot.errors import InputError
from copilot.recording.unknown_screens import (
    MOST_SCREENS,
    Label,
    UnknownScreens,
    label_screen,
    unknown_screens,
)
from copilot.redaction.redact import Redactor
from copilot.replay.detect import screen_at
from copilot.screen import TerminalScreen

KEY = "\r\n".join(
    ["-----BEGIN RSA PRIVATE KEY-----", *["QUJDREVGR0g" * 3] * 3, "-----END RSA PRIVATE KEY-----"]
)


def screen(text: str, columns: int = 40) -> ScreenSnapshot:
    terminal = TerminalScreen(columns, 12)
    terminal.feed(text.encode())
    return terminal.snapshot()


def keeper(folder: Path) -> UnknownScreens:
    return UnknownScreens(folder, lambda text: Redactor().redact(text).text)


def keep(screens: UnknownScreens, text: str) -> int:
    return screens.keep(screen(text), 1.0, {"note": "why"}, title="copilot: generic")


def test_a_screen_is_kept_once_also_when_its_clock_ticks(tmp_path: Path) -> None:
    screens = keeper(tmp_path)
    assert [keep(screens, text) for text in ("a 1s", "a 2s", "b", "a 30s")] == [1, 1, 2, 1]
    assert [one.number for one in unknown_screens(tmp_path)] == [1, 2]


def test_so_many_and_no_more(tmp_path: Path) -> None:
    screens = keeper(tmp_path)
    letters = "abcdefghij"
    texts = [f"{one}{two}" for one in letters for two in letters]
    assert [keep(screens, text) for text in texts][-2:] == [MOST_SCREENS, 0]
    assert len(unknown_screens(tmp_path)) == MOST_SCREENS


def test_a_secret_over_rows_is_not_kept(tmp_path: Path) -> None:
    keep(keeper(tmp_path), f"before\r\n{KEY}\r\nafter")
    (kept,) = unknown_screens(tmp_path)
    assert "QUJDREVG" not in kept.path.read_text("utf-8")
    lines = [line.rstrip() for line in screen_at(kept.cast(), 1.0).lines]
    assert lines[0] == "before" and "after" in lines


def test_a_label_is_stored_beside_and_can_be_changed(tmp_path: Path) -> None:
    keep(keeper(tmp_path), "what now")
    label_screen(tmp_path, 1, Label(ScreenKind.MENU))
    label_screen(tmp_path, 1, Label(ScreenKind.YES_NO, "what now", ("yes", "no")))
    (kept,) = unknown_screens(tmp_path)
    assert kept.label == Label(ScreenKind.YES_NO, "what now", ("yes", "no"))
    assert kept.evidence["note"] == "why"


@pytest.mark.parametrize(
    ("number", "kind", "said"),
    [
        (2, ScreenKind.MENU, "no unknown screen 2; it has 01"),
        (1, ScreenKind.UNKNOWN, "'unknown' says nothing"),
    ],
)
def test_what_cannot_be_labelled_is_told(tmp_path: Path, number: int, kind: ScreenKind, said: str) -> None:
    keep(keeper(tmp_path), "what now")
    with pytest.raises(InputError, match=said):
        label_screen(tmp_path, number, Label(kind))


@pytest.mark.parametrize("text", ["", "[]", '{"kind": "menue"}', '{"kind": "menu", "options": 3}'])
def test_a_label_that_somebody_broke_is_named(tmp_path: Path, text: str) -> None:
    keep(keeper(tmp_path), "what now")
    place = label_screen(tmp_path, 1, Label(ScreenKind.MENU))
    place.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"01\.label\.json"):
        unknown_screens(tmp_path)
