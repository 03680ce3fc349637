"""`Profile`: how one coding CLI starts, how its screens read, how replies are typed. Data of a TOML file.

Plain frozen dataclasses: `config/` validates a file against them, the pure rooms only read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from copilot.core.reply import Autonomy
from copilot.core.screen_rules import ScreenRules

# `ProfileOutline`: what settings need of a profile, without how its screens read and its replies are
# typed.
#
# By itself, since the cockpit's first frame is drawn with no more than this.


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
    leave: str = ""
    interrupt: tuple[str, ...] = ("C-c",)
    continue_arguments: tuple[str, ...] = ()
    unasked_arguments: tuple[str, ...] = (
        r"(^|[\s'\"])--?(yolo|full-auto|dangerously-[\w-]+|auto-approve|yes-always|yes-to-all|allow-all[\w-]*|y|yes)"
        r"($|[\s'\"=])",
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
class ProfileOutline:
    """The first part of a `Profile`."""

    name: str
    title: str = ""
    schema_version: int = 1
    unverified: bool = False
    """Written from public facts and never measured on the program: it only suggests."""
    launch: Launch = field(default_factory=Launch)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class ReplyKeys:
    """How replies are physically typed. Times are seconds, keys are names (`Enter`, `Esc`, `C-c`, `1`).

    `guard_seconds`: the least time a prompt must have stood before its first key. `enter_gap_seconds`:
    between text and its Enter. `paste`: `plain` types the text, `bracketed` pastes it where the child has
    mode 2004 on. `refuse` maps a kind to its safe refusal. `continue_keys` maps press_key, pager and editor
    to the keys that leave the prompt. `free_text_options` are patterns of labels that open a text field.
    `refuse_options` are patterns of labels that refuse. `widening_options` are patterns of labels that widen
    the CLI's own permissions. `avoid_leading` are characters that turn a text into a command of the CLI.
    """

    guard_seconds: float = 0.3
    enter_gap_seconds: float = 0.15
    taken_within_seconds: float = 3.0
    paste: str = "plain"
    refuse: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    continue_keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    free_text_options: tuple[str, ...] = ()
    refuse_options: tuple[str, ...] = (
        r"(?i)^(no($|[,.(]| \()|deny\b|reject\b|cancel\b|decline\b|don'?t trust)",
    )
    widening_options: tuple[str, ...] = ()
    trust_options: tuple[str, ...] = ()
    """Patterns of labels that trust the launch folder; chosen only with `--trust`."""
    avoid_leading: str = ""
    clear_composer: tuple[str, ...] = ("C-u",)


@dataclass(frozen=True, slots=True)
class Profile(ProfileOutline):
    """One coding CLI."""

    reply_keys: ReplyKeys = field(default_factory=ReplyKeys)
    screen: ScreenRules = field(default_factory=ScreenRules)

    @property
    def verified(self) -> bool:
        """Whether its rules were measured on the program; what fits any program never was."""
        return not self.unverified and bool(self.launch.verified_versions)

    def allowed(self, level: Autonomy) -> Autonomy:
        """`level`, or the highest below it that this profile may act at."""
        acts = level in (Autonomy.ASSIST, Autonomy.FULL)
        return Autonomy.SUGGEST if self.unverified and acts else level
