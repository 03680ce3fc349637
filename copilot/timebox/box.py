"""`run`: one argv under a hard and a silence limit. It returns in every situation, with the whole tree gone.

The end is that of the process, never of a pipe: a grandchild that holds the output open delays nothing, it
is ended and reported as `leaked`. Input is at its end from the start. Without a terminal a command cannot ask
anything.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from copilot.errors import InputError
from copilot.supervision.supervised import Supervised
from copilot.timebox.limits import Countdown, Limits, Outcome
from copilot.timebox.pipes import Pipes, Stream

_MOST_CHARACTERS = 4_096


class PathEscapeError(InputError):
    """A path that leads out of the folder that it must stay in."""


def inside(path: str, root: Path, parameter: str) -> str:
    """`path`, relative to `root` and without detours. It need not exist.

    `root` is resolved. Raises InputError that names the parameter; PathEscapeError if it leads out, be it
    by `..`, by being absolute, or by a link.
    """
    if not path.strip() or "\0" in path or len(path) > _MOST_CHARACTERS:
        raise InputError(f"{parameter}: give a path inside the project, without NUL, of usual length")
    if path.startswith(("/", "~")) or PurePosixPath(path).is_absolute():
        raise PathEscapeError(f"{parameter}: {path[:80]}: must be relative to the project's folder")
    lexical = os.path.normpath(path)
    try:
        real = (root / path).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{parameter}: {path[:80]}: cannot be resolved: {error}") from None
    if lexical == ".." or lexical.startswith("../") or not real.is_relative_to(root):
        raise PathEscapeError(f"{parameter}: {path[:80]}: leads out of the project's folder")
    # The lexical path would be another place where a link is followed by `..`.
    return lexical if (root / lexical).resolve() == real else str(real.relative_to(root))


_Result = TypeVar("_Result")
LEAK_SECONDS = 0.2
"""After the end of the process its pipes have so long to be closed by everybody else, as in nextest."""
_LEFTOVER_GRACE_SECONDS = 0.5
"""Between TERM and KILL for what a command that ended by itself left behind."""


@dataclass(frozen=True, slots=True)
class Boxed:
    """How a command ended.

    `exit_code` is negative for a signal, and None if a limit ended it. `seconds` last until all was gone.
    `leaked`: something still held the output open after the process had ended; it was ended too.
    `stuck`: how many processes the kernel had not let go of; they are killed on.
    """

    outcome: Outcome
    exit_code: int | None
    seconds: float
    leaked: bool = False
    stuck: int = 0

    @property
    def passed(self) -> bool:
        """It ended by itself, with 0."""
        return self.outcome is Outcome.EXITED and self.exit_code == 0


async def run(
    argv: Sequence[str],
    limits: Limits,
    *,
    folder: str,
    environment: Mapping[str, str] | None = None,
    on_output: Callable[[Stream, bytes], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Boxed:
    """Run `argv` in `folder` (an absolute path) until it ends or a limit ends it.

    `environment` is all that the command gets (default: ours). `on_output` is called with every piece of
    output as it comes; it must not block. Nothing of the output is kept here: see `output_log.OutputLog`.
    `clock` gives monotonic seconds.

    Raises InputError if the command cannot be started, with the reason, and whatever `on_output` raised.
    When the task is cancelled the command is ended first.
    """
    surroundings = os.environ if environment is None else environment
    program = find(argv, folder=folder, environment=surroundings)
    countdown: Countdown | None = None

    def take(stream: Stream, data: bytes) -> None:
        if countdown is not None:
            countdown.heard(clock())
        if on_output is not None:
            on_output(stream, data)

    pipes = Pipes(take)
    try:
        supervised = await _start(program, argv, folder, surroundings, pipes)
        started = clock()
        countdown = Countdown(limits, started)
        pipes.listen()
        outcome = await _guarded(supervised, _until_due(supervised, pipes, countdown, clock), limits)
        leaked = False
        grace = limits.grace_seconds
        if outcome is Outcome.EXITED:
            leaked = not await _guarded(supervised, pipes.ended(LEAK_SECONDS), limits)
            grace = min(grace, _LEFTOVER_GRACE_SECONDS)
        await _end(supervised, grace)
        pipes.read_waiting()
    finally:
        pipes.close()
    if pipes.fault.done():
        pipes.fault.result()
    code = supervised.status if outcome is Outcome.EXITED else None
    return Boxed(outcome, code, clock() - started, leaked, supervised.leaked)


def find(argv: Sequence[str], *, folder: str, environment: Mapping[str, str]) -> str:
    """The path of the program that `argv` names: along PATH, or relative to `folder` if it has a slash.

    Raises InputError.
    """
    if not argv or not argv[0]:
        raise InputError("there is no command to run; give a program and its arguments")
    name = argv[0]
    if any("\0" in word for word in (*argv, folder)):
        raise InputError(f"{name!r}: a NUL character cannot be part of a command; take it out")
    if not os.path.isdir(folder):  # noqa: PTH112
        raise InputError(f"{folder}: no such folder to run {name} in")
    if "/" in name:
        path = os.path.join(folder, name)  # noqa: PTH118
        if not os.path.exists(path):  # noqa: PTH110
            raise InputError(f"{name}: no such file; give the path of a program")
        if not (os.path.isfile(path) and os.access(path, os.X_OK)):  # noqa: PTH113
            raise InputError(f"{name}: is not an executable file; try: chmod +x {name}")
        return path
    found = shutil.which(name, path=environment.get("PATH", os.defpath))
    if found is None:
        raise InputError(f"{name}: no such program on PATH; install it, or give its path")
    return os.path.abspath(found)  # noqa: PTH100


async def _start(
    program: str, argv: Sequence[str], folder: str, environment: Mapping[str, str], pipes: Pipes
) -> Supervised:
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return await Supervised.start(
            program,
            argv,
            folder=folder,
            environment=environment,
            descriptors=(nothing, *pipes.child_ends),
            on_exit=lambda status: None,
        )
    finally:
        os.close(nothing)
        pipes.close_child_ends()


async def _until_due(
    supervised: Supervised, pipes: Pipes, countdown: Countdown, clock: Callable[[], float]
) -> Outcome:
    """Wait for the end of the process, or for a limit."""
    exited = asyncio.ensure_future(supervised.wait())
    watched: set[asyncio.Future[Any]] = {exited, pipes.fault}
    try:
        while True:
            left = max(0.0, countdown.next_at - clock())
            await asyncio.wait(watched, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if pipes.fault.done():
                pipes.fault.result()
            if exited.done():
                return Outcome.EXITED
            if countdown.due(clock()) is Outcome.NO_OUTPUT:
                # After a pause of the machine the output may only wait to be read.
                pipes.read_waiting()
            due = countdown.due(clock())
            if due is not None:
                return due
    finally:
        exited.cancel()


async def _guarded(supervised: Supervised, waiting: Awaitable[_Result], limits: Limits) -> _Result:
    """Wait; if that is cancelled, end the tree before cancelling."""
    try:
        return await waiting
    except BaseException:
        await _end(supervised, limits.grace_seconds)
        raise


async def _end(supervised: Supervised, grace_seconds: float) -> None:
    """End the tree, whatever cancels us meanwhile; a cancel is passed on afterwards."""
    ending = asyncio.ensure_future(supervised.end(grace_seconds))
    cancelled: asyncio.CancelledError | None = None
    while not ending.done():
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError as error:
            cancelled = error
    ending.result()
    if cancelled is not None:
        raise cancelled
