"""What a dialog of a walk should have been read as, against what it was read as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from copilot.core.detection import Detection
from copilot.core.profile import ReplyKeys
from copilot.core.reply_keys import matches_any, widens
from copilot.core.screen_kinds import ScreenKind
from copilot.lab.clis.base import Expected


@dataclass(frozen=True, slots=True)
class Difference:
    """One aspect of one dialog that is not as it was measured."""

    station: str
    aspect: str
    expected: str
    found: str


def fits(text: str, wanted: str) -> bool:
    """Whether a text is as wanted; `*` matches any text, and blanks are folded."""
    pattern = ".*".join(re.escape(part) for part in wanted.split("*"))
    return re.fullmatch(pattern, " ".join(text.split()), re.DOTALL) is not None


def is_of_kind(found: Detection, expected: Expected) -> bool:
    """Whether it is read as one of the kinds that are expected."""
    return found.kind.value in expected.kind.split("|")


def compare(station: str, expected: Expected, found: Detection, keys: ReplyKeys) -> Iterator[Difference]:
    """The differences. Where the kind itself differs, nothing else is compared."""
    if not is_of_kind(found, expected):
        said = f"{found.kind.value} by {found.rule}" + (f" ({found.note})" if found.note else "")
        yield Difference(station, "kind", expected.kind, said)
        return
    if bool(found.question) != expected.question:
        yield Difference(
            station, "question", "one" if expected.question else "none", found.question or "none"
        )
    labels = tuple(option.label for option in found.options)
    if not _all_fit(labels, expected.options):
        yield Difference(station, "options", _listed(expected.options), _listed(labels))
    subject = f"{found.subject.action}: {found.subject.text}" if found.subject is not None else ""
    if not fits(subject, expected.subject):
        yield Difference(station, "subject", expected.subject or "none", subject or "none")
    widening = tuple(
        option.label
        for option in found.options
        if widens(option, keys)
        or (found.kind is ScreenKind.TRUST and matches_any(option.label, keys.trust_options))
    )
    if not _all_fit(widening, expected.widening):
        yield Difference(station, "widening", _listed(expected.widening), _listed(widening))


def _all_fit(found: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return len(found) == len(wanted) and all(map(fits, found, wanted))


def _listed(labels: tuple[str, ...]) -> str:
    return " / ".join(labels) or "none"
