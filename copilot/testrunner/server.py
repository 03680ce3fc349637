"""The MCP server on stdio. Each call is a task, so a cancel or a closed pipe ends what it started.

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
from copilot.testrunner.tools import Tool, ToolCall, ToolResult, all_tools
from copilot.timebox.summary import Status, TestResult

MOST_AT_ONCE = 8
PROGRESS_SECONDS = 2.0
"""Between two signs of life: clients that reset their own limit at one have limits of 10 s and more."""

_Context = ServerRequestContext[Any, Any]


class ToolServer:
    """All tools over some roots. `redactor_for` makes the redactor of a root when a call starts."""

    def __init__(self, roots: Sequence[Path], redactor_for: Callable[[Path], Redactor]) -> None:
        self._roots = tuple(roots)
        self._redactor_for = redactor_for
        self._tools = all_tools()
        self._running: set[asyncio.Task[ToolResult]] = set()
        self._leaving: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve until the client closes the pipe; then end what still runs, and return when it is gone."""
        server = Server(
            "copilot-run-test", version=__version__, on_list_tools=self._list, on_call_tool=self._call
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, self._on_signal, number)
        try:
            async with stdio_server() as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())
        finally:
            await self._end_tests()

    def _on_signal(self, number: int) -> None:
        """End the tests, which tidy up, then end by that signal; at once if it comes again."""
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

    async def _list(
        self, context: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool, self._roots) for tool in self._tools.values()])

    async def _call(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            result = _refusal(f"there is no tool {params.name!r:.80}, only {', '.join(self._tools)}")
        elif len(self._running) >= MOST_AT_ONCE:
            result = _refusal(f"{MOST_AT_ONCE} test runs are going on; wait for one to end")
        else:
            result = await self._run(context, tool, params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=json.dumps(result.data, ensure_ascii=False))],
            structured_content=result.data,
            is_error=result.failed,
        )

    async def _run(self, context: _Context, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        call = ToolCall(arguments, self._roots, self._redactor_for)
        task = asyncio.ensure_future(tool.run(call))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        begun = time.monotonic()
        total = arguments.get("timeout_ms")
        whole = total / 1000 if isinstance(total, int) else None
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=PROGRESS_SECONDS)
                if not task.done():
                    await self._report_progress(context, time.monotonic() - begun, whole, call)
        except asyncio.CancelledError:
            # The tests end in their own task; a cancelled request has no answer to wait for.
            task.cancel()
            raise
        return task.result()

    async def _report_progress(
        self, context: _Context, seconds: float, whole: float | None, call: ToolCall
    ) -> None:
        message = f"{seconds:.0f} s, {call.progress.received} bytes of output"
        with contextlib.suppress(Exception):
            await context.session.report_progress(round(seconds, 1), whole, message)


def _described(tool: Tool, roots: Sequence[Path]) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(roots),
        output_schema=tool.output_schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=not tool.read_only,
            open_world_hint=not tool.read_only,
        ),
    )


def _refusal(reason: str) -> ToolResult:
    return ToolResult(TestResult(Status.ERROR, error_message=reason).as_json(), failed=True)


def serve(roots: Sequence[Path], redactor_for: Callable[[Path], Redactor]) -> None:
    """Serve on stdin and stdout until the client is gone."""
    asyncio.run(ToolServer(roots, redactor_for).serve())
