"""No key while the CLI was busy: checked from a recording alone, independently of our detectors.

A CLI's own word counts: its program status (OSC 7501), or, where it reports none, its window title.
Formats: the READMEs of the recordings, measured on Claude Code 2.1.329, Codex 0.169.0, Gemini CLI 0.61.0 and
Qwen Code 0.24.4.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from copilot.recording.asciicast import OUTPUT, Cast

_OSC = re.compile(r"\x1b\](\d+);([^\x07\x1b]*)(?:\x07|\x1b\\)")
_STATE = re.compile(r"(?:^|:)state=(\w+)")
_BUSY_TITLE = re.compile(r"^[◐◑◒◓✦⠁-⣿]\ufe0e? ")
GRACE_SECONDS = 0.1
"""A report this fresh may have come in while the key was already on its way."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the CLI said of itself; `busy` is None when it takes its word back."""

    at: float
    busy: bool | None
    text: str


@dataclass(frozen=True, slots=True)
class Key:
    at: float
    what: str


@dataclass(frozen=True, slots=True)
class BusyCheck:
    """What the check found. `busy_stretches` are (start, end): with none of them the check proves nothing."""

    busy_stretches: tuple[tuple[float, float], ...]
    keys: tuple[Key, ...]
    violations: tuple[str, ...]

    def assert_no_key_while_busy(self) -> None:
        """Raises AssertionError with every key that was typed while the CLI was busy."""
        assert self.keys, "no key was typed at all"
        assert self.busy_stretches, "the CLI never reported to be busy: nothing was checked"
        assert not self.violations, "\n".join(self.violations)


def check_keys(cast: Cast, keys: Iterable[Key], grace_seconds: float = GRACE_SECONDS) -> BusyCheck:
    """Which of `keys` (on the recording's clock) were typed while the CLI said to be busy."""
    said = reports(cast)
    typed = tuple(keys)
    violations = [
        f"{key.what!r} was typed at {key.at:.3f} s, busy since {since.at:.3f} s ({since.text})"
        for key in typed
        if (since := _busy_since(said, key.at)) is not None and key.at - since.at > grace_seconds
    ]
    return BusyCheck(_stretches(said, cast.duration), typed, tuple(violations))


def reports(cast: Cast) -> list[Report]:
    """What the CLI said of itself, a report per change of mind, oldest first."""
    found = list(_sequences(cast))
    status = [
        report for report in (_status(at, text) for at, code, text in found if code == "7501") if report
    ]
    titles = [_title(at, text) for at, code, text in found if code in ("0", "2")]
    return _changes(status or titles)


def _sequences(cast: Cast) -> Iterable[tuple[float, str, str]]:
    """The OSC sequences in the output with the time of their last byte; they may span several events."""
    texts = [event for event in cast.events if event.code == OUTPUT]
    ends: list[int] = []
    total = 0
    for event in texts:
        total += len(event.data)
        ends.append(total)
    for match in _OSC.finditer("".join(event.data for event in texts)):
        event = texts[bisect.bisect_left(ends, match.end())]
        yield event.at, match.group(1), match.group(2)


def _status(at: float, text: str) -> Report | None:
    state = _STATE.search(text)
    if state is None:
        return None
    word = state.group(1)
    return Report(at, None if word == "clear" else word == "working", f"program status {word}")


def _title(at: float, text: str) -> Report:
    return Report(at, _BUSY_TITLE.search(text) is not None, f"title {text!r}")


def _changes(said: Sequence[Report]) -> list[Report]:
    changes: list[Report] = []
    for report in said:
        if not changes or changes[-1].busy != report.busy:
            changes.append(report)
    return changes


def _busy_since(said: Sequence[Report], at: float) -> Report | None:
    index = bisect.bisect_right([report.at for report in said], at) - 1
    return said[index] if index >= 0 and said[index].busy else None


def _stretches(said: Sequence[Report], end: float) -> tuple[tuple[float, float], ...]:
    ends = [report.at for report in said[1:]] + [end]
    return tuple((report.at, until) for report, until in zip(said, ends, strict=True) if report.busy)
