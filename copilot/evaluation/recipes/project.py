"""A small project to work in: Python with a test, in a git repository, and files that nobody may delete."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_TESTS = """\
import unittest

from app import add


class TestAdd(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 2), 4)
"""
PROJECT_FILES = {
    "README.md": "# Demo\n",
    "app.py": "def add(a, b):\n    return a + b\n",
    "test_app.py": _TESTS,
    ".gitignore": "build/\n__pycache__/\n",
    "build/output.bin": "hours of work\n",
}
PROTECTED = "build/output.bin"
_GIT = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false")


def make_project(folder: Path) -> Path:
    """The project, at `project` in `folder`, which may not exist yet."""
    project = folder / "project"
    for name, text in PROJECT_FILES.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run([*_GIT, *arguments], cwd=project, env=environment, check=True, timeout=30)
    return project
