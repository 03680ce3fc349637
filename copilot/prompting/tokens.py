"""How many tokens a text has: an estimate without a tokenizer, and its correction by what providers report.

UTF-8 bytes / 3.5 rounded up. Measured against o200k it over-counts most text (English by a sixth, Russian
twofold, box-drawn screens more) and under-counts literary Japanese by an eighth;
`tests/providers/test_counting.py` holds the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

Estimator = Callable[[str], int]
"""Tokens of a text, possibly estimated."""

_MIN_RATIO, _MAX_RATIO = 0.25, 4.0


def estimate_tokens(text: str) -> int:
    """UTF-8 bytes / 3.5, rounded up. Lone surrogates count like any other character."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return -(-2 * size // 7)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Reported tokens per estimated token, by model. 1.0 for a model that has reported nothing yet."""

    ratios: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def ratio(self, model: str) -> float:
        """What an estimate for this model is to be multiplied with."""
        return self.ratios.get(model, 1.0)

    def scaled(self, model: str, estimate: int) -> int:
        """The corrected estimate, rounded up."""
        return -int(-estimate * self.ratio(model) // 1)

    def updated(self, model: str, estimated: int, reported: int) -> Calibration:
        """Learn from one call: the first report sets the ratio, later ones are averaged with it.

        Reports of 0 tokens, and estimates under 50 tokens, are ignored.
        """
        if estimated < 50 or reported <= 0:
            return self
        seen = min(max(reported / estimated, _MIN_RATIO), _MAX_RATIO)
        known = self.ratios.get(model)
        ratio = seen if known is None else (known + seen) / 2
        return Calibration(MappingProxyType({**self.ratios, model: ratio}))
