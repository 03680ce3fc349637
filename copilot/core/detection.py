"""`Detection`: what the detectors say of a snapshot, and the words they say it in."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace


class ScreenKind(enum.StrEnum):
    """What a screen is. These words are fixed: labels, `copilot detect` and profiles use them."""

    STARTING = "starting"
    TRUST = "trust"
    LOGIN = "login"
    MENU = "menu"
    PERMISSION = "permission"
    YES_NO = "yes_no"
    QUESTION = "question"
    TEXT_INPUT = "text_input"
    PASSWORD = "password"
    PRESS_KEY = "press_key"
    PAGER = "pager"
    EDITOR = "editor"
    IDLE = "idle"
    COMPLETED = "completed"
    BUSY = "busy"
    ERROR = "error"
    EXITED = "exited"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class KindEntry:
    """What holds for one kind of screen. `words` name it alone, `noun` names it within a sentence."""

    words: str
    noun: str = ""
    label_key: str = ""
    """What a person presses to say that a screen is of this kind."""
    hint: str = ""
    """What stands beside its words where that is asked."""
    asks: bool = False
    ready: bool = False
    """The composer is ready and nothing is asked."""
    takes_text: bool = False
    goes_on: bool = False
    """`reply_keys.continue_keys` may leave it."""
    assisted: bool = False
    """Level assist answers it. Not a pager: whoever sits there may be reading."""
    persons: bool = False
    """No level says yes to it by itself (trust is given by `--trust`)."""
    secret: bool = False
    """A secret is asked: the person's alone to type, never a model's, never recorded."""
    high_risk: str = ""
    """Why every reply to it is of high risk."""
    low_risk: str = ""
    """Why a reply to it is of low risk where no word names a danger."""


SCREEN_KINDS: Mapping[ScreenKind, KindEntry] = {
    ScreenKind.PERMISSION: KindEntry(
        "permission", label_key="p", hint="wants to run or edit", asks=True, assisted=True
    ),
    ScreenKind.MENU: KindEntry("menu", label_key="m", hint="a list to choose from", asks=True, assisted=True),
    ScreenKind.YES_NO: KindEntry(
        "yes or no",
        "a question for yes or no",
        label_key="y",
        hint="a yes-or-no question",
        asks=True,
        assisted=True,
    ),
    ScreenKind.TRUST: KindEntry(
        "trust this folder?", "trust in a folder", label_key="r", asks=True, persons=True
    ),
    ScreenKind.QUESTION: KindEntry(
        "question",
        label_key="q",
        hint="asked in its message",
        asks=True,
        takes_text=True,
        low_risk="an answer in words changes nothing by itself",
    ),
    ScreenKind.TEXT_INPUT: KindEntry(
        "text wanted",
        "a wanted text",
        label_key="t",
        hint="it wants text",
        asks=True,
        takes_text=True,
        low_risk="a text is entered",
    ),
    ScreenKind.PASSWORD: KindEntry(
        "password",
        label_key="w",
        hint="it wants a secret",
        asks=True,
        persons=True,
        secret=True,
        high_risk="a password is the person's to type",
    ),
    ScreenKind.LOGIN: KindEntry(
        "login",
        label_key="l",
        hint="an account or key",
        asks=True,
        persons=True,
        secret=True,
        high_risk="signing in is the person's to do",
    ),
    ScreenKind.PRESS_KEY: KindEntry(
        "press a key",
        "a wanted key",
        label_key="k",
        hint="goes on at any key",
        asks=True,
        goes_on=True,
        assisted=True,
        low_risk="a key is pressed to go on",
    ),
    ScreenKind.PAGER: KindEntry(
        "pager",
        label_key="g",
        hint="text is being paged",
        asks=True,
        goes_on=True,
        low_risk="a pager is left",
    ),
    ScreenKind.EDITOR: KindEntry(
        "editor",
        "an editor",
        label_key="v",
        hint="an editor is open",
        asks=True,
        goes_on=True,
        persons=True,
        high_risk="what stands in an editor is the person's",
    ),
    ScreenKind.IDLE: KindEntry(
        "ready", "a new instruction", label_key="i", hint="nothing is asked", ready=True, takes_text=True
    ),
    ScreenKind.COMPLETED: KindEntry(
        "turn done",
        "a new instruction",
        label_key="c",
        hint="ready after a turn",
        ready=True,
        takes_text=True,
    ),
    ScreenKind.BUSY: KindEntry("busy", "a program at work", label_key="b", hint="it works"),
    ScreenKind.STARTING: KindEntry("starting", "a program that starts", label_key="s", hint="it starts"),
    ScreenKind.ERROR: KindEntry(
        "error",
        "an error",
        label_key="e",
        hint="a turn failed",
        high_risk="an error waits for a decision",
    ),
    ScreenKind.EXITED: KindEntry("exited", "a program that has ended"),
    ScreenKind.UNKNOWN: KindEntry(
        "not understood",
        "a screen that is not understood",
        persons=True,
        high_risk="the screen is not understood",
    ),
}
"""The registry of kinds, in the order in which a person is offered them as labels."""

PROMPT_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.asks)
READY_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.ready)
SECRET_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.secret)
TEXT_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.takes_text)
PERSONS_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.persons)

WAITING_KINDS = PROMPT_KINDS | READY_KINDS | {ScreenKind.ERROR}
"""Kinds in which the child does nothing until keys come (`error` only if it does not retry by itself)."""

KIND_WORDS = {kind: entry.words for kind, entry in SCREEN_KINDS.items()}


class EvidenceSource(enum.IntEnum):
    """Where a detection comes from, best last: a higher rank overrules a lower one."""

    QUIET = 0
    TTY = 1
    SCREEN = 2
    REPORT = 3
    """The child's own report: program status, window title, progress."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a prompt.

    `key` is what chooses it, as key names separated by blanks (`"1"`, `"y Enter"`); None means: move the
    pointer there with the arrow keys and press Enter. `checked` is None unless options can be ticked.
    """

    label: str
    key: str | None = None
    selected: bool = False
    description: str | None = None
    checked: bool | None = None


SAID_ABOVE = "said above"
"""The action of a subject that is only the text above a question which names nothing itself."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a permission prompt is about: the command, or the file, as shown on the screen.

    `action` is shell, write, edit, delete, read, fetch, plan, tool, unknown, or SAID_ABOVE. `cut` means that
    the dialog does not show all of it, so `text` must never be judged as if it were whole. `rows` are where
    it stands.
    """

    action: str
    text: str
    cut: bool = False
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Detection:
    """What one screen is: its kind, what is asked, and the evidence.

    `rule` is the id of the rule that matched, `evidence` the numbers of the rows that it rests on (from 0),
    `certainty` 0 to 1. `draft` is text that a person typed into the composer (a placeholder or a
    ghost suggestion is not a draft). `identity` names this very prompt: it stays the same under spinners,
    clocks and redraws, and differs when the same question is asked again. Empty while nothing waits.
    """

    kind: ScreenKind
    question: str | None = None
    options: tuple[Option, ...] = ()
    rule: str = ""
    evidence: tuple[int, ...] = ()
    source: EvidenceSource = EvidenceSource.SCREEN
    certainty: float = 1.0
    subject: Subject | None = None
    multi_select: bool = False
    multi_line: bool = False
    """The prompt asks for text of several lines."""
    draft: str = ""
    identity: str = ""
    note: str = ""
    """Why this and not something else, in one line for a person (e.g. sources disagree)."""
    columns: int = field(default=0, compare=False)
    proven: bool = field(default=False, compare=False)
    """Text typed now goes into a field: the CLI's report, a verified profile's own rule, or the terminal's
    line mode says so. Else a harmless letter must show first that it does (`probe.py`)."""
    above: str = field(default="", compare=False)
    """The rows above a question for yes or no, as far as they belong to it."""

    @property
    def shown_subject(self) -> Subject | None:
        """The subject, if any of it is shown (if it is empty, what the prompt is about is unknown)."""
        return self.subject if self.subject is not None and self.subject.text.strip() else None

    @property
    def waiting(self) -> bool:
        """Whether the child waits for keys."""
        return self.kind in WAITING_KINDS

    @property
    def asks(self) -> bool:
        """Whether something is asked (a composer that is merely ready asks nothing)."""
        return self.kind in PROMPT_KINDS

    @property
    def at_work(self) -> bool:
        """Whether the child is seen at work: busy by more than the lack of anything else."""
        return self.kind is ScreenKind.BUSY and self.certainty > 0.5

    def selected_option(self) -> Option | None:
        """The option under the pointer, if one is."""
        return next((option for option in self.options if option.selected), None)

    def option_named(self, label: str) -> Option | None:
        """The option with this label: exact first, then the same but for case, blanks and a trailing dot.

        None if no option, or more than one, fits.
        """
        exact = [option for option in self.options if option.label == label]
        if len(exact) == 1:
            return exact[0]
        wanted = _folded(label)
        close = [option for option in self.options if _folded(option.label) == wanted]
        return close[0] if len(close) == 1 else None


def asks_in_a_line(detection: Detection) -> bool:
    """Whether a line of text is asked for, in which a yes could be typed."""
    return detection.kind is ScreenKind.TEXT_INPUT and bool((detection.question or "").strip())


def asks_with_a_mark(detection: Detection) -> bool:
    """Whether what is asked ends in a question mark."""
    return (detection.question or "").rstrip().endswith(("?", "？"))


def as_yes_no(detection: Detection) -> Detection:
    """The same question as one for yes or no."""
    return replace(detection, kind=ScreenKind.YES_NO)


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold().rstrip(".")


def fingerprint(kind: ScreenKind, question: str | None, labels: tuple[str, ...], above: str) -> str:
    """A short stable name for a prompt's content: kind, question, options and the text above it.

    White space is folded, so that a re-wrap at another width gives the same name.
    """
    parts = (kind.value, question or "", *labels, above)
    text = "\x1f".join("".join(part.split()) for part in parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def kind_noun(kind: ScreenKind) -> str:
    """`an editor`, `a wanted text`: what waits there, to be named in a sentence."""
    return SCREEN_KINDS[kind].noun or f"a {SCREEN_KINDS[kind].words}"
