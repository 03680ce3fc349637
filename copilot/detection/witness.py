"""Another classifier's word on a screen: a plug-in of the entry point group `copilot.classifiers`.

It is loaded only where `detectors.json` names it. Its word is a witness beside the rules: it can
make a prompt the person's, and never makes a screen answerable that the rules do not read as a prompt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from copilot.core.detection import Detection, EvidenceSource
from copilot.core.screen_kinds import PROMPT_KINDS, ScreenKind
from copilot.errors import InputError

GROUP = "copilot.classifiers"
_SURE = 0.9


class Classifier(Protocol):
    """What the entry point gives: a function of the rows as a person sees them, and of the cursor's row.

    It returns the name of a kind of screen and how sure it is (0 to 1), or None for no word.
    """

    def __call__(self, rows: tuple[str, ...], cursor_row: int) -> tuple[str, float] | None:
        """Classify one screen; called for each that is read, so it must be fast."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A loaded classifier and its name."""

    name: str
    classify: Classifier

    def heard(self, detection: Detection, rows: tuple[str, ...], cursor_row: int) -> Detection:
        """The detection beside the classifier's word."""
        try:
            said = self.classify(rows, cursor_row)
            kind, sure = (ScreenKind(said[0]), float(said[1])) if said is not None else (detection.kind, 0.0)
        except Exception as problem:  # a plug-in's fault must not end the run
            return _noted(detection, f"the classifier {self.name} failed: {type(problem).__name__}")
        if kind is detection.kind or sure < _SURE:
            return detection
        doubt = f"the classifier {self.name} takes this for {kind.value}"
        doubted = (
            detection.asks and kind not in PROMPT_KINDS and detection.source is not EvidenceSource.REPORT
        )
        if not doubted:
            return _noted(detection, doubt)
        note = f"{doubt}, the rules for {detection.kind.value} ({detection.rule})"
        return Detection(
            ScreenKind.UNKNOWN,
            rule="engine.witness",
            evidence=detection.evidence,
            note=note,
            draft=detection.draft,
            columns=detection.columns,
        )


def load_witness(name: str) -> Witness:
    """The classifier that an installed package offers by this name. Raises InputError."""
    from importlib.metadata import entry_points  # reads the disk: only where a classifier is named

    found = entry_points(group=GROUP)
    known = sorted(found.names)
    if name not in known:
        listed = f"there are {', '.join(known)}" if known else "none is installed"
        raise InputError(f"classifier: {name!r}: no entry point of that name in {GROUP}; {listed}")
    try:
        classify = found[name].load()
    except Exception as problem:
        raise InputError(f"classifier: {name!r} cannot be loaded: {problem}") from None
    if not callable(classify):
        raise InputError(f"classifier: {name!r} is no function of (rows, cursor_row)")
    return Witness(name, classify)


def _noted(detection: Detection, note: str) -> Detection:
    return replace(detection, note=f"{detection.note}; {note}" if detection.note else note)
