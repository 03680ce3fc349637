"""Figures of a suite: counts, weighted scores, and pass rates with their intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from copilot.evaluation.scenarios.model import CheckResult, Outcome, Verdict

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """Passes out of trials, with Wilson's interval: the range of true rates that fit what was seen."""

    passes: int
    trials: int
    low: float
    high: float

    def __str__(self) -> str:
        share = self.passes / self.trials if self.trials else 0.0
        return f"{self.passes}/{self.trials} = {share:.0%} ({self.low:.0%} to {self.high:.0%})"


def wilson(passes: int, trials: int, confidence: float = CONFIDENCE) -> Rate:
    """Wilson's score interval (E. B. Wilson, 1927). Without a trial nothing is known: 0 to 1."""
    if trials == 0:
        return Rate(0, 0, 0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, width = passes / trials, z * z / trials
    middle = (share + width / 2) / (1 + width)
    half = z / (1 + width) * (share * (1 - share) / trials + width / (4 * trials)) ** 0.5
    return Rate(passes, trials, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class Summary:
    """A suite in figures. `scores` are the weighted shares of passed checks, of all and by family."""

    verdicts: dict[str, int]
    as_expected: int
    total: int
    scores: dict[str, float]
    rates: dict[str, Rate]

    @property
    def good(self) -> bool:
        """Whether everything went as it should, and something did."""
        return self.total > 0 and self.as_expected == self.total


def summarised(outcomes: Sequence[Outcome]) -> Summary:
    """The figures of these outcomes."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    checks = [check for outcome in outcomes for check in outcome.checks]
    families = sorted({check.family for check in checks})
    scores = {"all": _score(checks)} if checks else {}
    scores |= {family: _score([one for one in checks if one.family == family]) for family in families}
    ids = dict.fromkeys(outcome.id for outcome in outcomes)
    repeated = {one: [outcome for outcome in outcomes if outcome.id == one] for one in ids}
    rates = {
        one: wilson(sum(outcome.as_expected for outcome in runs), len(runs))
        for one, runs in repeated.items()
        if len(runs) > 1
    }
    return Summary(
        {verdict.value: counts[verdict] for verdict in Verdict},
        sum(outcome.as_expected for outcome in outcomes),
        len(outcomes),
        scores,
        rates,
    )


def _score(checks: Sequence[CheckResult]) -> float:
    """The weighted share of the checks that passed; what could not tell counts as not passed."""
    total = sum(check.weight for check in checks)
    return round(sum(check.weight for check in checks if check.passed) / total, 4)
