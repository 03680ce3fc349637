"""A child with two pipes and no input, as plan commands and test runs have it; and what a child wrote."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field

from copilot.supervision.supervised import Supervised
from tests.pty.terminal_drive import pids_in

KEPT_BYTES = 1 << 16


@dataclass
class Output:
    """What a child wrote: the beginning, and how much."""

    beginning: bytearray = field(default_factory=bytearray)
    size: int = 0

    def take(self, data: bytes) -> None:
        self.size += len(data)
        self.beginning += data[: KEPT_BYTES - len(self.beginning)]

    @property
    def pids(self) -> set[int]:
        return set(pids_in(self.beginning.decode("ascii", "replace")))


class OnPipes:
    def __init__(self) -> None:
        self.supervised: Supervised
        self._readers: list[int] = []

    @classmethod
    async def start(
        cls, argv: tuple[str, ...], cwd: str, environment: dict[str, str], take: Callable[[bytes], None]
    ) -> OnPipes:
        """Start it. Raises InputError."""
        run = cls()
        null = os.open(os.devnull, os.O_RDONLY)
        out, error = os.pipe2(os.O_CLOEXEC), os.pipe2(os.O_CLOEXEC)
        run._readers = [out[0], error[0]]
        try:
            run.supervised = await Supervised.start(
                argv[0],
                argv,
                folder=cwd,
                environment=environment,
                descriptors=(null, out[1], error[1]),
                on_exit=lambda status: None,
            )
        except BaseException:
            run._close()
            raise
        finally:
            for descriptor in (null, out[1], error[1]):
                os.close(descriptor)
        for descriptor in run._readers:
            os.set_blocking(descriptor, False)
            asyncio.get_running_loop().add_reader(descriptor, run._read, descriptor, take)
        return run

    def _read(self, descriptor: int, take: Callable[[bytes], None]) -> None:
        data = os.read(descriptor, 65536)
        take(data)
        if not data:
            asyncio.get_running_loop().remove_reader(descriptor)

    async def wait(self) -> int:
        return await self.supervised.wait()

    async def end(self, grace_seconds: float) -> None:
        await self.supervised.end(grace_seconds)
        self._close()

    def _close(self) -> None:
        for descriptor in self._readers:
            asyncio.get_running_loop().remove_reader(descriptor)
            os.close(descriptor)
