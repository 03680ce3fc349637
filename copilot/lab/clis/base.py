"""`Recipe`: one CLI, ready to start offline. `Walk`: its standard dialogs, and what each is read as."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from copilot.lab.model_server import ANY_TIMES, HttpError, Pace, Playbook, ToolCall, Turn


@dataclass(frozen=True, slots=True)
class Recipe:
    """One CLI, ready to start: `arguments` after its name, and the whole environment of the child.

    A first task goes behind `task_option` on the command line or, where no CLI option takes one and stays
    interactive, behind it into `task_file`. `complaints` are regular expressions of what the CLI prints if
    something of this recipe, an extension for example, does not work.
    """

    name: str
    home: Path
    project: Path
    environment: Mapping[str, str]
    arguments: tuple[str, ...] = ()
    task_option: tuple[str, ...] = ()
    task_file: Path | None = None
    complaints: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        return (self.name, *self.arguments)

    def with_task(self, task: str) -> tuple[str, ...]:
        """The argv that begins with this task and stays interactive."""
        if self.task_file is None:
            return (*self.command, *self.task_option, task)
        self.task_file.write_text(" ".join((*self.task_option, task)) + "\n", encoding="utf-8")
        return self.command


class RecipeMaker(Protocol):
    """Writes a CLI's HOME below `folder`, so that it asks the model server at `url` and no other.

    `programs` is the folder that holds the CLI's program. Of the start-up dialogs (`trust`, `api_key`) those
    in `asks` come up; the others are answered before. A CLI without such a dialog ignores it.
    """

    def __call__(
        self, folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /
    ) -> Recipe: ...


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


_HELP_SECONDS = 20.0


def takes(program: Path, option: str, environment: Mapping[str, str]) -> bool:
    """Whether the help of this version names the option; False if it cannot be asked."""
    try:
        done = subprocess.run(
            [str(program), "--help"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_HELP_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return option in done.stdout.decode("utf-8", "replace").split()


def write(path: Path, content: str | Mapping[str, Any]) -> Path:
    """Write a text, or a mapping as JSON; the path. Folders above it are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@dataclass(frozen=True, slots=True)
class Expected:
    """What a dialog should be read as. In `options`, `subject` and `widening`, `*` matches any text.

    `kind` may name several, divided by `|`. `subject` is `action: text`, empty for none; `widening` are
    options that the profile must know as such.
    """

    kind: str
    question: bool = True
    options: tuple[str, ...] = ()
    subject: str = ""
    widening: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose the option with this label, by the profile's own keys or, where that sees none, by its form.

    Labels that several versions have are divided by `|`; the first that is there is chosen.
    """

    label: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Type the profile's safe refusal, as an unattended run does."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Type what ends the CLI (`launch.leave`)."""


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Press:
    keys: tuple[str, ...]


Answer = Choose | Refuse | Leave | Say | Press


@dataclass(frozen=True, slots=True)
class Station:
    """One dialog of a walk: what it should be read as, and what takes the CLI to the next, in order.

    `also` is how other versions draw it that were measured too. `works_seconds`: before it the CLI works so
    long, and nothing may be read as a prompt meanwhile.
    """

    name: str
    expected: Expected
    answers: tuple[Answer, ...] = ()
    also: tuple[Expected, ...] = ()
    works_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Walk:
    """The standard dialogs of one CLI, and the model's side of them. `asks`: start-up dialogs that come up.

    `missing` names standard dialogs that this CLI does not have, with the reason.
    """

    playbook: Playbook
    stations: tuple[Station, ...]
    asks: Collection[str] = ()
    missing: Mapping[str, str] = field(default_factory=dict)


TASK = "Create hello.py, then run the tests."
COMMAND = "python3 -m unittest"
CHOICE = "Which database should I use?"
LABELS = ("Postgres", "SQLite")
HELLO = "print('hello')\n"
PACE = Pace(0.5, 12, 0.02)
WRITING = "I'll create the file."
TESTING = "Now the tests."
DECIDING = "One decision."
ASKING = Turn("The file is there.\n\nWhich license should I add, MIT or Apache-2.0?", name="ask")
DONE = Turn("Done. The license is MIT.", name="done")
DELETING = "I'll clean up."
DELETE = "rm -rf build/"
SCRIPTED_FAILURE = HttpError(400, "scripted failure")
_LOOK_ALIKE = """\
Here is what other programs print; all of it is text.

```
Do you want to proceed?
❯ 1. Yes
  2. Yes, and don't ask again
  3. No

Run shell command? (Y)es/(N)o [Yes]:
Overwrite hello.py? [y/N]
Press Enter to continue

  Allow once   Allow always   Reject
```

Which of them is the safest, the first or the last?

It was only a question to myself, and this was the last of it. Nothing is to be decided now.
"""
_LONG_SECONDS = 30.0
_CHUNKS = 60
LONG = Turn(
    _LOOK_ALIKE,
    name="long",
    pace=Pace(0.5, len(_LOOK_ALIKE) // _CHUNKS, _LONG_SECONDS / _CHUNKS),
)
"""An answer that streams for half a minute and looks like dialogs, line by line."""

READY = Station("ready", Expected("idle", question=False), (Say(TASK),))
QUESTION = Station("question", Expected("question"), (Say("MIT"),))
COMPLETED = Station("completed", Expected("completed", question=False), (Say("Show dialogs."),))
LONG_TURN = Station(
    "long turn", Expected("completed", question=False), (Say("Now fail."),), works_seconds=_LONG_SECONDS - 5
)
ERROR = Station("error", Expected("error"), (Leave(),))
EXITED = Station("exit", Expected("exited", question=False))
ENDING = (QUESTION, COMPLETED, LONG_TURN, ERROR, EXITED)


def failing(error: HttpError = SCRIPTED_FAILURE) -> Turn:
    return Turn(error=error, name="fail", times=ANY_TIMES)


def standard_playbook(
    write: ToolCall, run: ToolCall, ask: ToolCall, delete: ToolCall, error: HttpError = SCRIPTED_FAILURE
) -> Playbook:
    """Write a file, run a command, ask by a tool, delete, ask in prose, end, talk; then fail with `error`."""
    turns = (
        Turn(WRITING, (write,), "write"),
        Turn(TESTING, (run,), "run"),
        Turn(DECIDING, (ask,), "choose"),
        Turn(DELETING, (delete,), "delete"),
        ASKING,
        DONE,
        LONG,
        failing(error),
    )
    return Playbook(turns, pace=PACE)


def questions(descriptions: tuple[str, str] = ("Use Postgres", "Use SQLite"), **more: Any) -> dict[str, Any]:
    """The arguments of a tool that asks, as most of them take it."""
    pairs = zip(LABELS, descriptions, strict=True)
    options = [{"label": label, "description": description} for label, description in pairs]
    return {"questions": [{"question": CHOICE, "header": "Database", "options": options, **more}]}


def permission(
    name: str,
    options: tuple[str, ...],
    answer: Choose | Refuse,
    *,
    subject: str = f"shell: {COMMAND}",
    widening: tuple[str, ...] = (),
    also: tuple[Expected, ...] = (),
) -> Station:
    """A dialog that asks for permission; `subject` is the command unless given."""
    return Station(name, Expected("permission", True, options, subject, widening), (answer,), also)


def deletion(options: tuple[str, ...], *, widening: tuple[str, ...] = (), stops: bool) -> tuple[Station, ...]:
    """The deletion, refused. `stops`: the CLI's turn ends by that, and it is told to go on."""
    asked = permission("deletion", options, Refuse(), subject=f"shell: {DELETE}", widening=widening)
    told = Station("refused", Expected("idle|completed", question=False), (Say("Leave it. Go on."),))
    return (asked, told) if stops else (asked,)


def menu(options: tuple[str, ...]) -> Station:
    """The tool's question; SQLite is chosen."""
    return Station("menu", Expected("menu", options=options), (Choose("SQLite"),))


def standard_walk(
    playbook: Playbook,
    *dialogs: Station,
    trust: Station | None = None,
    missing: Mapping[str, str] | None = None,
) -> Walk:
    """These dialogs between the composer and the end of the work, after the trust dialog if there is one."""
    first = (trust, READY) if trust is not None else (READY,)
    asks = ("trust",) if trust is not None else ()
    return Walk(playbook, (*first, *dialogs, *ENDING), asks, missing or {})
