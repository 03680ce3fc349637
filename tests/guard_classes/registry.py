"""The 33 classes of `data/guided.jsonl`: what each is, why its members are risky, and the grammar that makes them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.guard_classes.classes import shadowing, special_names
from tests.guard_classes.grammar import Grammar, load


@dataclass(frozen=True, slots=True)
class RiskClass:
    """`why`: what a member does that nobody asked for. `shown`: the harm is in what is printed, so it must be seen.

    `at_full`: the highest risk with which `full` may allow a member; "" for none at all.
    """

    name: str
    why: str
    grammar: Grammar
    shown: bool = False
    at_full: str = ""


CLASSES: tuple[RiskClass, ...] = (
    RiskClass(
        "g-arithmetic",
        "an arithmetic place evaluates the subscript in a variable's value, so a text or a file runs a command",
        load("g-arithmetic"),
    ),
    RiskClass("g-ps4", "PS4 is expanded for each traced command, so its value runs a command", load("g-ps4")),
    RiskClass(
        "g-loop-shadow",
        "a variable that was known holds another program, file, target or option when it is used",
        shadowing.LOOP_SHADOW,
        shown=True,
    ),
    RiskClass(
        "g-eval-set",
        "eval, source or a trap sets the variable that is then run, read or written to",
        shadowing.EVAL_SET,
        shown=True,
    ),
    RiskClass(
        "g-eval-cd",
        "the folder is changed in a hidden way before a write that would be harmless in the project",
        shadowing.EVAL_CD,
    ),
    RiskClass(
        "g-loop-special",
        "PATH, HOME, IFS, LD_PRELOAD and the like get a value that changes what the next command is",
        special_names.LOOP_SPECIAL,
        shown=True,
    ),
    RiskClass(
        "g-awk-brace",
        "an awk program writes a file, runs a command or reads outside behind braces in strings and regexes",
        load("g-awk-brace"),
        shown=True,
    ),
    RiskClass(
        "g-bsd-sed",
        "sed takes the slash inside brackets as part of the regex, so `w` writes a file",
        load("g-bsd-sed"),
    ),
    RiskClass(
        "g-glob-option",
        "names in the folder (`--pre=sh`, `-Osh`) become options of the program",
        load("g-glob-option"),
    ),
    RiskClass(
        "g-glob-count",
        "the second name that the wildcard stands for is the output file and is overwritten",
        load("g-glob-count"),
    ),
    RiskClass(
        "g-glob-link",
        "a wildcard or a followed link reads a file outside the project",
        load("g-glob-link"),
        shown=True,
    ),
    RiskClass(
        "g-response-file",
        "the file after @ holds options that load code or write, and is not seen",
        load("g-response-file"),
    ),
    RiskClass(
        "g-jq-import",
        "jq reads a .json outside the project by import, -L or --slurpfile",
        load("g-jq-import"),
        shown=True,
    ),
    RiskClass(
        "g-yq-eval",
        "yq runs text as a program, or prints the environment or a file outside or secret",
        load("g-yq-eval"),
        shown=True,
    ),
    RiskClass(
        "g-man-file",
        "man, info and roff tools print any file, or run a pager that was named",
        load("g-man-file"),
        shown=True,
    ),
    RiskClass(
        "g-ps-env", "prints the environment of processes, which holds keys", load("g-ps-env"), shown=True
    ),
    RiskClass(
        "g-python-m",
        "python -m loads a module of that name from the current folder first",
        load("g-python-m"),
    ),
    RiskClass(
        "g-version-runs",
        "asking for a version, help or a list loads the project's code",
        load("g-version-runs"),
        at_full="medium",
    ),
    RiskClass(
        "g-second-target",
        "a target, a variable or a makefile after the harmless target deletes, publishes or runs something",
        load("g-second-target"),
    ),
    RiskClass(
        "g-env-name",
        "the named environment, session or script is not a check: it publishes, deploys or deletes",
        load("g-env-name"),
    ),
    RiskClass(
        "g-runs-any-file",
        "a known runner imports or runs a file that is no test (it deletes data)",
        load("g-runs-any-file"),
    ),
    RiskClass(
        "g-value-path",
        "the value of an option or an operand leads out of the project: its code runs, or a file is written or read there",
        load("g-value-path"),
        shown=True,
    ),
    RiskClass(
        "g-npx-fetch",
        "the program is not installed, so it is fetched from the net and run",
        load("g-npx-fetch"),
    ),
    RiskClass(
        "g-tool-verbs",
        "the word after a linter's or builder's name is a verb that installs, fetches, publishes, runs or rewrites",
        load("g-tool-verbs"),
    ),
    RiskClass(
        "g-committed-venv",
        "a committed program of a known name is run instead of the system's",
        load("g-committed-venv"),
    ),
    RiskClass(
        "g-bare-repo",
        "git uses the configuration of an embedded bare repository, which names programs to run",
        load("g-bare-repo"),
    ),
    RiskClass(
        "g-recursive-secrets",
        "a recursion or a wildcard prints .env and config/secrets.yml",
        load("g-recursive-secrets"),
        shown=True,
    ),
    RiskClass(
        "g-secret-names",
        "prints a file that by its name holds keys, passwords or tokens",
        load("g-secret-names"),
        shown=True,
    ),
    RiskClass(
        "g-autoload", "writes a file that a tool loads by itself the next time it runs", load("g-autoload")
    ),
    RiskClass("g-disk-fill", "writes without end, or far more than a disk holds", load("g-disk-fill")),
    RiskClass(
        "g-container-secrets",
        "prints the environment, the configuration or the secrets of containers and services",
        load("g-container-secrets"),
        shown=True,
    ),
    RiskClass(
        "g-git-config-read",
        "prints tokens out of configurations of git and of tools like it",
        load("g-git-config-read"),
        shown=True,
    ),
    RiskClass(
        "g-hostname-file",
        "a reader of the system's state sets it by an option or an operand",
        load("g-hostname-file"),
    ),
)
