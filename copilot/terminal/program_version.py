"""Which version an installed program tells of itself."""

from __future__ import annotations

import re
import subprocess

_VERSION_SECONDS = 10.0
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def version_of(path: str, arguments: tuple[str, ...]) -> str | None:
    """The version that a program tells, or None: it is asked once, without input, for ten seconds at most."""
    try:
        done = subprocess.run(
            [path, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = _VERSION.search((done.stdout + done.stderr).decode("utf-8", "replace")[:4000])
    return match.group() if match else None
