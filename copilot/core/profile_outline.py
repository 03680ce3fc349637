"""`ProfileOutline`: what settings need of a profile, without how its screens read and its replies are typed.

By itself, since the cockpit's first frame is drawn with no more than this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from copilot.core.reply import Autonomy


@dataclass(frozen=True, slots=True)
class Launch:
    """How the CLI is started, recognised and left.

    `command` is the argv; `names` are the program names by which the profile is chosen. `leave` is what a
    person types at the idle composer to end it (`/exit`). `interrupt` and `refuse` are key names.
    """

    command: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    version_arguments: tuple[str, ...] = ("--version",)
    version_pattern: str = r"(\d+\.\d+(?:\.\d+)*)"
    verified_versions: tuple[str, ...] = ()
    """Versions the rules were measured on; empty means unverified."""
    environment: Mapping[str, str] = field(default_factory=dict)
    keep_environment: tuple[str, ...] = ()
    """Beginnings of variables that the CLI needs though ours begin alike (GitHub's `COPILOT_`)."""
    keys: tuple[str, ...] = ()
    """The model providers' keys that the CLI uses itself, by variable; `all` for a CLI of any provider."""
    leave: str = ""
    interrupt: tuple[str, ...] = ("C-c",)
    continue_arguments: tuple[str, ...] = ()
    unasked_arguments: tuple[str, ...] = (
        r"(^|[\s'\"])--?(yolo|full-auto|dangerously-[\w-]+|yes-always|yes-to-all|allow-all[\w-]*|y|yes)"
        r"($|[\s'\"=])",
        r"(^|[\s'\"])--?auto-approve($|['\"]|[\s=]+(on\b|[^\sfn0o]|f[^a]|n[^o]|o[^f]))",
    )
    """Regular expressions of arguments with which the CLI does its work without asking."""
    asks_nothing: str = ""
    """Why a CLI of this kind asks nothing by itself, for a person; empty if it does ask."""
    banner: str = ""
    """A regular expression of what the CLI prints when it starts: recordings are recognised by it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The profile's autonomy: the level, the highest risk that `full` may send, options it may widen by.

    `allow_widening` lists regular expressions of option labels that widen the CLI's own permissions and
    that the user nevertheless allows to be chosen. `stall_seconds`: how long a busy CLI may show no sign of
    work (output, report, CPU time) until it counts as hanging; 0 is for ever.
    """

    level: Autonomy = Autonomy.ASSIST
    risk_ceiling: str = "medium"
    allow_widening: tuple[str, ...] = ()
    countdown_seconds: float = 3.0
    stall_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class EnvelopeTable:
    """What the CLI needs inside the envelope. Paths begin with `~/`; a folder that is made ends with `/`.

    `state` is written, but for `read_only`; `logins` are read though they hold keys; `caches` are written
    where they exist. `hosts` are reached with `--network model-only` (`*.name` for what is below), and the
    hosts of the addresses that `host_variables` hold: of the model, and of package registries.
    """

    state: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    logins: tuple[str, ...] = ()
    caches: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    host_variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileOutline:
    """The first part of a `Profile`."""

    name: str
    title: str = ""
    schema_version: int = 1
    unverified: bool = False
    """Written from public facts and never measured on the program: it only suggests."""
    launch: Launch = field(default_factory=Launch)
    limits: Limits = field(default_factory=Limits)
    envelope: EnvelopeTable | None = None
    """None: what the CLI needs is not known, and it cannot run in an envelope."""
