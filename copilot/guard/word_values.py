"""What a word of a shell command is when it runs, as far as that is certain before it runs."""

from __future__ import annotations

import re

import re2

from copilot.guard.arguments import Arg
from copilot.guard.below import expand
from copilot.guard.families import has_wildcard
from copilot.guard.rule_files import Scene
from copilot.guard.shell_tree import Document, Part, Sequence, Simple, Word

NUMBER = re2.compile(r"-?[0-9]{1,15}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DATE = re2.compile(r"\+(?:%[YmdHMSsFTjy]|[-_.])+")
MAX_EXPANDED = 8
"""Names of a wildcard in a loop that are judged one by one; more are judged together."""


def word_arg(word: Word, scene: Scene) -> Arg:
    """The argument that the word becomes; its text is None if that is known only at run time."""
    scene.budget.spend(2 + 2 * len(word.parts))
    pieces: list[Arg] = []
    wild = any(part.kind == "glob" for part in word.parts)
    scripts = list(word.scripts)
    for part in word.parts:
        piece = _piece(part, scripts, scene, wild)
        if piece is None:
            return Arg(None, raw=word.raw)
        pieces.append(piece)
        wild = wild or piece.wild
    text = "".join(piece.shown for piece in pieces)
    pattern = "".join(piece.pattern or piece.shown for piece in pieces)
    if text.startswith("~") and word.parts and word.parts[0].kind != "text":
        text = "./" + text
    elif text.startswith("~") and not (text == "~" or text.startswith("~/")):
        return Arg(None, raw=word.raw)
    elif text.startswith("=") and len(text) > 2 and text[1] != "=" and word.parts[0].kind == "text":
        # zsh puts the path of a program in its place.
        return Arg(None, raw=word.raw)
    return Arg(text, wild, word.raw, pattern if any(piece.pattern for piece in pieces) else "")


def _piece(part: Part, scripts: list[Sequence], scene: Scene, wild: bool) -> Arg | None:
    """What one part of a word becomes; None if it is not certain."""
    if part.kind in ("text", "quoted", "glob", "input"):
        mixed = wild and part.kind == "quoted" and has_wildcard(part.text)
        if part.kind == "input" and scripts:
            scripts.pop(0)
        return None if mixed else Arg(part.text if part.kind != "input" else "/dev/stdin")
    if part.kind == "opaque":
        printed = _printed(scripts.pop(0), scene) if part.text.startswith("command") and scripts else None
        plain = printed is not None and re.fullmatch(r"[A-Za-z0-9_./:+@%-]+", printed.shown)
        return printed if plain or part.in_quotes else None
    value = variable(part.text, scene) if part.kind == "variable" else None
    if value is None or (not part.in_quotes and (_splits(value) or _odd_names(value, scene))):
        return None
    return value


def loop_values(value: Arg, scene: Scene) -> list[Arg]:
    """The words that a word of a loop becomes: a wildcard as what it stands for now, if that is not much."""
    if not value.wild or value.text is None or len(scene.folders) != 1:
        return [value]
    found = expand(scene.scope, value.text, scene.folders[0], scene.budget)
    return [Arg(name) for name in found] if 0 < len(found) <= MAX_EXPANDED else [value]


def _splits(value: Arg) -> bool:
    """Whether the shell would make something else of the value outside quotes."""
    return (
        not value.shown
        or (not value.wild and any(char in value.shown for char in " \t\n*?[\\"))
        or (value.wild and any(char in value.shown for char in " \t\n"))
    )


def _odd_names(value: Arg, scene: Scene) -> bool:
    """Whether a wildcard in a variable stands for a name that the shell would take apart."""
    if not value.wild:
        return False
    names = [
        name for folder in scene.folders for name in expand(scene.scope, value.shown, folder, scene.budget)
    ]
    return any(char in name for name in names for char in " \t\n*?[")


def variable(name: str, scene: Scene) -> Arg | None:
    """The certain value of a variable; None if there is none."""
    if name == "HOME" and not scene.forgotten & {"HOME", "*"}:
        return Arg(scene.scope.home)
    if name == "PWD" and not scene.forgotten & {"PWD", "*"} and len(scene.folders) == 1:
        return Arg(scene.folders[0])
    return scene.names.get(name) if name else None


def _printed(script: Sequence, scene: Scene) -> Arg | None:
    """What a command substitution certainly gives (or a word of the same kind), None if that is not certain.

    Its commands are judged where they stand; this only says what the word is.
    """
    if len(script.items) != 1 or len(script.items[0][1].commands) != 1:
        return None
    command = script.items[0][1].commands[0]
    if not isinstance(command, Simple) or command.assignments:
        return None
    words = [word.raw for word in command.words]
    if words == ["cat"] and len(command.redirects) == 1 and command.redirects[0].descriptor in ("", "0"):
        text = _document(command.redirects[0].document)
        return None if text is None else Arg(text)
    given = None
    if not command.redirects:
        if words == ["pwd"] and len(scene.folders) == 1:
            given = Arg(scene.folders[0])
        elif words in (["nproc"], ["getconf", "_NPROCESSORS_ONLN"]):
            given = Arg("2", pattern="*")
        elif words[:1] == ["date"] and len(words) == 2 and _DATE.fullmatch(words[1].strip("'\"")):
            given = Arg("20260101", pattern="*")
    return given


def _document(document: Document | None) -> str | None:
    """The text of a here-document that expands nothing."""
    if document is None or (document.expands and any(mark in document.body for mark in "$`\\")):
        return None
    return document.body.rstrip("\n")


def uncertain_sums(word: Word, scene: Scene) -> str:
    """A variable in the arithmetic of a word that may be no number, or "".

    `$((x))` runs a subscript in the value of `x`.
    """
    for part in word.parts:
        if part.kind == "opaque" and part.text.startswith("(("):
            if re.search(r"(?<![=!<>])=(?!=)|\+\+|--", part.text):
                return "an assignment"
            for name in _NAME.findall(part.text):
                value = scene.names.get(name)
                if value is None or value.wild or not NUMBER.fullmatch(value.shown):
                    return str(name)
    return ""
