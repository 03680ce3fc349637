"""Other spellings of the same words: quotes and backslashes that the shell removes again.

Only plain words of simple commands are touched, so a member means the same after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from tree_sitter import Node

from tests.guard_classes.shape import tree

PLAIN = re.compile(r"[A-Za-z0-9_./:=,@%+-]*[A-Za-z][A-Za-z0-9_./:=,@%+-]*")


def _words(node: Node) -> Iterator[Node]:
    for child in node.children:
        if node.type in {"command", "command_name"} and child.type == "word":
            yield child
        elif child.type not in {"string", "heredoc_body"}:
            yield from _words(child)


def _spelled(word: str, rng: Random) -> str:
    cut = rng.randrange(1, len(word)) if len(word) > 1 else 0
    head, tail = word[:cut], word[cut:]
    return rng.choice(
        [
            f"'{word}'",
            f'"{word}"',
            f"'{word}'",
            f'"{word}"',
            f"{head}'{tail}'",
            f'{head}"{tail}"',
            f"{head}\\{tail}",
            f'{head}""{tail}',
            f"$'{word}'",
        ]
    )


def requoted(command: str, rng: Random, share: float) -> str:
    """The command with a `share` (0 to 1) of its plain words spelled in another way."""
    text = command.encode()
    for node in sorted(_words(tree(command)), key=lambda word: -word.start_byte):
        word = text[node.start_byte : node.end_byte].decode()
        if PLAIN.fullmatch(word) and rng.random() < share:
            text = text[: node.start_byte] + _spelled(word, rng).encode() + text[node.end_byte :]
    return text.decode()
