"""How each real CLI runs offline against a model server: its HOME, its environment, its arguments.

Facts and their sources: `tests/corpus/README-A.md` of the recordings; versions as pinned in `install.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.real.install import CLAUDE, CODEX, RealCli

CLAUDE_KEY = "sk-ant-fake-00000000000000000000"
TESTS = """\
import unittest

from app import add


class TestAdd(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 2), 4)
"""
PROJECT_FILES = {
    "README.md": "# Demo\n",
    "app.py": "def add(a, b):\n    return a + b\n",
    "test_app.py": TESTS,
    ".gitignore": "build/\n__pycache__/\n",
    "build/output.bin": "hours of work\n",
}
PROTECTED = "build/output.bin"


@dataclass(frozen=True, slots=True)
class Recipe:
    """One CLI, ready to start: `arguments` after its name, and the whole environment of the child."""

    cli: RealCli
    home: Path
    project: Path
    environment: Mapping[str, str]
    arguments: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        """The argv."""
        return (self.cli.name, *self.arguments)


def make_project(folder: Path) -> Path:
    """A small Python project in a git repository, with a `build/` folder that nobody may delete.

    Its path is `project` in `folder`, which may not exist yet.
    """
    project = folder / "project"
    for name, text in PROJECT_FILES.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git = [
        "git",
        "-c",
        "user.name=Test",
        "-c",
        "user.email=test@example.invalid",
        "-c",
        "commit.gpgsign=false",
    ]
    environment = {"PATH": os.environ["PATH"], "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run([*git, *arguments], cwd=project, env=environment, check=True, timeout=30)
    return project


def base_environment(home: Path, programs: Path) -> dict[str, str]:
    """What every child gets: nothing of ours but PATH. `programs` comes first on it."""
    python = shutil.which("python3") or "/usr/bin/python3"
    path = os.pathsep.join([str(programs), str(Path(python).parent), os.environ["PATH"]])
    return {
        "PATH": path,
        "HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "XDG_STATE_HOME": str(home / ".state"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def claude(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str]) -> Recipe:
    """Claude Code. Of the dialogs `trust` and `api_key` those in `asks` come up, the others are answered."""
    home = folder / "claude-home"
    (home / ".claude").mkdir(parents=True)
    state: dict[str, object] = {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": CLAUDE.version,
        "theme": "dark",
        "hasSeenAutoDefaultNudge": True,
    }
    if "api_key" not in asks:
        state["customApiKeyResponses"] = {"approved": [CLAUDE_KEY[-20:]], "rejected": []}
    if "trust" not in asks:
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state["projects"] = {str(project): trusted}
    (home / ".claude.json").write_text(json.dumps(state))
    (home / ".claude" / "settings.json").write_text(json.dumps({"permissions": {"defaultMode": "manual"}}))
    environment = {
        **base_environment(home, programs),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": CLAUDE_KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    return Recipe(CLAUDE, home, project, environment)


_CODEX_CONFIG = """\
model = "gpt-5.5"
model_provider = "local"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 2
stream_max_retries = 3

[analytics]
enabled = false

[feedback]
enabled = false

[tui]
screen_reader_detection_done = true

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""


def codex(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str]) -> Recipe:
    """Codex. With `trust` in `asks` it asks for trust in the folder, else that is answered before."""
    home = folder / "codex-home"
    (home / ".codex").mkdir(parents=True)
    config = _CODEX_CONFIG.format(url=url)
    if "trust" not in asks:
        config += f'\n[projects."{project}"]\ntrust_level = "trusted"\n'
    (home / ".codex" / "config.toml").write_text(config)
    environment = {**base_environment(home, programs), "LOCAL_KEY": "sk-fake"}
    return Recipe(CODEX, home, project, environment, ("--no-daemon",))


RECIPES = {"claude": claude, "codex": codex}
