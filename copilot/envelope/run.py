"""The envelope of one run: from its settings to what the session starts, with the words that tell of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from copilot.core.profile_outline import EnvelopeTable, ProfileOutline
from copilot.core.settings import RunSettings
from copilot.envelope.bubblewrap import find_bubblewrap
from copilot.envelope.envelope import Envelope, Inside
from copilot.envelope.hosts import HostList, given_addresses, loopback_ports, own_addresses
from copilot.envelope.plan import Wanted, inner_environment, make_plan
from copilot.envelope.proxy import Proxy
from copilot.errors import InputError
from copilot.resources import state_folder

PROXY_PORT = 3128
"""Inside there is a loopback of its own, on which every port is free."""
OFF = "envelope off: what the guard lets through meets no further limit (--envelope project)"
_NETWORKS = {
    "all": "network all: every host can be reached",
    "model-only": "network model-only: the CLI's own hosts and those that you list",
    "none": "network none",
}


def check_envelope(settings: RunSettings, profile: ProfileOutline) -> str:
    """What a person should read at the start. Raises InputError where it is not possible here."""
    if settings.envelope == "off":
        return OFF
    find_bubblewrap()
    _table(profile)
    return (
        f"envelope project: writes to {settings.cwd} and the CLI's own folders; {_NETWORKS[settings.network]}"
    )


def _table(profile: ProfileOutline) -> EnvelopeTable:
    if profile.envelope is None:
        raise InputError(
            f"--envelope project: profile {profile.name} has no [envelope] table, so what it needs is not "
            "known; add one to a profile of your own, or leave --envelope out"
        )
    return profile.envelope


@dataclass(frozen=True, slots=True)
class RunEnvelope:
    """An envelope that was made, and the environment of what runs in it."""

    envelope: Envelope
    environment: dict[str, str]
    proxy: Proxy | None

    @property
    def launcher(self) -> tuple[str, ...]:
        """The command that stands before the CLI's."""
        return self.envelope.launcher()

    async def started(self) -> Inside:
        """Wait until the CLI runs inside, and answer what it asks of the network. Raises InputError."""
        try:
            inside = await self.envelope.started(keep_ctype="LC_CTYPE" in self.environment)
        finally:
            self.envelope.close()
        if self.proxy is not None:
            await self.proxy.serve(inside.listening)
        return inside

    async def close(self) -> None:
        """Stop answering."""
        self.envelope.close()
        if self.proxy is not None:
            await self.proxy.close()


def make_envelope(
    settings: RunSettings,
    profile: ProfileOutline,
    environment: Mapping[str, str],
    program: str,
    run_folder: Path,
    say: Callable[[str], None],
) -> RunEnvelope | None:
    """The envelope that `settings` ask for; None for none. `say` gets hosts. Raises InputError."""
    if settings.envelope == "off":
        return None
    table = _table(profile)
    wanted = Wanted(
        project=Path(settings.cwd),
        home=Path(environment.get("HOME") or Path.home()),
        table=table,
        needed=_needed(program, environment),
        private=(str(run_folder), str(state_folder())),
        write=settings.envelope_write,
        read=settings.envelope_read,
    )
    plan = make_plan(wanted)
    for note in plan.notes:
        say(note)
    proxy: Proxy | None = None
    ports: tuple[int, ...] = ()
    proxied: int | None = None
    if settings.network == "model-only":
        addresses = own_addresses(table.host_variables, environment) + given_addresses(
            settings.envelope_hosts
        )
        named = tuple(f"{host}:{port}" for host, port in addresses)
        ports = (PROXY_PORT, *(port for port in loopback_ports(addresses) if port != PROXY_PORT))
        rules = HostList((*table.hosts, *settings.envelope_hosts, *named))
        proxy, proxied = Proxy(rules, ports[1:], say), PROXY_PORT
    envelope = Envelope(plan, find_bubblewrap(), network=settings.network == "all", ports=ports)
    return RunEnvelope(envelope, inner_environment(environment, proxied), proxy)


def _needed(program: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Programs must be seen wherever they are: the CLI's, those on PATH, and our own interpreter."""
    real = os.path.realpath(program)
    path = [folder for folder in environment.get("PATH", "").split(os.pathsep) if folder.startswith("/")]
    return (str(Path(program).parent), str(Path(real).parent), sys.base_prefix, *path)
