"""Opening a web address in the person's browser: a program of its own that never gets our terminal."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping

from copilot.core.provider_keys import without_keys


def browser_command(environment: Mapping[str, str], platform: str = sys.platform) -> list[str] | None:
    """The program that opens an address in a window; None where no window can be opened.

    A browser that draws in the terminal is never started: it would draw over us.
    """
    if platform == "darwin":
        return ["open"]
    shown = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    program = shutil.which("xdg-open", path=environment.get("PATH"))
    return [program] if shown and program else None


def open_in_browser(address: str, environment: Mapping[str, str]) -> bool:
    """Open `address`, which must have been checked. False if that cannot be done here."""
    command = browser_command(environment)
    if command is None:
        return False
    try:
        subprocess.Popen(
            [*command, address],
            env=without_keys(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    return True
