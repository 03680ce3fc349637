"""What of a test log is worth reading: the lines that report a failure, with the lines around them.

Words count, not letters: `0 failed`, `errors.py` and a passed test about errors report no failure. The text
comes from tests, so it is matched with RE2.
"""

from __future__ import annotations

from collections.abc import Sequence

import re2

CONTEXT_LINES = 3
MOST_BLOCKS = 20
TAIL_LINES = 20

_ZERO = re2.compile(
    r"(?i)\b(?:0|no|zero|without)\s+(?:tests?\s+|unexpected\s+)?(?:fail(?:ed|ures?|ing)?|errors?)\b"
    r"|\b(?:fail(?:ed|ures?|ing)?|errors?)\s*[:=]?\s*\b0\b"
)
_PASSED = re2.compile(
    r"^\s*(?:[✓✔√]|ok\b|PASS\b|--- PASS)|\bPASSED\s*(?:\[\s*\d+%\])?\s*$|\.\.\.\s*ok\s*$|^\s*\+\d+(?: ~\d+)?:"
)
_WORDS = re2.compile(
    r"(?i)(?:^|[^\w/.\-])(?:fail|fails|failed|failing|failures?|errors?|fatal|err!)(?:$|\.?[^\w/.\-]|\.$)"
)
_NAMES = re2.compile(
    r"(?:\b[A-Z]\w*Error|\b\w*Exception|\bTraceback|\bpanic(?:ked)?)(?:$|[^\w.\-/]|\.(?:\W|$))|^not ok\b"
)


def is_important(line: str) -> bool:
    """Whether this line reports a failure."""
    if _PASSED.search(line):
        return False
    return bool(_NAMES.search(line) or _WORDS.search(_ZERO.sub(" ", line)))


def important_blocks(
    lines: Sequence[str], *, context: int = CONTEXT_LINES, most: int = MOST_BLOCKS
) -> list[str]:
    """The important lines with `context` lines before and after each; what overlaps or touches is one block.

    Of more than `most` blocks the first and the last halves stay: the cause comes early, the totals late.
    """
    spans: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        if not is_important(line):
            continue
        start, end = max(0, number - context), min(len(lines), number + context + 1)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    if len(spans) > most:
        first = (most + 1) // 2
        spans = spans[:first] + spans[len(spans) - (most - first) :]
    return ["\n".join(lines[start:end]) for start, end in spans]


def last_bytes(text: str, most: int) -> str:
    """The end of `text`, at most `most` bytes of UTF-8: whole lines, or whole characters of one long line."""
    # A character is a byte at least; one more shows whether a line begins at the cut.
    data = text[-most - 1 :].encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode("utf-8")
    cut = data[-most:]
    if data[-most - 1 : -most] != b"\n":
        line_end = cut.find(b"\n")
        if 0 <= line_end < len(cut) - 1:
            return cut[line_end + 1 :].decode("utf-8")
        while cut and cut[0] & 0xC0 == 0x80:
            cut = cut[1:]
    return cut.decode("utf-8")


def tail_lines(text: str, count: int = TAIL_LINES) -> list[str]:
    """The last lines that are not blank."""
    return [line for line in text.split("\n") if line.strip()][-count:]
