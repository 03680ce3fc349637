"""How many tests passed, failed and were skipped: from a JUnit file, else from the runner's own last lines.

What a test run says of itself is information only; the status comes from the exit code.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import re2

from copilot.plain_files import MIB, read_plain

_MOST_BYTES = 32 * MIB
_LAST_LINES = 400


@dataclass(frozen=True, slots=True)
class Counts:
    """Tests by their end."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.passed + self.failed + self.skipped

    @property
    def ran(self) -> int:
        """Those that ran."""
        return self.passed + self.failed

    def as_json(self) -> dict[str, int]:
        """For summaries."""
        return asdict(self) | {"total": self.total}


def from_junit(path: Path) -> Counts | None:
    """The counts of a JUnit file; None if there is none, or none that can be read."""
    try:
        total = failed = skipped = 0
        for _, element in ElementTree.iterparse(BytesIO(read_plain(path, _MOST_BYTES))):
            if element.tag == "testcase":
                children = {child.tag for child in element}
                total += 1
                failed += bool(children & {"failure", "error"})
                skipped += not children & {"failure", "error"} and "skipped" in children
                element.clear()
    except (OSError, ElementTree.ParseError, ValueError):
        return None
    return Counts(total - failed - skipped, failed, skipped)


def from_text(runner: str, text: str) -> Counts | None:
    """The counts in the last lines of what this runner wrote; None if it has none."""
    reader = _READERS.get(runner)
    return reader(_last_lines(text)) if reader else None


def _last_lines(text: str) -> str:
    """The end of the text, found without a copy of the text before it, which may be megabytes."""
    at = len(text)
    for _ in range(_LAST_LINES):
        at = text.rfind("\n", 0, at)
        if at < 0:
            return text
    return text[at + 1 :]


def _numbers(pattern: Any, text: str, words: Mapping[str, str]) -> Counts | None:
    """The sum of `NUMBER WORD` in the last line that fits the pattern."""
    lines = [match.group(0) for match in pattern.finditer(text)]
    if not lines:
        return Counts() if _JS_NONE.search(text) else None
    found = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for number, word in _NUMBER_WORD.findall(lines[-1]):
        if word in words:
            found[words[word]] += int(number)
    return Counts(**found)


_NUMBER_WORD = re2.compile(r"(\d{1,9}) ([a-z]+)")
_PYTEST = re2.compile(
    r"(?m)^=* ?(?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?),? ?)+ ?in .*$"
)
_PYTEST_WORDS = {
    **{"passed": "passed", "xfailed": "passed", "xpassed": "passed"},
    **{"failed": "failed", "error": "failed", "errors": "failed", "skipped": "skipped"},
}
_JEST = re2.compile(r"(?m)^Tests: +.*$")
_JEST_WORDS = {"passed": "passed", "failed": "failed", "skipped": "skipped", "todo": "skipped"}
_VITEST = re2.compile(r"(?m)^ +Tests  .*$")
_CARGO = re2.compile(r"(?m)^test result: .*?(\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored")
_GO = re2.compile(r"(?m)^--- (PASS|FAIL|SKIP): ")
_GO_NONE = re2.compile(r"(?m)^testing: warning: no tests to run$|\t\[no test files\]$")
_JS_NONE = re2.compile(r"(?m)^No (?:tests|test files) found, exiting with code 0$")
_UNITTEST_RAN = re2.compile(r"(?m)^Ran (\d{1,9}) tests? in ")
_UNITTEST_PART = re2.compile(r"(failures|errors|skipped|unexpected successes)=(\d{1,9})")
_NODE = re2.compile(r"(?m)^(?:# |ℹ )(pass|fail|skipped|todo|cancelled) (\d{1,9})$")
_FLUTTER = re2.compile(r"(?m)^\d+:\d+ \+(\d{1,9})(?: ~(\d{1,9}))?(?: -(\d{1,9}))?: ")


def _cargo(text: str) -> Counts | None:
    """Each test target prints its own line: they are added up."""
    rows = [tuple(map(int, match.groups())) for match in _CARGO.finditer(text)]
    return Counts(*map(sum, zip(*rows, strict=True))) if rows else None


def _go(text: str) -> Counts | None:
    words = [match.group(1) for match in _GO.finditer(text)]
    if not words:
        return Counts() if _GO_NONE.search(text) else None
    return Counts(words.count("PASS"), words.count("FAIL"), words.count("SKIP"))


def _unittest(text: str) -> Counts | None:
    ran = [int(match.group(1)) for match in _UNITTEST_RAN.finditer(text)]
    if not ran:
        return None
    last = text[text.rfind("Ran ") :]
    parts = {match.group(1): int(match.group(2)) for match in _UNITTEST_PART.finditer(last)}
    failed = parts.get("failures", 0) + parts.get("errors", 0) + parts.get("unexpected successes", 0)
    skipped = parts.get("skipped", 0)
    return Counts(max(0, ran[-1] - failed - skipped), failed, skipped)


def _node(text: str) -> Counts | None:
    parts = {match.group(1): int(match.group(2)) for match in _NODE.finditer(text)}
    if "pass" not in parts:
        return None
    failed = parts.get("fail", 0) + parts.get("cancelled", 0)
    return Counts(parts["pass"], failed, parts.get("skipped", 0) + parts.get("todo", 0))


def _flutter(text: str) -> Counts | None:
    rows = [match.groups() for match in _FLUTTER.finditer(text)]
    if not rows:
        return None
    passed, skipped, failed = (int(number or 0) for number in rows[-1])
    return Counts(passed, failed, skipped)


_READERS = {
    "pytest": lambda text: _numbers(_PYTEST, text, _PYTEST_WORDS),
    "jest": lambda text: _numbers(_JEST, text, _JEST_WORDS),
    "vitest": lambda text: _numbers(_VITEST, text, _JEST_WORDS),
    "cargo": _cargo,
    "go": _go,
    "unittest": _unittest,
    "node": _node,
    "flutter": _flutter,
}
