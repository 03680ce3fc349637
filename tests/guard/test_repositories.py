"""Where a repository keeps what it says decides: other forms of its index, a worktree, a project below its top."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from copilot.core.risk import RiskLevel
from copilot.guard import disk
from copilot.guard.command_risk import judge_command
from copilot.guard.index import parse_index
from copilot.guard.scope import ProjectScope

_CLEAN = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}


def git(folder: Path, *words: str) -> str:
    argv = [
        "git",
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.invalid",
        "-c",
        "init.defaultBranch=m",
        *words,
    ]
    return subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True, env=_CLEAN).stdout


def risk_of(command: str, project: Path) -> RiskLevel:
    return judge_command(command, ProjectScope(str(project), "/home/me")).level


def shop(folder: Path) -> None:
    """A repository with a committed program, many tracked names, and a secret that is not tracked."""
    git(folder, "init", "-q")
    for number in range(300):
        path = folder / f"src/part{number % 7}/file_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    for name in (".venv/bin/ls", "node_modules/.bin/eslint"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("")
    git(folder, "add", "-A")
    (folder / "secrets.yml").write_text("x\n")


def with_submodule(folder: Path) -> None:
    git(folder, "init", "-q", "src/sub")
    git(folder / "src/sub", "commit", "-q", "--allow-empty", "-m", "x")
    git(folder, "add", "src/sub")


def plain(folder: Path) -> None:
    """The form that git writes by itself."""


def version_4(folder: Path) -> None:
    git(folder, "update-index", "--index-version", "4")


def split(folder: Path) -> None:
    git(folder, "update-index", "--split-index")
    (folder / "late.py").write_text("")
    git(folder, "add", "late.py")


def split_version_4(folder: Path) -> None:
    version_4(folder)
    split(folder)


FORMS = [plain, version_4, split, split_version_4]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_index_says_the_same(tmp_path: Path, form: Callable[[Path], None]) -> None:
    shop(tmp_path)
    form(tmp_path)
    assert risk_of(".venv/bin/ls", tmp_path) is RiskLevel.HIGH
    assert risk_of("npx eslint src", tmp_path) is RiskLevel.HIGH
    assert risk_of("git add -A", tmp_path) is RiskLevel.HIGH
    assert risk_of("git status", tmp_path) is RiskLevel.NONE
    assert risk_of("git diff --stat", tmp_path) is RiskLevel.NONE
    with_submodule(tmp_path)
    assert risk_of("git status", tmp_path) is RiskLevel.HIGH


@pytest.mark.parametrize("form", [plain, version_4])
def test_the_index_is_read_as_git_reads_it(tmp_path: Path, form: Callable[[Path], None]) -> None:
    shop(tmp_path)
    form(tmp_path)
    git(tmp_path, "add", "-N", "secrets.yml")
    listed = tuple(git(tmp_path, "ls-files").encode().splitlines())
    found = parse_index((tmp_path / ".git/index").read_bytes())
    assert (found.names, found.certain) == (listed, True)


def test_an_index_of_another_hash_is_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    (tmp_path / "a.py").write_text("")
    git(tmp_path, "add", "a.py")
    found = parse_index((tmp_path / ".git/index").read_bytes())
    assert (found.names, found.certain) == ((b"a.py",), True)


@pytest.mark.parametrize("data", [b"", b"DIRC", b"DIRC\0\0\0\x09\0\0\0\0", b"DIRC\0\0\0\x02\0\0\0\x05"])
def test_an_index_that_cannot_be_read_may_track_anything(tmp_path: Path, data: bytes) -> None:
    shop(tmp_path)
    (tmp_path / ".git/index").write_bytes(data)
    assert not parse_index(data).certain
    assert risk_of("git status", tmp_path) is RiskLevel.HIGH
    assert risk_of(".venv/bin/ls", tmp_path) is RiskLevel.HIGH
    assert risk_of("git add -A", tmp_path) is RiskLevel.HIGH


@pytest.fixture
def below(tmp_path: Path) -> Path:
    """A project that is a folder of its repository."""
    (tmp_path / "web").mkdir()
    shop(tmp_path / "web")
    (tmp_path / "web/.git").rename(tmp_path / ".git")
    git(tmp_path, "add", "-A", "-f", "web/src", "web/.venv", "web/node_modules")
    (tmp_path / ".git/config").write_text('[remote "o"]\n\turl = https://me:made-up@x.example/a.git\n')
    return tmp_path / "web"


@pytest.mark.parametrize(
    ("command", "risk"),
    [
        (".venv/bin/ls", "high"),
        ("npx eslint src", "high"),
        ("git remote -v", "high"),
        ("git add -A", "high"),
        ("git add :/", "high"),
        ("git add ':(top)other'", "high"),
        ("git show HEAD:other/a.txt", "high"),
        ("git show HEAD:web/src/part1/file_1.py", "none"),
        ("git show HEAD:./src/part1/file_1.py", "none"),
        ("git status", "none"),
        ("git add src", "low"),
    ],
)
def test_a_project_below_the_top_of_its_repository(below: Path, command: str, risk: str) -> None:
    assert risk_of(command, below).word == risk


def test_a_submodule_beside_such_a_project_counts(below: Path) -> None:
    git(below.parent, "init", "-q", "other")
    git(below.parent / "other", "commit", "-q", "--allow-empty", "-m", "x")
    git(below.parent, "add", "other")
    assert risk_of("git status", below) is RiskLevel.HIGH


def test_a_worktree_of_a_repository(tmp_path: Path) -> None:
    (tmp_path / "main").mkdir()
    shop(tmp_path / "main")
    git(tmp_path / "main", "commit", "-qm", "start")
    git(tmp_path / "main", "worktree", "add", "-q", "../other")
    other = tmp_path / "other"
    assert risk_of("git status", other) is RiskLevel.NONE
    assert risk_of(".venv/bin/ls", other) is RiskLevel.HIGH
    assert risk_of("npx eslint src", other) is RiskLevel.HIGH
    with_submodule(other)
    assert risk_of("git status", other) is RiskLevel.HIGH


def test_a_submodule_whose_settings_lie_in_the_work_tree(tmp_path: Path) -> None:
    """git follows the file `.git` in its folder wherever it leads."""
    shop(tmp_path)
    with_submodule(tmp_path)
    (tmp_path / "store").mkdir()
    (tmp_path / "src/sub/.git").rename(tmp_path / "store/sub")
    (tmp_path / "src/sub/.git").write_text("gitdir: ../../store/sub\n")
    assert risk_of("git status", tmp_path) is RiskLevel.HIGH
    (tmp_path / ".git/modules").mkdir()
    (tmp_path / "store/sub").rename(tmp_path / ".git/modules/sub")
    (tmp_path / "src/sub/.git").write_text("gitdir: ../../.git/modules/sub\n")
    assert risk_of("git status", tmp_path) is RiskLevel.NONE


@pytest.mark.parametrize("command", ["rg KEY many", "cat many/*", "grep -r KEY many", "echo x > many/a.log"])
def test_a_folder_of_too_many_names_is_held(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names behind the limit were not seen, and a secret among them was read."""
    monkeypatch.setattr(disk, "MAX_ENTRIES", 50)
    (tmp_path / "many").mkdir()
    for number in range(60):
        (tmp_path / f"many/a{number}.txt").write_text("")
    risk = judge_command(command, ProjectScope(str(tmp_path), "/home/me"))
    assert (risk.level, risk.rule) == (RiskLevel.HIGH, "disk.unread")
    for number in range(20):
        (tmp_path / f"many/a{number}.txt").unlink()
    assert risk_of(command, tmp_path) < RiskLevel.HIGH


@pytest.mark.parametrize(
    ("name", "command", "held"),
    [
        ("--pre=sh", "git ls-files | xargs rg TODO", True),
        ("--pre=sh", "git diff --name-only | xargs rg TODO", True),
        ("--pre=sh", "git ls-files '*.py' | xargs cat", False),
        ("src/a /etc/passwd", "git ls-files | xargs cat", True),
        ("src/a /etc/passwd", "git ls-files src | xargs cat", True),
        ("src/a /etc/passwd", "git ls-files docs | xargs cat", False),
        ("src/a /etc/passwd", "git ls-files -z src | xargs -0 cat", False),
        ('src/a"b.py', "git ls-files src | xargs cat", True),
        ("src/gone.py", "git ls-files src | xargs cat", False),
        ("src/gone.py", "git diff --name-only --cached | xargs cat", True),
        ("src/gone.py", "git diff --name-only HEAD~3 HEAD | xargs cat", True),
        ("src/gone.py", "git diff --name-only HEAD~3..HEAD | xargs cat", True),
        ("src/gone.py", "git diff --name-only --diff-filter=d --cached | xargs cat", False),
    ],
)
def test_names_that_only_the_index_has(tmp_path: Path, name: str, command: str, held: bool) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "src").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "src/app.py").write_text("")
    git(tmp_path, "add", "-A")
    blob = git(tmp_path, "hash-object", "-w", "src/app.py").strip()
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    assert (risk_of(command, tmp_path) >= RiskLevel.HIGH) is held


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        (".git/more.cfg", "", "git remote -v"),
        (".git/remotes/old", "URL: https://me:made-up@x.example/a.git\n", "git remote get-url old"),
        (".git/branches/old", "https://me:made-up@x.example/a.git\n", "git remote -v"),
        (".git/modules/sub/config", "url = https://me:made-up@x.example/a.git\n", "grep -rn x ."),
        (".git/worktrees/w/config.worktree", "extraheader = x\n", "find . -type f -exec cat {} +"),
        (".git/credentials", "https://me:made-up@x.example\n", "rg --hidden x"),
        (".git/FETCH_HEAD", "1 branch 'm' of https://me:made-up@x.example/a\n", "grep -r x ."),
    ],
)
def test_addresses_beside_the_settings_count(tmp_path: Path, name: str, text: str, command: str) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("x\n")
    assert risk_of(command, tmp_path) is RiskLevel.NONE
    place = tmp_path / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    if not text:
        with (tmp_path / ".git/config").open("a") as settings:
            settings.write("[include]\n\tpath = more.cfg\n")
    assert risk_of(command, tmp_path) is RiskLevel.HIGH
    assert risk_of("grep -rn x --include=*.py .", tmp_path) is RiskLevel.NONE
