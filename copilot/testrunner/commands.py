"""`copilot mcp`, `copilot mcp install` and `copilot run-test`. The SDK is loaded when the server starts."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click

from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, EXIT_HELD, EXIT_USAGE, InputError

_Result = TypeVar("_Result")
_EXITS = {"pass": EXIT_COMPLETED, "fail": EXIT_FAILED, "timeout": EXIT_HELD, "no_output": EXIT_HELD}


@click.group("mcp", invoke_without_command=True)
@click.option(
    "--root",
    "roots",
    metavar="DIR",
    multiple=True,
    help="A folder in which tests may be run (repeatable; default: here).",
)
@click.pass_context
def mcp_command(context: click.Context, roots: tuple[str, ...]) -> None:
    """Serve MCP on stdin and stdout: its tool run_test always comes back.

    A coding CLI starts this itself once `copilot mcp install` has registered it.
    """
    if context.invoked_subcommand is not None:
        if roots:
            raise click.UsageError("--root goes with the server, not with a command of it")
        return
    folders = [_folder(root, "--root") for root in roots or ("",)]
    if sys.stdin.isatty():
        raise InputError("mcp: is started by a coding CLI and speaks its protocol; see: copilot mcp install")
    # Until the server serves, and then ends its tests first, a person's ^C ends it at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from copilot.session.secrets import redactor_for
    from copilot.testrunner.server import serve

    serve(folders, redactor_for)


@mcp_command.command("install", short_help="Print or write the entry for a CLI.")
@click.argument("cli")
@click.option("--write", is_flag=True, help="Put it into the project's file instead of printing it.")
@click.option("--cwd", metavar="DIR", default="", help="The project; default: here.")
def install_command(cli: str, write: bool, cwd: str) -> None:
    """Print the entry that makes CLI use the test runner in this project.

    CLI is one of: claude, codex, gemini, qwen, opencode, copilot (GitHub's).
    """
    from copilot.testrunner.install import NOTE, entry_of, entry_text, server_command, write_entry

    entry = entry_of(cli)
    project = _folder(cwd, "--cwd")
    command = server_command()
    if write:
        done = write_entry(project, entry, command)
        click.echo(f"{entry.file}: {'added' if done else 'has it already'}")
    else:
        click.echo(f"put this into {entry.file} of the project, or use --write:\n", err=True)
        click.echo(entry_text(entry, command), nl=False)
    for note in filter(None, (entry.note, NOTE)):
        _say("note", note)


@click.command("run-test")
@click.argument("runner")
@click.argument("target", required=False)
@click.option("--scope", metavar="SCOPE", help="all, file or pattern; default: all, with a target file.")
@click.option("--timeout", metavar="TIME", default="10m", help="End the run after this time (10m).")
@click.option("--silence", metavar="TIME", default="1m", help="End it after this time without output (1m).")
@click.option("--max-output-bytes", metavar="N", default=100_000, help="Make the excerpt from so many bytes.")
@click.option("--report-dir", metavar="DIR", help="Where the report goes, inside the project.")
@click.option("--cwd", metavar="DIR", default="", help="The project; default: here.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON, as the MCP tool gives it.")
def run_test_command(
    runner: str, target: str | None, scope: str | None, timeout: str, silence: str, cwd: str, **options: Any
) -> int:
    """Run tests in a time box: RUNNER is pytest, unittest, vitest, jest, node, cargo, go or flutter.

    Exit codes: 0 they passed, 1 they failed, 2 they could not be run, 3 a limit ended them.
    """
    from copilot.session.secrets import redactor_for
    from copilot.timebox.summary import Status
    from copilot.timebox.testing import run_test

    root = _folder(cwd, "--cwd")
    given: dict[str, object] = {
        "runner": runner,
        "scope": scope or ("file" if target else "all"),
        "target": target,
        "timeout_ms": _milliseconds(timeout, "--timeout"),
        "no_output_timeout_ms": _milliseconds(silence, "--silence"),
        "max_output_bytes": options["max_output_bytes"],
        "report_dir": options["report_dir"],
    }
    try:
        result = asyncio.run(_until_signal(run_test(given, [root], redactor_for(root))))
    except asyncio.CancelledError:
        raise click.Abort from None
    if options["as_json"]:
        click.echo(json.dumps(result.as_json(), ensure_ascii=False, indent=2))
        return _EXITS.get(result.status, EXIT_USAGE)
    if result.error_message:
        _say(result.status, _with_options(result.error_message))
    if result.excerpt:
        click.echo(result.excerpt)
    if result.status is Status.ERROR and result.exit_code is None:
        # Nothing ran; the line above says why.
        return EXIT_USAGE
    counts = result.counts
    counted = f", {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped" if counts else ""
    counted += ", but no test ran" if result.none_ran else ""
    where = f", {os.path.relpath(result.report_dir)}" if result.report_dir else ""
    click.echo(f"{result.status} after {result.duration_ms / 1000:.1f} s{counted}{where}")
    return _EXITS.get(result.status, EXIT_USAGE)


def _with_options(reason: str) -> str:
    """A reason that names a limit as callers of the tool write it, with the option's name instead."""
    return reason.replace("(timeout_ms)", "(--timeout)").replace("(no_output_timeout_ms)", "(--silence)")


async def _until_signal(work: Coroutine[Any, Any, _Result]) -> _Result:
    """The result. A polite request to end cancels the work, as Ctrl-C does, so that it tidies up."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, task.cancel)
    return await task


def _say(kind: str, message: str) -> None:
    from copilot.guard.text import safe_text

    click.echo(f"copilot: {kind}: {safe_text(message)}", err=True)


def _folder(given: str, option: str) -> Path:
    """The folder, resolved. Raises InputError."""
    try:
        folder = Path(given or ".").resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{option}: {given or '.'}: {getattr(error, 'strerror', error)}") from None
    if not folder.is_dir():
        raise InputError(f"{option}: {given}: is not a folder")
    return folder


def _milliseconds(text: str, option: str) -> int:
    from copilot.config.values import parse_duration

    try:
        return round(parse_duration(text) * 1000)
    except ValueError as error:
        raise InputError(f"{option}: {error}") from None
