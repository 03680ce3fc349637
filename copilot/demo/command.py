"""The command `copilot demo`: the whole thing on a simulated coding CLI, offline and without a key."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Protocol

import click

from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.demo.project import DemoOutcome, DemoProject, outcome_of
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, InputError
from copilot.recording.run_place import LAST, default_run_folder, runs_folder
from copilot.supervision.end_by import end_by

# A signal to end, while no other handler is set: tidy up, then end by that signal.
#
# A session that runs has handlers of its own meanwhile.


_NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def tidy_end(tidy: Callable[[], None]) -> Iterator[None]:
    """For the main thread. A signal that is ignored (nohup) stays ignored."""

    def end(number: int, _frame: FrameType | None) -> None:
        tidy()
        end_by(number)

    ours = [number for number in _NUMBERS if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


GOVERNING_PROMPT = 'when "delete|rm -r": no'
TASK = "Greet the visitors"
HEADLESS_SECONDS = 180.0
"""For unattended runs; a person in the cockpit may take any time."""
LINGER_SECONDS = 6.0
"""How long the finished simulated CLI stays on the screen before it leaves, unless the person types."""


class Starter(Protocol):
    """The part of the front door that the demo uses."""

    def start(self, settings: RunSettings, /) -> int:
        """Run a session; its exit code."""


@click.command("demo")
@click.option("--headless", is_flag=True, help="No cockpit: readable lines on stdout, 3 minutes at most.")
@click.option("--json", "json_lines", is_flag=True, help="With --headless: JSON lines.")
@click.option(
    "--autonomy",
    type=click.Choice([level.value for level in Autonomy]),
    default=Autonomy.FULL.value,
    show_default=True,
    help="At lower levels you send the replies yourself.",
)
@click.option(
    "--speed",
    type=click.FloatRange(0.2, 50),
    default=1.0,
    metavar="N",
    help="How many times faster it works.",
)
@click.option(
    "--log", type=click.Path(path_type=Path), metavar="DIR", help="The folder of this run, new or empty."
)
@click.option("--keep", is_flag=True, help="Keep the temporary project.")
@click.pass_obj
def demo_command(
    door: Starter, headless: bool, json_lines: bool, autonomy: str, speed: float, log: Path | None, keep: bool
) -> int:
    """Watch the co-pilot drive a simulated coding CLI: offline, without a key, in under a minute.

    Where there is no terminal it runs headless.

    The CLI is a real program in a real terminal. It asks permission to write a file, offers a menu, asks
    yes or no and for a name, wants to delete a folder, and checks what it is typed.
    """
    if json_lines and not headless:
        raise click.UsageError("--json goes with --headless; add --headless")
    if not headless and not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo("This is not a terminal: the demo runs headless.", err=True)
        headless = True
    folder = (log or default_run_folder("demo", os.environ)).expanduser().absolute()
    project = DemoProject.make()
    remove = project.remove if not keep else _nothing
    try:
        with tidy_end(remove):
            settings = demo_settings(project, folder, Autonomy(autonomy), speed, headless, json_lines)
            code = door.start(settings)
            outcome = outcome_of(project)
    finally:
        remove()
    by_hand = person_typed(folder)
    _print_outcome(outcome, folder, project.folder if keep else None, to_stderr=json_lines, by_hand=by_hand)
    if by_hand:
        outcome = replace(outcome, unexpected=())
    if code == EXIT_COMPLETED and not outcome.good:
        return EXIT_FAILED
    return code


def demo_settings(
    project: DemoProject, log: Path, autonomy: Autonomy, speed: float, headless: bool, json_lines: bool
) -> RunSettings:
    """The settings of the demo's run; the user's own settings files have no part in it."""
    child = [sys.executable, "-P", "-m", "copilot.demo.simulated_cli"]
    child += ["--journal", str(project.journal), "--speed", str(speed)]
    if not headless:
        child += ["--linger", str(LINGER_SECONDS)]
    return RunSettings(
        child=(*child, TASK),
        profile="demo",
        autonomy=autonomy,
        cwd=str(project.folder),
        log_folder=str(log),
        governing_prompt=GOVERNING_PROMPT,
        provider="rules",
        timeout_seconds=HEADLESS_SECONDS if headless else None,
        headless=headless,
        json_lines=json_lines,
    )


def person_typed(run: Path) -> bool:
    """Whether a person typed at the simulated CLI, by the run's own record."""
    from copilot.recording.transcript_reader import read_transcript

    try:
        records = read_transcript(run).records
    except InputError:
        return False
    return any(record.type == "event.PersonTyped" for record in records)


def _nothing() -> None:
    """What is kept is not removed."""


def _print_outcome(
    outcome: DemoOutcome, run: Path, kept: Path | None, *, to_stderr: bool, by_hand: bool
) -> None:
    """What happened, checked on the files and by the simulated CLI itself, and where the record is."""
    facts = [
        ("greeting.py was written", "greeting.py was not written", outcome.wrote_greeting),
        (f"build/ still exists: {outcome.deletion.value}", "build/ was deleted", outcome.build_kept),
        (
            f"{outcome.replies} {'reply was' if outcome.replies == 1 else 'replies were'} taken",
            "no reply was taken",
            outcome.replies > 0,
        ),
        (
            "nothing was typed that was not asked for",
            f"typed without being asked: {'; '.join(outcome.unexpected)}",
            not outcome.unexpected,
        ),
        ("the simulated CLI came to its end", "the simulated CLI was left before its end", outcome.finished),
    ]
    click.echo("", err=to_stderr)
    if outcome.unexpected and by_hand:
        del facts[3]
        click.echo(f"  · you typed what was not asked for: {'; '.join(outcome.unexpected)}", err=to_stderr)
    for good, bad, holds in facts:
        click.echo(f"  {'✓ ' + good if holds else '✗ ' + bad}", err=to_stderr)
    if run.is_dir():
        named = LAST if run.parent == runs_folder(os.environ) else shlex.quote(str(run))
        click.echo(f"\nThe run folder: {run}", err=to_stderr)
        click.echo(f"See what was detected: copilot detect {named} --profile demo --json", err=to_stderr)
        click.echo(f"Look back at it: copilot replay {named}", err=to_stderr)
        click.echo(f"The run on one page: copilot report {named}", err=to_stderr)
    click.echo("See all runs: copilot runs", err=to_stderr)
    if kept is not None:
        click.echo(f"The project: {kept}", err=to_stderr)
