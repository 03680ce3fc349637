"""Verdicts are kept, the last counts, and what is made of them is what the tools that use it read."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.config.profile_files import load_profile
from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import ScreenKind
from copilot.detection import Examiner
from copilot.errors import InputError
from copilot.recording.artifacts import VERDICTS_NAME
from copilot.recording.asciicast import read_cast
from copilot.replay.detect import screen_at
from copilot.replay.recorded import Recorded, open_recorded
from copilot.replay.verdicts import VerdictBook, Word, export
from copilot.tui.replay.command import replay_command
from tests.replay.golden import GOLDEN


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return open_recorded(shutil.copytree(GOLDEN / "demo-full", tmp_path / "run"))


def book_of(recorded: Recorded) -> VerdictBook:
    return VerdictBook(recorded, lambda text: text.replace("hunter2", "[secret]"))


def test_the_last_verdict_on_a_prompt_counts(recorded: Recorded) -> None:
    first, second = recorded.review.prompts[:2]
    book = book_of(recorded)
    book.say(first, Word.RIGHT, note=" hunter2 \n twice ")
    book.say(second, Word.SHOULD_HAVE_HELD)
    book.say(first, Word.WRONG_KIND, ScreenKind.MENU)
    book.say(second, Word.WITHDRAWN)
    again = book_of(recorded)
    assert again.all == book.all and [verdict.word for verdict in again.all] == [Word.WRONG_KIND]
    assert again.on(second) is None
    kept = (recorded.path / VERDICTS_NAME).read_text()
    assert "hunter2" not in kept and "[secret] twice" in kept
    assert (recorded.path / VERDICTS_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("line", ["{", "[]", '{"identity": "x"}', '{"identity":"x","at":1,"verdict":"fine"}'])
def test_a_line_that_is_no_verdict_is_named(recorded: Recorded, line: str) -> None:
    (recorded.path / VERDICTS_NAME).write_text(f"\n{line}\n")
    with pytest.raises(InputError, match=r"verdicts\.jsonl: line 2: is no verdict"):
        book_of(recorded)


def test_what_was_said_becomes_fixtures_and_examples(recorded: Recorded, tmp_path: Path) -> None:
    prompts, book = recorded.review.prompts, book_of(recorded)
    book.say(prompts[0], Word.RIGHT)
    book.say(prompts[1], Word.WRONG_KIND, ScreenKind.PERMISSION, "it writes")
    book.say(prompts[2], Word.SHOULD_HAVE_HELD, note="mine")
    target = tmp_path / "made"
    told = CliRunner().invoke(replay_command, [str(recorded.path), "--verdicts", str(target)])
    assert told.exit_code == 0 and "2 screens with labels, 2 examples" in told.stdout
    label = json.loads((target / "detectors" / "01.label.json").read_text())
    assert (label["kind"], label["question"]) == ("permission", "Do you want to create greeting.py?")
    still = read_cast(target / "detectors" / "01.cast")
    seen = Examiner(load_profile("demo")).examine(screen_at(still, 0.0)).detection
    assert (seen.kind, seen.question) == (ScreenKind.PERMISSION, label["question"])
    other = json.loads((target / "detectors" / "02.label.json").read_text())
    assert (other["kind"], other["options"]) == ("permission", [])
    examples = [json.loads(line) for line in (target / "policy.jsonl").read_text().splitlines()]
    assert [one["verdict"] for one in examples] == ["right", "should have held"]
    assert examples[1]["decision"]["verdict"] == "send" and examples[1]["autonomy"] == "full"
    assert examples[1]["detection"]["question"] == prompts[2].detection.question


def test_without_a_verdict_there_is_nothing_to_export(tmp_path: Path) -> None:
    run = str(GOLDEN / "demo-full")
    told = CliRunner().invoke(replay_command, [run, "--verdicts", str(tmp_path)], standalone_mode=False)
    assert "nothing was said of it yet" in str(told.exception)


@pytest.mark.parametrize("version", [2, 3])
def test_a_recording_is_exported_in_both_versions(tmp_path: Path, version: int) -> None:
    target = tmp_path / "out.cast"
    arguments = [str(GOLDEN / "demo-full"), "--export", f"v{version}", str(target)]
    told = CliRunner().invoke(replay_command, arguments)
    assert told.exit_code == 0 and f"asciicast v{version}" in told.stdout
    whole, again = read_cast(GOLDEN / "demo-full" / "session.cast"), read_cast(target)
    assert again.header.version == version and len(again.events) == len(whole.events)
    assert max(abs(a.at - b.at) for a, b in zip(again.events, whole.events, strict=True)) <= 0.001
    told = CliRunner().invoke(replay_command, arguments, standalone_mode=False)
    assert "exists; give the name of a new file" in str(told.exception)


def test_a_review_needs_a_terminal() -> None:
    told = CliRunner().invoke(replay_command, [str(GOLDEN / "demo-full")], standalone_mode=False)
    assert "not a terminal; add --redetect --check" in str(told.exception)


def test_an_example_has_the_level_of_its_moment(tmp_path: Path) -> None:
    recorded = open_recorded(GOLDEN / "demo-full")
    first, second = recorded.review.prompts[:2]
    recorded = replace(
        recorded, path=tmp_path, review=replace(recorded.review, levels=((second.at, Autonomy.WATCH),))
    )
    book = book_of(recorded)
    for prompt in (first, second):
        book.say(prompt, Word.RIGHT)
    export(recorded, recorded.review, book, tmp_path / "out")
    lines = (tmp_path / "out" / "policy.jsonl").read_text().splitlines()
    assert [json.loads(line)["autonomy"] for line in lines] == ["full", "watch"]
