"""The cockpit put together: the TUI on a live session, or on the choice of installed CLIs first.

What only the choice needs is imported there: the first frame of a session does not wait for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from copilot.config.profile_files import InstalledProfiles, list_profiles
from copilot.config.settings import resolve
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.pty.programs import find_program
from copilot.recording.run_place import default_run_folder
from copilot.tui.run import run as run_tui
from copilot.tui.start_offer import StartOffer

if TYPE_CHECKING:
    from copilot.core.profile import Profile


def run(settings: RunSettings) -> int:
    """The cockpit on one session; the run's exit code."""
    return run_tui(settings, more_offers=lambda folder: beside(settings, folder))


def choose(flags: Mapping[str, Any]) -> int:
    """The start screen, then the cockpit on what was chosen; `flags` are the options that were given."""
    return run_tui(
        None,
        offers=tuple(offers(flags)),
        more_offers=lambda folder: tuple(offers({**flags, "cwd": folder})),
    )


def beside(settings: RunSettings, folder: str) -> tuple[StartOffer, ...]:
    """What can be started in `folder` beside a run of these settings: the same again, then all others.

    It is put together from the sources that hold there; what the run's folder alone was allowed is not.
    """
    flags: dict[str, Any] = {"provider": settings.provider, "cwd": folder, "max_steps": settings.max_steps}
    given = {
        "model": settings.model,
        "base_url": settings.base_url,
        "playbook": settings.playbook,
        "prompt": settings.governing_prompt,
        "dry_run": settings.dry_run,
        "no_upload": not settings.upload,
    }
    flags |= {key: value for key, value in given.items() if value}
    own = {**flags, "profile": settings.profile}
    again = resolve(own, settings.child, InstalledProfiles(), _new_folder).settings
    words = " ".join(settings.child)
    same = StartOffer(
        "the same again", words, replace(again, autonomy=settings.autonomy), writer=writer_lines(again)
    )
    return (same, *offers(flags))


def offers(flags: Mapping[str, Any]) -> Iterator[StartOffer]:
    """One offer for each CLI that a profile knows and that is installed; the others are named in one."""
    from copilot.providers.create import OFFLINE

    faulty, missing = [], []
    for profile in list_profiles():
        if not profile.launch.command:
            continue
        program = next((name for name in _names(profile) if find_program(name)), None)
        if program is None:
            missing.append(profile.title or profile.name)
            continue
        child = (program, *profile.launch.command[1:])
        try:
            settings = resolve(
                {**flags, "profile": profile.name}, child, InstalledProfiles(), _new_folder
            ).settings
            writer = writer_lines(settings)
        except InputError as problem:
            faulty.append(StartOffer(profile.title or profile.name, str(problem), None))
            continue
        yield StartOffer(profile.title or profile.name, f"{find_program(program)}", settings, writer=writer)
    yield from faulty
    about = "a simulated CLI: offline, no key, under a minute"
    yield StartOffer("Demo", about, command=("demo",), writer=(OFFLINE,))
    if missing:
        yield StartOffer("not found", ", ".join(missing), None)


def writer_lines(settings: RunSettings) -> tuple[str, ...]:
    """Who would write the replies, and how another is chosen where a key is set that nothing uses."""
    from copilot.providers.create import describe_writer, unused_keys

    unused = unused_keys(settings, os.environ)
    providers = " and ".join(unused)
    ways = " or ".join(f"--provider {name}" for name in unused)
    more = (f"a key for {providers} is set, not used: {ways}",) if unused else ()
    return (describe_writer(settings, os.environ), *more)


def _new_folder(profile: str) -> Path:
    return default_run_folder(profile, os.environ)


def _names(profile: Profile) -> tuple[str, ...]:
    """The program names to look for, the one of the profile's own command first."""
    return tuple(dict.fromkeys((profile.launch.command[0], *profile.launch.names)))
