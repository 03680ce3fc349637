"""`test`, `[` and `[[`: look at files and compare text.

What computes (`-v`, `-eq` on text) can run commands.
"""

from __future__ import annotations

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg
from copilot.guard.grammar import is_one_word
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
    del scene
    for index in range(1, len(args)):
        refusal = _refusal(args, index, known)
        if refusal:
            return [high(refusal, "read.condition")]
    files = any(arg.text in _FILE for arg in args[1:])
    reason = "looks whether a file is there, or of what kind it is" if files else "compares text"
    return [Finding(RiskLevel.NONE, reason, "read.test")]


def _refusal(args: list[Arg], index: int, known: frozenset[str]) -> str:
    """Why the word at `index` may compute, or ""."""
    name, arg = args[0].shown, args[index]
    text = arg.text
    option = text is not None and text.startswith("-") and len(text) > 1 and not _DIGITS.fullmatch(text)
    refusal = ""
    if option and text not in known:
        refusal = f"{name} with {arg.shown} can run what it computes"
    elif arg.wild and name != "[[":
        refusal = f"{arg.shown!r} may stand for more than one word"
    elif text is None and name != "[[" and arg.raw not in _COUNTS and not is_one_word(arg):
        refusal = f"{arg.raw} outside quotes may become more than one word"
    elif text == "-t" and not (args[index + 1 : index + 2] and _DIGITS.fullmatch(args[index + 1].shown)):
        refusal = f"{name} with -t computes what may be no number"  # in zsh
    elif text in _NUMBERS:
        beside = args[max(index - 1, 1) : index] + args[index + 1 : index + 2]
        sure = all(one.raw in _COUNTS or (one.text and _DIGITS.fullmatch(one.text)) for one in beside)
        refusal = "" if sure else f"{name} with {arg.shown} computes what may be no number"
    elif text is not None and any(mark in text for mark in ("$(", "`")):
        refusal = f"{name} with {arg.shown!r}"
    return refusal


_COUNTS = frozenset({"$?", '"$?"', "$#", '"$#"', "$$", "$!"})
"""Words that are numbers whatever happened."""
