"""A made-up recording as long as wanted: what coding CLIs draw (spinners, colour logs, full redraws)."""

from __future__ import annotations

from pathlib import Path

from copilot.recording.asciicast import CastEvent, CastHeader
from copilot.recording.asciicast_writer import CastWriter
from copilot.recording.transcript import json_line

COLUMNS, LINES = 120, 40


def write_long_cast(path: Path, *, megabytes: float, seconds: float) -> int:
    """Write a recording of about that size and length; how many events it has."""
    frames = list(frames_of_output())
    size = sum(len(json_line([1000.123456, "o", frame])) for frame in frames)
    rounds = max(1, round(megabytes * 1e6 / size))
    step = seconds / (rounds * len(frames))
    count = 0
    with path.open("wb") as file:
        writer = CastWriter(file.write, CastHeader(COLUMNS, LINES, title="copilot: claude"))
        for _ in range(rounds):
            for frame in frames:
                writer.event(CastEvent(count * step, "o", frame))
                count += 1
    return count


def frames_of_output() -> list[str]:
    """Some hundred frames of output, a piece each."""
    frames = []
    for number in range(400):
        colour = 16 + number % 200
        if number % 40 == 0:
            rows = (
                f"\x1b[{row + 1};1H\x1b[38;5;{16 + (row * 7 + number) % 200}m{'─' * 20} row {row} of frame {number} "
                f"\x1b[0m{'word ' * 12}\x1b[K"
                for row in range(LINES)
            )
            frames.append("\x1b[?2026h\x1b[H" + "".join(rows) + "\x1b[?2026l")
        elif number % 3 == 0:
            frames.append(f"\x1b[{LINES};1H\x1b[38;5;{colour}m✻\x1b[0m Thinking… ({number}s)\x1b[K")
        else:
            frames.append(
                f"\x1b[38;5;{colour}m{number:05d}\x1b[0m \x1b[1mmodule_{number % 97}\x1b[22m: "
                f"{'compiled with warnings ' * 3}\r\n"
            )
    return frames
