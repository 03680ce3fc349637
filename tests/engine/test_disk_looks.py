"""What a judge sees on the disk comes back as it was; what was not seen, or not kept, is never guessed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from copilot.core.events import DiskLooked
from copilot.engine.disk_looks import MOST_CHARACTERS, KeptLooks, NotRecorded, RecordedLooks
from copilot.guard.command_risk import judge_command
from copilot.guard.disk import Unread
from copilot.guard.index import parse_index
from copilot.guard.scope import ProjectScope


def asked(scope: ProjectScope, folder: Path) -> list[Any]:
    """Every question that there is."""
    disk = scope.disk
    index = parse_index(disk.read_file(str(folder / ".git/index")) or b"")
    return [
        scope.root,
        *(scope.resolve(str(folder / name)) for name in ("out", "missing")),
        *(scope.is_file(str(folder / name)) for name in ("a.txt", "missing")),
        *(scope.files_below(str(folder / name)) for name in ("deep", "empty", "missing")),
        *(disk.list_folder(str(folder / name)) for name in (".", "empty", "missing")),
        *(disk.read_file(str(folder / name)) for name in ("a.txt", "none.txt", "missing")),
        *(disk.size_of(str(folder / name)) for name in ("a.txt", "missing")),
        index,
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for name in ("deep/er", "empty"):
        (folder / name).mkdir(parents=True)
    (folder / "a.txt").write_text("so it is: ä\n", "utf-8")
    (folder / "none.txt").write_text("", "utf-8")
    (folder / "deep/er/b.txt").write_text("b", "utf-8")
    (folder / "out").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    for words in (("init", "-q"), ("add", "a.txt", "deep")):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def kept(folder: Path) -> tuple[KeptLooks, ProjectScope]:
    looks = KeptLooks()
    return looks, looks.over(ProjectScope(str(folder), "/home/me"))


def recorded(*looked: DiskLooked | None, at: float = 1.0) -> RecordedLooks:
    looks = RecordedLooks([one for one in looked if one is not None], "/p", "/home/me")
    looks.begin(at)
    return looks


def test_every_answer_comes_back_as_it_was(project: Path) -> None:
    looks, scope = kept(project)
    seen = asked(scope, project)
    assert seen == asked(ProjectScope(str(project), "/home/me"), project)
    again = recorded(looks.news(1.0))
    assert asked(again.scope(), project) == seen and again.missing == []


def test_only_what_is_new_is_news(project: Path) -> None:
    looks, scope = kept(project)
    asked(scope, project)
    first = looks.news(1.0)
    looks.begin()
    asked(scope, project)
    assert looks.news(2.0) is None
    (project / "a.txt").write_text("longer than before\n", "utf-8")
    looks.begin()
    seen = asked(scope, project)
    second = looks.news(3.0)
    assert second is not None and second.number == 2
    assert {(look.question, Path(look.path).name) for look in second.looks} == {
        ("read_file", "a.txt"),
        ("size_of", "a.txt"),
    }
    assert asked(recorded(first, second, at=3.0).scope(), project) == seen
    before = recorded(first, second, at=3.0)
    before.begin(2.0)
    assert before.scope().disk.read_file(str(project / "a.txt")) == "so it is: ä\n".encode()


def test_why_a_file_cannot_be_read_is_kept(project: Path) -> None:
    looks, scope = kept(project)
    pipe = str(project / "pipe")
    with pytest.raises(Unread) as live:
        scope.disk.read_file(pipe)
    with pytest.raises(Unread) as again:
        recorded(looks.news(1.0)).scope().disk.read_file(pipe)
    assert str(again.value) == str(live.value) and not isinstance(again.value, NotRecorded)


def test_what_was_not_seen_is_not_recorded_and_holds_the_command(project: Path) -> None:
    looks = recorded()
    with pytest.raises(NotRecorded, match="did not record"):
        looks.scope().is_file(str(project / "a.txt"))
    assert looks.missing == ["is_file a.txt"]
    risk = judge_command("cat a.txt", RecordedLooks((), str(project), "/home/me").scope())
    assert (risk.level.word, risk.rule) == ("high", "disk.unread")


@pytest.mark.parametrize("content", [b"x" * (MOST_CHARACTERS + 1), b"\xff\xfe"], ids=["too large", "no text"])
def test_what_is_not_kept_takes_what_was_seen_before_with_it(project: Path, content: bytes) -> None:
    looks, scope = kept(project)
    asked(scope, project)
    first = looks.news(1.0)
    (project / "a.txt").write_bytes(content)
    looks.begin()
    scope.disk.read_file(str(project / "a.txt"))
    kind = scope.is_file(str(project / "a.txt"))
    second = looks.news(2.0)
    assert second is not None and second.left_out == 1
    assert looks.news(2.5) is None, "the same gap is recorded once"
    again = recorded(first, second, at=2.0)
    assert again.scope().is_file(str(project / "a.txt")) is kind
    with pytest.raises(NotRecorded):
        again.scope().disk.read_file(str(project / "a.txt"))
    with pytest.raises(NotRecorded):
        again.scope().disk.read_file(str(project / "none.txt"))
    looks.begin()
    scope.disk.size_of(str(project / "none.txt"))
    third = looks.news(3.0)
    assert third is not None and [look.question for look in third.looks] == ["size_of"]
