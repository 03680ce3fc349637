"""Directives in the governing prompt: the lines that the offline `rules` provider can follow.

    when "REGEX": yes | no | continue | ask me | choose "LABEL" | type "TEXT"

One per line, after an optional list bullet; case does not count. REGEX is RE2, ignores case, and is
searched in the question, in its subject and in both joined (`^` and `$` are the ends of each). `\\"` is a
quote. The first directive that fits counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.errors import InputError
from copilot.prompting.patterns import Pattern, pattern
from copilot.providers.sentences import ANSWERS, COMMAND

_BEGIN = pattern(r'(?i)^\s*(?:[-*+]\s+)?when\s+"')
_LINE = pattern(r'(?i)^\s*(?:[-*+]\s+)?when\s+"((?:[^"\\]|\\.)*)"\s*:\s*(.*?)\s*$')
_PLAIN = "|".join(answer.verb for answer in ANSWERS if not answer.takes)
_WORDED = "|".join(answer.verb for answer in ANSWERS if answer.takes)
_ANSWER = pattern(rf'(?i)^(?:({_PLAIN})|({_WORDED})\s+"((?:[^"\\]|\\.)*)")\s*\.?$')
_REST = pattern(r"[\s\-*+•·>|│,;:.()\[\]'\"`]*(?:@?[v^~=]{0,2}\d[\w.+-]*)?[\s|│,;:.()\[\]'\"`]*")
_FORMS = ", ".join(answer.form for answer in ANSWERS)


@dataclass(frozen=True, slots=True)
class Directive:
    """One line. `verb` is yes, no, continue, ask me, choose or type; `words` the label or text."""

    line: int
    source: str
    regex: Pattern
    verb: str
    words: str = ""

    def fits(self, *texts: str) -> bool:
        """Whether the regex is found in one of the texts."""
        return any(self.regex.search(text) is not None for text in texts)

    def covers(self, row: str) -> bool:
        """Whether the regex is found in a row and leaves nothing of it but a version and marks."""
        rest = self.regex.sub("", row)
        return self.fits(row) and _REST.fullmatch(rest) is not None


def read_directives(governing_prompt: str) -> tuple[Directive, ...]:
    """The directives of a governing prompt. Raises InputError for a line that begins like one and is none."""
    found = []
    for number, line in enumerate(governing_prompt.splitlines(), 1):
        if _BEGIN.search(line):
            found.append(_read_line(number, line))
    return tuple(found)


def _read_line(number: int, line: str) -> Directive:
    where = f"governing prompt, line {number}"
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise InputError(f'{where}: write it as: when "REGEX": ANSWER ({COMMAND} lists them)')
    source, answer = parts.group(1).replace('\\"', '"'), parts.group(2)
    form = _ANSWER.fullmatch(answer)
    if form is None:
        raise InputError(f"{where}: {answer!r} is no answer; use one of {_FORMS}")
    try:
        regex = pattern(f"(?i){source}")
    except ValueError as fault:
        raise InputError(f"{where}: bad regular expression {source!r}: {fault}") from None
    verb = " ".join((form.group(1) or form.group(2)).casefold().split())
    words = (form.group(3) or "").replace('\\"', '"')
    return Directive(number, source, regex, verb, words)
