"""Recent terminal output within a budget: the end whole, what came before summarised in its own words.

The summary is extractive and says so: lines that report results, errors, commands and file changes are
taken over unchanged, the rest is counted. Nothing is cut inside a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.context.noise import without_noise
from copilot.context.patterns import pattern
from copilot.context.sentences import units
from copilot.context.tokens import Estimator

_TAIL_SHARE = 0.75
_MARK_TOKENS = 40
_MOST_LINES = 4_000
"""Older lines are counted, not read: a screenful of budget is never worth a second of work."""
_TELLING = pattern(
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
    telling = [group for group in earlier if any(_TELLING.search(line) for line in group)]
    summary = _take_last(telling, room - used, estimate, skip_large=True)
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
