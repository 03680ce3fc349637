"""What a front end may know of a live session, and what it may ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from copilot.core.decision import Autonomy, Decision
from copilot.core.detection import Detection, ScreenKind
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.profile_outline import Limits
from copilot.core.reply import Proposal, Reply
from copilot.core.reply_request import ReplyRequest
from copilot.core.risk import NO_RISK, Risk
from copilot.core.states import RunState

if TYPE_CHECKING:
    from copilot.detectors import Examination
    from copilot.safety.grants_book import GrantLine
    from copilot.safety.grants_offer import Offer

_NOTHING_SEEN = Detection(ScreenKind.STARTING)
_NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """The whole visible state of a session at one moment; a new one replaces it on every change.

    Times are seconds since the run began. `countdown_ends_at` is set while a reply counts down.
    `stale` tells why the last reply died, until the next prompt.
    """

    state: RunState = RunState.INIT
    state_reason: str = ""
    autonomy: Autonomy = Autonomy.SUGGEST
    detection: Detection = _NOTHING_SEEN
    danger: Risk = NO_RISK
    request: ReplyRequest | None = None
    proposal: Proposal | None = None
    decision: Decision | None = None
    countdown_ends_at: float | None = None
    waiting_for_provider: bool = False
    waiting_for_opinion: bool = False
    """A second model is asked whether the proposal may be sent by itself."""
    stale: str = ""
    steps: int = 0
    max_steps: int = 50
    cost_usd: float | None = 0.0
    tokens: int = 0
    dry_run: bool = False
    plan_step: str = ""
    """The plan's present step, "k/n: name"; empty without a plan."""
    profile: str = "generic"
    limits: Limits = _NO_LIMITS
    """The profile's."""
    only_suggests: bool = False
    """The profile is unverified: at no level anything is sent by itself."""
    option_risks: tuple[Risk, ...] = ()
    """The risk of sending each option of the prompt, by itself."""
    provider: str = "rules"
    takes_instructions: bool = True
    """Whether "again" may tell the provider how."""
    model: str = ""
    run_folder: str = ""
    started_at: float = 0.0
    outcome: str = ""
    grants: tuple[GrantLine, ...] = ()
    """What was allowed in this run, and what became of it."""
    governing_prompt: str = ""
    governing_version: int = 1
    """1 is the prompt that the run began with."""
    unknown: int = 0
    """The number of the newest screen that was not understood and is kept; 0 while there is none."""


class SessionListener(Protocol):
    """A front end. All calls come on the session's event loop and must return at once."""

    def on_screen(self) -> None:
        """The emulated screen changed."""

    def on_view(self, view: SessionView) -> None:
        """The session's state changed."""

    def on_reply_text(self, text: str) -> None:
        """More of the reply's raw text came in from the provider."""

    def on_note(self, text: str) -> None:
        """Something a person should read once."""

    def on_step(self, step: Event | Effect, at: float) -> None:
        """An event or effect, as it is recorded."""


class GrantControls(Protocol):
    """What a person may do to the grants of a run."""

    def offer(self) -> Offer:
        """What could be allowed so that the present prompt is answered without the person."""

    def allow(self, rules: Sequence[str], limits: str, *, identity: str) -> None:
        """Give grants that were offered for the prompt of that identity."""

    def revoke(self, rule: str) -> None:
        """Take a grant back."""


class SessionControls(Protocol):
    """What a person may do to a session."""

    @property
    def grants(self) -> GrantControls:
        """What they allow."""

    def clock(self) -> float:
        """Seconds since the run began."""

    def type_bytes(self, data: bytes, *, by_hand: bool = True) -> None:
        """The person's own keys, already encoded for the child.

        With `by_hand=False`: what the terminal reports by itself (mouse moves, focus), which is not typing.
        """

    def resize(self, columns: int, lines: int) -> None:
        """The terminal has a new size."""

    def send(self, reply: Reply, *, identity: str) -> None:
        """Send this reply to the prompt of that identity: the one that the person saw. It dies with it."""

    def dismiss(self, *, identity: str) -> None:
        """Drop the reply to that prompt."""

    def stop_countdown(self) -> None:
        """Hold whatever would be sent by itself, though it may not be what the person saw."""

    def ask_again(self, instruction: str = "", *, identity: str) -> None:
        """Have another reply to that prompt written."""

    def set_autonomy(self, level: Autonomy) -> None:
        """Change the level from now on."""

    def set_governing_prompt(self, text: str) -> str:
        """Let another governing prompt count from now on; empty if it does, else why not, in one line."""

    def examination(self) -> Examination | None:
        """The last look at the screen, every rule with its reason; None before the first."""

    def label_unknown(self, kind: ScreenKind) -> None:
        """Say what the newest screen that was not understood is."""

    def interrupt(self) -> None:
        """First: interrupt the child and end in order; second: end everything now."""
