"""The tool `run_test`: the project's tests in a time box."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copilot.testrunner.tools import Tool, ToolCall, ToolResult
from copilot.timebox.request import MAX_MILLISECONDS, REQUIRED
from copilot.timebox.runners import RUNNERS, Scope
from copilot.timebox.summary import Status
from copilot.timebox.testing import run_test


def input_schema(roots: Sequence[Path]) -> dict[str, Any]:
    """What a call takes. With several roots there is `cwd` too, to say which."""
    whole = {"type": "integer", "minimum": 1}
    time = whole | {"maximum": MAX_MILLISECONDS}
    properties: dict[str, Any] = {
        "runner": {"type": "string", "enum": list(RUNNERS), "description": "The test runner."},
        "scope": {
            "type": "string",
            "enum": list(map(str, Scope)),
            "description": "all tests, one file, or the tests whose names fit a pattern.",
        },
        "target": {
            "type": "string",
            "description": "For scope file: a path inside the project (pytest: also file::test). "
            "For scope pattern: what the runner takes as a test name pattern.",
        },
        "timeout_ms": time | {"description": "The whole run is ended after this time."},
        "no_output_timeout_ms": time
        | {"description": "The run is ended when nothing was written for this time; 60000 is usual."},
        "max_output_bytes": whole
        | {
            "description": "The excerpt is made from so many bytes at the end of the output; 100000 is usual."
        },
        "report_dir": {
            "type": "string",
            "description": "Where the report goes, relative to the project. Best left out.",
        },
    }
    if len(roots) > 1:
        properties["cwd"] = {
            "type": "string",
            "enum": [str(root) for root in roots],
            "description": "The project to run in; the first if left out.",
        }
    return {
        "type": "object",
        "properties": properties,
        "required": list(REQUIRED),
        "additionalProperties": False,
    }


def output_schema() -> dict[str, Any]:
    """What a call returns."""
    text = {"type": "string"}
    names = ("raw_log", "summary_md", "summary_json")
    number = {"type": "integer", "minimum": 0}
    counted = ("passed", "failed", "skipped", "total")
    return {
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": list(map(str, Status))},
            "exit_code": {"type": ["integer", "null"]},
            "duration_ms": number,
            "report_dir": text,
            "artifacts": {
                "type": "object",
                "properties": dict.fromkeys(names, text),
                "required": list(names),
            },
            "excerpt": text,
            "error_message": text,
            "counts": {
                "type": "object",
                "properties": dict.fromkeys(counted, number),
                "required": list(counted),
            },
            "leaked": {"type": "boolean"},
        },
        "required": ["status", "exit_code", "duration_ms", "report_dir", "artifacts", "excerpt"],
    }


async def _run(call: ToolCall) -> ToolResult:
    chosen = (root for root in call.roots if str(root) == call.arguments.get("cwd"))
    redactor = call.redactor_for(next(chosen, call.roots[0]))
    result = await run_test(call.arguments, call.roots, redactor, progress=call.progress)
    return ToolResult(result.as_json(), failed=result.status is Status.ERROR)


# Tests are code of the project and run outside of the CLI's sandbox: a CLI shall ask before.
TOOL = Tool(
    name="run_test",
    title="Run tests in a time box",
    description="Run this project's tests with a known runner, and always come back: a run that takes too "
    "long or falls silent is ended with everything it started. The result has the important lines; the full "
    "log is in the files named under artifacts. Runs nothing but the runners listed, never a shell.",
    input_schema=input_schema,
    output_schema=output_schema,
    run=_run,
    read_only=False,
)
