"""`copilot profiles learn`: the rules on stdout, what gave none on stderr."""

from __future__ import annotations

import os
from pathlib import Path

import click

from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, InputError
from copilot.recording.run_place import given_run
from copilot.replay.learn.learn import learn, write_profile
from copilot.safety.text import safe_text


def learn_from(run: str, profile: str | None, target: Path | None) -> int:
    """Print the rules that a run teaches, or write the profile with them to `target`; the exit code.

    Raises InputError for a run that is none, and for one that teaches nothing.
    """
    lesson = learn(_folder(run), profile)
    for one in lesson.learned:
        if one.rule is None:
            click.echo(safe_text(f"copilot: {one.says}"), err=True)
    if lesson.rules and target is not None:
        write_profile(lesson, target)
        click.echo(safe_text(f"{target}: {lesson.profile.name} with {len(lesson.rules)} more rules"))
    elif lesson.rules:
        click.echo(safe_text(lesson.toml()), nl=False)
    return EXIT_COMPLETED if len(lesson.rules) == len(lesson.learned) else EXIT_FAILED


def _folder(run: str) -> Path:
    """A run by its path, or as it is named where runs are kept."""
    path = given_run(Path(run), os.environ)
    if path.is_dir():
        return path
    raise InputError(f"{run}: no such run; `copilot runs` lists them")
