"""Going back: what comes back, what of the person's is merged, what is refused, and what is said of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from copilot.checkpoints.checkpoint import Budget
from copilot.checkpoints.entries import Entry, Kind
from copilot.checkpoints.kept_versions import KeptVersions
from copilot.checkpoints.store import Author, CheckpointError, CheckpointStore, Moment
from copilot.checkpoints.undo import FileUndo, UndoPlan, UndoResult, apply_undo, plan_undo
from tests.checkpoints.conftest import Kept
from tests.checkpoints.projects import ODD_NAMES, things

LINES = "".join(f"line {number}\n" for number in range(12))


def undo(kept: Kept, target: int = 0) -> tuple[UndoPlan, UndoResult]:
    plan = plan_undo(kept.store, kept.store.checkpoints()[target])
    return plan, apply_undo(kept.store, plan)


def actions(plan: UndoPlan) -> dict[str, str]:
    return {one.path: one.action for one in plan.files}


def test_what_the_program_did_is_undone(kept: Kept) -> None:
    kept.file("gone/deep/file", "1\n").chmod(0o4755)
    kept.file("changed", LINES)
    (kept.project / "link").symlink_to("changed")
    (kept.project / "empty").mkdir(mode=0o750)
    kept.start()
    before = things(kept.project)
    (kept.project / "gone/deep/file").unlink()
    (kept.project / "gone/deep").rmdir()
    (kept.project / "gone").rmdir()
    (kept.project / "empty").rmdir()
    (kept.project / "link").unlink()
    kept.file("link/inside", "2\n")
    kept.file("changed", LINES.replace("line 3", "line three"))
    kept.file("made/new", "3\n")
    kept.program()
    plan, result = undo(kept)
    assert plan.files == (
        FileUndo("changed", "restore", added=1, removed=1),
        FileUndo("empty/", "restore"),
        FileUndo("gone/deep/file", "restore", added=1),
        FileUndo("link", "restore", added=1),
        FileUndo("link/inside", "remove", removed=1),
        FileUndo("made/new", "remove", removed=1),
    )
    assert things(kept.project) == before
    assert result.restored == ("changed", "empty/", "gone/", "gone/deep/", "gone/deep/file", "link")
    assert result.removed == ("link/inside", "made/", "made/new") and not result.refused
    assert result.checkpoint.author is Author.UNDO and result.checkpoint.moment.what == "undo"


def test_the_plan_changes_nothing(kept: Kept) -> None:
    kept.file("file", "1\n")
    kept.start()
    kept.file("file", "2\n")
    kept.file("new", "3\n")
    kept.program()
    before = things(kept.project)
    plan_undo(kept.store, kept.store.checkpoints()[0])
    assert things(kept.project) == before


def test_an_undo_is_undone_to_the_byte(kept: Kept) -> None:
    kept.file("file", LINES)
    kept.start()
    kept.file("file", LINES.replace("line 1\n", ""))
    kept.file("new", "1\n")
    kept.program()
    kept.file("mine", "2\n")
    kept.person()
    before = things(kept.project)
    plan, _ = undo(kept)
    assert things(kept.project) != before
    _, result = undo(kept, plan.before.number)
    assert things(kept.project) == before and not result.refused


def test_the_persons_lines_stay_in_a_file_that_is_undone(kept: Kept) -> None:
    kept.file("file", LINES)
    kept.start()
    kept.file("file", LINES.replace("line 2", "line two"))
    kept.program()
    kept.file("file", LINES.replace("line 2", "line two").replace("line 9", "my nine"))
    kept.file("mine", "1\n")
    kept.person()
    plan, result = undo(kept)
    assert actions(plan) == {"file": "merge", "mine": "keep"}
    assert plan.files[1].why == "you changed it since"
    assert (kept.project / "file").read_text() == LINES.replace("line 9", "my nine")
    assert result.merged == ("file",) and (kept.project / "mine").read_text() == "1\n"
    assert actions(undo(kept)[0]) == {"file": "keep", "mine": "keep"}


def write(path: str, text: str) -> Callable[[Path], object]:
    return lambda project: (project / path).write_text(text)


def write_bytes(path: str, data: bytes) -> Callable[[Path], object]:
    return lambda project: (project / path).write_bytes(data)


def remove(path: str) -> Callable[[Path], object]:
    return lambda project: (project / path).unlink()


def set_mode(path: str, mode: int) -> Callable[[Path], object]:
    return lambda project: (project / path).chmod(mode)


def to_link(path: str) -> Callable[[Path], object]:
    def change(project: Path) -> None:
        (project / path).unlink()
        (project / path).symlink_to("elsewhere")

    return change


REFUSED = {
    "the same lines": (write("file", LINES + "a\n"), write("file", LINES + "b\n"), "same lines", LINES),
    "made by the program": (write("new", "1\n"), write("new", "2\n"), "was not there before", None),
    "removed by the person": (write("file", "1\n"), remove("file"), "you removed it", LINES),
    "binary": (write_bytes("data", b"\0\1"), write_bytes("data", b"\0\2"), "binary", "\0"),
    "a link since": (write("file", LINES + "a\n"), to_link("file"), "what it is was changed", LINES),
    "made again": (remove("file"), write("file", "2\n"), "another was there before", LINES),
    "modes": (set_mode("file", 0o600), set_mode("file", 0o640), "you changed its mode", LINES),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_merged_stays_and_the_other_version_is_kept(kept: Kept, case: str) -> None:
    program, person, why, version = REFUSED[case]
    kept.file("file", LINES).chmod(0o644)
    kept.file("data", "\0")
    kept.start()
    program(kept.project)
    kept.file("other", "1\n")
    kept.program()
    person(kept.project)
    kept.person()
    before = things(kept.project)
    plan, result = undo(kept)
    ((path, said, place),) = result.refused
    assert why in said and actions(plan) == {path: "refuse", "other": "remove"}
    assert things(kept.project) == {path: thing for path, thing in before.items() if path != "other"}
    assert (Path(place).read_text() if place else None) == version


def test_equal_changes_of_both_are_no_conflict(kept: Kept) -> None:
    kept.file("file", LINES)
    kept.start()
    kept.file("file", "other\n")
    kept.file("new", "1\n")
    kept.program()
    kept.file("file", LINES)
    (kept.project / "new").unlink()
    kept.person()
    plan, result = undo(kept)
    assert plan.files == () and not result.refused


def test_the_persons_file_in_a_folder_of_the_programs_keeps_it(kept: Kept) -> None:
    kept.start()
    kept.file("made/by/program", "1\n")
    kept.program()
    kept.file("made/by/mine", "2\n")
    kept.person()
    _, result = undo(kept)
    assert sorted(things(kept.project)) == ["made", "made/by", "made/by/mine"] and not result.refused


def test_a_folder_with_the_persons_file_is_not_replaced(kept: Kept) -> None:
    kept.file("thing", "1\n")
    kept.start()
    (kept.project / "thing").unlink()
    kept.file("thing/theirs", "2\n")
    kept.program()
    kept.file("thing/mine", "3\n")
    kept.person()
    plan, result = undo(kept)
    assert actions(plan) == {"thing/": "refuse", "thing/mine": "keep", "thing/theirs": "remove"}
    ((path, _, place),) = result.refused
    assert path == "thing/" and Path(place).read_text() == "1\n"
    assert sorted(things(kept.project)) == ["thing", "thing/mine"]


def test_files_that_cannot_come_back_below_a_file_are_kept_aside(kept: Kept) -> None:
    kept.file("thing/one", "1\n")
    kept.start()
    (kept.project / "thing/one").unlink()
    (kept.project / "thing").rmdir()
    kept.file("thing", "2\n")
    kept.program()
    kept.file("thing", "mine\n")
    kept.person()
    _, result = undo(kept)
    assert (kept.project / "thing").read_text() == "mine\n"
    assert {path: place and Path(place).read_text() for path, _, place in result.refused} == {
        "thing": "",
        "thing/one": "1\n",
    }


def test_a_file_that_changed_after_the_plan_is_refused(kept: Kept) -> None:
    kept.file("one", "1\n")
    kept.file("two", "1\n")
    kept.start()
    kept.file("one", "2\n")
    kept.file("two", "2\n")
    kept.program()
    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    kept.file("one", "3\n")
    kept.file("unplanned", "3\n")
    result = apply_undo(kept.store, plan)
    ((path, why, place),) = result.refused
    assert (path, why) == ("one", "it changed after the plan was made")
    assert Path(place).read_text() == "1\n" and (kept.project / "one").read_text() == "3\n"
    assert (kept.project / "two").read_text() == "1\n" and (kept.project / "unplanned").exists()
    assert [one.author for one in kept.store.checkpoints()[-2:]] == [Author.PERSON, Author.UNDO]


def test_after_a_reply_the_program_was_at_work(kept: Kept) -> None:
    kept.file("file", "1\n")
    kept.start()
    kept.person()
    kept.file("file", "2\n")
    plan, _ = undo(kept)
    assert plan.before.author is Author.PROGRAM and (kept.project / "file").read_text() == "1\n"
    kept.program()
    kept.file("file", "3\n")
    plan, _ = undo(kept)
    assert plan.before.author is Author.PERSON and (kept.project / "file").read_text() == "3\n"


def test_what_the_person_did_after_an_undo_that_was_killed_late_is_theirs(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.file("file", "1\n")
    kept.start()
    kept.file("file", "2\n")
    kept.program()
    with monkeypatch.context() as patch:
        patch.setattr("copilot.checkpoints.store.remove_journal", lambda folder: None)
        undo(kept)
    kept.file("file", "3\n")
    (kept.project / "file.new").write_text("4\n")
    last = kept.program()
    assert [(one.author, one.changes.created) for one in kept.store.checkpoints()[-2:]] == [
        (Author.PERSON, ("file.new",)),
        (Author.PROGRAM, ()),
    ]
    assert kept.store.checkpoints()[-3].author is Author.UNDO and last.number == 5


def test_what_the_person_did_while_it_was_undone_is_theirs(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        kept.file(name, "1\n")
    kept.start()
    for name in ("a", "b"):
        kept.file(name, "2\n")
    kept.program()
    replace = os.replace

    def with_a_person(source: str, target: str, **named: int) -> None:
        replace(source, target, **named)
        if target == "b":
            kept.file("a", "mine\n")
            kept.file("c", "mine\n")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", with_a_person)
        _, result = undo(kept)
    last = kept.store.checkpoints()[-1]
    assert last.author is Author.PERSON
    assert (last.changes.created, last.changes.changed) == (("c",), ("a",))
    assert result.checkpoint.changes.changed == ("b",)
    undo(kept)
    assert {path: thing.data for path, thing in things(kept.project).items()} == {
        "a": b"mine\n",
        "b": b"1\n",
        "c": b"mine\n",
    }


def test_a_file_that_changes_right_before_its_turn_is_refused(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.file("changed", "1\n")
    kept.start()
    kept.file("changed", "2\n")
    kept.file("made", "1\n")
    kept.file("made.first", "1\n")
    kept.program()
    fsync, unlink = os.fsync, os.unlink

    def change_too(descriptor: int) -> None:
        fsync(descriptor)
        kept.file("changed", "mine\n")

    def make_too(path: str, **named: int) -> None:
        unlink(path, **named)
        if path == "made.first":
            kept.file("made", "mine\n")

    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", make_too)
        patch.setattr(os, "fsync", change_too)
        result = apply_undo(kept.store, plan)
    assert [(path, why) for path, why, _ in result.refused] == [
        ("changed", "it changed while it was undone"),
        ("made", "it changed while it was undone"),
    ]
    assert {path: thing.data for path, thing in things(kept.project).items()} == {
        "changed": b"mine\n",
        "made": b"mine\n",
    }
    assert result.removed == ("made.first",)


def test_hard_links_come_back_as_one_file(kept: Kept) -> None:
    kept.file("a", "1\n")
    (kept.project / "b").hardlink_to(kept.project / "a")
    (kept.project / "c").hardlink_to(kept.project / "a")
    kept.start()
    before = things(kept.project)
    (kept.project / "a").unlink()
    kept.file("c.new", "2\n").replace(kept.project / "c")
    kept.program()
    undo(kept)
    assert things(kept.project) == before and before["a"].same == ("a", "b", "c")


def test_a_refused_file_is_not_one_with_those_that_are_restored(kept: Kept) -> None:
    for name in ("b", "c"):
        kept.file("a", "1\n")
        (kept.project / name).hardlink_to(kept.project / "a")
    kept.start()
    kept.file("a", "2\n")
    kept.program()
    kept.file("c.new", "mine\n").replace(kept.project / "c")
    kept.person()
    (kept.project / "c").unlink()
    (kept.project / "c").hardlink_to(kept.project / "a")
    kept.program()
    _, result = undo(kept)
    assert [path for path, _, _ in result.refused] == ["c"]
    found = things(kept.project)
    assert {path: thing.data for path, thing in found.items()} == {"a": b"1\n", "b": b"1\n", "c": b"2\n"}
    assert found["b"].same == ("a", "b")


def test_a_folder_that_forbids_changes_is_opened_and_shut_again(kept: Kept) -> None:
    kept.file("shut/file", "1\n")
    (kept.project / "shut").chmod(0o555)
    kept.start()
    kept.file("shut/file", "2\n")
    kept.program()
    undo(kept)
    assert (kept.project / "shut/file").read_text() == "1\n"
    assert things(kept.project)["shut"].mode == 0o555


def test_what_is_not_covered_stays_and_is_named(kept: Kept) -> None:
    store = CheckpointStore.make(kept.run, kept.project, Budget(file_bytes=9))
    kept.file("grew", "small\n")
    kept.file("stays", "0123456789")
    target = store.take(Author.START, Moment("start", 0.0))
    kept.file("grew", "0123456789")
    kept.file("stays", "9876543210")
    kept.file("made", "0123456789")
    kept.file("cloned/.git/config")
    store.take(Author.PROGRAM, Moment("turn", 0.0))
    plan = plan_undo(store, target)
    assert {one.path: (one.action, one.why) for one in plan.files} == {
        "cloned": ("keep", "is not covered: a git repository of its own"),
        "grew": ("refuse", "is not covered now: larger than 9 bytes"),
        "made": ("keep", "is not covered: larger than 9 bytes"),
    }
    before = things(kept.project)
    result = apply_undo(store, plan)
    assert things(kept.project) == before and Path(result.refused[0][2]).read_text() == "small\n"
    store.close()


def test_diffs_say_lines_modes_and_binary_files(kept: Kept) -> None:
    kept.file("text", LINES)
    kept.file(".gitattributes", "* binary\n")
    kept.file("data").write_bytes(b"\0\1")
    kept.file("script", "1\n").chmod(0o644)
    kept.start()
    kept.file("text", LINES.replace("line 0", "zero"))
    kept.file("data").write_bytes(b"\0\2")
    (kept.project / "script").chmod(0o755)
    kept.file(".gitattributes", "* text\n")
    kept.program()
    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    assert plan.diff("text").splitlines()[:5] == [
        "--- text",
        "+++ text",
        "@@ -1,4 +1,4 @@",
        "-zero",
        "+line 0",
    ]
    assert plan.diff("data") == "--- data\n+++ data\nbinary: no lines to show\n"
    assert plan.diff("script") == "--- script\n+++ script\nmode 0755 to 0644\n"
    assert "+* binary" in plan.diff(".gitattributes") and plan.diff("unknown") == ""
    assert {one.path: (one.added, one.removed) for one in plan.files}["text"] == (1, 1)


def test_a_diff_is_of_one_path_alone(kept: Kept) -> None:
    kept.file("first", "1\n")
    kept.file("second/in", "2\n")
    for name in ODD_NAMES:
        kept.file(name, "1\n")
    kept.start()
    (kept.project / "first").unlink()
    kept.file("first/in", "3\n")
    kept.file("first/other", "4\n")
    (kept.project / "second/in").unlink()
    (kept.project / "second").rmdir()
    kept.file("second", "5\n")
    for name in ODD_NAMES:
        kept.file(name, "2\n")
    kept.program()
    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    assert plan.diff("first").splitlines()[2:] == ["@@ -0,0 +1 @@", "+1"]
    assert plan.diff("second").splitlines()[2:] == ["@@ -1 +0,0 @@", "-5"]
    assert plan.diff("first/in").splitlines()[2:] == ["@@ -1 +0,0 @@", "-3"]
    assert plan.diff("second/in").splitlines()[2:] == ["@@ -0,0 +1 @@", "+2"]
    for name in ODD_NAMES:
        assert plan.diff(name).splitlines()[-3:] == ["@@ -1 +1 @@", "-2", "+1"], name


def test_the_persons_version_is_kept_if_the_program_moved_it_away(kept: Kept) -> None:
    kept.start()
    kept.file("made", "1\n")
    kept.program()
    kept.file("made", "mine\n")
    kept.person()
    (kept.project / "made").rename(kept.project / "moved")
    kept.program()
    _, result = undo(kept)
    ((path, _, place),) = result.refused
    assert path == "made" and Path(place).name == "made.yours" and Path(place).read_text() == "mine\n"
    assert things(kept.project) == {}


def test_versions_that_are_in_each_others_way_are_both_kept(tmp_path: Path) -> None:
    versions = KeptVersions(tmp_path, 7, lambda blob: blob.encode())
    entries = {"a": Entry(Kind.FILE, 0o644, "1"), "a/b": Entry(Kind.LINK, 0, "2"), "c": None}
    places = {path: versions.keep(path, entry) for path, entry in entries.items()}
    assert places == {"a": f"{tmp_path}/undo/007/a", "a/b": f"{tmp_path}/undo/007/version-2", "c": ""}
    assert Path(places["a/b"]).read_text() == "2" and not Path(places["a/b"]).is_symlink()


def test_a_checkpoint_of_another_run_is_refused(kept: Kept, tmp_path: Path) -> None:
    kept.start()
    other = tmp_path / "other"
    other.mkdir()
    store = CheckpointStore.make(other, tmp_path)
    target = store.take(Author.START, Moment("start", 0.0))
    with pytest.raises(CheckpointError, match="none of this run"):
        plan_undo(kept.store, target)
    store.close()


def test_a_path_that_cannot_be_changed_is_refused_and_the_rest_is_done(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.file("one", "1\n")
    kept.file("two", "1\n")
    kept.start()
    kept.file("one", "2\n")
    kept.file("two", "2\n")
    kept.program()
    replace = os.replace

    def fails(source: str, target: str, **named: int) -> None:
        if target == "one":
            raise OSError(28, "No space left on device")
        replace(source, target, **named)

    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    monkeypatch.setattr(os, "replace", fails)
    result = apply_undo(kept.store, plan)
    assert [(path, why) for path, why, _ in result.refused] == [("one", "No space left on device")]
    assert sorted(things(kept.project)) == ["one", "two"]
    assert (kept.project / "one").read_text() == "2\n" and (kept.project / "two").read_text() == "1\n"
    assert result.restored == ("two",) and result.checkpoint.changes.changed == ("two",)


def test_the_later_of_two_undos_finds_it_done(kept: Kept) -> None:
    kept.file("a", "start")
    kept.start()
    kept.file("a", "program")
    kept.file("b", "program")
    kept.program()
    other = CheckpointStore.open(kept.run)
    plans = [plan_undo(store, store.checkpoints()[0]) for store in (kept.store, other)]
    results = [apply_undo(plan.store, plan) for plan in plans]
    other.close()
    assert [(one.restored, one.removed) for one in results] == [(("a",), ("b",)), ((), ())]
    assert not any(one.refused for one in results)
