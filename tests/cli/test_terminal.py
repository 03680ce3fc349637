"""What the front door asks of the terminal before it opens the cockpit."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from ptyprocess import PtyProcess

from copilot import cli
from copilot.core.settings import RunSettings


class FakeFrontDoor:
    """Streams that are a terminal of the wanted size, and a cockpit that only notes that it was opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: list[RunSettings] = []
        self.chosen: list[dict[str, object]] = []
        self._monkeypatch = monkeypatch
        self._controller, self._terminal = pty.openpty()
        self._reader = os.fdopen(os.dup(self._terminal), "r")
        self._writer = os.fdopen(os.dup(self._terminal), "w")

    def resize(self, columns: int, lines: int) -> None:
        """Put the streams in place (pytest puts its own there before each phase) at this size."""
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._monkeypatch.setattr(cli, "load", self._load)
        self._monkeypatch.setattr(sys, "stdin", self._reader)
        self._monkeypatch.setattr(sys, "stdout", self._writer)
        self._monkeypatch.setenv("TERM", "xterm-256color")

    def _load(self, target: str) -> object:
        if target == cli.START_SCREEN:
            return self._choose
        return self._open if target == cli.COCKPIT else lambda *_, **__: None

    def _choose(self, flags: dict[str, object]) -> int:
        self.chosen.append(flags)
        return 0

    def _open(self, settings: RunSettings) -> int:
        self.opened.append(settings)
        return 0

    def close(self) -> None:
        self._reader.close()
        self._writer.close()
        os.close(self._controller)
        os.close(self._terminal)


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeFrontDoor]:
    made = FakeFrontDoor(monkeypatch)
    yield made
    monkeypatch.undo()
    made.close()


def test_a_large_enough_terminal_opens_the_cockpit(door: FakeFrontDoor) -> None:
    door.resize(80, 24)
    assert cli.main(["--provider", "rules", "--", "sh"]) == 0
    assert len(door.opened) == 1


def test_without_a_cli_the_cockpit_opens_on_its_start_screen(door: FakeFrontDoor) -> None:
    door.resize(80, 24)
    assert cli.main(["--provider", "rules"]) == 0
    assert door.chosen == [{"provider": "rules"}]
    assert not door.opened


@pytest.mark.parametrize(("columns", "lines"), [(39, 24), (80, 11), (0, 0)])
def test_a_small_terminal_is_refused_with_its_size(
    door: FakeFrontDoor, columns: int, lines: int, capsys: pytest.CaptureFixture[str]
) -> None:
    door.resize(columns, lines)
    assert cli.main(["--provider", "rules", "--", "sh"]) == 2
    assert f"too small ({columns}x{lines})" in capsys.readouterr().err
    assert not door.opened


@pytest.mark.parametrize("term", ["", "dumb"])
def test_a_terminal_that_cannot_draw_is_refused(
    door: FakeFrontDoor, term: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    door.resize(80, 24)
    monkeypatch.setenv("TERM", term)
    assert cli.main(["--provider", "rules", "--", "sh"]) == 2
    assert "set TERM" in capsys.readouterr().err


def test_in_a_real_terminal_a_missing_cli_is_one_line(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "copilot", "--provider", "rules", "--", "no-such-cli"]
    child = PtyProcess.spawn(argv, dimensions=(24, 200), cwd=str(Path(cli.__file__).parents[1]))
    said = b""
    while True:
        try:
            said += child.read(4096)
        except EOFError:
            break
    assert child.wait() == 2
    assert said.count(b"\n") == 1
    assert b"no-such-cli" in said
