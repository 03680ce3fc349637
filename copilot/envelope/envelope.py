"""One envelope from copilot's side: it hands the launcher what to do, and hears that the CLI runs inside."""

from __future__ import annotations

import array
import asyncio
import contextlib
import json
import shutil
import socket
import struct
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from copilot.envelope.bubblewrap import arguments, refusal, seccomp_filter
from copilot.envelope.plan import EnvelopePlan

_READY_SECONDS = 15.0
_MOST_SOCKETS = 16
_MOST_BYTES = 65536
_CREDENTIALS = struct.Struct("3i")
_FOLDER = Path(__file__).resolve().parent
_BOOT = (
    "import sys; sys.path.append(sys.argv.pop(1)); "
    "from copilot.envelope.launcher import main; main(sys.argv.pop(1))"
)


@dataclass(frozen=True, slots=True)
class Inside:
    """The CLI's process id as we see it, what it reaches us by, whether abstract sockets are cut off."""

    pid: int
    listening: tuple[socket.socket, ...] = ()
    scoped: bool = False


class Envelope:
    """`launcher` stands before the CLI's program, `started` waits until that runs, `close` tidies up."""

    def __init__(
        self, plan: EnvelopePlan, bubblewrap: str, *, network: bool, ports: Sequence[int] = ()
    ) -> None:
        self.plan = plan
        self._bubblewrap, self._network, self._ports = bubblewrap, network, tuple(ports)
        self._folder = Path(tempfile.mkdtemp(prefix="copilot-envelope-"))
        for name, mode in (("nothing", 0o000), ("empty", 0o400)):
            (self._folder / name).touch(mode=mode)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self._folder / "line"))
        self._listener.listen(1)
        self._listener.setblocking(False)

    def launcher(self) -> tuple[str, ...]:
        """The command that the supervisor starts; program and argv of the CLI follow."""
        python = (sys.executable or "python3", "-I", "-S", "-c")
        return (*python, _BOOT, str(_FOLDER.parent.parent), str(self._folder / "line"))

    async def started(self, *, keep_ctype: bool) -> Inside:
        """Have it start, and wait for that. Raises InputError with bubblewrap's words where it refuses."""
        said = b""
        try:
            async with asyncio.timeout(_READY_SECONDS):
                line, _ = await asyncio.get_running_loop().sock_accept(self._listener)
                with line:
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
                    await asyncio.get_running_loop().sock_sendall(line, self._orders(keep_ctype))
                    while True:
                        data, inside = await _receive(line)
                        if inside is not None:
                            return inside
                        if not data:
                            break
                        said += data
        except TimeoutError:
            said += f"\nit did not start within {_READY_SECONDS:g} s".encode()
        except OSError as problem:
            said += f"\n{problem.strerror}".encode()
        raise refusal(said.decode("utf-8", "replace"))

    def _orders(self, keep_ctype: bool) -> bytes:
        nothing, empty = str(self._folder / "nothing"), str(self._folder / "empty")
        orders = {
            "bubblewrap": self._bubblewrap,
            "arguments": arguments(self.plan, network=self._network, nothing=nothing, empty=empty),
            "seccomp": seccomp_filter().hex(),
            "inside": (_FOLDER / "inside.py").read_text("utf-8"),
            "options": json.dumps({"ports": self._ports, "no_ctype": not keep_ctype}),
        }
        return json.dumps(orders).encode() + b"\n"

    def close(self) -> None:
        """Remove what was only needed for the start. The envelope itself ends with the CLI."""
        self._listener.close()
        with contextlib.suppress(OSError):
            shutil.rmtree(self._folder)


async def _receive(line: socket.socket) -> tuple[bytes, Inside | None]:
    """What was said, and who runs if it was `inside.py` that said it."""
    await _readable(line)
    room = socket.CMSG_SPACE(_CREDENTIALS.size) + socket.CMSG_SPACE(_MOST_SOCKETS * 4)
    data, extra, _, _ = line.recvmsg(_MOST_BYTES, room)
    pid, descriptors = 0, array.array("i")
    for level, kind, content in extra:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(content[: len(content) - len(content) % descriptors.itemsize])
        elif level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            pid = _CREDENTIALS.unpack(content)[0]
    listening = tuple(socket.socket(fileno=descriptor) for descriptor in descriptors)
    try:
        words = json.loads(data)
        return data, Inside(pid, listening, scoped=bool(words["scoped"]))
    except (ValueError, KeyError, TypeError):
        for one in listening:
            one.close()
        return data, None


async def _readable(line: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(line, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(line)
