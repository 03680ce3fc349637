"""The last line of defence: whatever goes wrong, a person sees one line, and no terminal is driven by it."""

from __future__ import annotations

import os
import sys
import time
import traceback
from pathlib import Path

from copilot.errors import EXIT_FAILED


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
    where = _save(fault)
    said = f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
    saved = f"traceback saved in {where}" if where else "the traceback could not be saved"
    return report_error(f"a fault in copilot itself ({_short(said)}); {saved}", EXIT_FAILED)


def _short(text: str, most: int = 200) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= most else folded[: most - 1] + "…"


def _save(fault: BaseException) -> Path | None:
    """Write the traceback, redacted, where only the user reads it; None if that cannot be done."""
    try:
        from copilot.config.paths import state_folder
        from copilot.safety.redact import redact

        folder = state_folder() / "crashes"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
        text = redact("".join(traceback.format_exception(fault)))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except Exception:
        return None
    return path
