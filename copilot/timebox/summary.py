"""What a test run came to: the result that is returned, and the same as `summary.json` and `summary.md`."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from copilot.timebox.box import Boxed
from copilot.timebox.counts import Counts
from copilot.timebox.limits import Outcome
from copilot.timebox.runners import Runner

VERSION = 1
MOST_EXCERPT_BYTES = 32 << 10
"""An excerpt is read by a model: more than this does not help."""


class Status(StrEnum):
    """The words of the source document."""

    PASS = "pass"
    FAIL = "fail"
    TIMEOUT = "timeout"
    NO_OUTPUT = "no_output"
    ERROR = "error"


_BY_OUTCOME = {Outcome.TIMEOUT: Status.TIMEOUT, Outcome.NO_OUTPUT: Status.NO_OUTPUT}


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Paths of the report files; empty where there are none."""

    raw_log: str = ""
    summary_md: str = ""
    summary_json: str = ""


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a call returns, in every situation. `exit_code` is None for a limit, a signal, or no start."""

    __test__ = False

    status: Status
    exit_code: int | None = None
    duration_ms: int = 0
    report_dir: str = ""
    artifacts: Artifacts = field(default_factory=Artifacts)
    excerpt: str = ""
    error_message: str = ""
    counts: Counts | None = None
    leaked: bool = False

    @property
    def none_ran(self) -> bool:
        """Whether the runner was content though no test ran; the status goes by its exit code alone."""
        return self.status is Status.PASS and self.counts is not None and self.counts.ran == 0

    def as_json(self) -> dict[str, Any]:
        """The result with the names of the source document; others only where they say something."""
        data: dict[str, Any] = {
            "status": str(self.status),
            "exit_code": self.exit_code,
            "duration_ms": self.duration_ms,
            "report_dir": self.report_dir,
            "artifacts": {
                "raw_log": self.artifacts.raw_log,
                "summary_md": self.artifacts.summary_md,
                "summary_json": self.artifacts.summary_json,
            },
            "excerpt": self.excerpt,
        }
        if self.error_message:
            data["error_message"] = self.error_message
        if self.counts is not None:
            data["counts"] = self.counts.as_json()
        if self.leaked:
            data["leaked"] = True
        return data


@dataclass(frozen=True, slots=True)
class Summary:
    """A result with what the report files say beside it. All texts are redacted by now."""

    result: TestResult
    command: str
    args: tuple[str, ...]
    excerpts: tuple[str, ...]
    tail_lines: tuple[str, ...]
    generated_at: str
    output_bytes: int = 0
    left_out_bytes: int = 0

    def as_json(self) -> str:
        """The text of `summary.json`."""
        result = self.result
        data = {
            "version": VERSION,
            "command": self.command,
            "args": list(self.args),
            "status": str(result.status),
            "exit_code": result.exit_code,
            "duration_ms": result.duration_ms,
            "error_message": result.error_message or None,
            "counts": result.counts.as_json() if result.counts else None,
            "leaked": result.leaked,
            "excerpts": list(self.excerpts),
            "tail_lines": list(self.tail_lines),
            "output_bytes": self.output_bytes,
            "left_out_bytes": self.left_out_bytes,
            "generated_at": self.generated_at,
        }
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"

    def as_markdown(self) -> str:
        """The text of `summary.md`."""
        result = self.result
        code = "none" if result.exit_code is None else result.exit_code
        rows = [
            f"# Test run: {result.status}{', but no test ran' if result.none_ran else ''}",
            "",
            f"- Command: {_inline(' '.join((self.command, *self.args)))}",
            f"- Exit code: {code}",
            f"- Time: {result.duration_ms} ms",
        ]
        if result.error_message:
            rows.append(f"- Reason: {_inline(result.error_message)}")
        if result.counts is not None:
            counts = result.counts
            rows.append(f"- Tests: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
        if result.leaked:
            rows.append("- Something that the tests had started still held the output open; it was ended.")
        rows.append(f"- Finished: {self.generated_at}")
        if self.excerpts:
            rows += ["", "## Important lines", *(f"\n{_fenced(block)}" for block in self.excerpts)]
        if self.tail_lines:
            rows += ["", "## Last lines", "", _fenced("\n".join(self.tail_lines))]
        return "\n".join(rows) + "\n"


def status_of(boxed: Boxed) -> Status:
    """0 is pass, every other end of the program itself fail; a limit has its own word."""
    if boxed.outcome is Outcome.EXITED:
        return Status.PASS if boxed.exit_code == 0 else Status.FAIL
    return _BY_OUTCOME[boxed.outcome]


def reason_of(
    boxed: Boxed, runner: Runner, hard_seconds: float, silence_seconds: float, counts: Counts | None = None
) -> str:
    """What the status alone does not say; mostly empty."""
    reasons = []
    if boxed.passed and counts is not None and counts.ran == 0:
        why = f"all {counts.skipped} were skipped" if counts.skipped else "none was found"
        reasons.append(f"no test ran ({why}): this pass says nothing")
    if boxed.outcome is Outcome.TIMEOUT:
        reasons.append(f"not finished after {hard_seconds:g} s (timeout_ms); ended")
    elif boxed.outcome is Outcome.NO_OUTPUT:
        reasons.append(f"nothing was written for {silence_seconds:g} s (no_output_timeout_ms); ended")
    elif boxed.exit_code is not None and boxed.exit_code < 0:
        reasons.append(f"{runner.name} was ended by {_signal_name(-boxed.exit_code)}")
    elif boxed.exit_code is not None and boxed.exit_code in runner.exit_reasons:
        reasons.append(f"{runner.exit_reasons[boxed.exit_code]} (exit code {boxed.exit_code})")
    if boxed.stuck:
        reasons.append(f"{boxed.stuck} processes are stuck in the system; they are killed on")
    return "; ".join(reasons)


def excerpt_of(excerpts: tuple[str, ...], tail: tuple[str, ...], status: Status) -> str:
    """What a caller reads first: the important blocks unless all passed, then the last lines."""
    blocks = [] if status is Status.PASS else list(excerpts)
    if tail and not (blocks and tail[-1] in blocks[-1].split("\n")):
        blocks.append("\n".join(tail))
    text = "\n...\n".join(blocks)
    data = text.encode("utf-8", "replace")
    if len(data) <= MOST_EXCERPT_BYTES:
        return text
    half = MOST_EXCERPT_BYTES // 2
    first, second = data[:half].decode("utf-8", "ignore"), data[-half:].decode("utf-8", "ignore")
    return f"{first.rpartition(chr(10))[0] or first}\n...\n{second.partition(chr(10))[2] or second}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _inline(text: str) -> str:
    """Code in a line: a fence longer than any in the text, so nothing breaks out."""
    flat = " ".join(text.split())
    return f"{_ticks(flat, 1)} {flat} {_ticks(flat, 1)}" if "`" in flat else f"`{flat}`"


def _fenced(text: str) -> str:
    fence = _ticks(text, 3)
    return f"{fence}\n{text}\n{fence}"


def _ticks(text: str, least: int) -> str:
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return "`" * max(least, longest + 1)
