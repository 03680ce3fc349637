"""The installed profiles, built-in ones and the user's own, as settings and commands want them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from copilot.config.profile_files import load_profile, name_for_program, outline, profile_paths, read_profile
from copilot.core.profile_outline import ProfileOutline

if TYPE_CHECKING:
    from copilot.core.profile import Profile


class InstalledProfiles:
    """A `ProfileShelf` over the profile files."""

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(profile_paths())

    def where(self, name: str) -> Path:
        """The file of the profile of that name."""
        return profile_paths()[name]

    def load(self, name: str) -> Profile:
        """The profile of that name. Raises InputError with the nearest name, or with its fault."""
        return load_profile(name)

    def load_file(self, path: Path) -> Profile:
        """The profile in one file. Raises InputError."""
        return read_profile(path)

    def name_for(self, program: str) -> str:
        """The name of the profile that knows a program of this name, else `generic`."""
        return name_for_program(program)


class OutlinedProfiles:
    """Their outlines: for a run whose profile is loaded and checked in full before its program starts."""

    def load(self, name: str) -> ProfileOutline:
        """The outline of that name. Raises InputError with the nearest name, or with the fault of a type."""
        return outline(name)

    def name_for(self, program: str) -> str:
        """The name of the profile that knows a program of this name, else `generic`."""
        return name_for_program(program)
