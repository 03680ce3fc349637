"""What stands around a question that names an everyday act: does it say that a yes does something else too?

A log may report what was done ("Removed 3 unused files"). A line that announces, asks or commands something
dangerous makes the yes one to that as well.
"""

from __future__ import annotations

from collections.abc import Iterable

import re2

from copilot.safety.danger_words import destroys, reaches_out_strongly
from copilot.safety.text import folded, has_hidden, mixed_script_word

_REPORT = re2.compile(
    r"^[^\pL\pN]*(?:already |successfully |no |nothing )?"
    r"(?:\d+ (?:files?|tests?|changes?|insertions?|deletions?|packages?|checks|errors?|warnings?|edits?"
    r"|unused|passed|failed|skipped|added|removed|changed|deleted)\b|[a-z]+ing\b|[a-z]+ed\b|wrote|done|built|made"
    r"|found|ran|ok\b|up to date|all (?:checks|tests|files)\b|nothing to commit)"
)
_ANNOUNCES = re2.compile(
    r"\b(?:will|would|going to|about to|this|that|these|yes|answer\w*|confirm\w*|continu\w*"
    r"|proceed\w*|next|then|following"
    r"|after|before|if|also|note|warning|caution|attention|shall|should|must|may|can|y)\b|:\s*$"
)
_ASKS = re2.compile(r"[?？]\s*(?:[\[(][^\[\]()]{1,40}[\])])?[\s:>]*$")
_COMMANDS = re2.compile(
    r"\b(?:runs?|execut\w*|commands?|steps?|does|happens?)\b[^\n]*:\s*$"
    r"|(?:^\W*(?:\w{1,2}[.)]\s+)?|[:;|&'\"`=]\s*)(?:sudo|doas|rm|rmdir|unlink|dd|mkfs\S*|shred|truncate"
    r"|curl|wget|ssh|scp|rsync|docker|kubectl"
    r"|helm|terraform|npx|psql|mysql|chmod|chown|kill|shutdown|reboot|git (?:push|reset|clean|rebase))\b"
    r"|[:;|&]\s*(?:sh|bash|zsh|python3?|node|perl|ruby|eval|exec)\b"
    r"|\b(?:rm|rmdir|dd|chmod|chown|mkfs\S*|shred)\s+-\w|\b(?:(?:ba|z|da|k)?sh|python3?|perl|ruby) -c\b"
)
"""Commands that a yes would run."""
_PLAIN = re2.compile(r"^[\x00-\x7f‘’“”–—…•·✓✔✗✖→]*$")


def speaks_of_more(lines: Iterable[str]) -> str:
    """The first line that says that a yes below does more than the question names; empty if none does."""
    return next((line for line in lines if _more(line)), "")


def only_reports(sentences: Iterable[str]) -> bool:
    """Whether sentences in front of a question only report what was done, and in English."""
    return all(
        _PLAIN.search(one) is not None and _REPORT.search(folded(one)) is not None and not _more(one)
        for one in sentences
    )


def _more(line: str) -> bool:
    if has_hidden(line) or mixed_script_word(line):
        return True
    plain = folded(line)
    if _ASKS.search(plain) or _COMMANDS.search(plain):
        return True
    reports = _REPORT.search(plain) is not None and _ANNOUNCES.search(plain) is None
    return not reports and bool(destroys(plain) or reaches_out_strongly(plain))
