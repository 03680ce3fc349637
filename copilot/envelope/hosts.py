"""Hosts that `model-only` reaches: those of the profile, of the user, and of the CLI's own addresses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

HTTPS = 443
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PORTS = {"https": HTTPS, "http": 80}


@dataclass(frozen=True, slots=True)
class HostList:
    """`NAME`, `NAME:PORT` or `*.NAME` (what is below NAME, not itself); without a port 443 counts."""

    rules: tuple[str, ...] = ()

    def allows(self, host: str, port: int) -> bool:
        """Whether this host may be reached at this port. Names are compared without case and last dot."""
        folded = host.lower().rstrip(".")
        return any(self._fits(rule, folded, port) for rule in self.rules)

    @staticmethod
    def _fits(rule: str, host: str, port: int) -> bool:
        name, _, wanted = rule.lower().partition(":")
        if port != int(wanted or HTTPS):
            return False
        return host.endswith(name[1:]) and len(host) > len(name) - 1 if name[:2] == "*." else host == name


def own_addresses(names: Iterable[str], environment: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
    """The hosts and ports of the addresses that these variables hold."""
    found = []
    for name in names:
        try:
            parts = urlsplit(environment.get(name, ""))
            port = parts.port or _PORTS.get(parts.scheme)
        except ValueError:
            continue
        if parts.hostname and port:
            found.append((parts.hostname, port))
    return tuple(found)


def given_addresses(rules: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """The hosts and ports of those rules that name a port."""
    split = (rule.rpartition(":") for rule in rules)
    return tuple((host, int(port)) for host, _, port in split if host and port.isdecimal())


def loopback_ports(addresses: Iterable[tuple[str, int]]) -> tuple[int, ...]:
    """The ports of this machine among these: inside they lead to the same servers."""
    return tuple(dict.fromkeys(port for host, port in addresses if host in _LOOPBACK))
