"""Shell variables: which names a command may set, and when a value is certain.

The same rules for assignments, `for`, `read`, `export` and `unset`: a name that a shell or a program gives a
meaning (PATH, HOME, IFS, PS4, LD_*, GIT_*, and zsh's `path`, `fpath` …) is never set unasked.
"""

from __future__ import annotations

from typing import Any

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg, words
from copilot.guard.grammar import WARNING
from copilot.guard.rule_files import Finding, Scene, high
from copilot.guard.shell_tree import Group, Sequence, Simple, Word, commands_of, sequences_of
from copilot.guard.unwrap import WRAPPERS

_HARMLESS = re2.compile(
    r"CI|NODE_ENV|DEBUG|VERBOSE|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|TZ"
    r"|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|CGO_ENABLED|LOG_LEVEL|PORT"
    r"|TEST_[A-Z_]*|GOOS|GOARCH|CARGO_TERM_COLOR"
)
_SWITCHED = re2.compile(r"COVERAGE")
_SWITCH = re2.compile(r"(?i)[0-9]{0,9}|true|false|yes|no|on|off")
_LOCALES = re2.compile(r"LANG|LANGUAGE|LC_[A-Z]+")
_UTF8 = re2.compile(r"C|POSIX|(?:C|[a-z]{2,3}(?:_[A-Z]{2})?)\.(?:UTF-8|utf-?8|UTF8)|")
"""Locales in which a byte below 128 is a letter: in others it may end one, and a quote with it."""
_RECIPE_NAMES = re2.compile(
    r".*_(?:CMD|COMMANDS?|RUNNER|BIN|EXEC|EXE|SHELL|PROGRAM|PROG|TOOL|SCRIPT|FLAGS|ARGS|OPTS|OPTIONS|HOOK)"
)
"""Names by which Makefiles and scripts call a program or its options."""
_LOOP_NAMES = re2.compile(r"[A-Z]|FILE|FILES|DIR|NAME|ITEM|LINE|NUM|COUNT|PKG|MODULE|TARGET")
"""Capitals that no program reads from its environment."""
_HARMLESS_PAIRS = frozenset(
    {
        *(("PAGER", "cat"), ("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0"), ("MANPAGER", "cat")),
        *((f"{name}_ENV", "test") for name in ("RAILS", "RACK", "MIX", "APP", "FLASK", "DJANGO")),
    }
)
_SHELL_ONLY = re2.compile(r"[a-z][a-z0-9_]*")
_MEANINGFUL_LOWER = re2.compile(
    r".*path|cdpath|prompt[0-9]?|hist.*|.*proxy|argv|status|pipestatus|shell|home|term.*|editor|pager|ps[0-9]|ifs|env|module_path"
    r"|mail.*|watch.*|signals|options|commands|functions.*|.*aliases|parameters|modules|dir.*stack|reswords|widgets|key.*|user.*|named.*"
    r"|job.*|func.*|fignore|zsh.*|bash.*|psvar|null.*|read.*|word.*|temp.*|tmp.*|random|seconds|lines|columns|opt(?:ind|arg)|line_?no|shlvl|uid"
    r"|npm_.*|pnpm_.*|yarn_.*|pip_.*|uv_.*|cargo_.*|.*_config.*|no_.*|euid|gid|egid|ppid|errno|cpu.*|vendor|ostype|mach.*|logname|host.*|lang|lc_.*|ld_.*|git_.*|rc|dis_.*|patchars|builtins|langinfo|epoch.*"
)
_PLAIN_VALUE = re2.compile(r"(?:[A-Za-z0-9_.,:*@%+][A-Za-z0-9_.,:*@%+\-]*)?")
"""One word that is no option: a recipe may run it as a command."""
_SOURCES = re2.compile(
    r"(?:(?:\./)?(?:\.|src|lib|tests|app|backend|server)/?)(?::(?:\./)?(?:\.|src|lib|tests|app|backend|server)/?)*"
)
_NAME = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SETTERS = frozenset(
    words(
        "read mapfile readarray declare typeset local export readonly let unset getopts eval source "
        ". set shift trap wait vared integer float emulate exec alias unalias enable shopt setopt "
        "unsetopt hash zmodload autoload zparseopts"
    )
)
"""What may set a variable or change how the rest is read."""
_NO_SET = frozenset(
    {"-e", "-x", "-u", "+e", "+x", "-ex", "-eu", "-eux", "-o", "-euo", "pipefail", "-euxo", "-exo"}
)


def settable(name: str, *, loop: bool = False) -> bool:
    """Whether a shell variable of this name means nothing to the shell and to programs."""
    if loop and _LOOP_NAMES.fullmatch(name):
        return True
    return bool(_SHELL_ONLY.fullmatch(name)) and not _MEANINGFUL_LOWER.fullmatch(name)


def assignment_findings(name: str, value: Arg, *, alone: bool = False) -> list[Finding]:
    """Held unless the variable is known to be harmless and its value is plain.

    `alone`: no command gets it, so a variable of the shell itself (`x=1`) is harmless as well.
    """
    if (name, value.text) in _HARMLESS_PAIRS:
        return []
    if alone and settable(name):
        return []  # the shell's own: what uses it later sees that its value is not certain
    if name == "PYTHONPATH" and value.text is not None and _SOURCES.fullmatch(value.text):
        return [Finding(RiskLevel.MEDIUM, "loads modules of the project", "run.environment")]
    harmless, plain = _value_of(name)
    warns = name == "PYTHONWARNINGS" and value.text is not None and WARNING.fullmatch(value.text)
    if not warns and not harmless:
        return [high(f"{name}= can change what a command does", "parse.assignment")]
    if not warns and (value.text is None or not plain.fullmatch(value.text)):
        return [high(f"the value of {name}= cannot be judged", "parse.assignment")]
    return []


def _value_of(name: str) -> tuple[bool, Any]:
    """Whether a variable of this name may be set for a command, and the pattern of its values."""
    if _LOCALES.fullmatch(name):
        return True, _UTF8
    if _SWITCHED.fullmatch(name):
        return True, _SWITCH
    return bool(_HARMLESS.fullmatch(name)) and not _RECIPE_NAMES.fullmatch(name), _PLAIN_VALUE


def judge_export(args: list[Arg], scene: Scene) -> list[Finding]:
    """`export NAME=value`: as the assignment; everything else of it prints or declares."""
    del scene
    if len(args) < 2:
        return [high("prints the environment, which holds secrets", "env.dump")]
    found: list[Finding] = []
    for arg in args[1:]:
        name, equals, value = arg.shown.partition("=")
        if arg.text is None or not _NAME.fullmatch(name):
            return [high(f"export {arg.shown} cannot be judged", "parse.assignment")]
        found += assignment_findings(name, Arg(value if equals else ""))
    return found or [Finding(RiskLevel.NONE, "sets a variable for what follows", "parse.assignment")]


def judge_named(args: list[Arg], scene: Scene, findings: list[Finding]) -> list[Finding]:
    """`read` and `unset`: the findings of their rule, and held for a name that means something."""
    del scene
    for arg in args[1:]:
        if (
            not arg.shown.startswith("-")
            and _NAME.fullmatch(arg.shown)
            and not settable(arg.shown, loop=True)
        ):
            return [
                *findings,
                high(f"{args[0].shown} {arg.shown} can change what a command does", "parse.assignment"),
            ]
    return findings


def changed_names(tree: Sequence) -> frozenset[str]:
    """The variables that anything in a script may set, except by `for`; `*` stands for all."""
    found: set[str] = set()
    for command in commands_of(tree):
        found.update(name for name, _ in command.assignments)
        raw = [word.raw for word in command.words[:4]]
        if raw[:1] == ["set"] and all(word.raw in _NO_SET for word in command.words[1:]):
            continue
        names = [_literal(word) for word in command.words[:4]]
        if names[:1] and (names[0] in WRAPPERS or names[0] in ("noglob", "nocorrect", "-")):
            names = [_literal(word) for word in command.words]
        if any(name is None or name in SETTERS for name in names[:1]) or any(
            name in SETTERS for name in names[1:]
        ):
            found.add("*")
        if names[:1] == ["printf"] and any((name or "-v").startswith("-v") for name in names[1:2]):
            found.add("*")
    return frozenset(found)


def loops_over(tree: Sequence, name: str) -> bool:
    """Whether a loop inside sets this variable again."""
    return any(
        isinstance(command, Group) and command.kind == "for" and command.variable == name
        for one in sequences_of(tree)
        for _, pipeline in one.items
        for command in pipeline.commands
    )


def _literal(word: Word) -> str | None:
    """The text of a word without quotes; None if it is known only at run time."""
    if any(part.kind not in ("text", "quoted", "glob") for part in word.parts):
        return None
    return "".join(part.text for part in word.parts)


def only_runs(tree: Sequence) -> bool:
    """Whether a script (of `eval`) only runs commands and changes nothing of the shell itself."""
    for one in sequences_of(tree):
        for _, pipeline in one.items:
            for command in pipeline.commands:
                if not isinstance(command, Simple) or command.assignments or not command.words:
                    return False
                name = _literal(command.words[0])
                if (
                    name is None
                    or name in SETTERS
                    or name in ("cd", "pushd", "popd", "command", "builtin", "exit", "return")
                ):
                    return False
    return True
