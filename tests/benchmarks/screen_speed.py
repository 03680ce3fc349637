"""The screen against stock pyte, side by side in one process: `python -m tests.benchmarks.screen_speed`.

Prints MB/s and ratios to `pyte.Screen` for the synthetic streams of `../shared/tools/term_bench.py` (left
out where that is not there) and for the recordings of each coding CLI, the ratio to `pyte.HistoryScreen`
with 1,000 lines, and the memory of 10,000 lines of scrollback. Rounds are interleaved and the best one
counts; pin it to one core (`taskset -c 1`). Options: `--rounds N`, `--bytes N` per stream.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import math
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyte

from copilot.screen import TerminalScreen
from tests.conformance.test_recordings import CASTS, read

TERM_BENCH = Path(__file__).parents[3] / "shared" / "tools" / "term_bench.py"
COLUMNS, LINES, CHUNK = 120, 40, 4096
Feed = Callable[[bytes], None]


def stock() -> Feed:
    return pyte.ByteStream(pyte.Screen(COLUMNS, LINES)).feed


def stock_history() -> Feed:
    return pyte.ByteStream(pyte.HistoryScreen(COLUMNS, LINES, history=1000)).feed


def ours() -> Feed:
    return TerminalScreen(COLUMNS, LINES, 1000).feed


def synthetic(size: int) -> dict[str, bytes]:
    if not TERM_BENCH.exists():
        return {}
    spec = importlib.util.spec_from_file_location("term_bench", TERM_BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    streams: dict[str, Callable[[int], bytes]] = module.STREAMS
    return {name: make(size) for name, make in streams.items()}


def recordings(size: int) -> dict[str, bytes]:
    """The largest recordings of each coding CLI, up to `size` bytes."""
    result: dict[str, bytes] = {}
    for name, cast in sorted(CASTS.items(), key=lambda item: -item[1].stat().st_size):
        cli = name.partition("/")[0]
        if cli not in ("classic", "decoys") and len(result.get(cli, b"")) < size:
            result[cli] = (result.get(cli, b"") + read(cast)[2])[:size]
    return dict(sorted(result.items()))


def seconds(make: Callable[[], Feed], chunks: list[bytes]) -> float:
    """CPU time of one run; infinite if the terminal raises."""
    feed = make()
    gc.collect()
    start = time.process_time()
    try:
        for chunk in chunks:
            feed(chunk)
    except Exception:
        return math.inf
    return time.process_time() - start


def compare(streams: dict[str, bytes], base: Callable[[], Feed], rounds: int) -> float:
    """Print the ratio of each stream; the geometric mean of all that the base survives."""
    ratios = []
    for name, data in streams.items():
        chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
        runs = [(seconds(base, chunks), seconds(ours, chunks)) for _ in range(rounds)]
        theirs, mine = (min(times) for times in zip(*runs, strict=True))
        speed = len(data) / mine / 1e6
        if math.isinf(theirs):
            print(f"  {name:18} {speed:6.1f} MB/s   stock pyte raises")
            continue
        ratios.append(theirs / mine)
        print(f"  {name:18} {speed:6.1f} MB/s  {ratios[-1]:6.2f}x")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
    print(f"  geometric mean {mean:.2f}x, worst {min(ratios, default=math.nan):.2f}x")
    return mean


def memory(lines: int = 10_000) -> tuple[int, int, int]:
    """Bytes that so many lines of a coloured log take: HistoryScreen, ours, ours packed."""
    text = b"\x1b[32mINFO\x1b[0m pkg.module " + b"word " * 15 + b"\x1b[1;34mvalue\x1b[0m tail of line\r\n"

    def held(make: Callable[[], Any], feed: Callable[[Any], Feed]) -> tuple[int, Any]:
        gc.collect()
        tracemalloc.start()
        screen = make()
        write = feed(screen)
        for _ in range(lines + LINES):
            write(text)
        gc.collect()
        return tracemalloc.get_traced_memory()[0], screen

    history, screen = held(
        lambda: pyte.HistoryScreen(COLUMNS, LINES, history=lines), lambda s: pyte.ByteStream(s).feed
    )
    tracemalloc.stop()
    del screen
    fresh, screen = held(lambda: TerminalScreen(COLUMNS, LINES, lines), lambda s: s.feed)
    while screen.tidy():
        pass
    gc.collect()
    packed = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return history, fresh, packed


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--bytes", type=int, default=400_000)
    chosen = options.parse_args()
    streams = synthetic(chosen.bytes)
    print("synthetic streams, against pyte.Screen")
    compare(streams, stock, chosen.rounds)
    print("synthetic streams, against pyte.HistoryScreen with 1,000 lines")
    compare(streams, stock_history, max(chosen.rounds - 1, 1))
    print("recordings, against pyte.Screen")
    compare(recordings(chosen.bytes), stock, chosen.rounds)
    history, fresh, packed = memory()
    print("memory of 10,000 lines of scrollback")
    print(f"  HistoryScreen {history / 1e6:.1f} MB, ours {fresh / 1e6:.1f} MB, packed {packed / 1e6:.1f} MB")
    print(f"  ratios 1/{history / fresh:.1f} and 1/{history / packed:.1f}")


if __name__ == "__main__":
    main()
