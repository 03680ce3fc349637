"""The format of `printf`: fields of modest width, no `%n`, and numbers only where they are certain.

bash(1): `%n` sets the variable that is named. zshbuiltins(1): the value of a numeric field is computed, and a
subscript in it runs commands.
"""

from __future__ import annotations

import re2

from copilot.guard.arguments import Arg

_FIELD = r"%[-+ 0#']{0,3}[0-9]{0,3}(?:\.[0-9]{0,3})?"
_FORMAT = re2.compile(rf"(?s)(?:[^%]|%%|{_FIELD}[bqscdiouxXeEfFgGaA])*")
_COMPUTES = re2.compile(rf"(?s)(?:[^%]|%%|{_FIELD}[bqsc])*{_FIELD}[diouxXeEfFgGaA].*")
_NUMBER = re2.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]*\.?[0-9]*)")
_COUNTS = frozenset({"$?", '"$?"', "$#", '"$#"'})


def printf_refusal(args: list[Arg]) -> str:
    """Why `printf FORMAT …` may do more than print a little, or ""."""
    text = args[1].text if len(args) > 1 else None
    if text is None or args[1].wild:
        return "printf with a format that is known only when it runs"
    if not _FORMAT.fullmatch(text):
        return "printf with a field that sets a variable, or is wide"
    if _COMPUTES.fullmatch(text) and not all(_is_harmless(arg) for arg in args[2:]):
        return "printf computes what may be no number"
    return ""


def _is_harmless(arg: Arg) -> bool:
    """Whether nothing in a value is computed: it is a number (a name stands for its variable's value)."""
    return arg.raw in _COUNTS if arg.text is None else bool(_NUMBER.fullmatch(arg.text))
