"""`Recipe`: one CLI, ready to start offline, and what all of them have in common."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Recipe:
    """One CLI, ready to start: `arguments` after its name, and the whole environment of the child.

    A first task goes behind `task_option` on the command line or, where no CLI option takes one and stays
    interactive, behind it into `task_file`.
    """

    name: str
    home: Path
    project: Path
    environment: Mapping[str, str]
    arguments: tuple[str, ...] = ()
    task_option: tuple[str, ...] = ()
    task_file: Path | None = None

    @property
    def command(self) -> tuple[str, ...]:
        """The argv."""
        return (self.name, *self.arguments)

    def with_task(self, task: str) -> tuple[str, ...]:
        """The argv that begins with this task and stays interactive."""
        if self.task_file is None:
            return (*self.command, *self.task_option, task)
        self.task_file.write_text(" ".join((*self.task_option, task)) + "\n", encoding="utf-8")
        return self.command


class RecipeMaker(Protocol):
    """Writes a CLI's HOME below `folder`, so that it asks the model server at `url` and nobody else.

    `programs` is the folder that holds the CLI's program. Of the start-up dialogs (`trust`, `api_key`) those
    in `asks` come up; the others are answered before.
    """

    def __call__(
        self, folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /
    ) -> Recipe:
        """The recipe."""


def base_environment(home: Path, programs: Path) -> dict[str, str]:
    """What every child gets: nothing of ours but PATH. `programs` comes first on it."""
    python = shutil.which("python3") or "/usr/bin/python3"
    path = os.pathsep.join([str(programs), str(Path(python).parent), os.environ["PATH"]])
    return {
        "PATH": path,
        "HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "XDG_STATE_HOME": str(home / ".state"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
