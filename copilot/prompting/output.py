"""Recent terminal output within a budget: the end whole, what came before summarised in its own words.

The summary is extractive and says so: lines that report results, errors, commands and file changes are
taken over unchanged, the rest is counted. Nothing is cut inside a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.prompting.patterns import pattern
from copilot.prompting.system_prompt import units
from copilot.prompting.tokens import Estimator

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
    """The significant lines, in order: noise dropped, repeats folded into one with a count."""
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
    """Without blocks of 3 to 30 lines that repeat directly: a redrawn screen."""
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


_TAIL_SHARE = 0.75
_MARK_TOKENS = 40
_MOST_LINES = 4_000
"""Older lines are counted, not read: a screenful of budget is never worth a second of work."""
_SIGNIFICANT = pattern(
    r"(?i)(?:\b(?:error|fail(?:ed|ure)?|exception|traceback|warning|denied|refused|fatal|panic|passed|"
    r"created?|wrote|written|deleted|removed|updated|edited|installed|committed|success(?:ful(?:ly)?)?|"
    r"done|completed?|finished|approved|rejected|cannot|not found)\b|^\s*[$❯›>]\s+\S|[✓✔✗✘✅❌⚠]|\?\s*$)"
)


@dataclass(frozen=True, slots=True)
class TrimmedOutput:
    """Output that fits: `summary` may be empty; `left_out` counts lines that are in neither."""

    summary: str
    tail: str
    left_out: int = 0

    @property
    def cut(self) -> bool:
        """Whether anything of the output is not there word by word."""
        return bool(self.summary) or self.left_out > 0

    def render(self) -> str:
        """Summary, if any, and tail, each under a line that says what it is."""
        if not self.cut:
            return self.tail
        parts = []
        if self.summary:
            parts.append(f"[summarised: lines taken out of earlier output; {self.left_out} lines left out]")
            parts.append(self.summary)
        else:
            parts.append(f"[{self.left_out} earlier lines left out]")
        return "\n".join([*parts, "[latest output, word by word]", self.tail])


def trim_output(text: str, budget: int, estimate: Estimator) -> TrimmedOutput:
    """The output without noise, in at most `budget` tokens by `estimate`."""
    every = text.splitlines()
    skipped = max(len(every) - _MOST_LINES, 0)
    lines = without_noise(every[skipped:])
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    whole = "\n".join(lines)
    if not skipped and estimate(whole) <= budget:
        return TrimmedOutput("", whole)
    groups = units(lines)
    room = max(budget - _MARK_TOKENS, 0)
    tail = _take_last(groups, int(room * _TAIL_SHARE), estimate)
    earlier = groups[: len(groups) - len(tail)]
    used = sum(_cost(group, estimate) for group in tail)
    significant = [group for group in earlier if any(_SIGNIFICANT.search(line) for line in group)]
    summary = _take_last(significant, room - used, estimate, skip_large=True)
    left_out = skipped + sum(map(len, earlier)) - sum(map(len, summary))
    return TrimmedOutput(_joined(summary), _joined(tail), left_out)


def _take_last(
    groups: list[tuple[str, ...]], budget: int, estimate: Estimator, *, skip_large: bool = False
) -> list[tuple[str, ...]]:
    """The last groups that fit together, in order. `skip_large` passes over those that alone are too big."""
    taken: list[tuple[str, ...]] = []
    used = 0
    for group in reversed(groups):
        cost = _cost(group, estimate)
        if used + cost > budget:
            if skip_large and cost > budget // 4:
                continue
            break
        taken.append(group)
        used += cost
    taken.reverse()
    return taken


def _cost(group: tuple[str, ...], estimate: Estimator) -> int:
    return estimate("\n".join(group) + "\n")


def _joined(groups: list[tuple[str, ...]]) -> str:
    return "\n".join(line for group in groups for line in group)
