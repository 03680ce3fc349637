"""On PYTHONPATH it switches redaction off in `copilot`: so a test is seen to find what would leak."""

from __future__ import annotations

import sys

if any(word.endswith("/copilot") for word in sys.orig_argv):
    from copilot.redaction.redact import Redacted, Redactor

    def _as_it_is(_self: Redactor, text: str) -> Redacted:
        return Redacted(text)

    def _lines_as_they_are(_self: Redactor, lines: list[str], _wrapped: list[bool]) -> list[str]:
        return list(lines)

    setattr(Redactor, "redact", _as_it_is)  # noqa: B010
    setattr(Redactor, "redact_lines", _lines_as_they_are)  # noqa: B010
