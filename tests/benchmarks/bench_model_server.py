"""Speed of the scripted model server: short streamed turns a second on one core, server's CPU time alone.

python -m tests.benchmarks.bench_model_server
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import time
from multiprocessing.connection import Connection

from copilot.lab.model_server import ANY_TIMES, ModelServer, Turn

TURNS = 2000
AT_ONCE = 8
GOAL = 500


def _serve(pipe: Connection) -> None:
    """The server's process: tells its port, and at the end the CPU time that the turns took."""
    with ModelServer([Turn("All is well.", times=ANY_TIMES)], check_at_exit=False) as model:
        pipe.send(model.port)
        pipe.recv()
        before = time.process_time()
        pipe.send("ready")
        pipe.recv()
        pipe.send(time.process_time() - before)


async def _ask(port: int, count: int) -> None:
    """So many turns over one connection that stays open."""
    tools: list[dict[str, object]] = [
        {"name": name, "input_schema": {}} for name in ("Read", "Write", "Bash")
    ]
    body = json.dumps(
        {"model": "m", "stream": True, "tools": tools, "messages": [{"role": "user", "content": "go"}]}
    ).encode()
    head = f"POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(count):
        writer.write(head + body)
        await reader.readuntil(b"\r\n0\r\n\r\n")
    writer.close()


async def _all(port: int) -> None:
    await asyncio.gather(*(_ask(port, TURNS // AT_ONCE) for _ in range(AT_ONCE)))


def main() -> None:
    """One round: the server's CPU time does not depend on what else runs."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    port = ours.recv()
    ours.send("begin")
    ours.recv()
    began = time.monotonic()
    asyncio.run(_all(port))
    wall = time.monotonic() - began
    ours.send("end")
    cpu = float(ours.recv())
    server.join(10)
    by_cpu, by_wall = TURNS / cpu, TURNS / wall
    print(f"{TURNS} short streamed turns, {AT_ONCE} clients, {os.cpu_count()} cores")
    print(
        f"per second of the server's CPU: {by_cpu:.0f} (goal {GOAL}); per second of wall time: {by_wall:.0f}"
    )


if __name__ == "__main__":
    main()
