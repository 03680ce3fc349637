"""`copilot profiles check`: which files are looked at, and the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from copilot.config.profile_files import load_profile, profile_paths
from copilot.config.profile_lint.finding import Finding
from copilot.config.profile_lint.lint import lint_file
from copilot.errors import InputError


@dataclass(frozen=True, slots=True)
class Checked:
    """One file, and what is wrong with it."""

    path: Path
    findings: tuple[Finding, ...]

    def as_object(self) -> dict[str, Any]:
        """For `--json`."""
        return {"file": str(self.path), "findings": [asdict(finding) for finding in self.findings]}

    def lines(self) -> Iterator[str]:
        """For a person: one line for each finding, with file, check and key."""
        if not self.findings:
            yield f"{self.path}: is right"
        for finding in self.findings:
            yield f"{self.path}: {finding.check}: {finding}"


def check(targets: tuple[str, ...]) -> list[Checked]:
    """Check files and installed profiles; without a target all that are installed.

    Raises InputError for a name that no profile has.
    """
    files = [_file(target) for target in targets] or [path for _, path in sorted(profile_paths().items())]
    return [Checked(path, tuple(lint_file(path))) for path in files]


def _file(target: str) -> Path:
    """A path if it looks like one or is one, else the file of the profile of that name."""
    path = Path(target)
    if target.endswith(".toml") or "/" in target or path.is_file():
        return path
    paths = profile_paths()
    if target not in paths:
        load_profile(target)
        raise InputError(f"profile: no profile named {target!r}")
    return paths[target]
