"""A profiles of profiles that needs no files."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.profile import Profile
from copilot.core.profile_outline import Launch, Limits
from copilot.core.reply import Autonomy
from copilot.errors import InputError


@dataclass
class FakeProfiles:
    """Two profiles: `generic`, and `claude` at level `full`, started by `claude`."""

    level: Autonomy = Autonomy.FULL

    def load(self, name: str) -> Profile:
        if name == "generic":
            return Profile("generic", limits=Limits(level=Autonomy.SUGGEST))
        if name == "claude":
            return Profile("claude", launch=Launch(command=("claude",)), limits=Limits(level=self.level))
        raise InputError(f"no profile {name!r}")

    def name_for(self, program: str) -> str:
        """`claude` for a program of that name."""
        return "claude" if program == "claude" else "generic"
