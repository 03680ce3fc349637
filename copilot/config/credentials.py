"""Credentials come from the environment only: which variables, and how a key on a command line is noticed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from copilot.core.provider_registry import KEY_VARIABLES

_KEY_SHAPES = re.compile(
    r"(?:^|[^A-Za-z0-9])(?:"
    r"sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|AIza[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}"
    r"|hf_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{16}"
    r")"
)


def key_present(provider: str, environment: Mapping[str, str]) -> bool:
    """Whether the environment holds a key for `provider`."""
    return any(environment.get(name, "").strip() for name in KEY_VARIABLES.get(provider, ()))


def key_names(environment: Mapping[str, str]) -> dict[str, str]:
    """For each provider that needs a key the variable that holds one, empty if none does; never a value."""
    return {
        provider: next((name for name in names if environment.get(name, "").strip()), "")
        for provider, names in KEY_VARIABLES.items()
    }


def holds_key(text: str) -> bool:
    """Whether `text` holds something of the shape of a well-known kind of API key."""
    return _KEY_SHAPES.search(text) is not None
