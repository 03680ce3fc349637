"""The last line of defence: whatever goes wrong, a person sees one line, and no terminal is driven by it."""

from __future__ import annotations

import os
import sys
import time
import traceback
from pathlib import Path

from copilot.errors import EXIT_FAILED

_MOST_CHARACTERS = 200


def say(kind: str, message: str) -> None:
    """One line `copilot: KIND: message` on standard error, whatever the message holds."""
    from copilot.safety.text import safe_text

    line = safe_text(" ".join(message.split()))
    try:
        print(f"copilot: {kind}: {line}", file=sys.stderr, flush=True)  # noqa: T201
    except (OSError, UnicodeEncodeError):
        return


def report_error(message: str, exit_code: int) -> int:
    """Say what is wrong; the exit code, to be returned."""
    say("error", message)
    return exit_code


def report_fault(fault: BaseException) -> int:
    """Say in one line that something of ours broke, and where the traceback was saved; the exit code."""
    said, where = type(fault).__name__, "the traceback could not be saved"
    try:
        if str(fault):
            said = f"{said}: {_short(_redacted(str(fault)))}"
        where = f"traceback saved in {_save(fault)}"
    except Exception as second:
        where += f" ({type(second).__name__})"
    return report_error(f"a fault in copilot itself ({said}); {where}", EXIT_FAILED)


def _redacted(text: str) -> str:
    """`text` without secrets, the values of our own environment among them."""
    from copilot.safety.known_values import secret_values
    from copilot.safety.redact import Redactor

    return Redactor(secret_values(os.environ)).redact(text).text


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _MOST_CHARACTERS else folded[: _MOST_CHARACTERS - 1] + "…"


def _save(fault: BaseException) -> Path:
    """Write the traceback, redacted, where only the user reads it. Raises OSError."""
    from copilot.config.paths import state_folder

    folder = state_folder() / "crashes"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    text = _redacted("".join(traceback.format_exception(fault)))
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return path
