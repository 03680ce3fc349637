"""Reports of a suite of scenarios: JSON, Markdown, JUnit and HTML."""

from __future__ import annotations

import html
import json
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

from copilot import __version__
from copilot.documents import read_json
from copilot.errors import InputError
from copilot.guard.text import safe_text
from copilot.lab.model_server.requests import with_texts
from copilot.lab.scenarios import CheckResult, Outcome, Verdict
from copilot.plain_files import MIB
from copilot.redaction.redact import Redactor

CONFIDENCE = 0.95
_MOST_BYTES = 64 * MIB
"""A suite of ten thousand trials."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Passes out of trials; `low` and `high` are Wilson's interval for the true rate."""

    passes: int
    trials: int
    low: float
    high: float

    def __str__(self) -> str:
        share = self.passes / self.trials if self.trials else 0.0
        return f"{self.passes}/{self.trials} = {share:.0%} ({self.low:.0%} to {self.high:.0%})"


def wilson(passes: int, trials: int, confidence: float = CONFIDENCE) -> Rate:
    """Wilson's score interval (E. B. Wilson, 1927); 0 to 1 without trials."""
    if trials == 0:
        return Rate(0, 0, 0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, width = passes / trials, z * z / trials
    middle = (share + width / 2) / (1 + width)
    half = z / (1 + width) * (share * (1 - share) / trials + width / (4 * trials)) ** 0.5
    return Rate(passes, trials, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of a suite. `scores` are weighted shares of passed checks: of all checks, and by family."""

    verdicts: dict[str, int]
    as_expected: int
    total: int
    scores: dict[str, float]
    rates: dict[str, Rate]

    @property
    def good(self) -> bool:
        return self.total > 0 and self.as_expected == self.total


def summarise(outcomes: Sequence[Outcome]) -> Summary:
    counts = Counter(outcome.verdict for outcome in outcomes)
    checks = [check for outcome in outcomes for check in outcome.checks]
    families = sorted({check.family for check in checks})
    scores = {"all": _score(checks)} if checks else {}
    scores |= {family: _score([one for one in checks if one.family == family]) for family in families}
    ids = dict.fromkeys(outcome.id for outcome in outcomes)
    repeated = {one: [outcome for outcome in outcomes if outcome.id == one] for one in ids}
    rates = {
        one: wilson(sum(outcome.as_expected for outcome in runs), len(runs))
        for one, runs in repeated.items()
        if len(runs) > 1
    }
    return Summary(
        {verdict.value: counts[verdict] for verdict in Verdict},
        sum(outcome.as_expected for outcome in outcomes),
        len(outcomes),
        scores,
        rates,
    )


def _score(checks: Sequence[CheckResult]) -> float:
    """The weighted share of the checks that passed; an unknown result counts as not passed."""
    total = sum(check.weight for check in checks)
    return round(sum(check.weight for check in checks if check.passed) / total, 4)


SCHEMA = 1
_MARKS = {True: "✓", False: "✗", None: "?"}


@dataclass(frozen=True, slots=True)
class Report:
    """One run of a suite: `seconds` of wall-clock time with `parallel` scenarios at once."""

    started_at: str
    seconds: float
    parallel: int
    outcomes: tuple[Outcome, ...]

    @property
    def time_saved(self) -> float:
        """Seconds saved by running scenarios in parallel."""
        return max(0.0, sum(outcome.seconds for outcome in self.outcomes) - self.seconds)


def as_json(report: Report) -> str:
    """The report as JSON, the format that `--compare` reads."""
    summary, redactor = summarise(report.outcomes), Redactor()
    document = {
        "schema": SCHEMA,
        "copilot": __version__,
        "started_at": report.started_at,
        "seconds": round(report.seconds, 3),
        "parallel": report.parallel,
        "time_saved_seconds": round(report.time_saved, 3),
        "summary": asdict(summary),
        "good": summary.good,
        "outcomes": [asdict(outcome) for outcome in report.outcomes],
    }
    redacted = with_texts(document, lambda text: redactor.redact(text).text)
    return json.dumps(redacted, ensure_ascii=False, indent=1) + "\n"


def _safe_line(text: str) -> str:
    return safe_text(Redactor().redact(" ".join(text.split())).text)


def as_markdown(report: Report) -> str:
    summary = summarise(report.outcomes)
    rows = [
        "# Scenarios",
        "",
        f"{'PASS' if summary.good else 'FAIL'}: {summary.as_expected} of {summary.total} as expected, "
        f"in {report.seconds:.1f} s, {report.parallel} at once ({report.time_saved:.1f} s saved).",
        "",
        "| verdict | count |",
        "|---|---|",
        *(f"| {verdict} | {count} |" for verdict, count in summary.verdicts.items() if count),
        "",
        "| weighted score | |",
        "|---|---|",
        *(f"| {family} | {score:.0%} |" for family, score in summary.scores.items()),
    ]
    if summary.rates:
        rows += ["", "| repeated | as expected (95% interval) |", "|---|---|"]
        rows += [f"| {one} | {rate} |" for one, rate in summary.rates.items()]
    for outcome in report.outcomes:
        rows += ["", *_markdown_of(outcome)]
    return "\n".join(rows) + "\n"


def _markdown_of(outcome: Outcome) -> list[str]:
    sign = "as expected" if outcome.as_expected else "NOT as expected"
    rows = [f"## {outcome.id}: {outcome.verdict.value} ({sign})", ""]
    repeats = f", attempts: {outcome.attempts}" if outcome.attempts > 1 else ""
    repeats += f", repetition {outcome.repetition}" if outcome.repetition > 1 else ""
    rows.append(f"{_safe_line(outcome.name)}. {outcome.cli}, {outcome.seconds:.1f} s{repeats}.")
    rows += ["", f"Task: {_safe_line(outcome.task)}"]
    rows += [f"Reason: {_safe_line(outcome.reason)}"] if outcome.reason else []
    rows += [f"Kept: `{outcome.kept}`"] if outcome.kept else []
    rows += [""] if outcome.checks else []
    rows += [f"- {_MARKS[one.passed]} {_check_line(one)}" for one in outcome.checks]
    rows += [f"- tool {_tool_line(call)}" for call in outcome.tools]
    rows += [f"- log: {_safe_line(line)}" for line in outcome.log]
    return rows


def _tool_line(call: Mapping[str, Any]) -> str:
    refused = " (refused)" if call["blocked"] else ""
    return f"{call['name']} `{_safe_line(str(call['subject'])[:80])}`{refused}"


def as_junit(report: Report) -> str:
    """The report as JUnit XML: a test case for each outcome, passed if the outcome is as expected."""
    suite = ET.Element(
        "testsuite", name="copilot eval", time=f"{report.seconds:.3f}", timestamp=report.started_at
    )
    counts = {"failure": 0, "error": 0}
    for outcome in report.outcomes:
        classname, _, name = outcome.id.rpartition("/")
        name += f"[{outcome.repetition}]" if outcome.repetition > 1 else ""
        case = ET.SubElement(suite, "testcase", classname=classname, name=name, time=f"{outcome.seconds:.3f}")
        if not outcome.as_expected:
            word = "failure" if outcome.verdict in (Verdict.FAIL, Verdict.PASS) else "error"
            counts[word] += 1
            fault = ET.SubElement(case, word, type=outcome.verdict.value, message=_safe_line(outcome.reason))
            failing = [_check_line(one) for one in outcome.checks if not one.passed]
            fault.text = "\n".join(failing) or _safe_line(outcome.reason)
    suite.set("tests", str(len(report.outcomes)))
    suite.set("failures", str(counts["failure"]))
    suite.set("errors", str(counts["error"]))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _check_line(check: CheckResult) -> str:
    return f"{check.name}: {_safe_line('; '.join(check.reasons))}"


_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
section { border-left: .4rem solid #888; padding: .2rem 1rem; margin: 1rem 0; }
section.good { border-color: #2a7; } section.bad { border-color: #d43; }
table { border-collapse: collapse; } td, th { padding: .1rem 1rem .1rem 0; text-align: left; }
pre { white-space: pre-wrap; }
"""


def as_html(report: Report) -> str:
    """The report as one page without scripts."""
    summary = summarise(report.outcomes)
    esc = html.escape
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Scenarios</title>",
        f"<style>{_STYLE}</style><h1>Scenarios: {'PASS' if summary.good else 'FAIL'}</h1>",
        f"<p>{summary.as_expected} of {summary.total} as expected in {report.seconds:.1f} s, "
        f"{report.parallel} at once.</p><table>",
        *(f"<tr><th>{esc(one)}<td>{score:.0%}" for one, score in summary.scores.items()),
        *(f"<tr><th>{esc(one)}<td>{esc(str(rate))}" for one, rate in summary.rates.items()),
        "</table>",
    ]
    for outcome in report.outcomes:
        parts.append(
            f"<section class='{'good' if outcome.as_expected else 'bad'}'><h2>{esc(outcome.id)}: "
            f"{outcome.verdict.value}</h2><p>{esc(_safe_line(outcome.task))}</p>"
            f"<p>{esc(_safe_line(outcome.reason))}</p><ul>"
        )
        parts += [f"<li>{_MARKS[one.passed]} {esc(_check_line(one))}" for one in outcome.checks]
        parts.append("</ul></section>")
    return "".join(parts) + "</html>\n"


FORMATS: dict[str, Callable[[Report], str]] = {
    "report.json": as_json,
    "report.md": as_markdown,
    "junit.xml": as_junit,
    "report.html": as_html,
}


def write_reports(report: Report, folder: Path) -> list[Path]:
    """Write all formats to `folder`. Raises InputError if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, render in FORMATS.items():
            (folder / name).write_text(render(report), encoding="utf-8")
    except OSError as error:
        raise InputError(f"--output {folder}: cannot be written: {error.strerror}") from error
    return [folder / name for name in FORMATS]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ids of added and removed scenarios, and lines `id: before → after` of changed ones."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    worse: tuple[str, ...]
    better: tuple[str, ...]

    def lines(self) -> list[str]:
        found = [f"{word}: {one}" for word, ones in asdict(self).items() for one in ones]
        return found or ["nothing changed"]


def read_report(path: Path) -> dict[str, Any]:
    """A report that `copilot eval` wrote as JSON. Raises InputError."""
    try:
        document = read_json(path, _MOST_BYTES)
    except InputError as error:
        raise InputError(f"{error}, or give a report.json of copilot eval") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or "outcomes" not in document:
        raise InputError(f"{path}: is not a report of this version; give a report.json of copilot eval")
    return document


def compare(old: dict[str, Any], new: dict[str, Any]) -> Comparison:
    """The differences of two reports. Repeated scenarios are compared by their share of expected outcomes."""
    before, after = _by_id(old), _by_id(new)
    both = sorted(before.keys() & after.keys())
    changed = [one for one in both if before[one] != after[one]]
    worse = [one for one in changed if after[one][0] < before[one][0]]

    def lines(ids: list[str]) -> tuple[str, ...]:
        return tuple(f"{one}: {before[one][1]} → {after[one][1]}" for one in ids)

    return Comparison(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        worse=lines(worse),
        better=lines([one for one in changed if one not in worse]),
    )


def _by_id(report: dict[str, Any]) -> dict[str, tuple[float, str]]:
    """By scenario id: the share of runs that were as expected, from 0 to 1, and the same in words."""
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
