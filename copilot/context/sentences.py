"""Units that are never cut: the lines of one sentence, joined over the wrapping of a terminal."""

from __future__ import annotations

_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "…", ")", "]", "}", ">", "%")
_STARTS = tuple("-*•●⏺■+>$#│|├└─✓✔✗✘✅❌⚠❯›⎿✻✶([{/\"'`") + tuple("0123456789")


def units(lines: list[str]) -> list[tuple[str, ...]]:
    """The lines in groups that belong together: a wrapped sentence is one group, a blank line none.

    A line runs on into the next if it does not end like a sentence and the next starts in lower case with
    the same indentation or more, which is what wrapping by a terminal or a CLI looks like.
    """
    groups: list[list[str]] = []
    for line in lines:
        if not line.strip():
            groups.append([])
        elif groups and groups[-1] and _runs_on(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [tuple(group) for group in groups if group]


def _runs_on(line: str, following: str) -> bool:
    start = following.lstrip()
    return not line.rstrip().endswith(_ENDS) and start[:1].islower() and not start.startswith(_STARTS)


def sentences(text: str) -> list[str]:
    """`text` in sentences; whatever ends without a full stop is one too."""
    parts: list[str] = []
    begin = 0
    for index, character in enumerate(text):
        last = index + 1 == len(text)
        if character in ".!?。！？\n" and (last or text[index + 1].isspace() or character in "。！？\n"):
            parts.append(text[begin : index + 1].strip())
            begin = index + 1
    parts.append(text[begin:].strip())
    return [part for part in parts if part]


def shortened(text: str, longest: int) -> tuple[str, bool]:
    """`text` on one line and at most about `longest` characters, in whole sentences, the last ones first.

    The last sentence is kept because it is the one that asks. Returns also whether anything was left out.
    """
    flat = " ".join(text.split())
    if len(flat) <= longest:
        return flat, False
    kept: list[str] = []
    size = 0
    for sentence in reversed(sentences(flat)):
        if size + len(sentence) > longest:
            break
        kept.append(sentence)
        size += len(sentence) + 1
    if not kept:
        return f"[a text of {len(flat)} characters]", True
    return "[…] " + " ".join(reversed(kept)), True
