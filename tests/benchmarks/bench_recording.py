"""What recording costs: `python -m tests.benchmarks.bench_recording`.

The same output goes through a terminal alone, and through a terminal and a recorder, interleaved in one
process, best of so many rounds. `on the loop` is what a session waits for; the rest is the recorder's thread,
which competes for the interpreter only. CPU times.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.recording.run_folder import RunFolder
from copilot.redaction.redact import Redactor
from copilot.screen import TerminalScreen
from tests.benchmarks.long_run import frames_of_output

CHUNK = 4096


def chunks_of(megabytes: float) -> list[bytes]:
    """Output of that size, as reads of a terminal bring it."""
    once = "".join(frames_of_output()).encode()
    data = once * max(1, round(megabytes * 1e6 / len(once)))
    return [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]


def alone(chunks: list[bytes]) -> tuple[float, float]:
    """CPU seconds of the emulator."""
    screen = TerminalScreen(120, 40)
    began = time.process_time()
    for chunk in chunks:
        screen.feed(chunk)
    spent = time.process_time() - began
    return spent, spent


def recorded(chunks: list[bytes], redact: Callable[[str], str]) -> tuple[float, float]:
    """CPU seconds of emulator and recorder: on the session's own thread, and of the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        settings = RunSettings(
            child=("cli",),
            profile="generic",
            autonomy=Autonomy.WATCH,
            cwd=folder,
            log_folder=str(Path(folder) / "run"),
        )
        run = RunFolder(settings, redact=redact, on_failed=print)
        screen = TerminalScreen(120, 40)
        began, own = time.process_time(), time.thread_time()
        for number, chunk in enumerate(chunks):
            screen.feed(chunk)
            run.output(chunk, number / 1000)
        own = time.thread_time() - own
        run.close()
        return own, time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    chunks = chunks_of(asked.megabytes)
    size = sum(map(len, chunks)) / 1e6
    redactor = Redactor()
    best: dict[str, tuple[float, float]] = {}
    kinds: dict[str, Callable[[], tuple[float, float]]] = {
        "no recording": lambda: alone(chunks),
        "recording": lambda: recorded(chunks, lambda text: redactor.redact(text).text),
        "recording, without redaction": lambda: recorded(chunks, lambda text: text),
    }
    for _ in range(asked.rounds):
        for name, measure in kinds.items():
            times = measure()
            best[name] = min(best.get(name, times), times)
    base = best["no recording"][0]
    print(f"{size:.1f} MB of output, best of {asked.rounds}, CPU ms per MB")
    for name, (own, whole) in best.items():
        extra = (own - base) / size * 1e3
        print(
            f"{name:30} on the loop {own / size * 1e3:7.1f} ({extra:+.1f})   whole process {whole / size * 1e3:7.1f}"
        )


if __name__ == "__main__":
    main()
