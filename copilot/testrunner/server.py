"""The MCP server on stdio. Each call runs in a task of its own, so a cancel or a closed pipe ends the tests.

While it serves, descriptor 1 of this process leads to stderr (the SDK sees to it): nothing but the protocol
reaches the client.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from copilot import __version__
from copilot.redaction.redact import Redactor
from copilot.supervision.end_by import end_by
from copilot.timebox.request import MOST_MILLISECONDS, REQUIRED
from copilot.timebox.runners import RUNNERS, Scope
from copilot.timebox.summary import Status, TestResult
from copilot.timebox.testing import Progress, run_test

TOOL = "run_test"
DESCRIPTION = (
    "Run this project's tests with a known runner, and always come back: a run that takes too long or falls "
    "silent is ended with everything it started. The result has the important lines; the full log is in the "
    "files named under artifacts. Runs nothing but the runners listed, never a shell."
)


def input_schema(roots: Sequence[Path]) -> dict[str, Any]:
    """What a call takes. With several roots there is `cwd` too, to say which."""
    whole = {"type": "integer", "minimum": 1}
    time = whole | {"maximum": MOST_MILLISECONDS}
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


MOST_AT_ONCE = 8
PROGRESS_SECONDS = 2.0
"""Between two signs of life: clients that reset their own limit at one have limits of 10 s and more."""

_Context = ServerRequestContext[Any, Any]


class TestServer:
    """One tool over some roots. `redactor_for` makes the redactor of a root when a run starts."""

    __test__ = False

    def __init__(self, roots: Sequence[Path], redactor_for: Callable[[Path], Redactor]) -> None:
        self._roots = tuple(roots)
        self._redactor_for = redactor_for
        self._running: set[asyncio.Task[TestResult]] = set()
        self._leaving: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve until the client closes the pipe; then end what still runs, and return when it is gone."""
        server = Server(
            "copilot-run-test", version=__version__, on_list_tools=self._tools, on_call_tool=self._call
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, self._told_to_end, number)
        try:
            async with stdio_server() as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())
        finally:
            await self._end_tests()

    def _told_to_end(self, number: int) -> None:
        """End the tests, which tidy up, then by that signal; told once more, at once."""
        if self._leaving is not None:
            end_by(number)
        self._leaving = asyncio.create_task(self._leave(number))

    async def _leave(self, number: int) -> None:
        await self._end_tests()
        # The pipe is read in a thread that nothing wakes: only the end of the process ends that.
        end_by(number)

    async def _end_tests(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _tools(
        self, context: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        # Tests are code of the project and run outside of the CLI's sandbox: a CLI shall ask before.
        tool = types.Tool(
            name=TOOL,
            title="Run tests in a time box",
            description=DESCRIPTION,
            input_schema=input_schema(self._roots),
            output_schema=output_schema(),
            annotations=types.ToolAnnotations(
                read_only_hint=False, destructive_hint=True, open_world_hint=True
            ),
        )
        return types.ListToolsResult(tools=[tool])

    async def _call(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name != TOOL:
            result = TestResult(
                Status.ERROR, error_message=f"there is no tool {params.name!r:.80}, only {TOOL}"
            )
        elif len(self._running) >= MOST_AT_ONCE:
            result = TestResult(
                Status.ERROR, error_message=f"{MOST_AT_ONCE} test runs are going on; wait for one to end"
            )
        else:
            result = await self._run(context, params.arguments or {})
        data = result.as_json()
        return types.CallToolResult(
            content=[types.TextContent(text=json.dumps(data, ensure_ascii=False))],
            structured_content=data,
            is_error=result.status is Status.ERROR,
        )

    async def _run(self, context: _Context, arguments: dict[str, Any]) -> TestResult:
        progress = Progress()
        chosen = (root for root in self._roots if str(root) == arguments.get("cwd"))
        redactor = self._redactor_for(next(chosen, self._roots[0]))
        task = asyncio.create_task(run_test(arguments, self._roots, redactor, progress=progress))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        begun = time.monotonic()
        total = arguments.get("timeout_ms")
        whole = total / 1000 if isinstance(total, int) else None
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=PROGRESS_SECONDS)
                if not task.done():
                    await self._tell(context, time.monotonic() - begun, whole, progress)
        except asyncio.CancelledError:
            # The tests end in their own task; a cancelled request has no answer to wait for.
            task.cancel()
            raise
        return task.result()

    async def _tell(self, context: _Context, seconds: float, whole: float | None, progress: Progress) -> None:
        message = f"{seconds:.0f} s, {progress.received} bytes of output"
        with contextlib.suppress(Exception):
            await context.session.report_progress(round(seconds, 1), whole, message)


def serve(roots: Sequence[Path], redactor_for: Callable[[Path], Redactor]) -> None:
    """Serve on stdin and stdout until the client is gone."""
    asyncio.run(TestServer(roots, redactor_for).serve())
