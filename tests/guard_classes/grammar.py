"""A grammar of command lines: rules with alternatives, expanded at random but the same for the same seed.

Most grammars are data, `data/grammars/CLASS.json`: an object of rules, each a list of alternatives. `<name>` in an
alternative is a slot. A name that begins with a capital letter is bound: it is chosen once and stays
the same in the whole member (a variable that is set and used); the others are chosen anew each time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

GRAMMARS = Path(__file__).parent / "data" / "grammars"
SLOT = re.compile(r"<([A-Za-z][A-Za-z0-9_]*)>")

Rules = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules by name; `start` names the first one."""

    rules: Rules

    def with_rules(self, **rules: Sequence[str]) -> Grammar:
        """The same grammar with some rules replaced (a payload that only leaves a mark, for instance)."""
        return Grammar({**self.rules, **rules})

    def expand(self, rng: Random) -> str:
        """One member, drawn with `rng`. Raises KeyError for a slot without a rule."""
        bound: dict[str, str] = {}

        def fill(match: re.Match[str]) -> str:
            name = match.group(1)
            if name in bound:
                return bound[name]
            text = SLOT.sub(fill, rng.choice(self.rules[name]))
            if name[0].isupper():
                bound[name] = text
            return text

        return SLOT.sub(fill, rng.choice(self.rules["start"]))


def load(name: str) -> Grammar:
    """The grammar of `data/grammars/NAME.json`. Raises FileNotFoundError for a name without a file."""
    return Grammar(json.loads((GRAMMARS / f"{name}.json").read_text()))
