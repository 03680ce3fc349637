"""The grammar of options and values in rule files: a closed list, each value with its type.

An option is written as it may be used: `-x` a flag, `-x:TYPE` with a value (next word or glued), `-x?TYPE`
with a value only if glued, `-x TYPE` with a value only in the next word, `--long:TYPE`, `--long=TYPE` (value
only behind `=`, or none), `-#` a number as in `-20`.
Words that are no type are the only value allowed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

import re2

from copilot.guard.arguments import Arg
from copilot.guard.names_of_tests import is_test
from copilot.guard.task_names import ENVIRONMENTS, TASK

CheckPath = Callable[[Arg, str], str]
"""Given an operand and `read`, `write` or `names` (only its name is shown): why it may not, or ""."""

WORD = re2.compile(r"[A-Za-z0-9_+][A-Za-z0-9_.,:+@%=-]*|")
_NUMBER = re2.compile(r"[-+]?[0-9]{1,9}(?:\.[0-9]{1,3})?[a-zA-Z%]{0,2}")
WARNING = re2.compile(
    r"(?:error|ignore|default|always|module|once)(?::[^:./]*(?::(?:[A-Z][A-Za-z]*Warning)?)?)?"
)
_PS_FIELDS = re2.compile(
    r"(?:(?:pid|ppid|pgid|sid|uid|user|ruser|group|stat|state|tty|tt|pri|nice|ni|rss|vsz|sz|time|etime|etimes"
    r"|cputime|lstart|start"
    r"|start_time|comm|ucmd|ucomm|command|cmd|args|%cpu|%mem|pcpu|pmem|psr|nlwp|wchan|thcount)(?::[0-9]{1,4})?=?,?)+"
)
_DOCKER = re2.compile(
    r"(?:table|json|[ \t,:|/_.-]|\\t|\\n|\{\{ ?\.(?:ID|Names?|Image|Status|State|Ports|CreatedAt"
    r"|CreatedSince|RunningFor|Size|Repository|Tag|Digest"
    r"|Service|Container|CPUPerc|MemUsage|MemPerc|NetIO|BlockIO|PIDs|(?:Server|Client)\.Version) ?\}\})+"
)
_KINDS = {
    "short": re2.compile(r"[^/]{0,8}"),
    "word": WORD,
    "number": _NUMBER,
    "warning": WARNING,
    "psfields": _PS_FIELDS,
    "dockerfields": _DOCKER,
    "dockerfilter": re2.compile(r"(?:[a-z]+=[A-Za-z0-9_.:/*-]+)?"),
    "buildfolder": re2.compile(
        r"(?:\./)?(?:build|out|_build|cmake-build|target|obj)[-_A-Za-z0-9.]*(?:/[-_A-Za-z0-9]+)*/?"
    ),
    "reporter": re2.compile(
        r"[pdhjfsecw]|spec|dot|list|line|min|nyan|progress|tap|tap-flat|json|json1|junit|xunit|html|landing|doc|markdown"
        r"|default|basic|verbose|tree|github|github-actions|hanging-process|documentation|failures|simple|quiet|emacs"
        r"|clang|offenses|worst|files|pacman|tty|gcc|checkstyle|diff|codeclimate|gnu|sonarqube|sarif|stylish|compact"
    ),
    "port": re2.compile(r"[46]?(?:TCP|UDP)?(?::[0-9]{1,5}(?:[-,][0-9]{1,5})*)?"),
    "noplugin": re2.compile(r"no:[a-z_]+"),
    "task": re2.compile(TASK),
    "envs": re2.compile(ENVIRONMENTS),
    "testpattern": re2.compile(r"(?:test|spec)[A-Za-z0-9_*.]*|\*[_.](?:test|spec)[A-Za-z0-9_*.]*"),
}
_PACKAGE = re2.compile(r"(?:\./)?@?[A-Za-z0-9_][A-Za-z0-9_.@/*-]*")
_ENTRY = re.compile(r"(-#|-{1,2}[A-Za-z0-9.][A-Za-z0-9_.+-]*)(?:([:=? ])(.*))?")


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `kinds` are the types that its value may have; `form` how it takes it, "" for a flag."""

    form: str = ""
    kinds: tuple[str, ...] = ()


Options = dict[str, Option]


@functools.lru_cache(maxsize=1024)
def read_options(entries: tuple[str, ...]) -> Options:
    """The options of a rule by name. Raises ValueError for an entry that is none."""
    found: Options = {}
    for entry in entries:
        if entry == "--":
            continue
        match = _ENTRY.fullmatch(entry)
        if not match:
            raise ValueError(entry)
        name, form, kind = match.group(1), match.group(2) or "", match.group(3) or "word"
        before = found.get(name)
        if before is None:
            found[name] = Option(form, (kind,) if form else ())
        else:
            form = ":" if ":" in (form, before.form) else form or before.form
            found[name] = Option(form, (*before.kinds, kind))
    return found


def is_one_word(arg: Arg) -> bool:
    """Whether a word that is not certain stays one word: it is quoted."""
    return arg.raw.startswith('"') and arg.raw.endswith('"') and "[@]" not in arg.raw and "$@" not in arg.raw


def value_refusal(kinds: tuple[str, ...], value: Arg, check: CheckPath) -> str:
    """Why a value is of none of these types, or ""."""
    refusals = [_value_refusal(kind, value, check) for kind in kinds]
    return "" if "" in refusals else refusals[0] if refusals else "takes no value"


def _value_refusal(kind: str, value: Arg, check: CheckPath) -> str:
    if kind == "any" and value.text is None and is_one_word(value):
        return ""
    kind = "text" if kind == "any" else kind
    text = value.text
    if text is None:
        return f"the value {value.raw!r} is known only when it runs"
    shown = f"the value {text!r} cannot be judged"
    if value.wild or (value.pattern and kind not in ("number", "text")):
        return shown
    if kind in ("read", "write", "names", "tests"):
        good = not text.startswith("@") and (kind != "tests" or is_test(text))
        return shown if not good else check(value, "read" if kind == "tests" else kind)
    if kind == "glob" and not text.startswith("!"):
        return check(Arg(text, True), "pattern")
    pattern = _PACKAGE if kind == "package" else _KINDS.get(kind)
    fits = text == kind if pattern is None else bool(pattern.fullmatch(text)) and ".." not in text.split("/")
    return "" if kind in ("text", "glob") or fits else shown


def option_refusal(text: str, following: Arg | None, options: Options, check: CheckPath) -> tuple[str, bool]:
    """Why this option word is refused ("" if it is allowed), and whether the next word is its value."""
    name, equals, value = text.partition("=")
    if text in options and not equals:
        return _with_value(options[text], None, following, check)
    if name in options and equals and options[name].form in (":", "="):
        return value_refusal(options[name].kinds, Arg(value), check), False
    if re.fullmatch("-[0-9]{1,6}", text) and "-#" in options:
        return "", False
    if text.startswith("--") or any(one.form == " " for one in options.values()):
        # A program that takes no glued values takes no clusters either, or others than we read.
        return "unknown", False
    return _cluster(text[1:], following, options, check)


def _with_value(
    option: Option, glued: str | None, following: Arg | None, check: CheckPath
) -> tuple[str, bool]:
    if option.form not in (":", " "):
        return "", False
    if glued is not None:
        return value_refusal(option.kinds, Arg(glued), check), False
    if following is None:
        return "", False
    return value_refusal(option.kinds, following, check), True


def _cluster(letters: str, following: Arg | None, options: Options, check: CheckPath) -> tuple[str, bool]:
    """`-nrl5` as `-n -r -l 5`."""
    for index, letter in enumerate(letters):
        option = options.get(f"-{letter}")
        if option is None:
            return "unknown", False
        rest = letters[index + 1 :]
        if option.form == ":":
            return _with_value(option, rest or None, following, check)
        if option.form == "?" and rest and value_refusal(option.kinds, Arg(rest), check) == "":
            return "", False
    return "", False
