"""What the text of a command and its redirections say before anything of it is judged."""

from __future__ import annotations

from collections.abc import Iterable

import re2

from copilot.guard.never import FETCHERS
from copilot.guard.programs import MAX_DEPTH
from copilot.guard.rule_files import Finding, Scene, high
from copilot.guard.shell_tree import (
    Document,
    Group,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Word,
    commands_of,
    sequences_of,
)
from copilot.guard.text import has_hidden
from copilot.guard.variables import settable
from copilot.guard.word_values import word_arg

MAX_BYTES = 8 * 1024
_EXPANDED = re2.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)")
_SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH", "PWD_")
_CUT = re2.compile(r"(?:…|\.\.\.)\s*\(?\+?\s*[0-9]+\s+(?:more\s+)?(?:lines?|chars?|characters)|…")
_CONTROL = re2.compile(r"[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}]")
_PLAIN_DOCUMENT = re2.compile(
    r"(?s)(?:[^$`\\]|\\.|\$[A-Za-z_][A-Za-z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\}|\$[?#$ \n.,;:)0-9\"'-])*\$?"
)


def unreadable(text: str, scene: Scene) -> str:
    """Why a text is not read at all, or ""."""
    if scene.depth > MAX_DEPTH:
        return "nested too deeply"
    if not text.strip():
        return "an empty command"
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return f"longer than {MAX_BYTES} bytes"
    if _CONTROL.search(text.encode("utf-8", "replace").decode()) or has_hidden(text):
        return "control or invisible characters"
    if any(char.isspace() and char not in " \t\n" for char in text):
        return "a blank that is none to the shell"
    return "cut: the dialog does not show all of it" if _CUT.search(text) else ""


def document_findings(document: Document, scene: Scene) -> list[Finding]:
    """What a here-document runs or shows when the shell expands it."""
    if not document.expands:
        return []
    runs = not _PLAIN_DOCUMENT.fullmatch(document.body)
    found = [high("a here-document runs commands", "parse.document")] if runs else []
    return found + _secret_names(_EXPANDED.findall(document.body), scene)


def certain_input(command: Simple, scene: Scene) -> str | None:
    """The text that a here-document or here-string feeds, if nothing in it is expanded."""
    inputs = [one for one in command.redirects if "<" in one.operator and one.descriptor in ("", "0")]
    if not inputs:
        return None
    last = inputs[-1]
    if last.document is not None:
        plain = not last.document.expands or not any(mark in last.document.body for mark in "$`\\")
        return last.document.body if plain else None
    return word_arg(last.target, scene).text if last.operator == "<<<" else None


def shown_variables(command: Simple, scene: Scene) -> list[Finding]:
    """`echo $API_KEY` shows a secret."""
    assigned = (word for _, word in command.assignments)
    return variables_in([*command.words, *assigned, *(one.target for one in command.redirects)], scene)


def variables_in(words: Iterable[Word], scene: Scene) -> list[Finding]:
    """A secret that is given to a variable is shown by what uses that."""
    names = [part.text for word in words for part in word.parts if part.kind == "variable"]
    return _secret_names(names, scene)


_NO_SECRETS = re2.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|TERM|HOSTNAME|HOST|EDITOR|VISUAL|PAGER|DISPLAY|TZ|LANG|LANGUAGE"
    r"|LC_[A-Z]+|CI|NODE_ENV|[A-Z]+_HOME|GOPATH|GOROOT|PYTHONPATH|VIRTUAL_ENV|CONDA_PREFIX|NVM_DIR|TMPDIR|SHLVL"
    r"|RANDOM|SECONDS|LINENO|COLUMNS|LINES|UID|EUID|PPID|IFS|PS[0-9]|(?:BASH|ZSH)(?:_VERSION)?|OSTYPE|HOSTTYPE"
    r"|MACHTYPE|PIPESTATUS|FUNCNAME|REPLY|XDG_[A-Z]+_DIRS?|[^A-Za-z]"
)
"""Variables of the environment that hold no secret; any other in capitals may (`DATABASE_URL`, `GH_PAT`)."""


def _secret_names(names: Iterable[str], scene: Scene) -> list[Finding]:
    for name in names:
        own = settable(name, loop=True) or name in scene.names or name in scene.forgotten
        known = own or _NO_SECRETS.fullmatch(name) is not None
        if not known or any(mark in name.upper() for mark in _SECRET_WORDS):
            return [high(f"shows ${name}, which may be a secret", "env.secret")]
    return []


def rounds(word: Word) -> int:
    """How often a word of a loop makes it run; a wildcard or a substitution counts as many."""
    return 1 if all(part.kind in ("text", "quoted") for part in word.parts) else 50


def in_background(sequence: Sequence) -> bool:
    """Whether one of its commands runs on beside the next."""
    return sequence.ends_in_background or any(operator == "&" for operator, _ in sequence.items)


_SILENT = frozenset({"sleep", "true", ":", "wait", "cd", "test", "[", "exit", "read"})
_WRITES = frozenset({">", ">>", "&>", "&>>", ">|"})


def background_findings(tree: Sequence) -> list[Finding]:
    """Held if something that goes on in the background can print: it would write over the next dialog."""
    for sequence in sequences_of(tree):
        for pipeline in _in_background(sequence):
            *others, last = pipeline.commands
            if _prints(last) or any(map(_prints_errors, others)):
                reason = "prints in the background, where a dialog may be"
                return [high(reason, "parse.background", grantable=True)]
    scripts = [script for one in commands_of(tree) for word in one.words for script in _inputs(word)]
    if any(_prints_errors(one) for script in scripts for one in commands_of(script)):
        return [high("prints beside the command, where a dialog may be", "parse.background", grantable=True)]
    return []


def _inputs(word: Word) -> tuple[Sequence, ...]:
    """The scripts of `<(…)`, which nothing waits for."""
    return word.scripts if any(part.kind == "input" for part in word.parts) else ()


def _in_background(sequence: Sequence) -> list[Pipeline]:
    found: list[Pipeline] = []
    following = "&" if sequence.ends_in_background else ";"
    for operator, pipeline in reversed(sequence.items):
        if following == "&":
            found.append(pipeline)
        following = following if operator in ("&&", "||") else operator
    return found


def _prints(command: Simple | Group) -> bool:
    if _is_silenced(command.redirects):
        return False
    if isinstance(command, Group):
        bodies = (one for body in command.bodies for _, pipeline in body.items for one in pipeline.commands)
        return any(map(_prints, bodies))
    return bool(command.words) and command.words[0].raw not in _SILENT


def _prints_errors(command: Simple | Group) -> bool:
    """Whether it sends its output to where errors are shown."""
    inner = (
        [one for body in command.bodies for one in commands_of(body)] if isinstance(command, Group) else []
    )
    redirects = [redirect for one in (command, *inner) for redirect in one.redirects]
    return any(
        one.operator in (">&", *_WRITES) and one.descriptor != "2" and one.target.raw in ("2", "/dev/stderr")
        for one in redirects
    )


def _is_silenced(redirects: Iterable[Redirect]) -> bool:
    """Whether neither its output nor its errors are shown."""
    out = errors = False
    for one in redirects:
        shown = one.target.raw.startswith("/dev/std") or one.target.raw in (
            "/dev/tty",
            "/dev/fd/1",
            "/dev/fd/2",
        )
        if one.operator in ("&>", "&>>"):
            out = errors = not shown
        elif one.operator in _WRITES and one.descriptor in ("", "1"):
            out = not shown
        elif one.operator in _WRITES and one.descriptor == "2":
            errors = not shown
        elif one.operator == ">&" and one.descriptor == "2" and one.target.raw == "1":
            errors = out
        elif one.operator == ">&" and one.descriptor in ("", "1") and one.target.raw == "2":
            out = errors
    return out and errors


def fetches(script: Sequence) -> bool:
    """Whether a script starts a program that reads from the network."""
    return any(
        word.raw.rpartition("/")[2] in FETCHERS for one in commands_of(script) for word in one.words[:6]
    )


def is_fed(command: Simple | Group) -> bool:
    """Whether a redirection gives it its input."""
    return any("<" in redirect.operator for redirect in command.redirects)
