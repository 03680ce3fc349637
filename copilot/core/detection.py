"""`Detection`: what the detectors say of a snapshot, and the words they say it in."""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass, field, replace

from copilot.core.screen_kinds import PROMPT_KINDS, WAITING_KINDS, ScreenKind


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
class ShownChange:
    """What a dialog shows of a change to a file: its lines, without numbers and signs.

    `act` is create, edit, overwrite or delete. `whole` means that every changed line is shown.
    """

    act: str
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """What a permission prompt is about: the command, or the file, as shown on the screen.

    `action` is shell, write, edit, delete, read, fetch, plan, tool, unknown, or SAID_ABOVE. `cut` means that
    the dialog does not show all of it, so `text` must never be judged as if it were whole. `rows` are where
    it is. `odd` says why it may not be what the dialog is about, though it looks like it; it is cut then.
    """

    action: str
    text: str
    cut: bool = False
    rows: tuple[int, ...] = ()
    odd: str = ""
    change: ShownChange | None = None
    """Of an edit: what is shown of its content; None where nothing is, or where the profile cannot tell."""
    unproven: bool = False
    """Read by its form alone, from a CLI that was never measured: at least medium risk, no grant lifts it."""


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
    ends_input: bool = False
    """The text of several lines ends with Ctrl-D behind its last Enter."""
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
