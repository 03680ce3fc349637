"""What the start screen offers: the coding CLIs that profiles know, found on PATH or not, and the demo."""

from __future__ import annotations

from dataclasses import replace

from copilot.config.profile_shelf import InstalledProfiles
from copilot.core.profile import Profile
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.terminal.programs import find_program
from copilot.tui.live import StartOffer

_NOT_OFFERED = frozenset({"generic", "demo"})
DEMO = StartOffer("demo", "a simulated coding CLI: offline, no key, under a minute", command=("demo",))


def installed_offers(settings: RunSettings) -> tuple[StartOffer, ...]:
    """One offer per profile, those that can be started first; the demo last. `settings` names no program."""
    shelf = InstalledProfiles()
    offers = []
    for name in shelf.names():
        if name in _NOT_OFFERED:
            continue
        try:
            offers.append(_offer(shelf.load(name), settings))
        except InputError as problem:
            offers.append(StartOffer(name, f"its profile has a fault: {problem}"))
    return (*sorted(offers, key=lambda offer: not offer.there), DEMO)


def _offer(profile: Profile, settings: RunSettings) -> StartOffer:
    command = profile.launch.command or profile.launch.names[:1]
    title = profile.title or profile.name
    if not command:
        return StartOffer(title, "its profile names no program")
    path = find_program(command[0])
    if path is None:
        return StartOffer(title, f"{command[0]} was not found on PATH")
    return StartOffer(title, path, replace(settings, child=command, profile=profile.name))
