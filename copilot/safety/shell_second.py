"""The third look: what `shfmt` makes of a text must be exactly the commands that our own parser saw.

Asked only where a command is more than words (redirections, variables, substitutions, groups) and only when
it would otherwise be sent, because a process costs some milliseconds. Words, assignments, redirections, the
text of here-documents, and the operators must be the same; a node that ours never accepts is a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from copilot.safety.shell_tree import (
    Group,
    Redirect,
    Sequence,
    Simple,
    Word,
    commands_of,
    redirects_of,
    sequences_of,
)

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
