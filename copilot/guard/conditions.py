"""`test`, `[` and `[[`: look at files and compare text. What computes (`-v`, `-eq` on text) can run commands."""

from __future__ import annotations

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg
from copilot.guard.rule_files import Finding, Scene, high

_FILE = frozenset(
    [
        "-e",
        "-f",
        "-d",
        "-r",
        "-w",
        "-x",
        "-s",
        "-L",
        "-h",
        "-b",
        "-c",
        "-p",
        "-S",
        "-k",
        "-u",
        "-g",
        "-O",
        "-G",
        "-N",
        "-t",
    ]
)
_TEXT = frozenset(["-z", "-n"])
_BETWEEN = frozenset(["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef", "-a", "-o", "=~"])
_NUMBERS = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
_DIGITS = re2.compile(r"[-+]?[0-9]{1,18}")


def judge_condition(args: list[Arg], scene: Scene) -> list[Finding]:
    """`[[ … ]]`: arithmetic comparisons compute what they are given."""
    return _judge(args, scene, frozenset(_FILE | _TEXT | (_BETWEEN - {"-a", "-o"})))


def judge_test(args: list[Arg], scene: Scene) -> list[Finding]:
    """`test` and `[`."""
    return _judge(args, scene, frozenset(_FILE | _TEXT | _BETWEEN | _NUMBERS))


def _judge(args: list[Arg], scene: Scene, known: frozenset[str]) -> list[Finding]:
    name = args[0].shown
    for index, arg in enumerate(args[1:], 1):
        if (
            arg.text is not None
            and arg.text.startswith("-")
            and len(arg.text) > 1
            and not _DIGITS.fullmatch(arg.text)
        ):
            if arg.text not in known:
                return [high(f"{name} with {arg.shown} can run what it computes", "read.condition")]
        if arg.wild and name != "[[":
            return [high(f"{arg.shown!r} may stand for more than one word", "read.condition")]
        quoted = arg.raw in _COUNTS or (arg.raw.startswith('"') and arg.raw.endswith('"'))
        if arg.text is None and name != "[[" and not quoted:
            return [high(f"{arg.raw} outside quotes may become more than one word", "read.condition")]
        if arg.text in _NUMBERS:
            beside = args[max(index - 1, 1) : index] + args[index + 1 : index + 2]
            if any(
                one.text is None or not _DIGITS.fullmatch(one.text)
                for one in beside
                if one.raw not in _COUNTS
            ):
                return [high(f"{name} with {arg.shown} computes what may be no number", "read.condition")]
        if arg.text is not None and any(mark in arg.text for mark in ("$(", "`")):
            return [high(f"{name} with {arg.shown!r}", "read.condition")]
    del scene
    files = any(arg.text in _FILE for arg in args[1:])
    reason = "looks whether a file is there, or of what kind it is" if files else "compares text"
    return [Finding(RiskLevel.NONE, reason, "read.test")]


_COUNTS = frozenset({"$?", '"$?"', "$#", '"$#"', "$$", "$!"})
"""Words that are numbers whatever happened."""
