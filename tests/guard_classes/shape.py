"""The shape of a command: its parse tree without the texts of words, names, numbers and strings.

Two commands of one shape differ in names only and count once. The kind of a word (bare, quoted, joined) is part of
the tree, since how a word is quoted is one of the things an attacker varies.
"""

from __future__ import annotations

from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

TEXTS = frozenset(
    {"word", "variable_name", "number", "string_content", "raw_string", "regex", "comment", "heredoc_body"}
)
"""Nodes whose text is a name or a content; all others count with their kind, operators with their text."""


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def tree(command: str) -> Node:
    """The parse tree of tree-sitter-bash."""
    return _parser().parse(command.encode()).root_node


def is_whole(command: str) -> bool:
    """Whether the parser read the command without an error."""
    return not tree(command).has_error


def shape(command: str) -> str:
    """The tree as text: kinds of nodes and operators, nothing of names and contents."""
    return _shape(tree(command))


def _shape(node: Node) -> str:
    if node.type in TEXTS or not node.child_count:
        return node.type
    return f"({node.type} {' '.join(_shape(child) for child in node.children if child.type not in {';', chr(10)})})"
