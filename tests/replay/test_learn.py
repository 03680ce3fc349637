"""From labelled unknown screens to rules: verified, shown, never installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import re2

from copilot import cli
from copilot.config.paths import user_profiles
from copilot.config.profile_files import load_profile, parse_profile
from copilot.config.profile_lint import lint_file
from copilot.core.screen_kinds import ScreenKind
from copilot.core.screen_rules import Clause, Rule, RuleExample
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.recording.asciicast import Cast, CastEvent, CastHeader
from copilot.recording.asciicast_writer import write_cast
from copilot.recording.unknown_screens import Label, UnknownScreens, label_screen
from copilot.replay.learn import pattern_of, rule_toml
from copilot.screen import TerminalScreen

PROFILE = """
name = "odd"
[[screen.rules]]
id = "odd.permission"
kind = "permission"
region = "dialog"
priority = 10
all = [{ pattern = "Launch the rocket" }]
examples = [{ screen = "Launch the rocket now?\\n\\nEnter launches" }]
"""
MENU = "Moon phase wizard\n\nWhich phase shall 3 moons of /data/sky.db have?\n\n❯ 1. waxing\n  2. waning\n\nEnter keeps it"
BARE = "Moon phase wizard\n\n  <<waxing>>  waning\n\ntap left or right; space keeps it"
LINE = "fetching\n\nWhich planet shall be next: "


@pytest.fixture
def run(tmp_path: Path) -> Path:
    user_profiles().mkdir(parents=True)
    (user_profiles() / "odd.toml").write_text(PROFILE, "utf-8")
    folder = tmp_path / "run-1"
    folder.mkdir()
    return folder


def screen(text: str) -> ScreenSnapshot:
    terminal = TerminalScreen(80, 20)
    terminal.feed(text.replace("\n", "\r\n").encode())
    return terminal.snapshot()


def keep(run: Path, *screens: tuple[str, ScreenKind | None]) -> None:
    kept = UnknownScreens(run, lambda text: text)
    for text, kind in screens:
        number = kept.keep(screen(text), 1.0, {"profile": "odd"}, title="copilot: odd")
        if kind is not None:
            label_screen(run, number, Label(kind))


def learned(run: Path, capsys: pytest.CaptureFixture[str], code: int = 0) -> tuple[str, str]:
    assert cli.main(["profiles", "learn", str(run)]) == code
    out, error = capsys.readouterr()
    return out, error


@pytest.mark.parametrize(
    ("text", "kind", "options"),
    [
        (MENU, ScreenKind.MENU, ("waxing", "waning")),
        (MENU, ScreenKind.PERMISSION, ("waxing", "waning")),
        (BARE, ScreenKind.MENU, ()),
        (BARE, ScreenKind.PRESS_KEY, ()),
        (LINE, ScreenKind.TEXT_INPUT, ()),
        (LINE.replace(": ", " (mars/venus)? "), ScreenKind.MENU, ("mars", "venus")),
        (LINE + "(y/n) ", ScreenKind.YES_NO, ("yes", "no")),
        (BARE, ScreenKind.BUSY, ()),
    ],
)
def test_a_labelled_screen_becomes_a_rule_that_reads_it(
    text: str, kind: ScreenKind, options: tuple[str, ...], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(run, (text, kind))
    out, _ = learned(run, capsys)
    data = tomllib.loads(out)
    (rule,) = parse_profile({"name": "x", **data}, "stdout").screen.rules
    assert (rule.id, rule.kind) == (f"odd.learned.{kind.value}_1", kind.value)
    assert rule.examples[0].options == options
    target = run.parent / "odd-new.toml"
    assert cli.main(["profiles", "learn", str(run), "--write", str(target)]) == 0
    assert lint_file(target) == []
    detection = Examiner(load_profile(str(target))).examine(screen(text)).detection
    assert (detection.kind, detection.rule) == (kind, rule.id)
    assert tuple(option.label for option in detection.options) == options


def test_what_varies_is_left_open(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(run, (MENU, ScreenKind.MENU))
    target = run.parent / "new.toml"
    assert cli.main(["profiles", "learn", str(run), "--write", str(target)]) == 0
    examiner = Examiner(load_profile(str(target)))
    same = MENU.replace("3 moons of /data/sky.db", "17 moons of /tmp/a.db")
    assert examiner.examine(screen(same)).detection.kind is ScreenKind.MENU
    other = MENU.replace("Which phase shall", "Shall the rocket fly with")
    assert examiner.examine(screen(other)).detection.kind is ScreenKind.UNKNOWN


def test_nothing_is_installed_and_no_file_is_overwritten(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(run, (MENU, ScreenKind.MENU))
    learned(run, capsys)
    assert (user_profiles() / "odd.toml").read_text("utf-8") == PROFILE
    assert [path.name for path in user_profiles().iterdir()] == ["odd.toml"]
    assert cli.main(["profiles", "learn", str(run), "--write", str(user_profiles() / "odd.toml")]) == 2
    assert "exists; name a new file" in capsys.readouterr().err
    assert (user_profiles() / "odd.toml").read_text("utf-8") == PROFILE


def test_a_rule_that_takes_over_another_rule_s_example_is_not_shown(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(run, ("Abort the mission\n\nEnter launches", ScreenKind.MENU))
    out, error = learned(run, capsys, 1)
    assert out == "" and "takes over example 0 of odd.permission" in error


def test_a_rule_that_matches_a_screen_of_another_label_is_not_shown(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(run, (BARE, ScreenKind.MENU), (BARE.replace("waning", "full"), ScreenKind.BUSY))
    _, error = learned(run, capsys, 1)
    assert error.count("it matches another screen of the run, which is labelled") == 2


def test_a_rule_that_takes_over_what_the_run_understood_is_not_shown(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(run, (BARE, ScreenKind.MENU))
    shown = BARE.replace("<<waxing>>", "Launch the rocket").replace("\n", "\r\n")
    events = (CastEvent(0.1, "o", shown), CastEvent(5.0, "m", "end"))
    write_cast(run / "session.cast", Cast(CastHeader(80, 20), events))
    out, error = learned(run, capsys, 1)
    assert out == "" and "takes over a permission of the run" in error


def test_a_screen_without_steady_words_gives_no_rule(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(run, ("12:30 /a/b\n\n77% 'x'", ScreenKind.MENU))
    out, error = learned(run, capsys, 1)
    assert out == "" and "no fixed words" in error


@pytest.mark.parametrize(
    ("screens", "said"),
    [((), "has no unknown screens"), (((BARE, None),), "1 unknown screens, none labelled")],
)
def test_a_run_that_teaches_nothing_is_told(
    screens: tuple[tuple[str, None], ...], said: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(run, *screens)
    _, error = learned(run, capsys, 2)
    assert said in error and error.count("\n") == 1


def test_a_run_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["profiles", "learn", "nowhere"]) == 2
    assert "no such run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Delete 3 files?", r"Delete\s+\S.*\s+files\?"),
        ("Open /tmp/a b.txt now please", r"Open\s+\S.*\s+b\.txt\s+now\s+please"),
        ("3 of 4", ""),
        ("word", ""),
        ("2 files were changed", r"files\s+were\s+changed"),
    ],
)
def test_patterns_go_by_the_words_that_stay(text: str, pattern: str) -> None:
    assert pattern_of(text) == pattern
    assert not pattern or re2.search(pattern, text)


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "a'b",
        "it's '''so'''",
        "back\\slash",
        "two\nlines\\",
        "tab\there",
        "",
        "\x7f",
        "end'",
        "\n'''",
        "\U0001f680 launch",
    ],
)
def test_texts_survive_toml(value: str) -> None:
    example = RuleExample(value, question=value or None, options=(value,))
    rule = Rule("odd.x", "menu", all=(Clause(pattern=value or "x", composer=False),), examples=(example,))
    data = tomllib.loads(rule_toml(rule))
    assert parse_profile({"name": "x", **data}, "stdout").screen.rules == (rule,)
