"""Folders, assets and commands of trials: nothing gets in or out that should not."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.errors import InputError
from copilot.lab.scenarios.assets import references, with_assets
from copilot.lab.scenarios.command_tool import SCHEMA, CommandTool, ToolOutcome, plain_words
from copilot.lab.supervised_command import MOST_BYTES
from copilot.lab.workspace import MARKER, NoWorkspace, Workspace, safe_name, sweep

ENVIRONMENT = {"PATH": os.environ["PATH"], "SET": "yes"}


@pytest.mark.row("SI-1", "SI-2")
def test_a_thousand_folders_under_one_clock_are_apart(tmp_path: Path) -> None:
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    made = [Workspace.make("demo", "a/b/c", tmp_path, lambda: now) for _ in range(1000)]
    assert len({one.path for one in made}) == 1000
    name = made[0].path.name
    assert name.startswith("demo_a-b-c_20260102T030405_") and len(name.rsplit("_", 1)[1]) == 8


@pytest.mark.row("SI-3")
@pytest.mark.parametrize("name", ["a/b/c", "../../etc", "..", "", "x" * 300, "a b\n\t\x00é", "~/.ssh"])
def test_any_name_stays_one_level_inside(tmp_path: Path, name: str) -> None:
    made = Workspace.make("demo", name, tmp_path)
    assert made.path.parent == tmp_path.resolve()
    assert len(made.path.name) < 120 and made.remove() == ""


@pytest.mark.row("SI-4")
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoWorkspace, match=r"cannot be made: (Not a directory|File exists)"):
        Workspace.make("demo", "x", tmp_path / "file")


@pytest.mark.row("SI-26")
def test_only_our_own_folders_are_removed(tmp_path: Path) -> None:
    root = tmp_path / "trials"
    made = Workspace.make("demo", "x", root)
    outside = tmp_path / "trials-of-mine"
    outside.mkdir()
    (outside / MARKER).write_text("t")
    link = root / "link"
    link.symlink_to(outside)
    unmarked = root / "unmarked"
    unmarked.mkdir()
    for path in (outside, link, unmarked, root, Path("/")):
        assert Workspace(root, path, "t").remove() != ""
    to_ours = root / "to-ours"
    to_ours.symlink_to(made.path)
    assert Workspace(root, to_ours, made.token).remove() != ""
    assert Workspace(root, made.path, "another").remove() == f"its {MARKER} is another one's"
    assert outside.is_dir() and unmarked.is_dir() and made.path.is_dir()
    assert sweep(root) == [] and not made.path.exists() and unmarked.is_dir()


@pytest.mark.row("SI-25", "SI-24")
def test_a_folder_without_permissions_is_removed_and_one_that_cannot_be_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Workspace.make("demo", "x", tmp_path)
    locked = made.project / "locked"
    locked.mkdir()
    (locked / "file").write_text("x")
    locked.chmod(0)
    assert made.remove() == "" and not made.path.exists()
    stuck = Workspace.make("demo", "x", tmp_path)
    monkeypatch.setattr("shutil.rmtree", lambda *args, **more: None)
    with caplog.at_level(logging.WARNING, "copilot.lab"):
        assert stuck.remove() == "some of it cannot be deleted"
    assert "was left: some of it cannot be deleted" in caplog.text


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    folder = tmp_path / "assets-of-it"
    (folder / "one").mkdir(parents=True)
    (folder / "two").mkdir()
    (folder / "tricky.txt").write_text(r"{{path:tricky.txt}} \1 $& [[asset:one/same.txt]] \g<0>")
    (folder / "one" / "same.txt").write_text("first")
    (folder / "two" / "same.txt").write_text("second")
    (folder / "bytes.bin").write_bytes(b"\xff\x00")
    return folder


@pytest.mark.row("SI-5", "SI-7", "SI-14")
def test_paths_lead_to_copies_that_stay_apart(tmp_path: Path, assets: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    task = with_assets("{{path:one/same.txt}} {{path:two/same.txt}} {{path:bytes.bin}}", assets, project)
    first, second, binary = map(Path, task.split(" "))
    assert (first.read_text(), second.read_text(), binary.read_bytes()) == ("first", "second", b"\xff\x00")
    assert all(one.is_relative_to(project / "assets") for one in (first, second, binary))
    first.write_text("changed")
    assert (assets / "one" / "same.txt").read_text() == "first"


@pytest.mark.row("SI-6", "SI-9")
def test_content_is_put_in_everywhere_and_is_data(tmp_path: Path, assets: Path) -> None:
    content = (assets / "tricky.txt").read_text()
    assert (
        with_assets("[[asset:tricky.txt]]-[[asset:tricky.txt]]", assets, tmp_path) == f"{content}-{content}"
    )


@pytest.mark.row("SI-8")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["[[asset:a.txt]]", "{{path:a.txt}}", "text", " ", "[[", "}}", "{{cwd}}"])))
def test_any_mixture_of_references(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "a.txt").write_text("A")
    filled = {"[[asset:a.txt]]": "A", "{{path:a.txt}}": str(folder / "assets" / "a.txt")}
    expected = "|".join(filled.get(part, part) for part in parts)
    assert with_assets("|".join(parts), folder, folder) == expected


@pytest.mark.row("SI-15")
def test_a_task_without_references_makes_no_folder(tmp_path: Path) -> None:
    assert with_assets("just do it {{cwd}}", tmp_path / "none", tmp_path) == "just do it {{cwd}}"
    assert not (tmp_path / "assets").exists()


@pytest.mark.row("SI-12", "SI-13")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gone.txt", "is missing"),
        ("../secret.txt", "leads out"),
        ("/etc/passwd", "leads out"),
        ("link", "leads out"),
        ("bytes.bin", ".* is not UTF-8 text"),
    ],
)
def test_bad_assets_are_named(tmp_path: Path, assets: Path, name: str, why: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (assets / "link").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(InputError, match=f"asset '{name}': {why}"):
        with_assets(f"[[asset:{name}]]", assets, tmp_path / "project")
    assert references(f"[[asset:{name}]] {{{{path:{name}}}}}") == [name]


def inside(folder: Path) -> list[str]:
    """The names in a folder."""
    return [one.name for one in folder.iterdir()]


def tool(folder: Path, *allowed: str, seconds: float = 20.0) -> CommandTool:
    return CommandTool(folder, ENVIRONMENT, allowed, seconds=seconds)


@pytest.mark.row("SI-18")
async def test_bad_input_is_an_outcome(tmp_path: Path) -> None:
    assert SCHEMA["input_schema"]["required"] == ["command"]
    for given_input in ({}, {"command": ""}, {"command": 3}, None, "ls"):
        assert (await tool(tmp_path, "ls").use(given_input)).error == "the tool takes one text: command"


@pytest.mark.row("SI-21")
@pytest.mark.parametrize(
    "command",
    [
        "ls && touch x",
        "ls; touch x",
        "ls | sh",
        "$(touch x)",
        "ls > x",
        "touch x &",
        "find . -delete",
        "rm x",
        "python3 -c 1",
        "A=1 ls",
        "ls $HOME",
        "ls *",
        "`ls`",
        "'ls",
        "",
    ],
)
async def test_what_is_not_one_plain_allowed_command_is_not_run(tmp_path: Path, command: str) -> None:
    outcome = await tool(tmp_path, "ls", "find", "touch").use({"command": command})
    assert not outcome.success and ("was not run" in outcome.error or not command)
    assert inside(tmp_path) == []


@pytest.mark.row("SI-16", "SI-19", "SI-22", "SI-23")
async def test_a_command_runs_in_the_folder_with_its_environment_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-host")
    ran = [await tool(tmp_path, "pwd", "env").use({"command": one}) for one in ("pwd", "env")]
    assert ran[0].output.strip() == str(tmp_path)
    names = {line.split("=")[0] for line in ran[1].output.splitlines()}
    assert {"SET", "PATH", "CODING_CLI_TRIAL"} <= names and "OPENAI_API_KEY" not in names
    failed = await tool(tmp_path, "ls").use({"command": "ls gone"})
    assert not failed.success and failed.logged().startswith("success: false\nerror: ls:")
    assert ToolOutcome(True, "a\n").logged() == "success: true\noutput: a"


@pytest.mark.row("SI-17")
async def test_our_own_program_is_found_from_anywhere(tmp_path: Path) -> None:
    outcome = await tool(tmp_path, "copilot").use({"command": "copilot --version"})
    assert outcome.output.startswith("copilot-terminal "), outcome.error


@pytest.mark.row("SI-20")
async def test_huge_output_is_cut_and_the_process_goes_on(tmp_path: Path) -> None:
    write = (tmp_path / "big.py").write_text
    write("for n in range(20): print('x' * 999_999)\nopen('end', 'w')\n")
    outcome = await tool(tmp_path, "python3").use({"command": "python3 big.py"})
    assert outcome.success and "end" in inside(tmp_path)
    assert MOST_BYTES <= len(outcome.output) < MOST_BYTES + 100
    assert outcome.output.endswith("[cut: 10000000 of 20000000 bytes]")


async def test_a_command_that_hangs_is_ended(tmp_path: Path) -> None:
    outcome = await tool(tmp_path, "sleep", seconds=0.5).use({"command": "sleep 60"})
    assert not outcome.success and "took more than 0.5 s" in outcome.error


def test_plain_words() -> None:
    assert plain_words("grep 'a b' \"c\"") == (["grep", "a b", "c"], "")
    assert safe_name("..") == "unnamed"
