"""`Finding`: one thing that is wrong with a profile."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """`check` names the lint rule, `key` the place in the file; `says` what is wrong and what to do."""

    check: str
    key: str
    says: str

    def __str__(self) -> str:
        return f"{self.key}: {self.says}" if self.key else self.says


def rule_key(rule_id: str) -> str:
    """How a rule is named as a place in the file."""
    return f"screen.rules[{rule_id}]"
