"""What a terminal prints that tells nothing: spinners, progress bars redrawn, rules, the same lines again."""

from __future__ import annotations

from copilot.context.patterns import pattern

_SPINNER_GLYPHS = "⠁⠂⠄⡀⢀⠠⠐⠈⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⣾⣽⣻⢿⡿⣟⣯⣷✢✳✶✻✽◐◓◑◒◴◷◶◵"
_SPINNER = pattern(r"(?i)\([^()]*\b(?:esc|ctrl\+c) to (?:interrupt|cancel|stop)\b[^()]*\)\s*$")
_WORKING = pattern(r"^\s*[✢✳✶✻✽◐◓◑◒⠁-⣿]\s+[^()]*(?:…|\.\.\.)(?:\s*\([^()]*\))?\s*$")
_FOOTER = pattern(r"(?i)^\s*(?:\? for shortcuts|esc to (?:interrupt|cancel)|press esc to interrupt)\b")
_RULE = pattern(r"^[\s─━═╌╍┄┅┈┉_=~*╭╮╰╯┌┐└┘├┤┬┴┼▔▁-]{4,}$")
_PROGRESS = pattern(r"(?:\d%|\d %|[█▓▒░▉▊▋▌▍▎▏#=]{4}|\d/\d)")
_NUMBERS = pattern(r"\d+(?:[.,:]\d+)*")
_BARS = pattern(r"[█▓▒░▉▊▋▌▍▎▏#=>\s-]+")
_LONGEST_BLOCK = 30


def without_noise(lines: list[str]) -> list[str]:
    """The lines that tell something, in order: noise dropped, repeats folded into one with a count."""
    kept = [line.rstrip() for line in lines]
    kept = [line for line in kept if not _is_noise(line)]
    return _fold_repeats(_drop_repeated_blocks(_last_progress(kept)))


def _is_noise(line: str) -> bool:
    if not line.strip():
        return False
    patterns = (_RULE, _SPINNER, _WORKING, _FOOTER)
    return line.strip() in _SPINNER_GLYPHS or any(pattern.search(line) for pattern in patterns)


def _last_progress(lines: list[str]) -> list[str]:
    """Of consecutive states of one progress line only the last."""
    kept: list[str] = []
    for line in lines:
        if kept and _progress_name(line) and _progress_name(line) == _progress_name(kept[-1]):
            kept[-1] = line
        else:
            kept.append(line)
    return kept


def _progress_name(line: str) -> str:
    """What stays the same in a progress line while it runs; empty if it is none."""
    if not _PROGRESS.search(line):
        return ""
    name = _BARS.sub(" ", _NUMBERS.sub("0", line))
    return name.strip() or "bar"


def _drop_repeated_blocks(lines: list[str]) -> list[str]:
    """Without blocks of 3 to 30 lines that stand twice in a row: a screen drawn again."""
    kept: list[str] = []
    for line in lines:
        kept.append(line)
        for size in range(3, min(_LONGEST_BLOCK, len(kept) // 2) + 1):
            if kept[-1] == kept[-1 - size] and kept[-size:] == kept[-2 * size : -size]:
                if len({entry for entry in kept[-size:] if entry}) > 1:
                    del kept[-size:]
                break
    return kept


def _fold_repeats(lines: list[str]) -> list[str]:
    """Equal lines in a row become one with a count; blank lines in a row become one."""
    folded: list[str] = []
    count = 1
    for index, line in enumerate(lines):
        if index + 1 < len(lines) and lines[index + 1] == line:
            count += 1
            continue
        repeated = count > 1 and line.strip()
        folded.append(f"{line}  [{count} times]" if repeated else line)
        count = 1
    return folded
