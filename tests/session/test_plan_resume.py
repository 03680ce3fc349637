"""What a resumed run takes over from the folder of an earlier one, and what it never does again."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from copilot import cli
from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.plan import Plan, PlanPrompt, PlanStep
from copilot.core.profile import Profile
from copilot.core.profile_outline import Launch
from copilot.core.reply import Autonomy, Decision, Reply, Verdict
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.recording.run_folder import RunFolder
from copilot.session.resuming import (
    as_before,
    carry_into,
    command_to_continue,
    find_run,
    read_earlier,
    without_task,
)

CLAUDE = Profile("claude", launch=Launch(("claude",), continue_arguments=("--continue",)))
PLAIN = Profile("plain", launch=Launch(("plain",)))
STEP = PlanStep(name="one", tasks=(PlanPrompt("Do it"),))
PLAN = Plan("plan", (STEP,))


def moved(part: str, state: str, text: str = "", decision: int = 0) -> fx.PlanMoved:
    return fx.PlanMoved(1, part, state, text, decision, "1/1: one", STEP.digest)


BEGAN = fx.PlanMoved(0, "", "began", "plan")
DECIDED = fx.RecordDecision(
    Decision(1, Verdict.SEND, "i.1", Reply(text="Do it"), "the plan says so", "plan.full")
)
TYPED: list[Event | Effect] = [
    ev.Started(at=0.0),
    BEGAN,
    ev.ScreenSettled(at=0.1, detection=Detection(ScreenKind.IDLE, identity="i.1")),
    DECIDED,
    moved("send 1", "typing", "Do it", 1),
    fx.WriteKeys(1, text="Do it"),
]
TAKEN = [*TYPED, fx.WriteKeys(1, ("Enter",)), fx.ReplyTaken(1, "taken"), moved("send 1", "sent", "", 1)]


def recorded(
    folder: Path,
    steps: list[Event | Effect],
    *,
    resume: str | None = None,
    settings: RunSettings | None = None,
) -> Path:
    """A run folder with these records, of a run that was killed after them."""
    settings = settings or RunSettings(
        child=("claude",), profile="claude", autonomy=Autonomy.FULL, cwd="/", log_folder=str(folder)
    )
    settings = replace(settings, log_folder=str(folder), resume=resume)
    recorder = RunFolder(settings, redact=lambda text: text, on_failed=pytest.fail)
    for step in steps:
        if isinstance(step, Event):
            recorder.event(step)
        else:
            recorder.effect(step, 0.5)
    recorder.close()
    return folder


@pytest.mark.row("CP-64")
def test_a_prompt_without_an_outcome_is_unclear_and_shown(tmp_path: Path) -> None:
    earlier = read_earlier(str(recorded(tmp_path / "r1", TYPED)))
    carried = carry_into(PLAN, earlier, CLAUDE)
    assert (carried.sent, carried.unclear, carried.unclear_text) == (None, (1, "send 1"), "Do it")
    (line,) = earlier.unclear
    assert "decision 1 of r1" in line and "'Do it'" in line and "not typed again" in line
    assert not earlier.talked


@pytest.mark.row("CP-64", "CP-65")
def test_a_prompt_that_was_taken_is_sent_and_the_talk_is_taken_up(tmp_path: Path) -> None:
    earlier = read_earlier(str(recorded(tmp_path / "r1", TAKEN)))
    assert carry_into(PLAN, earlier, CLAUDE).sent == (1, "send 1")
    assert carry_into(PLAN, earlier, CLAUDE).continues
    assert not carry_into(PLAN, earlier, PLAIN).continues
    assert earlier.unclear == ()
    assert [(pair.question, pair.answer) for pair in earlier.history] == [("idle", "Do it")]
    assert command_to_continue(("claude", "--model", "x"), earlier, CLAUDE) == (
        "claude",
        "--model",
        "x",
        "--continue",
    )
    assert command_to_continue(("claude", "--continue"), earlier, CLAUDE) == ("claude", "--continue")
    assert command_to_continue(("plain",), earlier, PLAIN) == ("plain",)


def test_a_cli_that_was_told_nothing_is_started_as_it_was(tmp_path: Path) -> None:
    earlier = read_earlier(str(recorded(tmp_path / "r1", [ev.Started(at=0.0), BEGAN])))
    assert command_to_continue(("claude",), earlier, CLAUDE) == ("claude",)


def test_a_run_that_died_before_it_took_over_counts_for_nothing(tmp_path: Path) -> None:
    """The run before it does, if it is still there."""
    first = recorded(tmp_path / "r1", TAKEN)
    second = recorded(tmp_path / "r2", [ev.Started(at=0.0)], resume=str(first))
    earlier = read_earlier(str(second))
    assert carry_into(PLAN, earlier, CLAUDE).sent == (1, "send 1")
    assert earlier.talked and earlier.history
    shutil.rmtree(first)
    assert read_earlier(str(second)).left.sent is None


def test_a_step_that_was_begun_must_be_the_same(tmp_path: Path) -> None:
    earlier = read_earlier(str(recorded(tmp_path / "r1", TAKEN)))
    other = Plan("plan", (PlanStep(name="one", tasks=(PlanPrompt("Do something else"),)),))
    with pytest.raises(InputError, match="step 1 of the plan is not the one that r1 began"):
        carry_into(other, earlier, CLAUDE)
    longer = Plan("plan", (STEP, PlanStep(name="new", tasks=(PlanPrompt("More"),))))
    assert carry_into(longer, earlier, CLAUDE).sent == (1, "send 1")


def test_a_run_that_goes_on_is_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = RunSettings(
        child=("claude",), profile="claude", autonomy=Autonomy.FULL, cwd="/", log_folder=str(tmp_path / "r1")
    )
    recorder = RunFolder(settings, redact=lambda text: text, on_failed=pytest.fail)
    try:
        with pytest.raises(InputError, match="still running"):
            read_earlier(str(tmp_path / "r1"))
        assert cli.main(["--headless", "--resume", str(tmp_path / "r1")]) == 2
    finally:
        recorder.close()
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"copilot: error: --resume: {tmp_path / 'r1'} is still running; end it first"


@pytest.mark.row("CP-64")
def test_a_run_is_found_by_its_folder_its_manifest_and_its_id(tmp_path: Path) -> None:
    place = tmp_path / "copilot" / "runs"
    folder = recorded(place / "r1", TAKEN)
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    for name in (str(folder), str(folder / "manifest.json"), "r1"):
        assert find_run(name, environment) == folder
    with pytest.raises(InputError, match="no such run"):
        find_run("r2", environment)


def test_a_resumed_run_has_the_options_of_the_earlier_one_but_not_its_licences(tmp_path: Path) -> None:
    settings = RunSettings(
        child=("claude", "--model", "opus", "Fix the bug"),
        profile="claude",
        autonomy=Autonomy.FULL,
        cwd=str(tmp_path),
        log_folder="",
        governing_prompt="Be brief.",
        plan="/plans/a.yml",
        max_cost_usd=2.5,
        upload=False,
        allow=("shell:rm *",),
        trust=True,
        headless=True,
    )
    folder = recorded(tmp_path / "r1", TAKEN, settings=settings)
    flags, child = as_before({"resume": str(folder), "model": "other"}, ())
    assert child == ("claude", "--model", "opus")
    assert flags["plan"] == "/plans/a.yml" and flags["prompt"] == "Be brief."
    assert (flags["model"], flags["max_cost"], flags["no_upload"]) == ("other", 2.5, True)
    assert not {"autonomy", "allow", "trust", "headless"} & set(flags)
    assert as_before({"resume": str(folder)}, ("claude", "x"))[1] == ("claude", "x")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            (),
            "this run is at level assist (the profile claude); the earlier run's full is not taken over: --a",
        ),
        (("--autonomy", "full"), ""),
    ],
)
def test_a_resumed_run_tells_its_level_and_where_that_is_from(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.setattr(cli, "start_session", lambda settings: 0)
    settings = RunSettings(
        child=("claude",), profile="claude", autonomy=Autonomy.FULL, cwd=str(tmp_path), log_folder=""
    )
    folder = recorded(tmp_path / "r1", TAKEN, settings=settings)
    assert cli.main(["--headless", "--resume", str(folder), *options]) == 0
    said = capsys.readouterr().err
    assert (f"copilot: note: {told}" in said) if told else ("at level" not in said)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("claude", "Fix it"), ("claude",)),
        (("claude", "--model", "opus", "fix"), ("claude", "--model", "opus")),
        (("codex", "--no-daemon", "Fix the bug"), ("codex", "--no-daemon")),
        (("claude", "--model=opus", "word"), ("claude", "--model=opus")),
        ((), ()),
    ],
)
def test_a_task_on_the_command_line_is_not_given_again(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    assert without_task(before) == after
