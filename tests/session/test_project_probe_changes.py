"""What a run changed: the difference to a commit, without anything of the repository being run."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest

from copilot.session.project_probe import ProjectProbe
from tests.session.live import FakeProvider, demo_settings, ended, running, yes


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=me", "-c", "user.email=me@localhost", "-c", "commit.gpgsign=false"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(
        ["git", *identity, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    ).stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.txt").write_text("one\n")
    git(folder, "add", "a.txt")
    git(folder, "commit", "-q", "-m", "x")
    return folder


def changes(folder: Path, commit: str) -> str:
    return asyncio.run(ProjectProbe(folder, clock=time.monotonic).changes_since(commit))


def test_commits_edits_and_new_files_are_told(project: Path) -> None:
    commit = git(project, "rev-parse", "HEAD")
    (project / "b.txt").write_text("committed\n")
    git(project, "add", "b.txt")
    git(project, "commit", "-q", "-m", "y")
    (project / "a.txt").write_text("two\n")
    (project / "c.txt").write_text("unknown\n")
    told = changes(project, commit)
    for part in ("-one", "+two", "+committed", "new file, not added: c.txt"):
        assert part in told


def test_nothing_of_the_repository_is_run(project: Path, tmp_path: Path) -> None:
    commit = git(project, "rev-parse", "HEAD")
    trap = f"touch {tmp_path / 'ran'}; cat"
    git(project, "config", "diff.external", trap)
    git(project, "config", "diff.x.textconv", trap)
    git(project, "config", "filter.x.clean", trap)
    git(project, "config", "core.fsmonitor", trap)
    (project / ".gitattributes").write_text("* diff=x filter=x\n")
    (project / "a.txt").write_text("two\n")
    assert "+two" in changes(project, commit)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("commit", ["", "HEAD", "--output=x", "0" * 40])
def test_what_is_no_commit_gives_nothing_of_a_difference(project: Path, commit: str) -> None:
    assert "diff" not in changes(project, commit)


async def test_a_run_keeps_what_it_changed(project: Path, tmp_path: Path) -> None:
    from copilot.demo.project import DemoProject

    demo = DemoProject.make()
    try:
        settings = demo_settings(
            demo, tmp_path / "run", "--only", "permission", headless=True, cwd=str(project)
        )
        (project / "a.txt").write_text("two\n")
        async with running(settings, FakeProvider([yes()])) as watched:
            await ended(watched)
    finally:
        demo.remove()
    kept = (tmp_path / "run" / "changes.diff").read_text()
    assert "+two" in kept
    assert "What changed" in (tmp_path / "run" / "report.html").read_text()
