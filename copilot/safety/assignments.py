"""Variables set for a command or for the shell. Most change what a command means; few do not."""

from __future__ import annotations

import re2

from copilot.safety.finding import Finding, Scene, high
from copilot.safety.packs import Arg

_HARMLESS = re2.compile(
    r"CI|NODE_ENV|DEBUG|VERBOSE|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|LANG|LC_[A-Z]+|TZ"
    r"|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONWARNINGS|CGO_ENABLED|LOG_LEVEL|PORT"
    r"|TEST_[A-Z_]*"
)
_HARMLESS_PAIRS = frozenset(
    {("PAGER", "cat"), ("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0"), ("MANPAGER", "cat")}
)
_SHELL_ONLY = re2.compile(r"[a-z][a-z0-9_]*")
_MEANINGFUL_LOWER = re2.compile(
    r"path|cdpath|fpath|manpath|prompt|histfile|.*proxy|argv|status|shell|home|term|editor|pager"
)
_PLAIN_VALUE = re2.compile(r"[A-Za-z0-9_.,:*@%+ \-]*")


def assignment_findings(name: str, value: Arg, *, alone: bool = False) -> list[Finding]:
    """Held unless the variable is known to be harmless and its value is plain.

    `alone`: no command gets it, so a variable of the shell itself (`x=1`) is harmless as well.
    """
    if (name, value.text) in _HARMLESS_PAIRS:
        return []
    own = alone and _SHELL_ONLY.fullmatch(name) and not _MEANINGFUL_LOWER.fullmatch(name)
    if not own and not _HARMLESS.fullmatch(name):
        return [high(f"{name}= can change what a command does", "parse.assignment")]
    if value.text is None or not _PLAIN_VALUE.fullmatch(value.text):
        return [high(f"the value of {name}= cannot be judged", "parse.assignment")]
    return []


def judge_export(args: list[Arg], scene: Scene) -> list[Finding]:
    """`export NAME=value`: as the assignment; everything else of it prints or declares."""
    del scene
    if len(args) < 2:
        return [high("prints the environment, which holds secrets", "env.dump")]
    found: list[Finding] = []
    for arg in args[1:]:
        name, equals, value = arg.shown.partition("=")
        if arg.text is None or not name.isidentifier():
            return [high(f"export {arg.shown} cannot be judged", "parse.assignment")]
        found += assignment_findings(name, Arg(value if equals else ""))
    return found
