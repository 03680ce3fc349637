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
    start: int = 0
    """Where `source` begins in the whole text, in characters."""


@dataclass(frozen=True, slots=True)
class Group:
    """A compound command. `kind`: subshell, braces, if, while, for. `variable` and `words` are of `for`."""

    kind: str
    bodies: tuple[Sequence, ...]
    redirects: tuple[Redirect, ...] = ()
    variable: str = ""
    words: tuple[Word, ...] = ()
    source: str = ""
    start: int = 0


Command = Simple | Group


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by pipes; `pipes` are the signs between them (`|` or `|&`)."""

    commands: tuple[Command, ...]
    pipes: tuple[str, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """Pipelines, each with the operator before it (`;`, `&&`, `||`, `&`; the first has `;`)."""

    items: tuple[tuple[str, Pipeline], ...]
    ends_in_background: bool = False


class ShellProblem(Exception):
    """The text is not in the part of the shell language that is understood; the message says why."""


def sequences_of(sequence: Sequence) -> list[Sequence]:
    """The sequence itself and every one in it, also those in words and groups."""
    found = [sequence]
    for _, pipeline in sequence.items:
        for command in pipeline.commands:
            words = [*command.words, *(redirect.target for redirect in command.redirects)]
            if isinstance(command, Simple):
                words += [word for _, word in command.assignments]
            else:
                for body in command.bodies:
                    found += sequences_of(body)
            for word in words:
                for script in word.scripts:
                    found += sequences_of(script)
    return found


def commands_of(sequence: Sequence) -> list[Simple]:
    """Every simple command in it, also those in words and groups."""
    return [one for one in _all_commands(sequence) if isinstance(one, Simple)]


def redirects_of(sequence: Sequence) -> list[Redirect]:
    """Every redirection in it, also those in words and groups."""
    return [redirect for one in _all_commands(sequence) for redirect in one.redirects]


def _all_commands(sequence: Sequence) -> list[Command]:
    return [
        command
        for one in sequences_of(sequence)
        for _, pipeline in one.items
        for command in pipeline.commands
    ]
