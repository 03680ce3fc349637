"""The guards that every text passes before it is put into a prompt: redaction first, then what is visible.

They are given as functions that know the run's own secrets; what they found is summed up here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from copilot.prompting.tokens import Estimator, estimate_tokens
from copilot.redaction.redact import Redacted


def _all_visible(text: str) -> tuple[str, int]:
    return text, 0


@dataclass(frozen=True, slots=True)
class TextGuards:
    """`redact` takes secrets out; `model_text` the text without what a person
    cannot see, and how many characters that were; `estimate` counts tokens. The defaults change nothing: for
    tests only.
    """

    redact: Callable[[str], Redacted] = Redacted
    model_text: Callable[[str], tuple[str, int]] = _all_visible
    estimate: Estimator = estimate_tokens


@dataclass(slots=True)
class Cleaner:
    """Applies the guards and remembers what they found. Lives for one `build_request`."""

    guards: TextGuards
    redactions: int = 0
    hidden: int = 0
    """How many invisible characters were removed."""
    warnings: list[str] = field(default_factory=list)

    def clean(self, text: str) -> str:
        """Redacted, then without invisible characters. Before any trimming: a cut secret matches nothing."""
        visible, hidden = self.guards.model_text(self._redacted(text))
        self.hidden += hidden
        return visible

    def verbatim(self, text: str, what: str) -> str:
        """Redact the person's own words and nothing else; invisible characters are only reported."""
        redacted = self._redacted(text)
        visible, _ = self.guards.model_text(redacted)
        if visible != redacted:
            self.warn(f"the {what} holds characters that cannot be seen")
        return redacted

    def warn(self, warning: str) -> None:
        """Remember a warning once."""
        if warning not in self.warnings:
            self.warnings.append(warning)

    def _redacted(self, text: str) -> str:
        redacted = self.guards.redact(text)
        self.redactions += redacted.count
        return redacted.text
