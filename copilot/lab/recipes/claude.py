"""Claude Code offline: two JSON files and a few variables."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from copilot.lab.recipes.base import Recipe, base_environment

_KEY = "sk-ant-fake-00000000000000000000"
_NO_VERSION_IS_LATER = "999.0.0"
"""The last version that was shown around in: a later one would begin with its onboarding."""


def claude(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """Claude Code. Of the dialogs `trust` and `api_key` those in `asks` come up, the others are answered."""
    home = folder / "claude-home"
    (home / ".claude").mkdir(parents=True)
    state: dict[str, object] = {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": _NO_VERSION_IS_LATER,
        "theme": "dark",
        "hasSeenAutoDefaultNudge": True,
    }
    if "api_key" not in asks:
        state["customApiKeyResponses"] = {"approved": [_KEY[-20:]], "rejected": []}
    if "trust" not in asks:
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state["projects"] = {str(project): trusted}
    (home / ".claude.json").write_text(json.dumps(state))
    (home / ".claude" / "settings.json").write_text(json.dumps({"permissions": {"defaultMode": "manual"}}))
    environment = {
        **base_environment(home, programs),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": _KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    return Recipe("claude", home, project, environment)
