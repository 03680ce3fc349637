"""A coding CLI small enough to read: it asks for one permission, then its composer is ready until `/exit`.

Options, each as a new release might be: `--changed` asks in other words, `--reordered` in another order,
`--refuses` does not take its arguments, `--complains` runs without an extension of ours, `--status` ends with 3,
`--harmful` deletes what it must keep, `--chosen=LABEL` ends with 4 where another option is chosen.
"""

from __future__ import annotations

import os
import sys
import termios
import tty
from pathlib import Path

CLEAR = "\x1b[2J\x1b[H"
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
QUESTION = "Run this command?"
OLD = ("Yes", "Always for this session", "No")
NEW = ("Yes", "From now on, yes", "No")
REORDERED = ("No", "Always for this session", "Yes")


def main() -> None:
    if "--refuses" in sys.argv:
        print("error: unexpected argument '--refuses' found", file=sys.stderr)
        raise SystemExit(2)
    tty.setraw(0, termios.TCSANOW)
    ask(NEW if "--changed" in sys.argv else REORDERED if "--reordered" in sys.argv else OLD)
    if "--harmful" in sys.argv:
        Path("build/output.bin").unlink()
    if "--complains" in sys.argv:
        draw("Failed to load extension asks.ts", "", "=> ", end="")
        os.read(0, 1)
    draw(SHOW + "● ok, token sk-ant-api03-" + "Ab3dEf6hIj9kLm2nOp5q" * 4, "", "=> ", end="")
    typed = b""
    while b"\r" not in typed:
        typed += os.read(0, 64)
    raise SystemExit(3 if "--status" in sys.argv else 0)


def ask(options: tuple[str, ...]) -> None:
    draw(HIDE + "Shell", "  $ make clean", "", *dialog(options))
    while (key := os.read(0, 1)) not in (b"1", b"2", b"3", b"\r"):
        pass
    chosen = options[0 if key == b"\r" else int(key) - 1]
    if any(one.startswith("--chosen=") and one != f"--chosen={chosen}" for one in sys.argv):
        raise SystemExit(4)


def dialog(options: tuple[str, ...]) -> list[str]:
    rows = [f"{'❯' if number == 1 else ' '} {number}. {label}" for number, label in enumerate(options, 1)]
    return [QUESTION, *rows, "", "Esc cancels"]


def draw(*rows: str, end: str = "\r\n") -> None:
    sys.stdout.write(CLEAR + "\r\n".join(rows) + end)
    sys.stdout.flush()


main()
