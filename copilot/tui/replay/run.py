"""What `copilot replay` does: show a recording, print what is otherwise today, export."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click

from copilot.config.profile_files import load_profile
from copilot.core.profile import Profile
from copilot.engine.review import Mark, Sort
from copilot.errors import EXIT_FAILED, InputError
from copilot.guard.text import safe_text
from copilot.recording.asciicast import read_cast
from copilot.recording.asciicast_writer import write_cast
from copilot.redaction.redact import redact
from copilot.replay.detect import cast_of, choose_profile
from copilot.replay.old_run import Redone, redo
from copilot.replay.player import Player
from copilot.replay.recorded import Recorded, open_recorded, parse_moment
from copilot.replay.redetect import Change
from copilot.replay.verdicts import VerdictBook, export

_AT_CELLS, _WHAT_CELLS = 10, 11


@dataclass(frozen=True, slots=True)
class Asked:
    """By what a run is read and judged today; None means what the run had."""

    profile: str | None = None
    autonomy: str | None = None
    provider: str | None = None
    playbook: str | None = None
    model: str | None = None
    base_url: str | None = None


def redone(recorded: Recorded, asked: Asked) -> Redone:
    """The run read and judged today. Raises InputError."""
    return redo(
        recorded,
        profile=asked.profile,
        autonomy=asked.autonomy,
        provider=asked.provider,
        playbook=asked.playbook,
        model=asked.model,
        base_url=asked.base_url,
        environment=os.environ,
    )


def show(path: Path, asked: Asked, at: str | None, *, redetect: bool) -> int:
    """The review in the terminal; the exit code. Raises InputError."""
    from copilot.pty.terminal_keeper import TerminalKeeper
    from copilot.resources import config_folder, state_folder
    from copilot.tui.options import options_from_environment
    from copilot.tui.preferences import FILE_NAME
    from copilot.tui.preferences import load as load_preferences
    from copilot.tui.replay.app import ReplayApp
    from copilot.tui.replay.model import ReplayModel
    from copilot.tui.run import EndedFromOutside

    recorded = open_recorded(path)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("this is not a terminal; add --redetect --check, or see: copilot report RUN")
    model = ReplayModel(recorded, Player(recorded.cast), recorded.review)
    if at is not None:
        model.go(parse_moment(at, model.duration, "--at"))
    changes: tuple[Change, ...] = ()
    if redetect:
        changes = redone(recorded, asked).found.changes
        marks = [
            Mark(change.at, Sort.CHANGE, f"{change.what}: {change.before} → {change.after}", change.prompt)
            for change in changes
        ]
        model.review = replace(
            recorded.review, marks=tuple(sorted([*recorded.review.marks, *marks], key=lambda mark: mark.at))
        )
    remembered = load_preferences(state_folder() / FILE_NAME)
    app = ReplayApp(
        model,
        VerdictBook(recorded, redact),
        profile=profile_of(recorded, asked.profile),
        changes=changes,
        theme=options_from_environment(os.environ, config_folder()).initial_theme(remembered.theme),
    )
    with TerminalKeeper(sys.stdin.fileno()), EndedFromOutside(app.exit):
        code = app.run()
    return code or 0


def profile_of(recorded: Recorded, name: str | None) -> Profile | None:
    """The profile that the screens are read with; None if the run's own is not there any more."""
    if recorded.run is None or name is not None:
        return choose_profile(read_cast(recorded.cast.path), name)
    try:
        return load_profile(str(recorded.run.settings.get("profile", "generic")))
    except InputError:
        return None


def print_changes(path: Path, asked: Asked, *, as_json: bool, check: bool) -> int:
    """The table of what is otherwise today; with `check` 1 if there is anything."""
    recorded = open_recorded(path)
    if recorded.run is None:
        raise InputError(f"{path}: is no run folder; --redetect compares a run with what it decided")
    done = redone(recorded, asked)
    found = done.found
    if as_json:
        for change in found.changes:
            click.echo(json.dumps(_object(change), ensure_ascii=True))
    else:
        for line in table(found.changes):
            click.echo(safe_text(line))
        for note in (*done.notes, *found.left_out):
            click.echo(safe_text(f"note: {note}"), err=True)
        compared = (
            "1 prompt was compared" if found.compared == 1 else f"{found.compared} prompts were compared"
        )
        count = len(found.changes)
        click.echo(f"{compared}; {count or 'no'} change{'s' if count != 1 else ''}")
    return EXIT_FAILED if check and found.changes else 0


def table(changes: tuple[Change, ...]) -> list[str]:
    """One change in three lines: when and what, was, is."""
    lines = []
    for change in changes:
        prompt = f"prompt {change.prompt}" if change.prompt else ""
        lines.append(f"{change.at:>{_AT_CELLS - 2}.2f} s {change.what:<{_WHAT_CELLS}} {prompt}".rstrip())
        lines += [f"{'':{_AT_CELLS}} was {change.before}", f"{'':{_AT_CELLS}} is  {change.after}"]
    return lines


def _object(change: Change) -> dict[str, object]:
    return {
        "at": round(change.at, 3),
        "prompt": change.prompt or None,
        "what": change.what,
        "before": change.before,
        "after": change.after,
    }


def export_cast(path: Path, target: Path, version: int) -> int:
    """Write the recording in that version of asciicast. Raises InputError."""
    cast = read_cast(cast_of(path))
    if target.exists():
        raise InputError(f"{target}: exists; give the name of a new file")
    try:
        write_cast(target, cast, version=version)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from None
    click.echo(safe_text(f"{target}: {len(cast.events)} events, asciicast v{version}"))
    return 0


def export_verdicts(path: Path, folder: Path) -> int:
    """Write what was reviewed as fixtures and examples. Raises InputError."""
    recorded = open_recorded(path)
    book = VerdictBook(recorded, redact)
    if not book.all:
        raise InputError(f"{path}: nothing was said of it yet; copilot replay {path}, then v at a prompt")
    stills, examples = export(recorded, recorded.review, book, folder)
    click.echo(safe_text(f"{folder}: {stills} screens with labels, {examples} examples for the policy"))
    return 0
