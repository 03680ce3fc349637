"""No group of ours is possessive: before Python 3.11.5 such a group that fails half-way loses its place.

Source: CPython issue 106052. Debian 12 has 3.11.2; there the terminal showed leftovers of escape sequences.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "copilot").rglob("*.py"))
_POSSESSIVE_GROUP = re.compile(r"(?<!\()\)(?:[*+?]|\{+[0-9,]+\}+)\+")


def in_regexes(source: str) -> list[str]:
    """Lines with a possessive group, or an atomic one."""
    return [line for line in source.splitlines() if _POSSESSIVE_GROUP.search(line) or "(?>" in line]


def test_no_group_is_possessive() -> None:
    found = {str(path.relative_to(ROOT)): in_regexes(path.read_text("utf-8")) for path in SOURCES}
    assert len(found) > 100
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_possessive_group_would_be_seen() -> None:
    lines = ['"(?:a|b)*+"', '"(?:ab)?+"', '"(ab){2,3}+"', '"(?>ab)"', 'f"(?:x){{2}}+"']
    assert all(in_regexes(line) for line in lines)
    assert not in_regexes('"[a-z]*+(?:ab)*[0-9]{2,3}+"')
