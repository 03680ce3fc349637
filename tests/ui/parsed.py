"""Style sheets are parsed once per theme, not once per app: tests open a thousand apps with the same."""

from __future__ import annotations

from typing import Any

from textual.css.stylesheet import Stylesheet

_PARSE = Stylesheet._parse_rules
_PARSED: dict[tuple[Any, ...], Any] = {}


def parsed_once(sheet: Stylesheet, css: str, read_from: Any, *given: Any, **named: Any) -> Any:
    """As `Stylesheet._parse_rules`, which keeps what it parsed as long as its app lives."""
    theme = frozenset(sheet._variables.items())
    key = (css, read_from, given, tuple(sorted(named.items())), theme)
    if key not in _PARSED:
        _PARSED[key] = _PARSE(sheet, css, read_from, *given, **named)
    return _PARSED[key]
