"""Files that others wrote are read in one way, and nowhere else: what waits, fills memory or is half is refused."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import copilot
from copilot import cli
from copilot.documents import DEEPEST, parse_json, parse_toml
from copilot.errors import InputError
from copilot.plain_files import (
    MissingFile,
    NotRead,
    open_plain,
    read_plain,
    read_start,
    read_text,
    secrets_in,
)
from copilot.private_files import open_private
from copilot.strict_yaml import parse_yaml
from copilot.tui.preferences import Preferences, load

ROOT = Path(copilot.__file__).parent
KERNEL = "the kernel's own files below /proc"
OURS = "a file of this package"
WRITES = "writes a file that it makes anew"
NO_FILE = "no file is opened"
MADE = "what the demo or the trial itself has just made"
ANSWER = "an answer of a program or a model, which is bounded where it is received"
HOMES = {
    "plain_files.py": "",
    "documents.py": "",
    "strict_yaml.py": "",
    "private_files.py": "what is written",
    "checkpoints/project_writer.py": "below a folder that is open, follows no link, waits for nothing",
    "checkpoints/kept_versions.py": "below a folder that is open, follows no link, waits for nothing",
    "checkpoints/reading.py": "below a folder that is open, follows no link, waits for nothing",
    "checkpoints/records.py": "records of an undo: with one name only, follows no link, waits for nothing",
    "checkpoints/scan.py": "folders below a folder that is open",
    "checkpoints/store.py": "the project's folder, which is no file",
}
"""Modules that read in their own way, and why they may."""
EXCEPT = {
    ("redaction/phrases.py", ".read_text"): OURS,
    ("demo/agent.py", "json.loads"): ANSWER,
    ("demo/agent_extras.py", ".read_text"): MADE,
    ("demo/agent_extras.py", "json.loads"): MADE,
    ("demo/agent_extras.py", "runpy.run_path"): MADE,
    ("demo/mcp_client.py", "json.loads"): ANSWER,
    ("lab/mock_cli.py", ".open"): WRITES,
    ("lab/mock_cli.py", ".read_text"): MADE,
    ("lab/mock_cli.py", "json.loads"): MADE,
    ("demo/agent_tools.py", ".read_text"): MADE,
    ("demo/project.py", ".read_text"): MADE,
    ("demo/project.py", "json.loads"): MADE,
    ("demo/stage.py", ".open"): WRITES,
    ("demo/story.py", ".open"): WRITES,
    ("envelope/envelope.py", ".read_text"): OURS,
    ("envelope/envelope.py", "json.loads"): "what our own launcher says, bounded where it is received",
    ("envelope/inside.py", "json.loads"): "an argument of our own",
    ("envelope/launcher.py", "json.loads"): "what copilot hands it, bounded where it is read",
    ("envelope/launcher.py", "open"): "a pipe of our own",
    ("envelope/plan.py", ".read_text"): KERNEL,
    ("guard/edit_rules.py", ".read_text"): OURS,
    ("guard/edit_rules.py", "tomllib.loads"): OURS,
    ("guard/families.py", ".read_text"): OURS,
    ("guard/families.py", "tomllib.loads"): OURS,
    ("guard/question_risk.py", "json.loads"): "what a screen shows",
    ("guard/rule_files.py", ".read_text"): OURS,
    ("guard/shfmt_check.py", "json.loads"): ANSWER,
    ("lab/harness.py", ".read_text"): MADE,
    ("lab/harness.py", "json.loads"): MADE,
    ("lab/install_check.py", "json.loads"): ANSWER,
    ("lab/install_probe.py", ".read_text"): OURS,
    ("lab/model_server/command.py", ".open"): WRITES,
    ("lab/model_server/playbook_file.py", "runpy.run_path"): "the user's own program, run once it is plain",
    ("lab/scenarios/command.py", "json.loads"): "the report that was just written",
    ("lab/supervised_command.py", "os.open"): "the null device",
    ("prompting/answer.py", "json.loads"): ANSWER,
    ("proposals/schemas.py", ".read_text"): OURS,
    ("proposals/schemas.py", "json.loads"): OURS,
    ("pty/event_loops.py", "open"): KERNEL,
    ("pty/kernel_facts.py", "open"): KERNEL,
    ("pty/terminal_keeper.py", "json.loads"): "an argument of our own",
    ("recording/asciicast_writer.py", ".open"): WRITES,
    ("recording/cast_file.py", "open"): "of a descriptor that `open_plain` gave",
    ("recording/report.py", ".read_text"): OURS,
    ("recording/transcript_reader.py", ".open"): "mends what was just read, with the lock of the run held",
    ("redaction/rules.py", ".read_text"): OURS,
    ("redaction/rules.py", "tomllib.loads"): OURS,
    ("replay/undoing.py", ".open"): NO_FILE,
    ("screen/parser.py", ".open"): NO_FILE,
    ("session/child.py", "open"): KERNEL,
    ("session/undo_command.py", ".open"): NO_FILE,
    ("session/undone.py", ".open"): NO_FILE,
    ("supervision/process_tree.py", "open"): KERNEL,
    ("supervision/supervisor.py", "os.open"): "the null device",
    ("timebox/box.py", "os.open"): "the null device",
    ("timebox/counts.py", "ElementTree.iterparse"): "of bytes that are read plainly; expat bounds entities",
    ("timebox/testing.py", "os.open"): "below a folder that is open, follows no link, waits for nothing",
    ("tui/run.py", "os.open"): "the null device",
    ("tui/screens/reply_actions.py", ".open"): NO_FILE,
}
"""Calls elsewhere, and why they may."""


def _calls(tree: ast.AST) -> Iterator[str]:
    """The calls that open or parse: `open`, `os.open`, `.read_text`, `json.loads`, …"""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in ("open", "YAML"):
            yield node.func.id
        if isinstance(node.func, ast.Attribute):
            base = ast.unparse(node.func.value)
            name = node.func.attr
            if base in ("json", "tomllib", "mmap", "runpy", "ElementTree") and name in (
                *("load", "loads", "mmap", "run_path", "parse", "iterparse", "fromstring"),
            ):
                yield f"{base}.{name}"
            elif name in ("read_text", "read_bytes", "open"):
                yield f"os.{name}" if base == "os" else f".{name}"


def test_nobody_else_opens_or_parses_a_file() -> None:
    found = {
        (str(path.relative_to(ROOT)), call)
        for path in ROOT.rglob("*.py")
        for call in _calls(ast.parse(path.read_text("utf-8")))
        if str(path.relative_to(ROOT)) not in HOMES
    }
    strange = found - EXCEPT.keys()
    assert not strange, (
        f"read by copilot.plain_files and copilot.documents, or say why not: {sorted(strange)}"
    )
    assert not EXCEPT.keys() - found, "exceptions that nobody needs any more"


def test_a_file_that_is_swapped_for_a_pipe_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "a", os.open
    path.write_text("x")

    def swapped(name: str, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(name, flags)

    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(NotRead, match="named pipe"):
        open_plain(path)


def test_a_link_is_followed_only_where_that_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "b").symlink_to("a")
    assert read_plain(tmp_path / "b", 9) == b"x"
    with pytest.raises(NotRead, match="link"):
        read_plain(tmp_path / "b", 9, follow=False)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no such file system")
def test_a_file_that_lies_about_its_size_is_cut_off() -> None:
    assert Path("/proc/self/maps").stat().st_size == 0
    with pytest.raises(NotRead, match="larger than"):
        read_plain("/proc/self/maps", 10)
    assert len(read_start("/proc/self/maps", 10)) == 10


def test_what_is_just_being_written_is_read_once_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real, writes = tmp_path / "a", os.read, iter(range(100))
    path.write_text("x")

    def beside(most: int) -> None:
        def read(descriptor: int, size: int) -> bytes:
            data = real(descriptor, size)
            if (number := next(writes)) < most:
                os.utime(path, ns=(number, number))
            return data

        monkeypatch.setattr(os, "read", read)

    beside(1)
    assert read_text(path, 99) == "x"
    beside(90)
    with pytest.raises(InputError, match="changes while it is read; try again"):
        read_text(path, 999)
    assert read_plain(path, 999) == b"x", "a record that somebody goes on writing is read as far as it is"


def test_a_text_may_have_a_mark_and_any_newline(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\ufeffa\r\nä\rb\n".encode())
    assert read_text(tmp_path / "a", 99) == "a\nä\nb\n"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a\nb\xff", "line 2: is not UTF-8 text; save it as UTF-8"),
        (b"a\n\nb\0", "line 3: holds a NUL character; take it out"),
        (b"a" * 2000, "cannot be read: it is larger than 1 KiB; shorten it"),
    ],
)
def test_a_wrong_text_is_told_with_its_line_and_the_fix(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(InputError, match=f"^{re.escape(str(tmp_path / 'a'))}.*{re.escape(says)}$"):
        read_text(tmp_path / "a", 1024)


def test_odd_names_are_told(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match="no such file"):
        read_text(tmp_path / "a", 9)
    with pytest.raises(InputError, match="cannot be read: file name too long"):
        read_text(tmp_path / ("a" * 300), 9)
    with pytest.raises(InputError, match="its name holds a NUL character"):
        read_text(f"{tmp_path}/a\0b", 9)


def test_what_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, **options: bool) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refused)
    with pytest.raises(InputError, match="cannot be read: permission denied; make it readable"):
        read_text(tmp_path, 9)
    assert secrets_in(tmp_path) == "", "no program of the user's can show them"


def test_secrets_that_would_stay_unknown_are_an_error(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert secrets_in(tmp_path / ".env") == "", "a virtual environment"
    (tmp_path / ".envrc").symlink_to("/dev/zero")
    with pytest.raises(
        InputError, match="device; put a plain file there, since its secrets would not be known"
    ):
        secrets_in(tmp_path / ".envrc")


def test_sizes_of_the_cockpit_that_cannot_be_read_are_the_usual_ones(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cockpit.json")
    assert load(tmp_path / "cockpit.json") == Preferences()


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "verdicts.jsonl")
    with pytest.raises(OSError, match="No such device"):
        open_private(tmp_path / "verdicts.jsonl", os.O_WRONLY | os.O_APPEND)


def test_a_name_with_control_characters_is_one_plain_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a\x1b]0;x\x07\nb\u202e\udcff"
    path.write_text("steps: [")
    for argv in (["plan", "check", str(path)], ["detect", str(path)], ["report", str(path)]):
        assert cli.main(argv) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and said[:-1].isprintable(), said


def test_an_error_is_no_longer_than_a_person_reads(capsys: pytest.CaptureFixture[str]) -> None:
    cli.report_error("a" * 100_000, 2)
    assert len(capsys.readouterr().err) < 3000


@pytest.mark.parametrize("deep", [DEEPEST - 2, DEEPEST + 2, 100_000])
def test_depth_has_one_limit(deep: int) -> None:
    texts = {
        "toml": f"a = {'[' * deep}{']' * deep}",
        "json": "[" * deep + "]" * deep,
        "yaml": "[" * deep + "]" * deep,
    }
    parsers: dict[str, Callable[[str], Any]] = {
        "toml": lambda text: parse_toml(text, "f"),
        "json": parse_json,
        "yaml": lambda text: parse_yaml(text, Path("f")),
    }
    for form, text in texts.items():
        if deep < DEEPEST:
            parsers[form](text)
            continue
        with pytest.raises((InputError, ValueError), match="is nested deeper than 60 levels"):
            parsers[form](text)


def test_a_key_of_usual_length_and_a_text_with_dots_are_fine() -> None:
    dots = "a." * 40 + "a"
    assert parse_toml(f'{dots} = 1\nb = "{"x. y, " * 80}"\nc = "{"." * 100}"', "f")["b"]
    with pytest.raises(InputError, match="f, line 2: a key of more than 60 parts; use tables"):
        parse_toml(f"b = 1\n{dots}.{dots} = 1", "f")


def test_numbers_that_cannot_be_shown_are_refused() -> None:
    assert parse_json("\ufeff[1" + "0" * 4000 + "]") and parse_json("\ufeff[1]".encode()) == [1]
    for text in ("9" * 5000, "0x" + "f" * 5000):
        with pytest.raises(InputError, match="too many digits"):
            parse_toml(f"a = {text}", "f")
        with pytest.raises(InputError, match="f: "):
            parse_yaml(f"a: {text}", Path("f"))
    with pytest.raises(ValueError, match="too many digits"):
        parse_json("9" * 5000)


_LONG = "a" * 300
_SESSION = ("--headless", "--dry-run")


@pytest.mark.parametrize(
    "argv",
    [
        *(("plan", "check"), ("detect",), ("report",), ("replay",), ("undo",), ("profiles", "learn")),
        *(
            ("profiles", "check"),
            ("profiles", "show"),
            ("eval",),
            ("eval", "--compare", "x"),
            ("runs", "--in"),
        ),
        *(
            ("model-server", "--playbook"),
            ("explain", "--at", "1"),
            (*_SESSION, "--plan"),
            (*_SESSION, "--profile"),
        ),
        *((*_SESSION, "--detectors"), (*_SESSION, "--resume"), (*_SESSION, "--cwd"), (*_SESSION, "--")),
        (*_SESSION, "--provider", "playbook", "--playbook"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", [_LONG, f"./{_LONG}/x.yaml"], ids=["name", "path"])
def test_a_name_that_no_file_can_have_is_told(
    argv: tuple[str, ...], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    child = [] if "--" in argv or argv[0] != "--headless" else ["--", "/bin/true"]
    assert cli.main([*argv, name, *child]) == 2
    said = capsys.readouterr().err
    assert said.startswith("copilot: error: ") and said.count("\n") == 1 and "fault in copilot" not in said


@pytest.mark.parametrize("key", ["plan", "playbook", "detectors", "profile", "prompt"])
def test_a_name_with_nul_in_the_settings_is_told(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "copilot").mkdir()
    (tmp_path / "copilot" / "config.toml").write_text(f'{key} = "./a\\u0000b.toml"\n')
    assert cli.main([*_SESSION, "--", "/bin/true"]) == 2
    assert "fault in copilot" not in capsys.readouterr().err
