"""A headless run as a user starts it: the command line in, exit code and stdout out."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from copilot import cli


@dataclass(frozen=True, slots=True)
class Outside:
    """What a run gave. `run` is its folder."""

    exit_code: int
    out: str
    err: str
    run: Path

    @property
    def told(self) -> list[dict[str, Any]]:
        """The lines of a run with `--json`."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def end(self) -> dict[str, Any]:
        """The last line of a run with `--json`."""
        return self.told[-1]

    def of(self, event: str) -> list[dict[str, Any]]:
        """The lines of this kind of a run with `--json`."""
        return [line for line in self.told if line["event"] == event]


def headless(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    script: str,
    *options: str,
    profile: str = "generic",
    replies: str = "",
) -> Outside:
    """A run of this Python script at level full with `--json`; `replies` is a playbook's list."""
    provider = ["--provider", "rules"]
    if replies:
        (folder / "replies.yaml").write_text(f"order: any\nreplies:\n{replies}", "utf-8")
        provider = ["--provider", "playbook", "--playbook", str(folder / "replies.yaml")]
    (folder / "child.py").write_text(script, "utf-8")
    (folder / "project").mkdir(exist_ok=True)
    log = folder / "run"
    words = ["--headless", "--json", "--autonomy", "full", "--profile", profile, *provider]
    words += ["--cwd", str(folder / "project"), "--log", str(log), *options]
    capsys.readouterr()
    code = cli.main([*words, "--", sys.executable, str(folder / "child.py")])
    told = capsys.readouterr()
    return Outside(code, told.out, told.err, log)
