"""Effects: what is to be done. The counterparts of `events.py`; drivers carry them out in order."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.plan import PlanCommand
from copilot.core.reply import Decision, Reply
from copilot.core.risk import Risk
from copilot.core.states import RunState


@dataclass(frozen=True, slots=True)
class Effect:
    """Anything that is to be done."""


@dataclass(frozen=True, slots=True)
class EnterState(Effect):
    """The run is now in this state, for this reason."""

    state: RunState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AskProvider(Effect):
    """Have a reply written for this prompt. Answered by ReplyProposed or ReplyFailed with the same number."""

    request: int
    detection: Detection
    instruction: str = ""
    plan_step: str = ""
    """The plan's present step, "k/n: name"; empty without a plan."""


@dataclass(frozen=True, slots=True)
class CancelRequest(Effect):
    """Cancel this request; its answer is not needed any more."""

    request: int


@dataclass(frozen=True, slots=True)
class AskSecondOpinion(Effect):
    """Ask whether `reply` may be sent by itself. Answered by OpinionGiven or OpinionFailed, same number."""

    request: int
    detection: Detection
    reply: Reply
    risk: Risk


@dataclass(frozen=True, slots=True)
class CancelOpinion(Effect):
    """Cancel this second opinion; it is not needed any more."""

    request: int


@dataclass(frozen=True, slots=True)
class RecordDecision(Effect):
    """Write the decision to the transcript, and flush it, before anything that follows."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class LookAtScreen(Effect):
    """Read the screen now, unsettled; answered by FreshLook."""

    purpose: str


@dataclass(frozen=True, slots=True)
class TakeCheckpoint(Effect):
    """Save the project's files. Answered by CheckpointTaken or CheckpointFailed.

    `before` is the number of the first decision that the files do not show yet: at moment `reply` the one
    whose reply waits for this. `text` says in one line what comes next.
    """

    moment: CheckpointMoment
    before: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReportScreenAgain(Effect):
    """Forget what has settled: report the present screen again once it has held, though it looks the same."""


@dataclass(frozen=True, slots=True)
class WriteKeys(Effect):
    """Type into the child: key names or literal text of one write. `decision` is the number it rests on."""

    decision: int
    keys: tuple[str, ...] = ()
    text: str = ""
    paste: bool = False


@dataclass(frozen=True, slots=True)
class StartTimer(Effect):
    """Fire `TimerFired(timer)` after so many seconds; a timer of the same name is replaced."""

    timer: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StopTimer(Effect):
    """Forget this timer."""

    timer: str


@dataclass(frozen=True, slots=True)
class ReplyExpired(Effect):
    """The reply for this prompt died: the prompt changed, or the person took over."""

    identity: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReplyTaken(Effect):
    """What became of a typed reply: `taken`, `not taken` or `blocked` (taken, and the next prompt waits)."""

    decision: int
    outcome: str


@dataclass(frozen=True, slots=True)
class CallPerson(Effect):
    """A person is needed; said once per prompt."""

    identity: str
    reason: str


@dataclass(frozen=True, slots=True)
class SignalChild(Effect):
    """Send `interrupt` (SIGINT), `end` (orderly: HUP and TERM with grace) or `kill` to the child's group."""

    signal: str


@dataclass(frozen=True, slots=True)
class EndRun(Effect):
    """The run is over: outcome word, exit code of the process, and why."""

    outcome: str
    exit_code: int
    reason: str


@dataclass(frozen=True, slots=True)
class PlanMoved(Effect):
    """How far the plan is. A resumed run reads its progress from these records alone.

    `step` counts from 1, 0 is the plan itself; `part` is `run 1`, `send 2`, `verify 1`, `return 1`, or empty
    for the whole step. `state` is began, typing, sent, unclear, done, skipped or failed. `decision` is the
    number of the decision that the part rests on, `text` what it says or why, `digest` names what the step
    does.
    """

    step: int
    part: str
    state: str
    text: str = ""
    decision: int = 0
    label: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class JudgeCommand(Effect):
    """Judge a command of the plan; answered by CommandJudged with the same ticket."""

    ticket: int
    command: PlanCommand


@dataclass(frozen=True, slots=True)
class RunCommand(Effect):
    """Run a command of the plan; answered by CommandEnded. `seconds` is the most it may take."""

    ticket: int
    decision: int
    command: PlanCommand
    seconds: float


@dataclass(frozen=True, slots=True)
class StopCommand(Effect):
    """End the command of the plan that runs, with all that it started."""


@dataclass(frozen=True, slots=True)
class SearchScreen(Effect):
    """Look for a text on the screen and above it; answered by ScreenSearched with the same ticket.

    `pattern` (RE2) counts where it came up since the last search with `mark`; `words` count wherever they
    are, however they are wrapped.
    """

    ticket: int
    pattern: str = ""
    words: str = ""
    mark: bool = False
