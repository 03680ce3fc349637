"""What a checkpoint is: who made the changes since the one before, when it was taken, and what changed.

Paths are relative to the project, with `/` between the parts; a folder's path ends in `/`, the project's own
is `./`. A name that is not UTF-8 holds surrogates (PEP 383): `os.fsencode` gives its bytes. Pass each path
through `guard.text.safe_text` before it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from copilot.core.checkpoints import Author
from copilot.errors import CopilotError


class CheckpointError(CopilotError):
    """No checkpoint could be taken or undone; one line that says what to do. The run itself may go on."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a checkpoint is taken.

    `what` is one of `start`, `waits`, `reply`, `turn`, `end`, `undo`; `at` counts seconds of the run;
    `decision` is the number of the decision whose reply is next (0: none); `text` is one line about it, e.g.
    the reply, which the caller has made safe and redacted.
    """

    what: str
    at: float
    decision: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths that differ from the checkpoint before, each sorted; a changed folder has another mode."""

    created: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.removed)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One state of the project. `number` counts from 0, the start of the run; `epoch` is Unix time in
    seconds.

    `commit` names the state in the run's own store: equal for two checkpoints if nothing changed between
    them.
    """

    number: int
    commit: str
    author: Author
    moment: Moment
    changes: Changes
    epoch: float


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A file or folder that checkpoints do not keep and undo does not touch, and why, in a few words."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a project may hold to be kept. Over it `CheckpointError` names what and which field."""

    file_bytes: int = 64 << 20
    """A larger file is named as not covered."""
    project_bytes: int = 2 << 30
    """Of all covered files together."""
    entries: int = 50_000
    """Files and folders that are covered."""
    store_bytes: int = 4 << 30
    """What the checkpoints of one run may take on the disk."""
    seconds: float = 30.0
    """One checkpoint: walking the project and reading what changed."""
    skipped: tuple[str, ...] = field(default=())
    """Paths of folders, relative to the project, that are not covered."""
