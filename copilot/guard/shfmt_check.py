"""The third look: what `shfmt` makes of a text must be exactly the commands that our own parser saw.

Asked only where a command is more than words (redirections, variables, substitutions, groups) and only when
it would otherwise be sent, because a process costs some milliseconds. Words, assignments, redirections, the
text of here-documents, and the operators must be the same; a node that ours never accepts is a difference.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from copilot.guard.shell_tree import (
    Group,
    Redirect,
    Sequence,
    ShellProblem,
    Simple,
    Word,
    commands_of,
    redirects_of,
    sequences_of,
)

# The second parser as a process: `shfmt --to-json`, from this very environment and never from the PATH.
#
# It is a function of the text alone, as tree-sitter is; that it happens in a process is why this is the
# one module of the guard that starts any (`docs/decisions/2026-11-21-second-shell-parser.md`).


_PACKAGE = "shfmt-py"
DEADLINE_SECONDS = 1.0
MAX_REMEMBERED = 256
"""Texts whose tree is kept: the same prompt is judged at every look at the screen."""


@functools.lru_cache(maxsize=MAX_REMEMBERED)
def shfmt_tree(text: str) -> dict[str, Any]:
    """The syntax tree of bash text as shfmt prints it (positions are byte offsets in UTF-8).

    Raises ShellProblem if shfmt refuses the text, is not installed, or does not answer in time.
    """
    import subprocess

    try:
        done = subprocess.run(
            [shfmt_program(), "-ln=bash", "--to-json"],
            input=text.encode("utf-8"),
            capture_output=True,
            timeout=DEADLINE_SECONDS,
            check=False,
            cwd="/",
            env={},
        )
    except UnicodeEncodeError as error:
        raise ShellProblem("not UTF-8") from error
    except subprocess.TimeoutExpired as error:
        raise ShellProblem(f"shfmt gave no answer in {DEADLINE_SECONDS:g} s") from error
    except OSError as error:
        raise ShellProblem(f"shfmt does not start ({error.strerror}); reinstall {_PACKAGE}") from error
    if done.returncode != 0:
        raise ShellProblem("shfmt cannot parse it")
    try:
        tree = json.loads(done.stdout)
    except (ValueError, RecursionError) as error:
        raise ShellProblem("shfmt's answer cannot be read") from error
    if not isinstance(tree, dict):
        raise ShellProblem("shfmt's answer cannot be read")
    return tree


@functools.cache
def shfmt_program() -> str:
    """The path of the binary that the pinned package put into this environment. Raises ShellProblem."""
    from importlib import metadata

    try:
        files = metadata.files(_PACKAGE) or []
    except metadata.PackageNotFoundError as error:
        raise ShellProblem(f"the package {_PACKAGE} is not installed; reinstall copilot-terminal") from error
    for file in files:
        path = Path(str(file.locate())).resolve()
        if file.name in ("shfmt", "shfmt.exe") and path.is_file():
            return str(path)
    raise ShellProblem(f"the package {_PACKAGE} has no shfmt in it; reinstall it")


SecondParser = Callable[[str], dict[str, Any]]
"""Gives the syntax tree of a text in the form of `shfmt --to-json`, or raises ShellProblem."""

_KNOWN = frozenset(
    {
        *("File", "CallExpr", "DeclClause", "BinaryCmd", "Subshell", "Block", "IfClause", "WhileClause"),
        *("ForClause", "WordIter", "TimeClause", "Word", "Lit", "SglQuoted", "DblQuoted", "ParamExp"),
        *("TestClause", "UnaryTest", "BinaryTest"),
        *("CmdSubst", "ProcSubst", "ArithmExp", "BinaryArithm", "UnaryArithm", "ParenArithm"),
    }
)
_NOT_PLAIN = ("Exp", "Repl", "Slice", "Index", "Width", "Excl", "Names", "Flags", "NestedParam")
Node = dict[str, Any]


def is_plain(sequence: Sequence) -> bool:
    """Whether it is simple commands of certain words only, without redirection, assignment or expansion."""
    for _, pipeline in sequence.items:
        for command in pipeline.commands:
            if not isinstance(command, Simple) or command.assignments or command.redirects:
                return False
            if not all(_is_plain_word(word) for word in command.words):
                return False
    return True


def _is_plain_word(word: Word) -> bool:
    certain = all(part.kind in ("text", "quoted", "glob") for part in word.parts)
    return certain and not word.scripts and not any(mark in word.raw for mark in "$`\\")


def shfmt_agrees(text: str, sequence: Sequence, tree: Node) -> bool:
    """Whether shfmt's `tree` of `text` holds the same commands, redirections and operators."""
    seen = _Seen(text.encode("utf-8"))
    seen.node(tree)
    return seen.understood and seen.facts == _facts(sequence)


class _Seen:
    """Collects from shfmt's tree what is compared."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.facts: Counter[tuple[str, ...]] = Counter()
        self.understood = True
        self._timed: dict[int, tuple[str, ...]] = {}

    def node(self, node: Any) -> None:
        """Takes in a node and everything below it."""
        if isinstance(node, list):
            for one in node:
                self.node(one)
        if not isinstance(node, dict):
            return
        kind = node.get("Type", "")
        if (kind and kind not in _KNOWN) or (kind == "ParamExp" and any(node.get(key) for key in _NOT_PLAIN)):
            self.understood = False
        if kind in ("CallExpr", "DeclClause"):
            self._command(node)
        elif kind == "TestClause":
            self.facts[("condition", _squeezed(self._text(node)))] += 1
        elif kind == "TimeClause":
            self._time(node)
        elif kind == "BinaryCmd":
            self.facts[("operator", node["Op"])] += 1
        elif kind in ("Subshell", "Block", "WhileClause", "ForClause"):
            self.facts[("group", kind)] += 1
        elif kind == "WordIter":
            words = [self._text(one) for one in node.get("Items") or ()]
            self.facts[("for", node["Name"]["Value"], *words)] += 1
        self._statement(node)
        for key, value in node.items():
            if key not in ("Pos", "End"):
                self.node(value)

    def _statement(self, node: Node) -> None:
        if node.get("Background"):
            self.facts[("operator", "&")] += 1
        for redirect in node.get("Redirs") or ():
            descriptor = (redirect.get("N") or {}).get("Value", "")
            target = self._text(redirect["Word"])
            body = self._document(redirect["Hdoc"], target) if redirect.get("Hdoc") else ""
            self.facts[_redirect(redirect["Op"], descriptor, target, body)] += 1

    def _document(self, node: Node, target: str) -> str:
        """The text of a here-document; its last piece reaches over the closing line."""
        raw = self.source[node["Pos"]["Offset"] : node["End"]["Offset"]].decode("utf-8", "replace")
        closing = target.replace("'", "").replace('"', "").replace("\\", "")
        *lines, last = raw.split("\n")
        return "\n".join(lines) if last.lstrip("\t") == closing else raw

    def _command(self, node: Node) -> None:
        words = [self._text(one) for one in (*(node.get("Assigns") or ()), *(node.get("Args") or ()))]
        first = [node["Variant"]["Value"]] if node["Type"] == "DeclClause" else []
        self.facts[("command", *self._timed.pop(id(node), ()), *first, *words)] += 1

    def _time(self, node: Node) -> None:
        """`time` is a word of the first command to us, a node of its own to shfmt."""
        words = ("time", "-p") if node.get("PosixFormat") else ("time",)
        inner = (node.get("Stmt") or {}).get("Cmd")
        while inner is not None and inner["Type"] == "BinaryCmd":
            inner = inner["X"].get("Cmd")
        if inner is None and not node.get("Stmt"):
            self.facts[("command", *words)] += 1
        elif inner is not None and inner["Type"] in ("CallExpr", "DeclClause"):
            self._timed[id(inner)] = words
        else:
            self.understood = False

    def _text(self, node: Node) -> str:
        raw = self.source[node["Pos"]["Offset"] : node["End"]["Offset"]]
        return _joined(raw.decode("utf-8", "replace"))


def _facts(sequence: Sequence) -> Counter[tuple[str, ...]]:
    facts: Counter[tuple[str, ...]] = Counter()
    for command in commands_of(sequence):
        words = [*(word for _, word in command.assignments), *command.words]
        if words and words[0].raw == "[[":
            facts[("condition", _squeezed("".join(word.raw for word in words)))] += 1
        elif words:
            facts[("command", *(_joined(word.raw) for word in words))] += 1
    facts.update(_own_redirect(one) for one in redirects_of(sequence))
    for one in sequences_of(sequence):
        facts.update(_operators(one))
        for _, pipeline in one.items:
            facts.update(
                fact
                for command in pipeline.commands
                if isinstance(command, Group)
                for fact in _group(command)
            )
    return facts


def _operators(sequence: Sequence) -> list[tuple[str, ...]]:
    """`;` and line ends are no operators to shfmt; `&` also counts at the end of a list."""
    found = [operator for operator, _ in sequence.items if operator in ("&&", "||", "&")]
    found += ["&"] if sequence.ends_in_background else []
    found += [pipe for _, pipeline in sequence.items for pipe in pipeline.pipes]
    return [("operator", one) for one in found]


def _group(group: Group) -> list[tuple[str, ...]]:
    kind = {"subshell": "Subshell", "braces": "Block", "while": "WhileClause", "for": "ForClause"}.get(
        group.kind
    )
    found: list[tuple[str, ...]] = [("group", kind)] if kind else []
    if group.kind == "for":
        found.append(("for", group.variable, *(_joined(word.raw) for word in group.words)))
    return found


def _own_redirect(redirect: Redirect) -> tuple[str, ...]:
    body = redirect.document.body if redirect.document is not None else ""
    return _redirect(redirect.operator, redirect.descriptor, _joined(redirect.target.raw), body)


def _redirect(operator: str, descriptor: str, target: str, body: str) -> tuple[str, ...]:
    """A redirection as a fact; of `<<-` the tabs that begin lines do not count, nor where the text ends."""
    if operator == "<<-":
        body = "\n".join(line.lstrip("\t") for line in body.split("\n"))
    return ("redirect", operator, descriptor, target, body.rstrip("\n\t"))


def _squeezed(text: str) -> str:
    return "".join(_joined(text).split())


def _joined(text: str) -> str:
    return text.replace("\\\n", "")
