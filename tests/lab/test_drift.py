"""A walk through a CLI: what is as measured is not told, what changed is, and the screens hold no secret."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

import pytest

from copilot import cli
from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, Option, Subject
from copilot.core.events import ScreenSettled
from copilot.core.profile import Profile, ReplyKeys
from copilot.core.screen_kinds import ScreenKind
from copilot.lab.clis import RECIPES, WALKS
from copilot.lab.clis.base import Choose, Expected, Leave, Recipe, Refuse, Station, Walk
from copilot.lab.model_server import playbook
from copilot.lab.profiles import stations
from copilot.lab.profiles.comparison import compare
from copilot.lab.profiles.drift import RECORDING, RESULT, save
from copilot.lab.profiles.terminal import CliTerminal
from copilot.lab.profiles.walker import WalkResult, walk_cli
from copilot.recording.asciicast import read_cast
from copilot.redaction.redact import Redactor
from copilot.replay.detect import screen_at

SMALL = Path(__file__).with_name("small_cli.py")
PROFILE = """
name = "small"
[launch]
names = ["small-cli"]
verified_versions = ["1.0"]
version_arguments = ["-c", "import os; print('small', os.environ.get('SMALL_VERSION', '1.1'))"]
leave = "/exit"
[reply_keys]
refuse = { permission = ["3"] }
widening_options = ["(?i)for this session"]
[screen.composer]
prompt = "^=>( |$)"
[[screen.rules]]
id = "small.permission"
kind = "permission"
region = "dialog"
options = "numbered"
option_keys = "digit"
all = [{ pattern = "Run this command" }, { form = "numbered" }]
subjects = [{ action = "shell", start = "^  \\\\$ (.+)$", single_row = true }]
[[screen.rules]]
id = "small.idle"
kind = "idle"
region = "composer"
all = [{ cursor = "end" }]
"""
PERMISSION = Expected(
    "permission",
    options=("Yes", "Always for this session", "No"),
    subject="shell: make clean",
    widening=("Always for *",),
)
WALK = Walk(
    playbook(),
    (
        Station("command", PERMISSION, (Choose("Yes"),)),
        Station("ready", Expected("idle", question=False), (Leave(),)),
        Station("exit", Expected("exited", question=False)),
    ),
)
REFUSED = replace(WALK, stations=(replace(WALK.stations[0], answers=(Refuse(),)), *WALK.stations[1:]))


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    path = tmp_path / "small.toml"
    path.write_text(PROFILE, "utf-8")
    return load_profile(str(path))


def recipe(*arguments: str) -> Callable[..., Recipe]:
    def make(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
        environment = {"PATH": str(programs), "HOME": str(folder), "TERM": "xterm-256color"}
        arguments_of = (str(SMALL), *arguments)
        complaints = (r"Failed to load extension[^\n]*",)
        return Recipe(sys.executable, folder, project, environment, arguments_of, complaints=complaints)

    return make


def walked(profile: Profile, *arguments: str, walk: Walk = WALK) -> WalkResult:
    return walk_cli(profile, Path(sys.executable), recipe(*arguments), walk, columns=80, lines=24)


def test_a_cli_that_is_as_it_was_has_no_differences(profile: Profile) -> None:
    seen = walked(profile)
    assert [visit.detection.kind.value for visit in seen.visits if visit.detection] == [
        "permission",
        "idle",
        "exited",
    ]
    assert (seen.differences, seen.failure, seen.not_reached) == ((), "", ())


def test_an_option_is_chosen_by_its_label_wherever_it_is(profile: Profile) -> None:
    seen = walked(profile, "--reordered", "--chosen=Yes")
    assert [(one.station, one.aspect) for one in seen.differences] == [("command", "options")]


def test_an_option_that_is_not_there_ends_the_walk(profile: Profile) -> None:
    first = replace(WALK.stations[0], answers=(Choose("Yes, once|Yes, go on"),))
    seen = walked(profile, walk=replace(WALK, stations=(first, *WALK.stations[1:])))
    assert [(one.station, one.aspect) for one in seen.differences] == [("command", "answer")]
    assert seen.not_reached == ("ready", "exit")


def test_another_version_may_draw_it_otherwise(profile: Profile) -> None:
    also = (replace(PERMISSION, options=("Yes", "From now on, yes", "No"), widening=()),)
    first = replace(WALK.stations[0], also=also)
    walk = replace(WALK, stations=(first, *WALK.stations[1:]))
    assert walked(profile, "--changed", walk=walk).differences == ()


def test_the_end_and_what_was_refused_are_looked_at(profile: Profile) -> None:
    seen = walked(profile, "--chosen=No", walk=REFUSED)
    assert seen.differences == ()
    seen = walked(profile, "--chosen=No", "--harmful", "--status", walk=REFUSED)
    assert [(one.station, one.aspect, one.found) for one in seen.differences] == [
        ("ready", "effect", "it is gone"),
        ("exit", "exit status", "3"),
    ]


def test_what_does_not_start_is_our_failure_and_no_change(profile: Profile) -> None:
    seen = walked(profile, "--refuses")
    assert (seen.differences, seen.visits) == ((), ())
    assert (
        "ended with status 2 before any dialog: error: unexpected argument '--refuses' found" in seen.failure
    )
    assert seen.not_reached == ("command", "ready", "exit")


def test_an_extension_that_fails_is_our_failure(profile: Profile) -> None:
    seen = walked(profile, "--complains")
    assert seen.failure == "our extension failed: Failed to load extension asks.ts"


def test_the_version_is_asked_for_where_it_walks(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALL_VERSION", "9.9")
    assert walked(profile).version == "1.1"


def test_what_is_taken_for_a_prompt_while_it_works_is_kept(tmp_path: Path) -> None:
    terminal = CliTerminal(tmp_path)
    kinds = [
        ScreenKind.COMPLETED,
        ScreenKind.BUSY,
        ScreenKind.PERMISSION,
        ScreenKind.BUSY,
        ScreenKind.COMPLETED,
    ]
    for second, kind in enumerate(kinds):
        terminal.on_step(ScreenSettled(at=second, detection=Detection(kind)), second)
    assert [(at, one.kind) for at, one in terminal.prompts_within(3.5)] == [(2, ScreenKind.PERMISSION)]


def test_a_changed_cli_is_told_by_exactly_what_changed(profile: Profile) -> None:
    changed = [(one.station, one.aspect, one.found) for one in walked(profile, "--changed").differences]
    assert changed == [("command", "options", "Yes / From now on, yes / No"), ("command", "widening", "none")]


def test_a_profile_without_the_rule_sees_another_kind_and_the_walk_goes_on(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stations, "PATIENCE_SECONDS", 0.5)
    rules = tuple(rule for rule in profile.screen.rules if rule.id != "small.permission")
    poorer = replace(profile, screen=replace(profile.screen, rules=rules))
    (difference,) = walked(poorer, "--chosen=Yes").differences
    assert (difference.station, difference.aspect, difference.expected) == ("command", "kind", "permission")
    assert difference.found.startswith("unknown")


def test_what_is_saved_can_be_read_again_and_holds_no_secret(profile: Profile, tmp_path: Path) -> None:
    save(walked(profile), tmp_path / "saved", Redactor())
    names = sorted(path.name for path in (tmp_path / "saved").iterdir())
    assert names == ["01-command.cast", "02-ready.cast", "03-exit.cast", RESULT, RECORDING]
    for name in names:
        assert "Ab3dEf6hIj9k" not in (tmp_path / "saved" / name).read_text("utf-8")
    cast = read_cast(tmp_path / "saved" / "01-command.cast")
    assert any("Run this command?" in line for line in screen_at(cast, cast.duration).lines)
    assert json.loads((tmp_path / "saved" / RESULT).read_text("utf-8"))["changed"] is False


FOUND = Detection(
    ScreenKind.PERMISSION,
    question="Run this command?",
    options=(Option("Yes"), Option("Always for this session"), Option("No")),
    subject=Subject("shell", "make clean"),
    rule="r",
)
KEYS = ReplyKeys(widening_options=("(?i)for this session",))


@pytest.mark.parametrize(
    ("found", "aspects"),
    [
        (FOUND, []),
        (replace(FOUND, kind=ScreenKind.MENU, options=()), ["kind"]),
        (replace(FOUND, question=None), ["question"]),
        (replace(FOUND, options=FOUND.options[:2]), ["options"]),
        (replace(FOUND, subject=None), ["subject"]),
        (replace(FOUND, subject=Subject("shell", "make")), ["subject"]),
        (replace(FOUND, options=(*FOUND.options[:2], Option("No, for this session"))), ["options", "widening"]),
    ],
)  # fmt: skip
def test_each_aspect_is_compared(found: Detection, aspects: list[str]) -> None:
    assert [one.aspect for one in compare("command", PERMISSION, found, KEYS)] == aspects


def test_every_walk_has_its_recipe_and_its_standard_dialogs() -> None:
    for name, walk in WALKS.items():
        assert name in RECIPES
        kinds = {station.expected.kind for station in walk.stations} | set(walk.missing)
        assert {"permission", "question", "menu", "error", "completed"} <= kinds, name
        assert sum(station.expected.kind == "permission" for station in walk.stations) >= 2, name


# the command


def test_a_cli_that_is_not_here_is_named_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["profiles", "test", "claude"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "copilot: error: profiles test: not tested: claude (claude is not on PATH); "
        "install what is missing, or leave it out\n"
    )
    assert cli.main(["profiles", "test", "claude", "generic", "--json"]) == 2
    printed = capsys.readouterr()
    assert [json.loads(line)["cli"] for line in printed.out.splitlines()] == ["claude", "generic"]
    assert "not tested: claude (claude is not on PATH), generic (no walk" in printed.err


def test_no_cli_at_all_is_no_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["profiles", "test"]) == 2
    printed = capsys.readouterr()
    assert "claude: skipped: claude is not on PATH" in printed.out.splitlines()
    assert printed.err == "copilot: error: profiles test: nothing was tested; install one of these CLIs\n"


def test_an_unknown_cli_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["profiles", "test", "claud"]) == 2
    assert "did you mean 'claude'?" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "code"), [((), 0), (("--changed",), 1)])
def test_the_command_prints_what_changed_and_exits_by_it(
    arguments: tuple[str, ...],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = tmp_path / "small-cli"
    program.write_text("#!/bin/sh\necho small 1.1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setitem(RECIPES, "small", recipe(*arguments))
    monkeypatch.setitem(WALKS, "small", WALK)
    path = tmp_path / "small.toml"
    path.write_text(PROFILE, "utf-8")
    assert cli.main(["profiles", "test", str(path), "--save", str(tmp_path / "out")]) == code
    out = capsys.readouterr().out
    assert (tmp_path / "out" / "small-1.1" / RESULT).is_file()
    if code:
        assert "small 1.1: 1 of 3 dialogs are not as measured on 1.0" in out
        assert any(line.split()[:2] == ["command", "widening"] for line in out.splitlines())
    else:
        assert "small 1.1: all 3 dialogs as measured on 1.0" in out
