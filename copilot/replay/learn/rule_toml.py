"""A rule as TOML, in the order and the style of the built-in profiles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import MISSING, fields

from copilot.core.screen_rules import Clause, Rule, RuleExample

_KEYS = ("id", "kind", "region", "priority", "options", "option_keys", "question", "versions", "evidence")


def rule_toml(rule: Rule) -> str:
    """The rule as a table of `screen.rules`."""
    lines = ["[[screen.rules]]"]
    defaults = {field.name: field.default for field in fields(Rule)}
    for key in _KEYS:
        value = getattr(rule, key)
        if key in ("id", "kind", "region") or value != defaults[key]:
            lines.append(f"{key} = {toml_value(value)}")
    for key in ("all", "any", "not_"):
        clauses = getattr(rule, key)
        if clauses:
            inner = ", ".join(_clause(clause) for clause in clauses)
            lines.append(f"{key.rstrip('_')} = [{inner}]")
    lines += [line for example in rule.examples for line in _example(example)]
    return "\n".join(lines) + "\n"


def _clause(clause: Clause) -> str:
    given = [
        f"{field.name} = {toml_value(getattr(clause, field.name))}"
        for field in fields(Clause)
        if getattr(clause, field.name) not in ("", None)
    ]
    return "{ " + ", ".join(given) + " }"


def _example(example: RuleExample) -> Iterator[str]:
    yield ""
    yield "[[screen.rules.examples]]"
    yield f"screen = {toml_value(example.screen)}"
    for field in fields(RuleExample):
        value = getattr(example, field.name)
        default = None if field.default is MISSING else field.default
        if field.name != "screen" and value != default:
            yield f"{field.name} = {toml_value(value)}"


def toml_value(value: object) -> str:
    """A text, number, truth value or list of texts as TOML; patterns and screens in literal quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, tuple | list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return _text(str(value))


def _text(text: str) -> str:
    harmless = all(character >= " " or character == "\n" for character in text) and "\x7f" not in text
    if harmless and "'''" not in text and not text.endswith("'") and ("\\" in text or "\n" in text):
        return f"'''\n{text}'''" if "\n" in text else f"'''{text}'''"
    return json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007f")
