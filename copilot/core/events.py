"""Events: what happened. The counterparts of `effects.py`; together they are the core's whole interface.

`at` is seconds since the run began, always given from outside.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.probe import FieldView
from copilot.core.reply import Autonomy, Proposal, Reply
from copilot.core.risk import NO_RISK, Risk

RECORDED_AS = "recorded_as"
"""In a field's metadata: its name in transcripts, where runs recorded so far have another name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Anything that happened, and when."""

    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    """The child runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSettled(Event):
    """The screen was read, and the reading has held for its confirmation time.

    `risk` is the risk of saying yes to what is asked, `option_risks` that of each option by its own
    words (parallel to the options, or empty; at a question in a text line, the risk of typing a yes);
    `first_seen_at` is when the prompt appeared.
    """

    detection: Detection
    risk: Risk = dataclasses.field(default=NO_RISK, metadata={RECORDED_AS: "danger"})
    option_risks: tuple[Risk, ...] = dataclasses.field(default=(), metadata={RECORDED_AS: "option_dangers"})
    first_seen_at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyProposed(Event):
    """A provider answered a request for a reply."""

    request: int
    proposal: Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFailed(Event):
    """A provider gave no usable reply; `reason` is shown to the person."""

    request: int
    reason: str
    cost_usd: float | None = 0.0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionGiven(Event):
    """The second opinion on a reply: whether it may be sent by itself, and why (shown to the person)."""

    request: int
    agrees: bool
    reason: str = ""
    cost_usd: float | None = 0.0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionFailed(Event):
    """There is no usable second opinion; `reason` is shown to the person."""

    request: int
    reason: str
    cost_usd: float | None = 0.0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDropped(Event):
    """A call to a model was cancelled: what it may have used counts all the same.

    The numbers are estimates: the provider reports them only with a whole answer.
    """

    cost_usd: float | None = 0.0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshLook(Event):
    """The screen was read again because the core asked, unsettled. `risk` as in ScreenSettled.

    `before_cursor` is the logical line up to the cursor: where typed text shows at a line prompt.
    `bracketed_paste` means that the child takes pastes as such. `field` is the place where a letter would
    appear, None where that cannot be seen.
    """

    detection: Detection
    risk: Risk = dataclasses.field(default=NO_RISK, metadata={RECORDED_AS: "danger"})
    before_cursor: str = ""
    bracketed_paste: bool = False
    field: FieldView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerFired(Event):
    """A timer set by the core ran out. `late_seconds` is 0 unless it fired much later than it was set for."""

    timer: str
    late_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSent(Event):
    """The person sends a reply, as proposed or edited."""

    identity: str
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDismissed(Event):
    """The person wants no reply for this prompt, or stopped a countdown (`keep` leaves the reply held)."""

    identity: str
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAskedAgain(Event):
    """The person wants another reply, with an instruction such as "shorter"."""

    identity: str
    instruction: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTyped(Event):
    """The person's keys went to the child: the terminal is theirs until the prompt changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutonomyChanged(Event):
    """The person chose another level."""

    level: Autonomy


@dataclass(frozen=True, slots=True, kw_only=True)
class GoverningPromptChanged(Event):
    """The person wrote another governing prompt, which counts from now on: version `number`, from 2.

    Its text is in `file` of the run folder; `sha256` is that file's hash, in hexadecimal. `identity` is the
    open prompt, `risk` its risk under the new words.
    """

    number: int
    file: str
    sha256: str
    identity: str = ""
    risk: Risk = dataclasses.field(default=NO_RISK, metadata={RECORDED_AS: "danger"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantChanged(Event):
    """A grant was `given`, `used`, `used up`, is `over`, or was `revoked`; `by` is `settings` or `you`.

    `identity` is the prompt on the screen, `risk` its risk from now on; empty if it does not matter.
    """

    rule: str
    change: str
    by: str = ""
    left: int | None = None
    until: float | None = None
    identity: str = ""
    risk: Risk = dataclasses.field(default=NO_RISK, metadata={RECORDED_AS: "danger"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFailed(Event):
    """Keys could not be written to the child."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingFailed(Event):
    """The run can no longer be recorded (a full disk): what cannot be audited is not sent by itself."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted(Event):
    """The person interrupts the run (Ctrl-C in headless, quit in the TUI)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptIgnored(Event):
    """The child only waits for keys after an interrupt, as a shell at its prompt does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildExited(Event):
    """The child is gone. `status` is its exit status, negative for the signal that ended it.

    `prompt` is the identity of what was asked on the last screen, settled or not; empty if nothing was.
    """

    status: int
    prompt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulted(Event):
    """Something of ours broke; the run ends in ERROR with this reason."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandJudged(Event):
    """The risk of running a command of the plan."""

    ticket: int
    risk: Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEnded(Event):
    """A command of the plan has ended: `outcome` says how, `excerpt` is its last output, redacted."""

    ticket: int
    passed: bool
    outcome: str
    excerpt: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSearched(Event):
    """Whether the text that the core wanted to know of is there."""

    ticket: int
    found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointTaken(Event):
    """The project's files are saved as checkpoint `number`, from 0.

    `created`, `changed` and `removed` are paths in the project that `author` made so since the checkpoint
    before, the first ones of each; `unlisted` counts the others. `before` is that of TakeCheckpoint.
    """

    number: int
    moment: CheckpointMoment
    author: Author
    before: int
    created: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unlisted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointFailed(Event):
    """The project's files could not be saved; `reason` is shown to the person."""

    moment: CheckpointMoment
    reason: str
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesRestored(Event):
    """An undo put `paths` back; it is checkpoint `number` itself, and `before` is that of the one it went to.

    `unlisted` counts paths that are not listed.
    """

    number: int
    before: int
    paths: tuple[str, ...] = ()
    unlisted: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """One question to the disk about `path` and its answer, None if nothing is there.

    `unread` is why it cannot be read.
    """

    question: str
    path: str
    answer: str | int | bool | None = None
    unread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskLooked(Event):
    """What the judge saw on the disk for the risk of the next event, where it was not seen alike before.

    `cwd` and `home` are the folders that it judged by. Of more than is kept, or what is no text, `left_out`
    are missing: then what was seen before does not count any more either. A transcript has only the number: a
    run folder keeps the rest in a file of that number.
    """

    number: int
    cwd: str
    home: str
    looks: tuple[Look, ...] = ()
    left_out: int = 0
