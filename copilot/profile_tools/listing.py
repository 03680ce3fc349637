"""The list of profiles: what each is for, whether it was measured, and what of it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from copilot.config.profile_files import load_profile, profile_paths, user_folder
from copilot.core.profile import Profile
from copilot.errors import InputError
from copilot.terminal.program_version import version_of
from copilot.terminal.programs import find_program

_AT_ONCE = 4
_BUNDLED = "demo"
"""Its program is a part of this package and never on PATH."""


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One profile. `program` is the path found, `version` what it tells; `fault` why the file is none."""

    name: str
    source: Path
    mine: bool = False
    level: str = ""
    verified: tuple[str, ...] = ()
    for_programs: tuple[str, ...] = ()
    program: str = ""
    version: str = ""
    fault: str = ""

    @property
    def installed(self) -> str:
        """What is there of it, in words."""
        if not self.for_programs or self.name == _BUNDLED:
            return "-"
        return f"{Path(self.program).name} {self.version or '?'}" if self.program else "not installed"

    @property
    def measured(self) -> str:
        """Whether the rules were measured on a real program, and which version, or are for all."""
        if not self.for_programs:
            return "by form"
        return f"verified {', '.join(self.verified)}" if self.verified else "unverified"


def profile_rows() -> list[ProfileRow]:
    """Every profile, by name. A file that is wrong is a row with its fault and hides nothing else."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_row, *zip(*sorted(profile_paths().items()), strict=True)))


def _row(name: str, path: Path) -> ProfileRow:
    mine = path.parent == user_folder()
    try:
        profile = load_profile(name)
    except InputError as error:
        return ProfileRow(name, path, mine, fault=str(error))
    program = next(_programs(profile), "")
    version = version_of(program, profile.launch.version_arguments) if program else None
    return ProfileRow(
        name,
        path,
        mine,
        level=profile.limits.level.value,
        verified=() if profile.unverified else profile.launch.verified_versions,
        for_programs=profile.launch.names,
        program=program,
        version=version or "",
    )


def _programs(profile: Profile) -> Iterator[str]:
    """The programs of the profile that are installed; the demo's is a part of this package."""
    for name in profile.launch.names:
        found = find_program(name)
        if found is not None:
            yield found
