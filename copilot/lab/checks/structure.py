"""The structure of source text: its functions, classes and scripts, with names and constants normalised."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from pygments import lex
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, Name, Number, Punctuation, String
from pygments.util import ClassNotFound

_FEWEST_NODES = 25
"""Smaller pieces count as alike only with the same constants: `return a` has few forms."""
_FEWEST_TOKENS = 25
_BUILTIN = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file that could be a copy, with its normalised form."""

    file: str
    name: str
    form: str


def pieces(file: str, text: str) -> list[Piece]:
    """The pieces of a text: of Python by its tree, of others by their tokens, else the whole."""
    if file.endswith((".py", ".pyi")):
        try:
            return list(_of_python(file, ast.parse(text)))
        except (SyntaxError, ValueError, RecursionError):
            return _whole(file, text)
    try:
        lexer = get_lexer_for_filename(file, stripnl=False)
    except ClassNotFound:
        return _whole(file, text)
    return list(_of_tokens(file, text, lexer)) or _whole(file, text)


def _whole(file: str, text: str) -> list[Piece]:
    folded = " ".join(text.split())
    return [Piece(file, "", f"text {folded}")] if folded else []


def _of_python(file: str, tree: ast.Module) -> Iterator[Piece]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield Piece(file, node.name, _Form().of(node))
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    rest = [node for node in tree.body if not isinstance(node, definitions)]
    if sum(1 for node in rest for _ in ast.walk(node)) >= _FEWEST_NODES:
        yield Piece(file, "", _Form().of(ast.Module(rest, [])))


class _Form:
    """Writes a tree down with each name as a number, in the order in which it comes up."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._constants = False

    def of(self, node: ast.AST) -> str:
        self._constants = sum(1 for _ in ast.walk(node)) < _FEWEST_NODES
        return self._written(node)

    def _written(self, value: object) -> str:
        if isinstance(value, list):
            return f"[{','.join(self._written(one) for one in value)}]"
        if not isinstance(value, ast.AST):
            return repr(value)
        if isinstance(value, ast.Name):
            return self._name(value.id)
        if isinstance(value, ast.Constant):
            plain = value.value is None or isinstance(value.value, bool) or self._constants
            return repr(value.value) if plain else type(value.value).__name__
        parts = [self._field(value, key) for key in value._fields if key not in _LEFT_OUT]
        return f"{type(value).__name__}({','.join(parts)})"

    def _field(self, node: ast.AST, key: str) -> str:
        value = getattr(node, key, None)
        if key == "body" and isinstance(value, list) and not isinstance(node, ast.Lambda):
            value = _without_docstring(value)
        named = (key == "arg" or key == "name") and isinstance(value, str)
        own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
        return self._name(str(value)) if named or (own and key == "attr") else self._written(value)

    def _name(self, name: str) -> str:
        return (
            name
            if name in _BUILTIN or name == "self"
            else f"n{self._names.setdefault(name, len(self._names))}"
        )


_LEFT_OUT = frozenset({"ctx", "annotation", "returns", "type_comment", "type_params", "type_ignores", "kind"})


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return body[1:]
    return body


def _of_tokens(file: str, text: str, lexer: Lexer) -> Iterator[Piece]:
    """Each outermost block in braces with its head; a text without any is one piece."""
    tokens = [
        (kind, value.strip()) for kind, value in lex(text, lexer) if value.strip() and kind not in Comment
    ]
    blocks, head, depth = [], 0, 0
    for at, (kind, value) in enumerate(tokens):
        if kind in Punctuation and kind not in String:
            depth += value.count("{") - value.count("}")
            if depth == 0 and value in ("}", ";", "};"):
                if "}" in value:
                    blocks.append(tokens[head : at + 1])
                head = at + 1
    for block in blocks or [tokens]:
        if len(block) >= _FEWEST_TOKENS:
            yield Piece(file, "", _form_of(block))


def _form_of(tokens: list[tuple[object, str]]) -> str:
    names: dict[str, int] = {}
    parts = []
    for kind, value in tokens:
        if kind in Name:
            parts.append(f"n{names.setdefault(value, len(names))}")
        elif kind in String or kind in Number:
            parts.append("constant")
        elif value not in ("export", "default", "public", "static"):
            parts.append(value)
    return " ".join(parts)


def uses_module(file: str, text: str, path: str) -> bool:
    """Whether a text uses the file at `path`: Python by an import that is used, else by its name."""
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if not (file.endswith(".py") and path.endswith(".py")):
        return stem in _without_comments(file, text)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    own = {name for node in ast.walk(tree) for name in _imported(node, stem)}
    return any(isinstance(node, ast.Name) and node.id in own for node in ast.walk(tree))


def _imported(node: ast.AST, stem: str) -> list[str]:
    """The names that an import of the module binds."""
    if isinstance(node, ast.ImportFrom):
        whole = (node.module or "").split(".")[-1] == stem
        return [one.asname or one.name for one in node.names if whole or one.name == stem]
    if isinstance(node, ast.Import):
        return [one.asname or one.name.split(".")[0] for one in node.names if one.name.split(".")[-1] == stem]
    return []


def _without_comments(file: str, text: str) -> str:
    try:
        lexer = get_lexer_for_filename(file)
    except ClassNotFound:
        return text
    return "".join(value for kind, value in lex(text, lexer) if kind not in Comment)
