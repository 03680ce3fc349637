"""Checkpoints of the project's files: when one is taken, and who made the changes before it."""

from __future__ import annotations

import enum


class Author(enum.StrEnum):
    """Who made the changes between a checkpoint and the one before it."""

    START = "start"
    """There are none: it is the first one."""
    PROGRAM = "program"
    PERSON = "person"
    UNDO = "undo"


class CheckpointMoment(enum.StrEnum):
    """When a checkpoint is taken."""

    START = "start"
    WAITS = "waits"
    """The program has begun to wait."""
    TURN = "turn"
    """The program's turn has ended."""
    REPLY = "reply"
    """A reply is about to be typed, or a command of the plan about to run."""
    COMMAND = "command"
    """A command of the plan has ended."""
    END = "end"
    UNDO = "undo"

    @property
    def author(self) -> Author:
        """Who made the changes before it.

        A program that waits changes nothing, so what has changed before a reply is the person's.
        """
        return _AUTHORS.get(self, Author.PROGRAM)


_AUTHORS = {
    CheckpointMoment.START: Author.START,
    CheckpointMoment.REPLY: Author.PERSON,
    CheckpointMoment.UNDO: Author.UNDO,
}
