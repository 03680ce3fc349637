"""The look at a project: what it finds, what it must never run, and that it never takes long."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from copilot.prompting.environment import EnvironmentSnapshot, render_environment
from copilot.session.project_probe import ProjectProbe, parse_status, read_scripts

LIMIT = 20.0
"""Far above what git takes, so that a slow machine fails no test of what is found."""


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def git(cwd: Path, *arguments: str) -> None:
    """One git command, untouched by the machine's own settings."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    options = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *options, *arguments], cwd=cwd, env=environment, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    git(place, "init")
    (place / "app.py").write_text("one\n")
    (place / "gone.py").write_text("x\n")
    git(place, "add", ".")
    git(place, "commit", "-m", "first")
    return place


async def look(place: Path, **options: object) -> EnvironmentSnapshot:
    chosen: dict[str, object] = {"clock": Clock(), "limit_seconds": LIMIT, **options}
    return await ProjectProbe(place, **chosen).snapshot()  # type: ignore[arg-type]


@pytest.mark.row("CP-53", "CP-42")
async def test_branch_changes_and_scripts(repository: Path) -> None:
    (repository / "app.py").write_text("one\ntwo\n")
    (repository / "new file.py").write_text("")
    (repository / "gone.py").unlink()
    (repository / "package.json").write_text('{"scripts": {"test": "vitest run", "odd": 3}}')
    (repository / "pyproject.toml").write_text('[project.scripts]\ntool = "pkg:main"\n')
    found = await look(repository)
    assert found.branch == "main"
    assert set(found.changed) >= {" M app.py", " D gone.py", "?? new file.py"}
    assert found.changed_total == 5 and "2 files changed" in found.shortstat
    assert found.scripts == (("package.json", "test", "vitest run"), ("pyproject.toml", "tool", "pkg:main"))
    assert found.notes == ()


@pytest.mark.row("CP-53")
async def test_a_folder_without_git_and_a_machine_without_git(tmp_path: Path, repository: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    found = await look(plain)
    assert found.empty and found.notes == ("not a git repository",)
    assert (await look(repository, environment={"PATH": str(plain)})).notes == ("git is not installed",)
    assert (await look(tmp_path / "missing")).notes[0].startswith("git cannot be run")


async def test_a_program_called_git_in_the_project_is_not_run(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    evil = repository / "git"
    evil.write_text("#!/bin/sh\ntouch ran\n")
    evil.chmod(0o755)
    await look(repository, environment={"PATH": os.pathsep.join([".", "", os.environ["PATH"]])})
    assert not (repository / "ran").exists()


async def test_a_new_repository_and_a_detached_head(tmp_path: Path, repository: Path) -> None:
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    git(fresh, "init")
    (fresh / "a").write_text("")
    found = await look(fresh)
    assert found.branch == "main" and found.changed == ("?? a",) and found.shortstat == ""
    git(repository, "checkout", "--detach")
    assert (await look(repository)).branch == "(no branch)"


@pytest.mark.row("CP-53")
async def test_nothing_of_the_repository_is_run(repository: Path) -> None:
    """Hooks, fsmonitor, pager, external diff, textconv, filters, ssh: each would leave a mark."""
    mark = repository.parent / "marks"
    mark.mkdir()
    hooks = repository / ".git" / "hooks"
    for name in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout"):
        _script(hooks / name, mark / name)
    programs = repository.parent / "programs"
    programs.mkdir()
    for key, name in (
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("diff.external", "external"),
        ("diff.evil.command", "command"),
        ("diff.evil.textconv", "textconv"),
        ("filter.evil.clean", "clean"),
        ("filter.evil.process", "process"),
        ("filter.a=b.clean", "odd-clean"),
        ("core.sshCommand", "ssh"),
        ("core.askPass", "askpass"),
    ):
        program = _script(programs / name, mark / name)
        git(repository, "config", key, str(program))
    git(repository, "config", "filter.evil.required", "true")
    (repository / ".gitattributes").write_text("*.py diff=evil filter=evil\n*.txt filter=a=b\n")
    (repository / "app.py").write_text("two\n")
    (repository / "b.txt").write_text("x\n")
    found = await look(repository)
    assert sorted(path.name for path in mark.iterdir()) == []
    assert " M app.py" in found.changed


def test_the_trap_itself_works(repository: Path) -> None:
    """The same repository under plain `git status` does run a filter: the test above can fail."""
    mark = repository.parent / "mark"
    git(repository, "config", "filter.evil.clean", str(_script(repository.parent / "clean", mark)))
    (repository / ".gitattributes").write_text("*.py filter=evil\n")
    (repository / "app.py").write_text("two\n")
    subprocess.run(["git", "diff", "--shortstat"], cwd=repository, capture_output=True)
    assert mark.exists()


def _script(path: Path, mark: Path) -> Path:
    path.write_text(f"#!/bin/sh\n: > '{mark}'\ncat\n")
    path.chmod(0o755)
    return path


async def test_git_variables_of_the_environment_do_not_lead_elsewhere(
    repository: Path, tmp_path: Path
) -> None:
    elsewhere = {"GIT_DIR": str(tmp_path / "no"), "GIT_EXTERNAL_DIFF": "false", "GIT_CONFIG_COUNT": "bad"}
    found = await look(repository, environment={**os.environ, **elsewhere})
    assert found.branch == "main"


async def test_nothing_is_written_to_the_repository(repository: Path) -> None:
    index = repository / ".git" / "index"
    os.utime(repository / "app.py", (1, 1))
    before = index.read_bytes()
    await look(repository)
    assert index.read_bytes() == before and not list((repository / ".git").glob("*.lock"))


@pytest.mark.row("CP-53")
async def test_a_git_that_does_not_end_is_left_at_the_limit_and_leaves_no_process(tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\necho $$ >> '{tmp_path}/pids'\nexec sleep 600\n")
    slow.chmod(0o755)
    found = await look(tmp_path, git=str(slow), limit_seconds=0.3)
    assert found.notes == ("git took longer than 0.3 s",) and found.branch is None
    for pid in (tmp_path / "pids").read_text().split() if (tmp_path / "pids").exists() else []:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.row("CP-53")
async def test_endless_and_very_long_output_is_bounded(tmp_path: Path) -> None:
    flood = tmp_path / "flood"
    flood.write_text('#!/bin/sh\ncase "$*" in *--get-regexp*) exit 1;; esac\nexec yes "?? a"\n')
    flood.chmod(0o755)
    for _ in range(20):  # a pipe whose buffer was full at the end was waited for for ever, one time in seven
        found = await look(tmp_path, git=str(flood))
        assert len(found.changed) <= 30
    changed = [f"?? file{number}" for number in range(20_000)]
    branch, lines = parse_status("## main...origin/main\0" + "\0".join(changed) + "\0")
    assert branch == "main" and len(lines) == 20_000


def test_status_lines_with_renames_and_odd_names() -> None:
    assert parse_status("## main\0R  new\0old\0 M a\nb\0") == ("main", ["R  new", " M a\nb"])
    text, _ = render_environment(EnvironmentSnapshot("main", (" M a\nb",), 1))
    assert " M a\\nb" in text


@pytest.mark.row("CP-53")
async def test_a_look_is_kept_for_a_while_and_shared(repository: Path) -> None:
    clock = Clock()
    probe = ProjectProbe(repository, clock=clock, limit_seconds=LIMIT, kept_seconds=5.0)
    first, same = await asyncio.gather(probe.snapshot(), probe.snapshot())
    assert first is same
    (repository / "later.py").write_text("")
    assert await probe.snapshot() is first
    clock.now = 5.0
    assert "?? later.py" in (await probe.snapshot()).changed


async def test_the_loop_goes_on_meanwhile(tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o755)
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(turn())
    await look(tmp_path, git=str(slow), limit_seconds=0.2)
    other.cancel()
    assert turns > 10


def test_manifests_that_are_no_plain_files_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "package.json")
    (tmp_path / "pyproject.toml").symlink_to("/etc/hostname")
    found, problems = read_scripts(tmp_path)
    assert found == () and len(problems) == 2
    (tmp_path / "package.json").unlink()
    for text in ("[" * 100_000, "{", '{"scripts": []}', "7", "x" * 600_000):
        (tmp_path / "package.json").write_text(text)
        assert read_scripts(tmp_path)[0] == ()
