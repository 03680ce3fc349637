"""Cross-check of our shell parser: tree-sitter-bash must find exactly the same commands.

tree-sitter never raises; it marks errors and may drop a command silently (`cat <<EOF; rm -rf ~`). Ours knows
only part of the language. If the two differ, the text counts as not understood.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING

from copilot.guard.shell_tree import Sequence, commands_of, redirects_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_COMMANDS = frozenset({"command", "declaration_command", "unset_command", "test_command"})
_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})


@functools.cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def tree_sitter_agrees(text: str, sequence: Sequence) -> bool:
    """Whether tree-sitter parses `text` without error into the same commands and redirections."""
    root = _parser().parse(text.encode("utf-8", "surrogatepass")).root_node
    if root.has_error:
        return False
    counts: Counter[str] = Counter()
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.is_missing or node.is_error:
            return False
        if node.type in _COMMANDS:
            counts[_joined([_text(child) for child in node.children if child.type not in _REDIRECTS])] += 1
        elif node.type == "variable_assignment" and _is_bare_assignment(node):
            counts[_key(_text(node))] += 1
        elif node.type in _REDIRECTS:
            counts["redirect"] += 1
        nodes += node.children
    return counts == _our_counts(sequence)


def _our_counts(sequence: Sequence) -> Counter[str]:
    counts: Counter[str] = Counter()
    for command in commands_of(sequence):
        assigned = [word.raw for _, word in command.assignments]
        if command.words:
            counts[_joined([*assigned, *(word.raw for word in command.words)])] += 1
        else:
            counts.update(_key(raw) for raw in assigned)
    count = len(redirects_of(sequence))
    if count:
        counts["redirect"] = count
    return counts


def _is_bare_assignment(node: Node) -> bool:
    return node.parent is None or node.parent.type not in ("command", "declaration_command")


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "surrogatepass")


def _joined(words: list[str]) -> str:
    """A command as a key, without a bare `-` at its end.

    tree-sitter leaves that word out before a here-document (`git commit -F - <<EOF`); `shfmt` compares it.
    """
    return _key("".join(words[:-1] if words[-1:] == ["-"] else words))


def _key(text: str) -> str:
    """`text` without blanks, of which tree-sitter keeps some in its leaves, and line continuations."""
    return "".join(text.replace("\\\n", "").split())
