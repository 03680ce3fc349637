"""What a shell command is made of: words, redirections, and how they are joined. Data only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word. `kind`: text, quoted, glob, variable, input (`<(…)`), or opaque (not yet known)."""

    kind: str
    text: str
    in_quotes: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One word as written (`raw`) and its pieces; `scripts` are commands run to make it."""

    raw: str
    parts: tuple[Part, ...]
    scripts: tuple[Sequence, ...] = ()

    def is_plain(self, text: str) -> bool:
        """Whether it is exactly `text`, unquoted (a reserved word)."""
        return len(self.parts) == 1 and self.parts[0] == Part("text", text)


@dataclass(slots=True)
class Document:
    """A here-document: its text, filled in when its lines are read, and whether the shell expands it."""

    expands: bool
    body: str = ""


@dataclass(frozen=True, slots=True)
class Redirect:
    """`operator` with its target (of a here-document: the delimiter)."""

    operator: str
    descriptor: str
    target: Word
    raw: str
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple command: assignments, words, redirections, and its source text."""

    words: tuple[Word, ...]
    assignments: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A compound command. `kind`: subshell, braces, if, while, for. `variable` and `words` are of `for`."""

    kind: str
    bodies: tuple[Sequence, ...]
    redirects: tuple[Redirect, ...] = ()
    variable: str = ""
    words: tuple[Word, ...] = ()
    source: str = ""


Command = Simple | Group


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by pipes."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """Pipelines, each with the operator that stands before it (`;`, `&&`, `||`, `&`; the first has `;`)."""

    items: tuple[tuple[str, Pipeline], ...]


class ShellProblem(Exception):
    """The text is not in the part of the shell language that is understood; the message says why."""


def commands_of(sequence: Sequence) -> list[Simple]:
    """Every simple command in it, also those in words and groups."""
    found: list[Simple] = []
    for _, pipeline in sequence.items:
        for command in pipeline.commands:
            words = list(command.words)
            words += [redirect.target for redirect in command.redirects]
            if isinstance(command, Simple):
                found.append(command)
                words += [word for _, word in command.assignments]
            else:
                for body in command.bodies:
                    found += commands_of(body)
            for word in words:
                for script in word.scripts:
                    found += commands_of(script)
    return found


def redirects_of(sequence: Sequence) -> list[Redirect]:
    """Every redirection in it, also those in words and groups."""
    found: list[Redirect] = []
    for _, pipeline in sequence.items:
        for command in pipeline.commands:
            found += command.redirects
            words = [*command.words, *(redirect.target for redirect in command.redirects)]
            if isinstance(command, Simple):
                words += [word for _, word in command.assignments]
            else:
                for body in command.bodies:
                    found += redirects_of(body)
            for word in words:
                for script in word.scripts:
                    found += redirects_of(script)
    return found
