"""A mock program on PATH that plays a queue of replies: for tests of what starts a coding CLI.

Each call takes the next reply, under a lock, so that parallel calls never get the same one. A call with
nothing left fails and is counted. The program is this file, run by a bare interpreter: standard library only.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

KEYS = ("text", "stderr", "exit_code", "delay", "events", "files")
EXIT_USED_UP = 97
EXIT_TOO_LONG = 98
SECONDS = 30.0
_QUEUE, _CALLS, _LOCK = "queue.json", "calls.jsonl", "lock"


class MockCli:
    """A program `name` in `folder` (to be put on PATH), with its queue, and the calls so far.

    A reply has `text` (stdout), `stderr`, `exit_code`, `delay` (seconds before all else), `events` (objects,
    one JSON line each on stdout, or texts and bytes that are written raw) and `files` (written where it is
    called, by relative path). Raises ValueError for another key, naming the known ones.
    """

    def __init__(
        self, folder: Path, name: str, replies: Sequence[Mapping[str, Any]], seconds: float = SECONDS
    ) -> None:
        self.folder = folder
        self._state = folder / f".{name}"
        self._state.mkdir(parents=True)
        queue = [_checked(number, reply) for number, reply in enumerate(replies, start=1)]
        document = {"seconds": seconds, "replies": queue}
        (self._state / _QUEUE).write_text(json.dumps(document), encoding="utf-8")
        (self._state / _CALLS).touch()
        program = folder / name
        words = [sys.executable, "-I", "-S", str(Path(__file__).resolve()), str(self._state.resolve())]
        program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        program.chmod(0o755)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Each call in order: `reply` (its number, None when none was left), `arguments`, `folder`."""
        with locked(self._state):
            lines = (self._state / _CALLS).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def check(self) -> None:
        """Raises AssertionError for calls that found no reply, and for replies that were not asked for."""
        replies = json.loads((self._state / _QUEUE).read_text(encoding="utf-8"))["replies"]
        calls = self.calls
        if len(calls) != len(replies):
            raise AssertionError(f"{self._state.name[1:]}: called {len(calls)} times, {len(replies)} replies")


def _checked(number: int, reply: Mapping[str, Any]) -> dict[str, Any]:
    if unknown := sorted(set(reply) - set(KEYS)):
        raise ValueError(f"reply {number}: unknown key {', '.join(unknown)}; known are {', '.join(KEYS)}")
    for name in reply.get("files", {}):
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise ValueError(f"reply {number}: files: {name} leads out of the folder of the call")
    raw = [
        {"raw": base64.b64encode(_bytes(one)).decode()} if isinstance(one, (str, bytes)) else {"event": one}
        for one in reply.get("events", ())
    ]
    return {**reply, "events": raw}


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


@contextlib.contextmanager
def locked(state: Path) -> Iterator[None]:
    """Only one process at a time is in the block."""
    with (state / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(state: Path, arguments: list[str]) -> int:
    """One call of the program; its exit code."""
    document = json.loads((state / _QUEUE).read_text(encoding="utf-8"))
    with locked(state):
        calls = state / _CALLS
        number = len(calls.read_text(encoding="utf-8").splitlines())
        left = number < len(document["replies"])
        row = {"reply": number + 1 if left else None, "arguments": arguments, "folder": os.getcwd()}  # noqa: PTH109
        with calls.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    if not left:
        sys.stderr.write(f"mock: call {number + 1}, and only {len(document['replies'])} replies\n")
        return EXIT_USED_UP
    return _played(document["replies"][number], float(document["seconds"]))


def _played(reply: dict[str, Any], seconds: float) -> int:
    delay = float(reply.get("delay", 0.0))
    time.sleep(min(delay, seconds))
    if delay > seconds:
        sys.stderr.write(f"mock: a delay of {delay:g} s is over its limit of {seconds:g} s\n")
        return EXIT_TOO_LONG
    for name, text in reply.get("files", {}).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    out = sys.stdout.buffer
    out.write(str(reply.get("text", "")).encode())
    for one in reply["events"]:
        out.write(base64.b64decode(one["raw"]) if "raw" in one else json.dumps(one["event"]).encode() + b"\n")
    out.flush()
    sys.stderr.write(str(reply.get("stderr", "")))
    return int(reply.get("exit_code", 0))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
