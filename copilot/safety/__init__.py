"""The guard: redaction, sanitising, and the risk of what a reply would do.

Names are loaded when they are first used, so that importing one light function does not load the parsers.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from copilot.safety.grants import Grant
    from copilot.safety.judge import judge_command
    from copilot.safety.known_values import parse_env_file, parse_netrc, secret_values
    from copilot.safety.prompts import assess, assess_choice, assess_path
    from copilot.safety.redact import Redacted, Redactor
    from copilot.safety.redact_stream import RedactingStream
    from copilot.safety.scope import ProjectScope
    from copilot.safety.text import model_text, safe_text
    from copilot.safety.verdict import verdict_at

__all__ = [
    "Grant",
    "ProjectScope",
    "Redacted",
    "RedactingStream",
    "Redactor",
    "assess",
    "assess_choice",
    "assess_path",
    "judge_command",
    "model_text",
    "parse_env_file",
    "parse_netrc",
    "safe_text",
    "secret_values",
    "verdict_at",
]

_HOMES = {
    "prompts": (
        "assess",
        "assess_choice",
        "assess_path",
    ),
    "grants": ("Grant",),
    "judge": ("judge_command",),
    "known_values": (
        "parse_env_file",
        "parse_netrc",
        "secret_values",
    ),
    "redact": (
        "Redacted",
        "Redactor",
    ),
    "redact_stream": ("RedactingStream",),
    "scope": ("ProjectScope",),
    "text": (
        "model_text",
        "safe_text",
    ),
    "verdict": ("verdict_at",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"copilot.safety.{home}"), name)
    raise AttributeError(name)
