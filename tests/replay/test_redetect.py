"""Today's detectors and policy over the golden runs: no change, and of an altered profile exactly its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from copilot.resources import data_folder
from copilot.tui.replay.command import replay_command
from tests.replay.golden import GOLDEN, NAMES


def replay(*arguments: str) -> Result:
    return CliRunner().invoke(replay_command, arguments, standalone_mode=False)


def changes(*arguments: str) -> list[dict[str, Any]]:
    result = replay(*arguments, "--redetect", "--json")
    assert result.exception is None, result.exception
    return [json.loads(line) for line in result.stdout.splitlines()]


def altered(clean_user: Path, profile: str, *changed: tuple[str, str]) -> None:
    """The person's own copy of a profile, which overrides ours, with these texts changed."""
    folder = clean_user / "config" / "copilot" / "profiles"
    folder.mkdir(parents=True)
    text = (data_folder("profiles") / f"{profile}.toml").read_text("utf-8")
    for old, new in changed:
        assert old in text
        text = text.replace(old, new)
    (folder / f"{profile}.toml").write_text(text, "utf-8")


def test_there_are_golden_runs() -> None:
    assert len(NAMES) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_nothing_has_changed(name: str) -> None:
    result = replay(str(GOLDEN / name), "--redetect", "--check")
    assert result.return_value == 0, result.stdout
    assert "no changes" in result.stdout


def test_an_altered_rule_changes_exactly_what_it_reads(clean_user: Path) -> None:
    """The rule for permissions no longer knows dialogs that create a file: of five prompts one differs."""
    title, question = (
        ("(Create file|Bash command)", "(Bash command)"),
        ("Do you want to [^?]+", "Do you want to proceed"),
    )
    altered(clean_user, "demo", title, question)
    for name in ("demo-full", "demo-person"):
        found = changes(str(GOLDEN / name))
        assert {change["prompt"] for change in found} == {1}
        assert found[0]["what"] == "kind"
        assert (found[0]["before"], found[0]["after"]) == ("permission (demo.permission)", "menu (demo.menu)")
        assert replay(str(GOLDEN / name), "--redetect", "--check").return_value == 1


def test_an_altered_ceiling_changes_exactly_the_decisions_above_it(clean_user: Path) -> None:
    """With a ceiling of none the replies of risk low are held; the refusal, of risk none, is still sent."""
    altered(clean_user, "demo", ('level = "full"', 'level = "full"\nrisk_ceiling = "none"'))
    found = changes(str(GOLDEN / "demo-full"))
    assert [(change["prompt"], change["what"]) for change in found] == [(n, "decision") for n in (1, 2, 3, 4)]
    assert all("policy.full" in change["before"] and "policy.ceiling" in change["after"] for change in found)


def test_another_level_changes_decisions_only() -> None:
    found = changes(str(GOLDEN / "demo-full"), "--autonomy", "suggest")
    assert [(change["prompt"], change["what"]) for change in found] == [
        (number, "decision") for number in range(1, 6)
    ]
    assert all("[policy.level]" in change["after"] for change in found)


def test_replies_written_anew_are_compared(tmp_path: Path) -> None:
    """The offline rules write what they wrote then; a playbook writes something else."""
    assert changes(str(GOLDEN / "demo-full"), "--provider", "rules") == []


def test_a_recording_that_is_no_run_is_told(tmp_path: Path) -> None:
    cast = GOLDEN / "demo-full" / "session.cast"
    result = replay(str(cast), "--redetect", "--check")
    assert "is no run folder" in str(result.exception)


@pytest.mark.parametrize(
    "option", [("--check",), ("--json",), ("--autonomy", "full"), ("--provider", "rules")]
)
def test_options_that_need_redetect_say_so(option: tuple[str, ...]) -> None:
    result = replay(str(GOLDEN / "demo-full"), *option)
    assert "goes with --redetect" in str(result.exception)


def test_an_unknown_level_or_profile_is_one_line() -> None:
    for option in (("--autonomy", "wild"), ("--profile", "nobody")):
        result = replay(str(GOLDEN / "demo-full"), "--redetect", "--check", *option)
        assert option[1] in str(result.exception) and "\n" not in str(result.exception)
