"""Somebody writes in the project at the very moment that undo puts a file back: theirs stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from copilot.checkpoints import project_writer, reading
from copilot.checkpoints.entries import Entry, Kind, blob_id
from copilot.checkpoints.project_writer import ChangedMeanwhile, ProjectWriter
from copilot.checkpoints.scan import FOLDER_FLAGS

_NEW, _OLD, _THEIRS = b"undone\n", b"as planned\n", b"theirs\n"
_MOST = 1 << 20
_TOKEN = "0123456789abcdef"


def _file(data: bytes) -> Entry:
    return Entry(Kind.FILE, 0o644, blob_id(data))


@pytest.fixture
def writer(tmp_path: Path) -> ProjectWriter:
    root = os.open(tmp_path, FOLDER_FLAGS)
    return ProjectWriter(root, _TOKEN, lambda _: _NEW, _MOST)


def test_a_file_made_after_the_last_look_is_not_replaced(
    writer: ProjectWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = project_writer._check

    def check_then_made(folder: int, name: str, expected: Entry | None, most: int) -> None:
        check(folder, name, expected, most)
        (tmp_path / "a").write_bytes(_THEIRS)

    monkeypatch.setattr(project_writer, "_check", check_then_made)
    with pytest.raises(ChangedMeanwhile):
        writer.put("a", None, _file(_NEW))
    assert [one.name for one in tmp_path.iterdir()] == ["a"] and (tmp_path / "a").read_bytes() == _THEIRS


@pytest.mark.parametrize("how", ["replaced", "written"])
def test_a_file_saved_while_it_is_read_is_not_replaced(
    writer: ProjectWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    place = tmp_path / "a"
    place.write_bytes(_OLD)
    place.chmod(0o644)
    read = reading.read_file

    def read_then_saved(folder: int, name: str, most: int) -> tuple[bytes, os.stat_result, bool]:
        got = read(folder, name, most)
        saved = tmp_path / "saved" if how == "replaced" else place
        saved.write_bytes(_THEIRS)
        saved.replace(place)
        return got

    monkeypatch.setattr(project_writer, "read_file", read_then_saved)
    for after in (_file(_NEW), None):
        with pytest.raises(ChangedMeanwhile):
            if after is None:
                writer.remove("a", _file(_OLD))
            else:
                writer.put("a", _file(_OLD), after)
        assert [one.name for one in tmp_path.iterdir()] == ["a"] and place.read_bytes() == _THEIRS
        place.write_bytes(_OLD)


def test_a_file_that_has_grown_beyond_all_memory_is_left(writer: ProjectWriter, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(_OLD)
    os.truncate(tmp_path / "a", 1 << 42)
    with pytest.raises(ChangedMeanwhile):
        writer.put("a", _file(_OLD), _file(_NEW))
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("path", ["../a", "b/../../a", ".git/a", "/a"])
def test_nothing_is_written_elsewhere(writer: ProjectWriter, tmp_path: Path, path: str) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    with pytest.raises(OSError, match="outside the project"):
        writer.put(path, None, _file(_NEW))
    with pytest.raises(OSError, match="outside the project"):
        writer.make_folder(path)
    assert not list((tmp_path / ".git").iterdir())


def test_where_a_file_has_one_name_only_it_is_put_back_all_the_same(
    writer: ProjectWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", no_links)
    writer.put("a", None, _file(_NEW))
    assert [one.name for one in tmp_path.iterdir()] == ["a"] and (tmp_path / "a").read_bytes() == _NEW
