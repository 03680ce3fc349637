"""The secrets that this run must never let out: known values of environment, `.env` files and netrc."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from copilot.safety.known_values import parse_env_file, parse_netrc, secret_values
from copilot.safety.redact import Redactor

_ENV_FILES = (".env", ".env.local", ".envrc")
_MOST_BYTES = 64 * 1024


def redactor_for(folder: Path, environment: Mapping[str, str] = os.environ) -> Redactor:
    """A redactor that knows the secret values of this process, of the project's `.env` files and of netrc."""
    known = secret_values(environment)
    for name in _ENV_FILES:
        known |= secret_values(parse_env_file(_text(folder / name)))
    known |= parse_netrc(_text(Path(environment.get("NETRC", "~/.netrc")).expanduser()))
    return Redactor(known)


def _text(path: Path) -> str:
    """The file's text; empty if it is not there or not for us."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
