"""The front door: reads the command line, and loads nothing heavy before it is needed.

The command line is split at its first `--` before click sees it. To the left are our options and
commands, to the right the argv of the coding CLI, which is passed on untouched.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from copilot import __version__, start_up
from copilot.core.provider_registry import PROVIDERS
from copilot.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, CopilotError, InputError
from copilot.lazy_group import LazyCommand, LazyGroup, load, usage_message

if TYPE_CHECKING:
    from copilot.core.settings import RunSettings

_MOST_CHARACTERS = 200
_MOST_SAID = 2000
"""Of a line: a name or a pattern in it may be as long as its file."""


def say(kind: str, message: str) -> None:
    """One line `copilot: KIND: message` on standard error, whatever the message holds."""
    from copilot.guard.text import safe_text

    line = safe_text(" ".join(message.split()))
    if len(line) > _MOST_SAID:
        line = f"{line[:_MOST_SAID]}…"
    try:
        print(f"copilot: {kind}: {line}", file=sys.stderr, flush=True)  # noqa: T201
    except (OSError, UnicodeEncodeError):
        return


def report_error(message: str, exit_code: int) -> int:
    """Say what is wrong; the exit code, to be returned."""
    say("error", message)
    return exit_code


def report_fault(fault: BaseException) -> int:
    """Say in one line that something of ours broke, and where the traceback was saved; the exit code."""
    said, where = type(fault).__name__, "the traceback could not be saved"
    try:
        if str(fault):
            said = f"{said}: {_short(_redacted(str(fault)))}"
        where = f"traceback saved in {_save(fault)}"
    except Exception as second:
        where += f" ({type(second).__name__})"
    return report_error(f"a fault in copilot itself ({said}); {where}", EXIT_FAILED)


def _redacted(text: str) -> str:
    """`text` without secrets, the values of our own environment among them."""
    from copilot.redaction.known_values import secret_values
    from copilot.redaction.redact import Redactor

    return Redactor(secret_values(os.environ)).without_secrets(text)


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _MOST_CHARACTERS else folded[: _MOST_CHARACTERS - 1] + "…"


def _save(fault: BaseException) -> Path:
    """Write the traceback, redacted, where only the user reads it. Raises OSError."""
    from copilot.private_files import write_private
    from copilot.resources import state_folder

    folder = state_folder() / "crashes"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    write_private(path, _redacted("".join(traceback.format_exception(fault))))
    return path


HEADLESS = "copilot.session.headless:run"
COCKPIT = "copilot.cockpit:run"
START_SCREEN = "copilot.cockpit:choose"

COMMANDS = {
    "demo": LazyCommand("copilot.demo.command:demo_command", "the whole thing offline, on a simulated CLI"),
    "runs": LazyCommand("copilot.recording.commands:runs_command", "list recorded runs"),
    "replay": LazyCommand("copilot.tui.replay.command:replay_command", "review a run, or any asciicast"),
    "report": LazyCommand("copilot.recording.commands:report_command", "a run on one page, HTML or Markdown"),
    "undo": LazyCommand("copilot.session.undo_command:undo_command", "put the project's files back"),
    "detect": LazyCommand("copilot.replay.commands:detect_command", "what is seen in a recording"),
    "explain": LazyCommand("copilot.replay.commands:explain_command", "why, at one moment, rule by rule"),
    "profiles": LazyCommand(
        "copilot.lab.profiles.command:profiles_command", "list, check, test and learn profiles"
    ),
    "doctor": LazyCommand("copilot.doctor:doctor_command", "what is installed and what is missing"),
    "plan": LazyCommand("copilot.session.plan_command:plan_command", "check a plan before a run"),
    "rules": LazyCommand(
        "copilot.providers.commands:rules_command", "lines of a prompt that the offline rules understand"
    ),
    "judge": LazyCommand("copilot.replay.judge_command:judge_command", "the risk of shell commands on stdin"),
    "redact": LazyCommand("copilot.guard.commands:redact_command", "stdin to stdout without secrets"),
    "run-test": LazyCommand("copilot.testrunner.commands:run_test_command", "tests in a time box"),
    "mcp": LazyCommand("copilot.testrunner.commands:mcp_command", "the same as an MCP server for any CLI"),
    "proposals": LazyCommand(
        "copilot.proposals.command:proposals_command", "changes proposed as data: schemas, check, apply"
    ),
    "eval": LazyCommand("copilot.lab.scenarios.command:eval_command", "run scenarios, each isolated"),
    "serve": LazyCommand("copilot.web.command:serve_command", "the cockpit in a browser, on this machine"),
    "verify-install": LazyCommand(
        "copilot.lab.install_check:verify_install_command", "whether the built package works"
    ),
    "model-server": LazyCommand(
        "copilot.lab.model_server.command:model_server_command", "a scripted model server for offline runs"
    ),
}
_PROVIDER_NAMES = f"{', '.join(PROVIDERS[:-1])} or {PROVIDERS[-1]}"
_START_A_CLI = ("serve",)
"""Commands that take the argv right of `--`."""

_OF_THE_COCKPIT = ("COPILOT_LEADER", "COPILOT_THEME", "COPILOT_NOTIFY", "COPILOT_BELL")
"""Checked before headless runs too, although only the cockpit reads them."""


@dataclass(frozen=True, slots=True)
class FrontDoor:
    """What commands may use of the front door: the argv right of `--`, and how a session is started."""

    child: tuple[str, ...]
    start: Callable[[RunSettings], int]


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Our own arguments and the child's argv: the parts left and right of the first `--`."""
    if "--" not in arguments:
        return list(arguments), ()
    place = list(arguments).index("--")
    return list(arguments[:place]), tuple(arguments[place + 1 :])


def main(argv: Sequence[str] | None = None) -> int:
    """Run `copilot` with these arguments and give its exit code; never a traceback."""
    own, child = split_arguments(sys.argv[1:] if argv is None else argv)
    try:
        code = copilot.main(
            own,
            prog_name="copilot",
            standalone_mode=False,
            obj=FrontDoor(child, lambda run: start_session(run)),
        )
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        return report_error(usage_message(error), EXIT_USAGE)
    except CopilotError as error:
        return report_error(str(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return report_error("interrupted", EXIT_INTERRUPTED)
    except Exception as fault:
        return report_fault(fault)


def start_session(settings: RunSettings) -> int:
    """Run a session in the form that `settings` ask for; its exit code. Raises InputError."""
    if settings.child:
        resolve_program = load("copilot.pty.programs:resolve_program")
        resolve_program(settings.child[0], folder=settings.cwd, environment=os.environ)
    if settings.headless:
        if any(os.environ.get(name) for name in _OF_THE_COCKPIT):
            load("copilot.tui.options:options_from_environment")(
                os.environ, load("copilot.resources:config_folder")()
            )
        start_up.is_over()
        return cast("int", load(HEADLESS)(settings))
    _require_terminal()
    return cast("int", load(COCKPIT)(settings))


def _require_terminal() -> None:
    """Raises InputError where the cockpit cannot be drawn."""
    from copilot.tui.layout import LEAST_COLUMNS, LEAST_LINES

    if load("copilot.pty.programs:in_browser")(os.environ):
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("this is not a terminal; add --headless to run without the cockpit")
    if os.environ.get("TERM", "") in ("", "dumb"):
        raise InputError("TERM names no terminal that can be drawn on; set TERM, or add --headless")
    columns, lines = os.get_terminal_size(sys.stdout.fileno())
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        raise InputError(
            f"the terminal is too small ({columns}x{lines}); "
            f"make it at least {LEAST_COLUMNS}x{LEAST_LINES}, or add --headless"
        )


def _given(context: click.Context) -> dict[str, Any]:
    """The options that are given on the command line."""
    return {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


_EPILOG = """\b
Examples:
  copilot -- claude "fix the failing test"
  copilot --autonomy full --prompt rules.md -- codex
  copilot --headless --max-steps 20 --timeout 30m -- claude
  copilot -- copilot            GitHub's own CLI of the same name

Exit codes: 0 completed, 1 the run failed, 2 bad usage or input, 3 stopped by a guard rail or
waiting for a person who is not there, 4 the child crashed, 130 interrupted."""


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND | -- CLI ARGS...]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_EPILOG,
)
@click.option("--profile", metavar="NAME", help="How the CLI is read; default: by the CLI's name.")
@click.option("--autonomy", metavar="LEVEL", help="watch, suggest, assist (default) or full.")
@click.option("--prompt", metavar="TEXT|FILE", help="The governing prompt: how replies are to be given.")
@click.option("--plan", metavar="FILE", help="Steps to do, in order (YAML): copilot plan check FILE.")
@click.option("--provider", metavar="NAME", help=f"{_PROVIDER_NAMES}.")
@click.option("--model", metavar="NAME", help="The provider's model.")
@click.option("--base-url", metavar="URL", help="Another server that speaks the provider's protocol.")
@click.option("--playbook", metavar="FILE", help="Scripted replies, for --provider playbook.")
@click.option("--cwd", metavar="DIR", help="Where the CLI runs; default: here.")
@click.option("--log", metavar="DIR", help="The folder of this run, new or empty.")
@click.option("--max-steps", metavar="N", help="Stop after so many typed replies (50).")
@click.option("--timeout", metavar="TIME", help="Stop after this time: 45m, 30s, 1h30m.")
@click.option("--max-cost", metavar="USD", help="Stop when replies have cost this much.")
@click.option("--dry-run", is_flag=True, help="Detect, propose, decide and record, but type nothing.")
@click.option("--no-upload", is_flag=True, help="Send terminal text only: no file names, no git state.")
@click.option("--checkpoints", metavar="on|off", help="Save the project before each reply, for undo (on).")
@click.option("--allow", metavar="RULE", multiple=True, help="Allow what RULE names (repeatable).")
@click.option(
    "--pass-keys", metavar="NAMES", multiple=True, help="Give the CLI these providers' keys too, or all."
)
@click.option("--envelope", metavar="off|project", help="What the kernel lets the CLI write and see (off).")
@click.option("--network", metavar="NAME", help="With --envelope project: all (default), model-only or none.")
@click.option(
    "--trust",
    is_flag=True,
    help="Trust this folder: the CLI's trust dialog, and .copilot/config.toml in full.",
)
@click.option("--resume", metavar="RUN", help="Go on with an earlier run: folder, manifest, id or last.")
@click.option("--detectors", metavar="FILE", help="Detector patterns merged over the profile (JSON).")
@click.option("--headless", is_flag=True, help="No cockpit: readable lines on stdout.")
@click.option("--json", "json_lines", is_flag=True, help="With --headless: JSON lines.")
@click.option("--columns", metavar="N", help="With --headless: width of the CLI's terminal (120).")
@click.option("--lines", metavar="N", help="With --headless: height of the CLI's terminal (40).")
@click.version_option(
    __version__,
    prog_name="copilot-terminal",
    message="%(prog)s %(version)s (a terminal co-pilot; not GitHub's Copilot CLI)",
)
@click.pass_context
def copilot(context: click.Context, /, **_options: Any) -> int | None:
    """Run a coding CLI in an embedded terminal, and answer what it asks under your governing prompt.

    Without a CLI the installed ones are offered. The command right of -- is started as it is.
    """
    load("copilot.config.paths:check_home")(os.environ)
    door = cast("FrontDoor", context.obj)
    flags = _given(context)
    command = context.invoked_subcommand
    if command is None:
        return _session(flags, door)
    if flags:
        option = context.command.get_params(context)
        names = {parameter.name: parameter.opts[0] for parameter in option}
        raise click.UsageError(
            f"{names[next(iter(flags))]} is an option of a session and does not go with {command!r}; "
            f"see: copilot {command} --help"
        )
    if door.child and command not in _START_A_CLI:
        raise click.UsageError(f"{command!r} starts no CLI; leave out -- and what follows")
    return None


def _session(flags: dict[str, Any], door: FrontDoor) -> int:
    """The main job."""
    start_up.begins()
    from copilot.config.profile_files import OutlinedProfiles
    from copilot.config.settings import resolve
    from copilot.config.trust_question import ask_once
    from copilot.recording.run_place import default_run_folder

    child = door.child
    if "resume" in flags:
        flags, child = load("copilot.session.resuming:as_before")(flags, child)
    resolved = resolve(
        flags,
        child,
        OutlinedProfiles(),
        lambda profile: default_run_folder(profile, os.environ),
        ask_once,
    )
    if not resolved.settings.child and resolved.settings.resume is None:
        _require_terminal()
        return cast("int", load(START_SCREEN)(flags))
    if resolved.settings.resume is not None and "autonomy" not in flags:
        level_note = load("copilot.session.resuming:level_note")
        say("note", level_note(resolved.settings, resolved.level_from))
    for note in resolved.notes:
        say("note", note)
    return door.start(resolved.settings)
