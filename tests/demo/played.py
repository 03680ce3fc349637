"""The simulated CLI in a real terminal, seen through our own emulator and detectors."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from pathlib import Path
from typing import Any

from ptyprocess import PtyProcess

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection
from copilot.core.screen_kinds import ScreenKind
from copilot.detection import Examiner
from copilot.engine.reader import ScreenReader
from copilot.screen import TerminalScreen

_END_SECONDS = 50.0
"""A flood of megabytes is read through on a busy machine too."""
PATIENCE_SECONDS = 8.0


class Played:
    """One run of the simulated CLI at high speed; use as a context manager."""

    def __init__(self, folder: Path, *options: str, columns: int = 100, lines: int = 30) -> None:
        self.folder = folder
        self.journal_path = folder.parent / "journal.jsonl"
        self.screen = TerminalScreen(columns, lines)
        self.reader = ScreenReader(self.screen, Examiner(load_profile("demo")))
        self.seen: list[Detection] = []
        argv = [sys.executable, "-P", "-m", "copilot.demo.simulated_cli", "--speed", "30"]
        self.child = PtyProcess.spawn(
            [*argv, "--journal", str(self.journal_path), *options, "Greet the visitors"],
            cwd=str(folder),
            env={**os.environ, "TERM": "xterm-256color"},
            dimensions=(lines, columns),
        )
        self._began = time.monotonic()

    def __enter__(self) -> Played:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

    def settled(self, kind: ScreenKind) -> Detection:
        """The next settled detection of that kind; the test fails if it does not come."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            alive = self._read()
            settled = self.reader.settle(time.monotonic() - self._began)
            if settled is not None:
                self.seen.append(settled.detection)
                if settled.detection.kind is kind:
                    return settled.detection
            assert alive, f"the child ended before {kind}: {self.text()}"
        raise AssertionError(f"no {kind}; seen {[one.kind.value for one in self.seen]}; {self._why()}")

    def _why(self) -> str:
        """Every rule with its verdict, and the screen."""
        examination = self.reader.examination
        verdicts = examination.verdicts() if examination is not None else ()
        rows = [f"{one.rule.id}: {'matched' if one.matched else one.why_not}" for one in verdicts]
        return "\n".join([*rows, self.text()])

    def shows(self, text: str) -> None:
        """Wait until `text` stands on the screen."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.text():
            assert time.monotonic() < deadline, f"no {text!r} on\n{self.text()}"
            self._read()

    def type(self, keys: str) -> None:
        self.child.write(keys.encode())

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.snapshot().lines)

    def ended(self) -> int:
        deadline = time.monotonic() + _END_SECONDS
        while self._read():
            assert time.monotonic() < deadline, f"it has not ended; it shows\n{self.text()}"
        status = self.child.wait()
        return int(status if status is not None else -(self.child.signalstatus or 0))

    def journal(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.journal_path.read_text(encoding="utf-8").splitlines()]

    def _read(self) -> bool:
        ready, _, _ = select.select([self.child.fd], [], [], 0.02)
        if ready:
            try:
                self.screen.feed(os.read(self.child.fd, 65536))
            except OSError:
                return False
        return True
