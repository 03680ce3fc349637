"""cline offline: the file that `cline auth -p openai-compatible` writes, and variables that keep it quiet.

Without `--auto-approve false` it runs every tool unasked. Tried with 3.0.65; no profile yet.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from copilot.lab.clis.base import Recipe, base_environment, write

_QUIET = {
    "CLINE_NO_AUTO_UPDATE": "1",
    "CLINE_TELEMETRY_DISABLED": "1",
    "DO_NOT_TRACK": "1",
    "OTEL_SDK_DISABLED": "true",
}
NO_NOTICE = {"CLINE_DISABLE_CLINE_PASS_NOTICE": "1"}
"""Without it an advertisement covers the screen, now and then."""


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "cline-home"
    write(home / ".cline" / "data" / "settings" / "providers.json", _providers(url))
    environment = {**base_environment(home, programs), **_QUIET, **NO_NOTICE}
    return Recipe("cline", home, project, environment, ("-i", "--auto-approve", "false"))


def _providers(url: str) -> dict[str, Any]:
    settings = {
        "provider": "openai-compatible",
        "apiKey": "sk-fake",
        "model": "fake-model",
        "baseUrl": f"{url}/v1",
    }
    entry = {"settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    return {
        "version": 1,
        "lastUsedProvider": "openai-compatible",
        "modes": {},
        "providers": {"openai-compatible": entry},
    }
