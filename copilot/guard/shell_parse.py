"""A strict parser of shell commands: it refuses what it does not understand completely.

tree-sitter-bash must agree with it (`tree_sitter_check.py`). `case`, `((`, functions, arrays and all but
plain `[[` are refused on purpose.
"""

from __future__ import annotations

import re2

from copilot.guard.budget import MAX_WORDS, TooMuch
from copilot.guard.shell_tree import (
    Command,
    Document,
    Group,
    Pipeline,
    Redirect,
    Sequence,
    ShellProblem,
    Simple,
    Word,
)
from copilot.guard.shell_words import BLANKS, ENDS_WORD, WordReader

MAX_DEPTH = 12
_REFUSED = frozenset(
    {
        "case",
        "select",
        "function",
        "coproc",
        "((",
        "then",
        "do",
        "done",
        "fi",
        "else",
        "elif",
        "esac",
        "in",
        "}",
    }
)
_ASSIGNMENT = re2.compile(r"^([A-Za-z_][A-Za-z0-9_]*)(\+?=)")
_OPERATOR = re2.compile(r"(?:[0-9]{1,3})?(?:<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)|&>>|&>")
_SEPARATOR = re2.compile(r"\|\||&&|\|&|[;|&\n]")


def parse_shell(text: str, depth: int = 0, offset: int = 0) -> Sequence:
    """The commands of `text`. Raises ShellProblem with a short reason for a refused construct.

    `offset` is where `text` begins in the whole text, for the positions of commands.
    """
    parser = _Parser(text, depth, offset)
    sequence, position = parser.sequence(0, closing="")
    if position < len(text):
        raise ShellProblem(f"{text[position]!r} does not belong here")
    return sequence


class _Parser:
    def __init__(self, text: str, depth: int, offset: int) -> None:
        if depth > MAX_DEPTH:
            raise ShellProblem("nested too deeply")
        self.text = text
        self.offset = offset
        self.depth = depth
        self.words = 0
        self.groups = 0
        self._open_documents: list[tuple[str, bool, Document]] = []

    # Reading words

    def _word(self, position: int) -> tuple[Word, int]:
        self.words += 1
        if self.words > MAX_WORDS:
            raise TooMuch
        reader = WordReader(self.text, self._inner_script, self._inner_text)
        word, end = reader.read(position)
        if end == position:
            raise ShellProblem(f"a word is missing before {self.text[position : position + 1]!r}")
        return word, end

    def _inner_text(self, text: str, position: int) -> Sequence:
        """The commands in backquotes; `text` begins at `position`."""
        return parse_shell(text, self.depth + 1, self.offset + position)

    def _inner_script(self, position: int) -> tuple[Sequence, int]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ShellProblem("nested too deeply")
        documents, self._open_documents = self._open_documents, []
        sequence, end = self.sequence(position, closing=")")
        if self._open_documents:
            raise ShellProblem("a here-document without its text")
        self._open_documents = documents
        self.depth -= 1
        return sequence, end + 1

    def _blanks(self, position: int) -> int:
        while position < len(self.text):
            if self.text[position] in BLANKS:
                position += 1
            elif self.text.startswith("\\\n", position):
                position += 2
            elif self.text[position] == "#":
                end = self.text.find("\n", position)
                position = len(self.text) if end < 0 else end
            else:
                break
        return position

    def _lines(self, position: int) -> int:
        """The position after blanks, comments and line ends."""
        position = self._blanks(position)
        while self.text[position : position + 1] == "\n":
            position = self._blanks(self._line_end(position))
        return position

    def _line_end(self, position: int) -> int:
        """The position after a line end and the here-documents that begin there."""
        position += 1
        for delimiter, strip, document in self._open_documents:
            body: list[str] = []
            while True:
                if position >= len(self.text):
                    raise ShellProblem("a here-document is not closed")
                end = self.text.find("\n", position)
                end = len(self.text) if end < 0 else end
                line = self.text[position:end]
                line = line.lstrip("\t") if strip else line
                position = min(end + 1, len(self.text))
                if line == delimiter:
                    break
                body.append(line + "\n")
            document.body = "".join(body)
        self._open_documents = []
        return position

    # Lists and pipelines

    def sequence(
        self, position: int, closing: str, words: frozenset[str] = frozenset()
    ) -> tuple[Sequence, int]:
        """Pipelines up to `closing` (not consumed), one of the reserved `words`, or the end."""
        items: list[tuple[str, Pipeline]] = []
        operator, after = ";", ""
        position = self._lines(position)
        while position < len(self.text) and not self._at_end(position, closing, words):
            pipeline, position = self._pipeline(position)
            items.append((operator, pipeline))
            after = ""
            position = self._blanks(position)
            match = _SEPARATOR.match(self.text[position : position + 2])
            if not match:
                break
            operator = after = ";" if match.group() == "\n" else match.group()
            if match.group() == "\n":
                position = self._lines(position)
            else:
                position = self._lines(position + match.end())
            if operator in ("&&", "||") and self._at_end(position, closing, words):
                raise ShellProblem(f"nothing after {operator}")
        if self._open_documents and (position >= len(self.text) or not closing):
            raise ShellProblem("a here-document without its text")
        if closing and self.text[position : position + 1] != closing:
            raise ShellProblem(f"{closing!r} is missing")
        if not items:
            raise ShellProblem("an empty command")
        return Sequence(tuple(items), ends_in_background=after == "&"), position

    def _at_end(self, position: int, closing: str, words: frozenset[str]) -> bool:
        if position >= len(self.text):
            return True
        if closing and self.text[position] == closing:
            return True
        return self._reserved(position) in words

    def _reserved(self, position: int) -> str:
        """The bare word at `position`, for comparison with reserved words."""
        end = position
        while end < len(self.text) and self.text[end] not in ENDS_WORD:
            end += 1
        return self.text[position:end]

    def _pipeline(self, position: int) -> tuple[Pipeline, int]:
        negated = False
        while self._reserved(position) == "!":
            negated, position = True, self._blanks(position + 1)
        commands: list[Command] = []
        pipes: list[str] = []
        while True:
            command, position = self._command(position)
            commands.append(command)
            position = self._blanks(position)
            here = self.text[position : position + 2]
            if here == "||" or not here.startswith("|"):
                return Pipeline(tuple(commands), tuple(pipes), negated), position
            pipes.append("|&" if here == "|&" else "|")
            position = self._lines(position + len(pipes[-1]))
            if position >= len(self.text):
                raise ShellProblem("nothing after |")

    # Commands

    def _command(self, position: int) -> tuple[Command, int]:
        self.groups += 1
        if self.groups > MAX_DEPTH:
            raise ShellProblem("nested too deeply")
        command = self._command_or_group(position)
        self.groups -= 1
        return command

    def _command_or_group(self, position: int) -> tuple[Command, int]:
        start = position
        bodies: tuple[Sequence, ...]
        reserved = self._reserved(position)
        if reserved == "[[":
            return self._condition(position)
        if self.text.startswith("((", position) or reserved in _REFUSED:
            raise ShellProblem(f"the construct {reserved or '(('!r}")
        kind = {"{": "braces", "until": "while"}.get(reserved, reserved)
        if self.text[position : position + 1] == "(":
            body, position = self.sequence(position + 1, closing=")")
            kind, bodies, position = "subshell", (body,), position + 1
        elif reserved == "{":
            body, position = self.sequence(position + 1, "", frozenset({"}"}))
            bodies, position = (body,), self._expect(position, "}")
        elif reserved == "if":
            bodies, position = self._branches(position + 2)
        elif reserved in ("while", "until"):
            test, position = self.sequence(position + len(reserved), "", frozenset({"do"}))
            body, position = self.sequence(self._expect(position, "do"), "", frozenset({"done"}))
            bodies, position = (test, body), self._expect(position, "done")
        else:
            return self._for(position) if reserved == "for" else self._simple(position)
        redirects, position = self._redirects(position)
        source = self.text[start:position]
        return Group(kind, bodies, redirects, source=source, start=self.offset + start), position

    def _condition(self, start: int) -> tuple[Simple, int]:
        """`[[ … ]]` that holds only words, as a simple command."""
        words: list[Word] = []
        position = start
        while not words or words[-1].raw != "]]":
            position = self._blanks(position)
            if self.text[position : position + 1] in (*ENDS_WORD, ""):
                raise ShellProblem("a condition that is not plain")
            word, position = self._word(position)
            words.append(word)
        end = position
        redirects, position = self._redirects(position)
        source = self.text[start:end]
        return Simple(tuple(words), (), redirects, source, self.offset + start), position

    def _branches(self, position: int) -> tuple[tuple[Sequence, ...], int]:
        bodies: list[Sequence] = []
        while True:
            test, position = self.sequence(position, "", frozenset({"then"}))
            body, position = self.sequence(
                self._expect(position, "then"), "", frozenset({"elif", "else", "fi"})
            )
            bodies += [test, body]
            if self._reserved(position) != "elif":
                break
            position += 4
        if self._reserved(position) == "else":
            body, position = self.sequence(position + 4, "", frozenset({"fi"}))
            bodies.append(body)
        return tuple(bodies), self._expect(position, "fi")

    def _for(self, start: int) -> tuple[Command, int]:
        position = self._blanks(start + 3)
        variable = self._reserved(position)
        position = self._blanks(position + len(variable))
        if not variable.isidentifier() or self._reserved(position) != "in":
            raise ShellProblem("a for loop that is not plain")
        position = self._blanks(position + 2)
        words: list[Word] = []
        while self.text[position : position + 1] not in ("", ";", "\n"):
            word, position = self._word(position)
            words.append(word)
            position = self._blanks(position)
        position = self._lines(position + (1 if self.text[position : position + 1] == ";" else 0))
        body, position = self.sequence(self._expect(position, "do"), "", frozenset({"done"}))
        redirects, position = self._redirects(self._expect(position, "done"))
        source = self.text[start:position]
        group = Group("for", (body,), redirects, variable, tuple(words), source, self.offset + start)
        return group, position

    def _expect(self, position: int, word: str) -> int:
        if self._reserved(position) != word:
            raise ShellProblem(f"{word!r} is missing")
        return position + len(word)

    def _redirects(self, position: int) -> tuple[tuple[Redirect, ...], int]:
        redirects: list[Redirect] = []
        while True:
            position = self._blanks(position)
            match = _OPERATOR.match(self.text[position : position + 8])
            if not match:
                return tuple(redirects), position
            position = self._redirect(position, match.group(), redirects)

    def _simple(self, start: int) -> tuple[Simple, int]:
        words: list[Word] = []
        assignments: list[tuple[str, Word]] = []
        redirects: list[Redirect] = []
        position = start
        while True:
            end = position
            position = self._blanks(position)
            match = _OPERATOR.match(self.text[position : position + 8])
            process = self.text[position : position + 2] in ("<(", ">(")
            if match and not process:
                position = self._redirect(position, match.group(), redirects)
                continue
            if self.text[position : position + 1] in (*ENDS_WORD, "") and not process:
                break
            word, position = self._word(position)
            name = _ASSIGNMENT.match(word.raw) if not words else None
            if name:
                assignments.append((name.group(1), word))
            else:
                words.append(word)
        if self.text[position : position + 1] == "(":
            raise ShellProblem("a function or an unexpected parenthesis")
        if not words and not assignments and not redirects:
            raise ShellProblem("an empty command")
        source = self.text[start:end].strip()
        simple = Simple(tuple(words), tuple(assignments), tuple(redirects), source, self.offset + start)
        return simple, position

    def _redirect(self, position: int, operator: str, redirects: list[Redirect]) -> int:
        start = position
        position = self._blanks(position + len(operator))
        word, position = self._word(position)
        bare = operator.lstrip("0123456789")
        descriptor = operator[: len(operator) - len(bare)]
        raw = self.text[start:position]
        if bare not in ("<<", "<<-"):
            redirects.append(Redirect(bare, descriptor, word, raw))
            return position
        if any(part.kind not in ("text", "quoted") for part in word.parts) or word.scripts:
            raise ShellProblem("a here-document with a delimiter that is not plain")
        document = Document(expands=all(part.kind == "text" for part in word.parts))
        redirects.append(Redirect(bare, descriptor, word, raw, document))
        delimiter = "".join(part.text for part in word.parts)
        self._open_documents.append((delimiter, bare == "<<-", document))
        return position
