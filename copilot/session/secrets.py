"""The secrets that this run must never let out: known values of environment, `.env` files and netrc."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from copilot.plain_files import secrets_in
from copilot.redaction.known_values import parse_env_file, parse_netrc, secret_values
from copilot.redaction.redact import Redactor

# What the person types where the terminal hides it: from Enter on it is a known secret of the run.
#
# A program may print later what it was given. The kernel reports no echo while whole lines
# are read (getpass, sudo, ssh, git); programs that draw their own dots are known by their prompt.


_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?")
_ENTER = "\r\n"
_ERASE = "\x7f\x08"
_ANEW = "\x03\x04\x15\x17"
"""Ctrl-C, Ctrl-D, Ctrl-U and Ctrl-W: what was typed is gone, or its last word."""
_LONGEST = 1024


class TypedSecret:
    """Gathers hidden keys; gives each line to `learn` before its Enter goes to the child."""

    def __init__(self, learn: Callable[[str], None]) -> None:
        self._learn = learn
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""

    def typed(self, data: bytes, hidden: bool) -> None:
        """Bytes of the person, in order; `hidden` means that their text is not shown."""
        text = self._decoder.decode(data)
        if not hidden:
            self._line = ""
            return
        for char in _SEQUENCES.sub("", text):
            self._take(char)

    def _take(self, char: str) -> None:
        if char in _ENTER:
            self._learn(self._line)
            self._line = ""
        elif char in _ERASE:
            self._line = self._line[:-1]
        elif char in _ANEW:
            self._line = ""
        elif char.isprintable() and len(self._line) < _LONGEST:
            self._line += char


_ENV_FILES = (".env", ".env.local", ".envrc")


def redactor_for(folder: Path, environment: Mapping[str, str] = os.environ) -> Redactor:
    """A redactor that knows the secret values of this process, of the project's `.env` files and of netrc.

    Raises InputError for one of these files that nobody can read.
    """
    known = secret_values(environment)
    for name in _ENV_FILES:
        known |= secret_values(parse_env_file(secrets_in(folder / name)))
    known |= parse_netrc(secrets_in(Path(environment.get("NETRC", "~/.netrc")).expanduser()))
    return Redactor(known)
