"""The way of the demo's first prompt, from the child's last byte to the reply taken: which code of ours it passes.

    python -m tests.benchmarks.trace_prompt [--hops] [--rooms]

Prints how many files, distinct functions and calls, and how many calls go up: from a room to one of a higher
layer of `pyproject.toml`, as listeners and callbacks do. `--hops` lists the first call from each room into each
other, `--rooms` the files and functions of each room. The counts vary by a few functions: what is computed once
per process, such as a colour's contrast, counts only if the first prompt is the first to ask for it.
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from copilot.core.effects import ReplyTaken
from copilot.core.reply import Autonomy

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = f"{ROOT / 'copilot'}/"
SPEED = 30.0


def layers() -> dict[str, int]:
    """The rank of each room or top-level module, 0 for the highest layer."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return {
        room.strip().removeprefix("copilot."): rank
        for rank, layer in enumerate(contract["layers"])
        for room in layer.split("|")
    }


def room_of(code: CodeType) -> str:
    inside = code.co_filename.removeprefix(PACKAGE)
    return inside.split("/")[0].removesuffix(".py")


@dataclass
class Trace:
    """The calls since the child last wrote, kept until the first reply is taken."""

    calls: list[tuple[CodeType | None, CodeType]] = field(default_factory=list)
    done: list[tuple[CodeType | None, CodeType]] | None = None

    def see(self, frame: FrameType, event: str, _: Any) -> None:
        """A profile function (`sys.setprofile`)."""
        code = frame.f_code
        if event != "call" or self.done is not None or not code.co_filename.startswith(PACKAGE):
            return
        if code.co_name == "child_wrote" and not self._asked():
            self.calls.clear()
        self.calls.append((_caller(frame), code))
        if code.co_name == "_remember" and isinstance(frame.f_locals.get("effect"), ReplyTaken):
            self.done = self.calls

    def _asked(self) -> bool:
        """Whether the prompt has settled: what the child writes after that is part of its way."""
        return any(code.co_name == "mark_asked" for _, code in self.calls)


def _caller(frame: FrameType) -> CodeType | None:
    """The nearest function of ours below this one on the stack."""
    back = frame.f_back
    while back is not None and not back.f_code.co_filename.startswith(PACKAGE):
        back = back.f_back
    return back.f_code if back is not None else None


def traced() -> list[tuple[CodeType | None, CodeType]]:
    """The calls of the first prompt of a headless demo, each with its caller."""
    from copilot.demo.command import demo_settings
    from copilot.demo.project import DemoProject
    from copilot.session import headless

    trace = Trace()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        project = DemoProject.make()
        settings = demo_settings(project, Path(folder) / "run", Autonomy.FULL, SPEED, True, False)
        sys.setprofile(trace.see)
        try:
            headless.run(settings)
        finally:
            sys.setprofile(None)
            project.remove()
    if trace.done is None:
        raise SystemExit("no reply was taken")
    return trace.done


def ups(calls: list[tuple[CodeType | None, CodeType]]) -> Iterator[str]:
    rank = layers()
    seen = set()
    for caller, code in calls:
        if caller is None:
            continue
        above, below = rank.get(room_of(code), 0), rank.get(room_of(caller), 0)
        line = f"{room_of(caller)}: {caller.co_qualname} -> {room_of(code)}: {code.co_qualname}"
        if above < below and line not in seen:
            seen.add(line)
            yield line


def hops(calls: list[tuple[CodeType | None, CodeType]]) -> Iterator[str]:
    """The first call from each room into each other, in order: the list in `docs/architecture.md`."""
    seen = set()
    for caller, code in calls:
        if caller is None or (edge := (room_of(caller), room_of(code))) in seen or edge[0] == edge[1]:
            continue
        seen.add(edge)
        yield f"{edge[0]} → {edge[1]}: {caller.co_qualname} → {code.co_qualname}"


def rooms(calls: list[tuple[CodeType | None, CodeType]]) -> Iterator[str]:
    """How many files and functions of each room are passed, most functions first."""
    files: dict[str, set[str]] = {}
    functions: dict[str, set[CodeType]] = {}
    for _, code in calls:
        files.setdefault(room_of(code), set()).add(code.co_filename)
        if not code.co_name.startswith("<"):
            functions.setdefault(room_of(code), set()).add(code)
    for room, codes in sorted(functions.items(), key=lambda item: -len(item[1])):
        yield f"{room:<14} {len(files[room]):>3} files {len(codes):>4} functions"


def main(arguments: list[str]) -> None:
    calls = traced()
    functions = {code for _, code in calls if not code.co_name.startswith("<")}
    upward = list(ups(calls))
    print(f"files: {len({code.co_filename for _, code in calls})}")
    print(f"functions: {len(functions)}")
    print(f"calls: {len(calls)}")
    print(f"calls that go up: {len(upward)}")
    for line in upward:
        print(f"    {line}")
    if "--rooms" in arguments:
        print("\n".join(rooms(calls)))
    if "--hops" in arguments:
        print("\n".join(hops(calls)))


if __name__ == "__main__":
    main(sys.argv[1:])
