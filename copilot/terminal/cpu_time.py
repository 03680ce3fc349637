"""How much CPU time a program and all that it started have used: proc_pid_stat(5), Linux only."""

from __future__ import annotations

import os

from copilot.supervision import process_tree

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


class CpuTime:
    """The CPU time of a process and of everything below it, from one look to the next."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before: dict[tuple[int, str], int] = {}

    def used(self) -> float | None:
        """Seconds used since the last call (the first time: ever); None where the system does not tell."""
        if not process_tree.has_proc():
            return None
        root = process_tree.process(self._pid)
        tree = [*([root] if root is not None else []), *process_tree.descendants(self._pid)]
        now = {(one.pid, one.started): _ticks(one.pid) for one in tree}
        grown = sum(max(0, ticks - self._before.get(key, 0)) for key, ticks in now.items())
        self._before = now
        return grown / _TICKS_A_SECOND


def _ticks(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12]) if len(fields) > 12 else 0
