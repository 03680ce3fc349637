"""Reads one word of shell text: quotes, escapes, variables. Source: POSIX XCU 2.2-2.6, bash."""

from __future__ import annotations

from collections.abc import Callable

import re2

from copilot.guard.shell_tree import Part, Sequence, ShellProblem, Word

BLANKS = " \t"
ENDS_WORD = " \t\n;&|()<>"
_NAME = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9?#$!@*_-]")
_MODIFIER = re2.compile(r":[A-Za-z&]")
"""zsh changes the value by what follows the colon (zshexpn(1), MODIFIERS)."""
_BRACED = re2.compile(r"\{(#?)([A-Za-z_][A-Za-z0-9_]*|[0-9?#$!@*]+)\}")
_ARITHMETIC = re2.compile(r"\(\([A-Za-z0-9_+\-*/% ()<>=!&|?:,]*\)\)")
_BRACE_LIST = re2.compile(r"\{[^{}\s\"']*(?:,|\.\.)[^{}\s\"']*\}|\{[^\s]*\{|\}[^\s]*\}")
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f",
                   "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?"}  # fmt: skip
_CODED_ESCAPE = re2.compile(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})")

ScriptParser = Callable[[int], tuple[Sequence, int]]
"""Parses a script from a position up to its closing parenthesis; returns it and the position after."""


class WordReader:
    """Reads words out of `text`. `parse_script` is called for the text in `$(`, `<(` and backquotes."""

    def __init__(
        self, text: str, parse_script: ScriptParser, parse_inner: Callable[[str, int], Sequence]
    ) -> None:
        self.text = text
        self._parse_script = parse_script
        self._parse_inner = parse_inner
        self._parts: list[Part] = []
        self._scripts: list[Sequence] = []

    def read(self, start: int) -> tuple[Word, int]:
        """The word that begins at `start`, and the position after it. Raises ShellProblem."""
        self._parts, self._scripts = [], []
        position = start
        while position < len(self.text) and (
            self.text[position] not in ENDS_WORD or self._is_process(position)
        ):
            position = self._step(position)
        raw = self.text[start:position]
        parts = self._parts if raw not in ("[", "[[") else [Part("text", raw)]
        if any(part.kind == "text" for part in parts) and _BRACE_LIST.search(_unquoted(parts)):
            parts = [*parts, Part("opaque", "brace list")]
        return Word(raw, tuple(parts), tuple(self._scripts)), position

    def _step(self, position: int) -> int:
        char = self.text[position]
        special = {"\\": self._escaped, "'": self._single, '"': self._double, "`": self._backquoted}.get(char)
        if special is not None:
            return special(position)
        if char in "<>":
            script, end = self._parse_script(position + 2)
            self._scripts.append(script)
            # What is read from a command is a file of its own; what is written to one is not followed.
            self._add("input" if char == "<" else "opaque", "process substitution")
            return end
        if char == "$":
            return self._dollar(position, in_quotes=False)
        self._add("glob" if char in "*?[" else "text", char)
        return position + 1

    def _is_process(self, position: int) -> bool:
        return self.text[position] in "<>" and self.text[position + 1 : position + 2] == "("

    def _escaped(self, position: int) -> int:
        following = self.text[position + 1 : position + 2]
        if not following:
            raise ShellProblem("the text ends in a backslash")
        if following != "\n":
            self._add("quoted", following)
        return position + 2

    def _single(self, position: int) -> int:
        end = self._closing(position + 1, "'")
        self._add("quoted", self.text[position + 1 : end])
        return end + 1

    def _double(self, position: int) -> int:
        self._add("quoted", "")
        position += 1
        while True:
            if position >= len(self.text):
                raise ShellProblem("a double quote is not closed")
            char = self.text[position]
            if char == '"':
                return position + 1
            if char == "\\" and self.text[position + 1 : position + 2] in tuple('$`"\\\n'):
                following = self.text[position + 1]
                self._add("quoted", "" if following == "\n" else following)
                position += 2
            elif char == "`":
                position = self._backquoted(position, in_quotes=True)
            elif char == "$":
                position = self._dollar(position, in_quotes=True)
            else:
                self._add("quoted", char)
                position += 1

    def _backquoted(self, position: int, *, in_quotes: bool = False) -> int:
        end = position + 1
        inner: list[str] = []
        while self.text[end : end + 1] != "`":
            if end >= len(self.text):
                raise ShellProblem("a backquote is not closed")
            if self.text[end] == "\\" and self.text[end + 1 : end + 2] in ("`", "\\", "$"):
                raise ShellProblem("nested backquotes")
            inner.append(self.text[end])
            end += 1
        self._scripts.append(self._parse_inner("".join(inner), position + 1))
        self._parts.append(Part("opaque", "command substitution", in_quotes))
        return end + 1

    def _dollar(self, position: int, *, in_quotes: bool) -> int:
        rest = self.text[position + 1 : position + 200]
        if rest.startswith("(("):
            match = _ARITHMETIC.match(rest)
            if not match:
                raise ShellProblem("arithmetic that is not plain")
            self._parts.append(Part("opaque", str(match.group()), in_quotes))
            return position + 1 + int(match.end())
        if rest.startswith("("):
            script, end = self._parse_script(position + 2)
            self._scripts.append(script)
            self._parts.append(Part("opaque", "command substitution", in_quotes))
            return end
        if rest.startswith("{"):
            match = _BRACED.match(rest)
            if not match:
                raise ShellProblem("a variable expansion that is not plain")
            self._variable("#" if match.group(1) else match.group(2), in_quotes)
            return position + 1 + int(match.end())
        if rest[:1] in ("'", '"') and not in_quotes:
            if rest[0] == '"':
                raise ShellProblem("a translated string")
            return self._ansi_c(position + 2)
        if rest.startswith("["):
            raise ShellProblem("old arithmetic")
        match = _NAME.match(rest)
        if not match:
            if rest[:1] in tuple("=~^+:&%"):
                raise ShellProblem("a dollar sign that zsh reads in its own way")
            self._add("quoted", "$")
            return position + 1
        self._variable(match.group(), in_quotes)
        end = position + 1 + int(match.end())
        if self.text[end : end + 1] == "[":
            raise ShellProblem("a subscript, which zsh computes")
        if _MODIFIER.match(self.text[end : end + 2]):
            self._parts.append(Part("opaque", "modifier", in_quotes))
        return end

    def _variable(self, name: str, in_quotes: bool) -> None:
        self._parts.append(Part("variable", name, in_quotes))

    def _ansi_c(self, position: int) -> int:
        self._add("quoted", "")
        while True:
            char = self.text[position : position + 1]
            if not char:
                raise ShellProblem("a quote is not closed")
            if char == "'":
                return position + 1
            if char != "\\":
                self._add("quoted", char)
                position += 1
                continue
            following = self.text[position + 1 : position + 2]
            if following == "'":
                raise ShellProblem("an escaped quote, at which sh ends the text and bash does not")
            if following in _SIMPLE_ESCAPES:
                self._add("quoted", _SIMPLE_ESCAPES[following])
                position += 2
                continue
            code = _CODED_ESCAPE.match(self.text[position + 1 : position + 10])
            if not code:
                raise ShellProblem("an escape that is not known")
            digits = next(group for group in code.groups() if group)
            base = 8 if code.group(4) else 16
            number = int(digits, base) % 256 if base == 8 else int(digits, base)
            if not 0 < number < 0x110000:
                raise ShellProblem("an escape that is not a character")
            self._add("quoted", chr(number))
            position += 1 + int(code.end())

    def _closing(self, position: int, quote: str) -> int:
        end = self.text.find(quote, position)
        if end < 0:
            raise ShellProblem("a quote is not closed")
        return end

    def _add(self, kind: str, text: str) -> None:
        if self._parts and self._parts[-1].kind == kind and kind != "opaque":
            text = self._parts.pop().text + text
        self._parts.append(Part(kind, text))


def _unquoted(parts: list[Part]) -> str:
    """The text in which braces count: quoted pieces become a harmless letter."""
    return "".join(part.text if part.kind in ("text", "glob") else "q" for part in parts)
