"""A simulated coding CLI: a real program in a real terminal that does a small piece of work and asks.

    python -m copilot.demo.simulated_cli [OPTIONS] [TASK]

It checks what it is typed, says what it received, and exits with 7 if anything was typed that was not
asked for. `--misbehave` makes it one of the children that a supervisor must survive.
"""

from __future__ import annotations

import argparse
import getpass
import os
import resource
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from copilot.demo.raw_terminal import RawTerminal
from copilot.demo.stage import Interrupted, Stage
from copilot.demo.story import Story, composer

VERSION = "1.0.0"
EXIT_UNEXPECTED = 7
CRASH_SECONDS = 0.8
"""How long the prompt is open before `--misbehave crash` dies."""

SCENES = ("read", "permission", "output", "menu", "yes_no", "text", "destructive")
MISBEHAVIOURS = ("exit", "invalid-utf8", "flood", "silent", "crash", "password")


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(prog="demo-coder", description="a simulated coding CLI")
    made.add_argument("task", nargs="*", help="what to do; only shown")
    made.add_argument("--version", action="version", version=f"demo-coder {VERSION}")
    made.add_argument("--speed", type=float, default=1.0, help="how many times faster it works")
    made.add_argument("--only", default=",".join(SCENES), help=f"scenes to play, of {','.join(SCENES)}")
    made.add_argument("--journal", type=Path, help="write what was asked and typed here, as JSON lines")
    made.add_argument("--linger", type=float, help="leave the composer by itself after so many seconds")
    made.add_argument(
        "--swap-prompt", type=float, metavar="S", help="change the first prompt after S seconds"
    )
    made.add_argument("--ignore-sigint", action="store_true", help="do not end at Ctrl-C")
    made.add_argument("--misbehave", choices=MISBEHAVIOURS, help="be a difficult child instead")
    made.add_argument("--exit-code", type=int, default=0, help="with --misbehave exit")
    return made


def main() -> int:
    """Play; the exit code."""
    options = parser().parse_args()
    if options.ignore_sigint:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if options.misbehave in ("exit", "invalid-utf8", "flood", "silent", "password"):
        return _misbehave(options.misbehave, options.exit_code)
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        sys.stderr.write("demo-coder: needs a terminal\n")
        return 2
    unknown = set(options.only.split(",")) - set(SCENES)
    if unknown:
        sys.stderr.write(f"demo-coder: no scene {sorted(unknown)}; known: {', '.join(SCENES)}\n")
        return 2
    try:
        with RawTerminal() as terminal:
            stage = Stage(terminal, max(0.1, options.speed), options.journal)
            return _play(stage, options)
    except (Interrupted, KeyboardInterrupt):
        return 130
    except (EOFError, OSError):
        return 1


def _play(stage: Stage, options: argparse.Namespace) -> int:
    began = time.monotonic()
    stage.heed_interrupt = not options.ignore_sigint
    if not options.ignore_sigint:
        signal.signal(signal.SIGINT, _interrupt)
    stage.say(f"✻ demo-coder {VERSION} · a simulated coding CLI, no model behind it", "bold")
    stage.say(f"  {Path.cwd().name}", "dim")
    stage.say("")
    if options.task:
        stage.say(f"❯ {' '.join(options.task)}")
    story = Story(stage, Path.cwd(), options.swap_prompt)
    if options.misbehave == "crash":
        signal.signal(signal.SIGALRM, _crash)
        signal.setitimer(signal.ITIMER_REAL, CRASH_SECONDS)
        story.scenes["permission"]()
    for name in options.only.split(","):
        story.scenes[name]()
    stage.say("● All tasks complete." if not stage.unexpected else "● Done, but not as I was asked.")
    stage.say(f"✻ Worked for {time.monotonic() - began:.0f}s", "dim")
    composer(stage, options.linger)
    stage.note("done", "", str(len(stage.unexpected)))
    return EXIT_UNEXPECTED if stage.unexpected else 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted


def _crash(number: int, frame: FrameType | None) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


def _misbehave(how: str, exit_code: int) -> int:
    output = sys.stdout.buffer
    if how == "exit":
        return exit_code
    if how == "password":
        typed = getpass.getpass("Password for demo@example: ")
        sys.stdout.write(f"received: a password of {len(typed)} characters\n")
        return 0
    if how == "invalid-utf8":
        output.write(b"\xff\xfe caf\xe9 \xc3( \xe2\x82 \xf0\x9f\x92 done\r\n" * 20)
        output.flush()
        return 0
    if how == "flood":
        line = b"\x1b[3%dm%06d the quick brown fox jumps over the lazy dog\x1b[0m\r\n"
        for number in range(200_000):
            output.write(line % (number % 8, number))
        output.flush()
        return 0
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    sys.exit(main())
