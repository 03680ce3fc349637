"""`sed`, `awk`, `jq` and `yq`: readers that carry a small program.

Only programs that cannot write or run are let by.
"""

from __future__ import annotations

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg, words
from copilot.guard.awk_words import awk_refusal
from copilot.guard.budget import PROGRAM_CHARACTER
from copilot.guard.grammar import Options, option_refusal, read_options
from copilot.guard.jq_words import jq_refusal
from copilot.guard.rule_files import Finding, Scene, high


def bracket(mark: str) -> str:
    """A bracket expression that `mark` is not in: a `]` at its start is a letter, and so is not its end."""
    item = rf"(?:\[:[a-z]+:\]|[^\]\[{re2.escape(mark)}\\\n])"
    other = rf"(?:\[:[a-z]+:\]|[^\]\[\^{re2.escape(mark)}\\\n])"
    return rf"\[(?:\^?\]|\^{item}|{other}){item}*\]"


def _expression(mark: str) -> str:
    """A regular expression up to `mark`, which no bracket holds: BSD sed reads brackets before the mark."""
    plain = re2.escape(mark)
    return rf"(?:[^{plain}\\\n\[]|\\.|{bracket(mark)})*"


_ADDRESS = rf"(?:[0-9]+(?:~[0-9]+)?|\$|/{_expression('/')}/I?)"
_REGION = rf"(?:{_ADDRESS}(?:,(?:{_ADDRESS}|[+~][0-9]+))?\s*!?)?\s*"


def _substitute(mark: str) -> str:
    plain = re2.escape(mark)
    return rf"s{plain}{_expression(mark)}{plain}(?:[^{plain}\\\n]|\\.)*{plain}[gpiI0-9]*"


_SUBSTITUTE = "|".join(_substitute(mark) for mark in "/|#,@:!")
_SED_COMMAND = rf"{_REGION}(?:[pdqQDPnNhHgGxl=]|[qQ][0-9]+|{_SUBSTITUTE}|y/[^/\\\[\n]*/[^/\\\[\n]*/)?"
_SED_PROGRAM = re2.compile(rf"(?:\s*{_SED_COMMAND}\s*[;\n])*\s*{_SED_COMMAND}\s*")
_SED_OPTIONS = read_options(
    words("-n -E -r -s -u -z -e:text --quiet --silent --regexp-extended --expression:text --posix --separate")
)
_MAX_DOUBLINGS = 8
"""Letters G and H of a script: each command of that name may double what sed keeps in memory."""
_AWK_OPTIONS = read_options(("-F:text", "-v:text", "--field-separator=text", "--posix", "--re-interval"))
_JQ_OPTIONS = read_options(
    words(
        "-r -c -n -e -s -S -M -C -a -j -R --raw-output --compact-output --null-input --exit-status "
        "--slurp --sort-keys --tab --indent:number --monochrome-output --color-output --raw-input "
        "--join-output"
    )
)
_YQ_OPTIONS = read_options(
    words(
        "-r -c -e -y -Y -j -P -M -C -N -n --raw-output --prettyPrint --no-doc "
        "-o:yaml -o:json -o:props -o:xml -o:csv -o:tsv -o:toml -p:yaml -p:json -p:props -p:xml -p:csv -p:toml"
    )
)
_ASSIGNMENT = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*")


def judge_sed(args: list[Arg], scene: Scene) -> list[Finding]:
    """A reader if the script only selects and substitutes, and nothing is edited in place."""
    for arg in args[1:]:
        text = arg.shown
        if text.startswith("-i") or (
            text.startswith("--i") and "--in-place".startswith(text.partition("=")[0])
        ):
            return [high("edits files in place", "files.edit-in-place", grantable=True)]
    operands, given, refusal = _split(args, _SED_OPTIONS, scene)
    if refusal:
        return [high(refusal, "read.sed")]
    scripts = [Arg(value) for name, value in given if name in ("-e", "--expression")]
    if any(name.startswith("-") and not name.startswith("--") and "e" in name[1:-1] for name, _ in given):
        return [high("a sed script inside an option", "read.sed")]
    if not scripts and operands:
        scripts.append(operands.pop(0))
    for script in scripts:
        scene.budget.spend(PROGRAM_CHARACTER * len(script.shown))
        doubles = sum(script.shown.count(mark) for mark in ("G", "H")) > _MAX_DOUBLINGS
        if script.text is None or script.wild or doubles or not _SED_PROGRAM.fullmatch(script.text):
            return [high("a sed script that can do more than select and substitute", "read.sed")]
    return _readers(operands, scene, "read.sed")


def judge_awk(args: list[Arg], scene: Scene) -> list[Finding]:
    """A reader if the program neither runs commands nor writes files."""
    operands, _, refusal = _split(args, _AWK_OPTIONS, scene, until_operand=True)
    program = operands.pop(0) if operands else Arg("")
    if program.text is None or program.wild:
        refusal = refusal or "an awk program that is known only when it runs"
    scene.budget.spend(PROGRAM_CHARACTER * len(program.shown))
    refusal = refusal or awk_refusal(program.shown)
    if refusal:
        return [high(refusal, "read.awk")]
    files = [arg for arg in operands if arg.text is None or not _ASSIGNMENT.fullmatch(arg.text)]
    return _readers(files, scene, "read.awk")


def judge_jq(args: list[Arg], scene: Scene) -> list[Finding]:
    """A reader if the program only computes on the files that it is given."""
    yq = args[0].shown != "jq"
    kept, index = [args[0]], 1
    while index < len(args):
        if args[index].text == "--":
            kept += args[index:]
            break
        if not yq and args[index].text in ("--arg", "--argjson") and index + 2 < len(args):
            if any(one.text is None or one.wild for one in args[index + 1 : index + 3]):
                return [high("a jq value that is known only when it runs", "read.jq")]
            index += 3
            continue
        kept.append(args[index])
        index += 1
    operands, _, refusal = _split(kept, _YQ_OPTIONS if yq else _JQ_OPTIONS, scene)
    if yq and operands and operands[0].text in ("eval", "e", "eval-all", "ea"):
        operands.pop(0)
    program = operands.pop(0) if operands else Arg(".")
    if yq and _is_file(program, scene):
        refusal = refusal or f"{program.shown!r} is a file, which yq may read as one"
    if program.text is None or program.wild:
        refusal = refusal or "a program that is known only when it runs"
    scene.budget.spend(PROGRAM_CHARACTER * len(program.shown))
    refusal = refusal or jq_refusal(program.shown, yq=yq)
    return [high(refusal, "read.jq")] if refusal else _readers(operands, scene, "read.jq")


def _is_file(program: Arg, scene: Scene) -> bool:
    """Whether yq takes the word for a file, of data or of expressions (args.go of yq 4)."""
    text = program.text or ""
    there = (
        any(scene.scope.disk.size_of(one.path) is not None for one in scene.places(text)) if text else False
    )
    return there or text.endswith(".yq")


def _split(
    args: list[Arg], options: Options, scene: Scene, *, until_operand: bool = False
) -> tuple[list[Arg], list[tuple[str, str]], str]:
    """The operands, the options with their values, and why one is refused."""
    operands: list[Arg] = []
    given: list[tuple[str, str]] = []
    index = 1
    while index < len(args):
        arg = args[index]
        index += 1
        if arg.text == "--":
            return [*operands, *args[index:]], given, ""
        if arg.text is None or not arg.text.startswith("-") or arg.text == "-":
            operands.append(arg)
            if until_operand:
                return [*operands, *args[index:]], given, ""
            continue
        following = args[index] if index < len(args) else None
        why, takes_next = option_refusal(arg.text, following, options, scene.path_refusal)
        if why:
            return operands, given, f"{args[0].shown} with {arg.text.partition('=')[0]}"
        name, _, value = arg.text.partition("=")
        if takes_next and following is not None:
            name, value = (arg.text if arg.text.startswith("--") else f"-{arg.text[-1]}"), following.shown
            index += 1
        elif not arg.text.startswith("--"):
            name, value = arg.text, ""
        given.append((name, value))
    return operands, given, ""


def _readers(operands: list[Arg], scene: Scene, rule: str) -> list[Finding]:
    for arg in operands:
        if arg.wild and arg.shown[:1] in ("*", "?", "["):
            return [
                high(f"a name that {arg.shown!r} stands for may look like an option", rule, grantable=True)
            ]
        refusal = scene.path_refusal(arg, "read")
        if refusal:
            return [high(refusal, "path.outside", grantable=True)]
    return [Finding(RiskLevel.NONE, "reads files of the project", rule)]
