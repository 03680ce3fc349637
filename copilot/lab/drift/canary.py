"""`copilot profiles test`: which CLIs can be walked through here, and the walk of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from copilot.config.profile_files import load_profile, profile_paths
from copilot.core.profile import Profile
from copilot.errors import InputError
from copilot.lab.drift.walker import Outing, walk_cli
from copilot.lab.drift.walks import WALKS
from copilot.lab.recipes import RECIPES
from copilot.pty.programs import find_program, version_of


@dataclass(frozen=True, slots=True)
class Candidate:
    """One CLI that is asked for. `skipped` says why it cannot be walked through; empty if it can."""

    name: str
    profile: Profile
    program: str = ""
    version: str = ""
    skipped: str = ""


def candidates(targets: tuple[str, ...]) -> list[Candidate]:
    """The CLIs named, each by its profile or by a profile file; without any, all that a profile knows.

    Raises InputError for a name that no profile has, and for a bad file.
    """
    names = targets or tuple(name for name in sorted(profile_paths()) if name in RECIPES or name in WALKS)
    return [_candidate(load_profile(name)) for name in names]


def _candidate(profile: Profile) -> Candidate:
    name = profile.name
    if name not in WALKS or name not in RECIPES:
        known = ", ".join(sorted(set(WALKS) & set(RECIPES)))
        return Candidate(name, profile, skipped=f"no walk through its dialogs is known (there are: {known})")
    program = next((found for one in profile.launch.names if (found := find_program(one))), None)
    if program is None:
        return Candidate(name, profile, skipped=f"{profile.launch.names[0]} is not on PATH")
    version = version_of(program, profile.launch.version_arguments) or ""
    return Candidate(name, profile, program, version)


def walk(candidate: Candidate) -> Outing:
    """Take one CLI through its walk. Raises InputError if it cannot be started."""
    if candidate.skipped:
        raise InputError(f"{candidate.name}: {candidate.skipped}")
    name = candidate.name
    return walk_cli(candidate.profile, candidate.version, Path(candidate.program), RECIPES[name], WALKS[name])
