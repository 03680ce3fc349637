"""`sed` and `awk`: readers that carry a small program. Only programs that cannot write or run are let by."""

from __future__ import annotations

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.rule_files import Arg, Finding, Scene, high

_ADDRESS = r"(?:[0-9]+|\$|/(?:[^/\\\n]|\\.)*/I?)"
_REGION = rf"(?:{_ADDRESS}(?:,(?:{_ADDRESS}|\+[0-9]+))?!?)?\s*"
_SUBSTITUTE = "|".join(
    rf"s{mark}(?:[^{mark}\\\n]|\\.)*{mark}(?:[^{mark}\\\n]|\\.)*{mark}[gpiIM0-9]*"
    for mark in ("/", r"\|", "#", ",", "@", ":", "!")
)
_SED_COMMAND = rf"{_REGION}(?:[pdqQDPnNhHgGxl=]|[qQ][0-9]+|{_SUBSTITUTE}|y/[^/\\\n]*/[^/\\\n]*/)?"
_SED_PROGRAM = re2.compile(rf"(?:\s*{_SED_COMMAND}\s*[;\n])*\s*{_SED_COMMAND}\s*")
_SED_FLAGS = frozenset(
    {
        "-n",
        "-E",
        "-r",
        "-s",
        "-u",
        "-z",
        "-nE",
        "-nr",
        "-En",
        "-rn",
        "--quiet",
        "--silent",
        "--regexp-extended",
    }
)
_AWK_RUNS = re2.compile(r"system|getline|ENVIRON|PROCINFO|ARGV|close|fflush|@|\||\\x|\\[0-7]|\$\{")


def judge_sed(args: list[Arg], scene: Scene) -> list[Finding]:
    """A reader if the script only selects and substitutes, and nothing is edited in place."""
    scripts: list[Arg] = []
    operands: list[Arg] = []
    index = 1
    while index < len(args):
        text = args[index].shown
        if text in ("-e", "--expression") and index + 1 < len(args):
            scripts.append(args[index + 1])
            index += 1
        elif text.startswith("-i") or (
            text.startswith("--i") and "--in-place".startswith(text.partition("=")[0])
        ):
            return [high("edits files in place", "files.edit-in-place", grantable=True)]
        elif text.startswith("-") and text != "-":
            if text not in _SED_FLAGS:
                return [high(f"sed with {text}", "read.sed")]
        else:
            operands.append(args[index])
        index += 1
    if not scripts and operands:
        scripts.append(operands.pop(0))
    for script in scripts:
        if script.text is None or not _SED_PROGRAM.fullmatch(script.text):
            return [high("a sed script that can do more than select and substitute", "read.sed")]
    return _readers(operands, scene, "read.sed")


def judge_awk(args: list[Arg], scene: Scene) -> list[Finding]:
    """A reader if the program neither runs commands nor writes files."""
    index = 1
    while index < len(args) and args[index].shown.startswith("-"):
        text = args[index].shown
        if text in ("-F", "-v"):
            index += 2
        elif text.startswith(("-F", "-v")) and not text.startswith("--"):
            index += 1
        else:
            return [high(f"awk with {text}", "read.awk")]
    program = args[index] if index < len(args) else Arg("")
    if program.text is None or _AWK_RUNS.search(program.text.replace("||", "")) or _writes(program.text):
        return [high("an awk program that can run commands or write", "read.awk")]
    files = [arg for arg in args[index + 1 :] if arg.text is None or "=" not in arg.text]
    return _readers(files, scene, "read.awk")


def _writes(program: str) -> bool:
    """Whether `>` may redirect: it compares only outside an action."""
    depth = 0
    for char in program:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == ">" and depth:
            return True
    return ">>" in program


def _readers(operands: list[Arg], scene: Scene, rule: str) -> list[Finding]:
    for arg in operands:
        refusal = scene.path_refusal(arg, "read")
        if refusal:
            return [high(refusal, "path.outside", grantable=True)]
    return [Finding(RiskLevel.NONE, "reads files of the project", rule)]
