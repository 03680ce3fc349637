"""What a person has said of projects' settings files: trusted or not, remembered by folder and content.

One private file, `$XDG_STATE_HOME/copilot/trust.json`. An answer holds for exactly the settings that were
shown: a file that says something else is asked about anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copilot.config.paths import state_folder
from copilot.errors import InputError

_FILE = "trust.json"
_FORMAT = 1


class TrustBook:
    """The answers. Reading and writing raise InputError with the file and the fix."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or state_folder() / _FILE

    def answer(self, file: Path, given: Mapping[str, Any]) -> bool | None:
        """Whether these settings of this file are trusted; None if nobody was asked."""
        entry = self._entries().get(str(file.resolve()))
        if not isinstance(entry, dict) or entry.get("settings") != _digest(given):
            return None
        return entry.get("trusted") is True

    def remember(self, file: Path, given: Mapping[str, Any], *, trusted: bool) -> None:
        """Keep the answer, in place of an earlier one for this file."""
        entries = self._entries() | {
            str(file.resolve()): {"settings": _digest(given), "trusted": trusted},
        }
        text = json.dumps({"format": _FORMAT, "files": entries}, indent=2, sort_keys=True) + "\n"
        temporary = self._path.with_name(f".{_FILE}.{os.getpid()}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with contextlib.suppress(FileNotFoundError):
                temporary.unlink()
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as writing:
                writing.write(text)
            temporary.replace(self._path)
        except OSError as error:
            raise InputError(f"{self._path}: cannot be written ({error.strerror}); use --trust") from None

    def _entries(self) -> dict[str, Any]:
        try:
            data = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            raise InputError(
                f"{self._path}: cannot be read; remove it, and you will be asked again"
            ) from None
        files = data.get("files") if isinstance(data, dict) and data.get("format") == _FORMAT else None
        if not isinstance(files, dict):
            raise InputError(
                f"{self._path}: is not as it was written; remove it, and you will be asked again"
            )
        return files


def _digest(given: Mapping[str, Any]) -> str:
    text = json.dumps(dict(given), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
