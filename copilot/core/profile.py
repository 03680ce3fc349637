"""`Profile`: how one coding CLI starts, how its screens read, how replies are typed. Data of a TOML file.

Plain frozen dataclasses: `config/` validates a file against them, the pure rooms only read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from copilot.core.profile_outline import ProfileOutline
from copilot.core.reply import Autonomy
from copilot.core.screen_rules import ScreenRules


@dataclass(frozen=True, slots=True)
class ReplyKeys:
    """How replies are physically typed. Times are seconds, keys are names (`Enter`, `Esc`, `C-c`, `1`).

    `guard_seconds`: the least time from a prompt's appearance to its first key. `enter_gap_seconds`:
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
    approve_options: tuple[str, ...] = (
        r"(?i)(?:(?:yes|ok|okay|sure|approve|allow|accept|proceed|continue|confirm|run|run it|run command"
        r"|apply|once|y)"
        r"|(?:yes, |just |only )?(?:approve |allow |accept |run |apply )?(?:it |this )?"
        r"(?:once|this time|just this once)"
        r"|yes, (?:proceed|continue|approve|allow|allow it|run|run it|do it))[.!]?(?: \([a-z]{1,5}\))?",
    )
    """Patterns of whole labels that permit what is asked and nothing else. At a permission prompt, any other
    option that does not refuse may permit more, and counts as widening."""
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
        return Autonomy.SUGGEST if self.unverified and level.acts else level
