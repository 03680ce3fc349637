"""One walk for each CLI."""

from __future__ import annotations

from copilot.lab.drift.walk import Walk
from copilot.lab.drift.walks.claude import WALK as CLAUDE
from copilot.lab.drift.walks.codex import WALK as CODEX
from copilot.lab.drift.walks.copilot_cli import WALK as COPILOT
from copilot.lab.drift.walks.gemini import WALK as GEMINI
from copilot.lab.drift.walks.opencode import WALK as OPENCODE
from copilot.lab.drift.walks.pi import WALK as PI
from copilot.lab.drift.walks.qwen import WALK as QWEN

WALKS: dict[str, Walk] = {
    "claude": CLAUDE,
    "codex": CODEX,
    "copilot": COPILOT,
    "gemini": GEMINI,
    "opencode": OPENCODE,
    "pi": PI,
    "qwen": QWEN,
}
"""By the profile's name."""
