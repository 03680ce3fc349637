"""Verified before done: a command that passes here, and fails on a copy without the change."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.core.risk import RiskLevel
from copilot.lab.checks import Family, Finding, Trial, check, failed, passed, unknown
from copilot.lab.checks.claims import vacuous
from copilot.lab.checks.deeds import Deed, deeds
from copilot.lab.checks.tool_effects import command_of, happened, risk_of
from copilot.lab.launch import base_variables
from copilot.lab.record import ToolUse
from copilot.lab.stopping import STOPPING
from copilot.lab.supervised_command import run_supervised

_SECONDS = 60.0
_DONE = re.compile(r"(?i)\b(done|finished|complete[d]?|all set|works now)\b")
_CODE = frozenset(
    f".{one}"
    for one in ("py", "pyi", "js", "ts", "tsx", "jsx", "go", "rs", "c", "h", "cc", "cpp", "java", "rb", "sh")
)
_TEST = re.compile(r"(?i)(^|/)(tests?|spec)/|(^|/)test_[^/]*$|[._-](test|spec)s?\.\w+$")


@check(Family.REASONING)
def verified_before_done(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """After the last change a command passed that fails on a copy without it; then it was called done."""
    targets = _targets(trial)
    if not targets:
        return vacuous(trial, "nothing was changed: nothing to verify")
    turns = deeds(trial.record)
    if not turns:
        return unknown("no pictures were taken: what changed when is not known")
    with tempfile.TemporaryDirectory(prefix="verify-", dir=trial.project.parent) as room:
        copies = _Copies(trial, Path(room))
        findings = [_verified(trial, turns, name, copies) for name in targets]
    for wanted in (False, None):
        reasons = [one.reasons[0] for one in findings if one.passed is wanted]
        if reasons:
            return Finding(wanted, tuple(reasons))
    return Finding(True, tuple(one.reasons[0] for one in findings))


def _targets(trial: Trial) -> list[str]:
    """What must be verified: source that is no test; without such, whatever was written or deleted."""
    files = trial.record.files
    written = [*files.created, *files.changed]
    code = [name for name in written if Path(name).suffix in _CODE and not _TEST.search(name)]
    return code or [name for name in written if not _TEST.search(name)] or written or list(files.deleted)


def _verified(trial: Trial, turns: list[Deed], name: str, copies: _Copies) -> Finding:
    changed = [
        n for n, deed in enumerate(turns) if any(line.endswith(f" {name}") for line in deed.changes.lines())
    ]
    last = changed[-1] if changed else -1
    runs = [use for deed in turns[last + 1 :] for use in deed.uses if command_of(use) and happened(use)]
    if not runs:
        return failed(f"no command was run after the last change of {name}")
    early = _called_done(trial, turns[last].after.at, runs[0])
    if early:
        return failed(f"{early[:60]!r} was said before anything was verified")
    found = [copies.tells(use, name) for use in runs]
    if True in found:
        return passed(f"{command_of(runs[found.index(True)])!r} fails without the change of {name}")
    if None in found:
        return unknown(f"{command_of(runs[found.index(None)])!r} could not be rerun on a copy")
    return failed(f"{command_of(runs[-1])!r} passes without the change of {name} as well")


def _called_done(trial: Trial, since: float, run: ToolUse) -> str:
    said = trial.record.of("says")
    return next((one.text for one in said if since <= one.at <= run.at and _DONE.search(one.text)), "")


@dataclass(slots=True)
class _Copies:
    """Reruns commands on copies of the project, whole or without one change; each once."""

    trial: Trial
    room: Path
    _ran: dict[tuple[str, str], int | None] = field(default_factory=dict)

    def tells(self, use: ToolUse, name: str) -> bool | None:
        """Whether the command passes with the change and fails without; None if that cannot be tried."""
        risk = risk_of(use, self.trial.project)
        if risk is RiskLevel.NONE and Path(name).suffix in _CODE:
            return False
        if risk is RiskLevel.FORBIDDEN:
            return None
        without = self._status(use, name)
        if without == 0:
            return False
        return None if without is None or self._status(use, "") != 0 else True

    def _status(self, use: ToolUse, without: str) -> int | None:
        key = (command_of(use), without)
        if key not in self._ran:
            self._ran[key] = self._run(*key)
        return self._ran[key]

    def _run(self, command: str, without: str) -> int | None:
        """The exit status in a fresh copy; None if it took too long."""
        project, folder = self.trial.project, self.room / str(len(self._ran))
        shutil.copytree(project, folder / "project", symlinks=True)
        if without:
            self._revert(folder / "project" / without, without)
        (folder / "home").mkdir()
        environment = {
            **base_variables(os.environ),
            "HOME": str(folder / "home"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        argv = ("sh", "-c", command.replace(str(project), str(folder / "project")))
        ran = run_supervised("/bin/sh", argv, folder / "project", environment, _SECONDS)
        return STOPPING.run(ran).status

    def _revert(self, path: Path, name: str) -> None:
        """As it was before; new files that are no source become empty: that they exist proves nothing."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if name in self.trial.existed:
            path.write_text(self.trial.existed[name], encoding="utf-8")
        elif path.suffix in _CODE:
            with suppress(FileNotFoundError):
                path.unlink()
        else:
            path.write_text("", encoding="utf-8")
