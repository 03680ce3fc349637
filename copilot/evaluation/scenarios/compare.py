"""Two JSON reports side by side: what came, what went, and whose verdict is another one now."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.errors import InputError
from copilot.evaluation.scenarios.report import SCHEMA


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ids of scenarios; `worse` and `better` with a line each."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    worse: tuple[str, ...]
    better: tuple[str, ...]

    def lines(self) -> list[str]:
        """For people."""
        parts = (
            ("added", self.added),
            ("removed", self.removed),
            ("worse", self.worse),
            ("better", self.better),
        )
        found = [f"{word}: {one}" for word, ones in parts for one in ones]
        return found or ["nothing changed"]


def read_report(path: Path) -> dict[str, Any]:
    """A report that `copilot eval` wrote as JSON. Raises InputError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path}: is no JSON ({error}); give a report.json of copilot eval") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or "outcomes" not in document:
        raise InputError(f"{path}: is no report of this version; give a report.json of copilot eval")
    return document


def compare(old: dict[str, Any], new: dict[str, Any]) -> Comparison:
    """What changed from one report to the other. Of repeated scenarios the share as expected counts."""
    before, after = _by_id(old), _by_id(new)
    worse: list[str] = []
    better: list[str] = []
    for one in sorted(before.keys() & after.keys()):
        (was, was_words), (now, now_words) = before[one], after[one]
        if (was, was_words) != (now, now_words):
            line = f"{one}: {was_words} → {now_words}"
            (worse if now < was else better).append(line)
    return Comparison(
        tuple(sorted(after.keys() - before.keys())),
        tuple(sorted(before.keys() - after.keys())),
        tuple(worse),
        tuple(better),
    )


def _by_id(report: dict[str, Any]) -> dict[str, tuple[float, str]]:
    """For each scenario the share of its runs that were as expected, and that in words."""
    runs: dict[str, list[dict[str, Any]]] = {}
    for outcome in report["outcomes"]:
        runs.setdefault(str(outcome["id"]), []).append(outcome)
    found = {}
    for one, outcomes in runs.items():
        good = sum(bool(outcome["as_expected"]) for outcome in outcomes)
        words = (
            str(outcomes[0]["verdict"]) if len(outcomes) == 1 else f"{good} of {len(outcomes)} as expected"
        )
        if len(outcomes) == 1 and not good:
            words += " (not expected)"
        found[one] = good / len(outcomes), words
    return found
