"""Scenario files, suites, reports: read with line numbers, run in their order, and never a pass by accident."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
import xml.etree.ElementTree as ET
from collections import Counter
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from copilot.errors import InputError
from copilot.lab.scenarios import CheckResult, Outcome, Scenario, Verdict
from copilot.lab.scenarios import run as running
from copilot.lab.scenarios.command import eval_command
from copilot.lab.scenarios.read import Choice, check_id, gather, load_scenarios, numbers_of, scenario_id
from copilot.lab.scenarios.report import (
    Report,
    as_html,
    as_json,
    as_junit,
    as_markdown,
    compare,
    read_report,
    summarise,
    wilson,
    write_reports,
)
from copilot.lab.scenarios.run import Job, run_job, wait_seconds
from copilot.lab.scenarios.suite import SlotPool, open_executor, repeated, run_suite
from tests.check_mutations.agent import panel
from tests.check_mutations.bad import BAD
from tests.check_mutations.good import GOOD

SECRET = hashlib.sha256(b"no real key").hexdigest()
SHIPPED = Path(__file__).parents[1] / "scenarios"
COMMANDS = """\
feature: Files
scenarios:
  - name: makes a file
    tags: [files, quick]
    commands: [touch made.txt]
    allow_commands: [touch]
    checks: [{file: made.txt}]
"""


def written(folder: Path, text: str, name: str = "kind/files.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.row("SI-36", "SI-11")
def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (one,) = load_scenarios(written(tmp_path, COMMANDS))
    assert (one.id, one.feature, one.category) == ("kind/files/makes-a-file", "Files", "kind")
    assert one.tags == ("files", "quick")
    assert (one.line, one.number, one.commands) == (3, 1, ("touch made.txt",))
    assert one.assets_folder == tmp_path / "kind" / "files"


@pytest.mark.row("SI-36")
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("tags:", "tagss:"), "line 4: tagss: unknown key; did you mean 'tags'?"),
        (("[files, quick]", "files"), "line 4: tags: must be a list"),
        (("touch made.txt", "1"), "line 5: commands[1]: must be a text"),
        (("{file: made.txt}", "{fiel: made.txt}"), "line 7: fiel: unknown key; did you mean 'file'?"),
        (("{file: made.txt}", "sparkles"), "line 7: checks[1]: unknown check 'sparkles'"),
        (("{file: made.txt}", "{file: {contains: x}}"), "line 7: file: needs 'path'"),
        (("checks: [{file: made.txt}]", "twice: true"), "line 3: scenarios[1]: has no `checks`"),
        (("commands: [touch made.txt]", "twice: false"), "needs either a `task` or `commands`"),
        (("commands: [touch made.txt]", "task: x"), "has no `playbook`"),
        (("name: makes a file", "id: onlyone\n    name: x"), "'onlyone' is no id of a scenario; the form is"),
        (("name: makes a file", "id: a/b\n    name: x"), "'a/b' is no id of a scenario; the form is"),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, changed: tuple[str, str], said: str) -> None:
    path = written(tmp_path, COMMANDS.replace(*changed))
    with pytest.raises(InputError) as error:
        load_scenarios(path)
    assert said in str(error.value) and str(path) in str(error.value)


@pytest.mark.row("SI-11")
def test_ids_have_one_maker_and_one_form(tmp_path: Path) -> None:
    made = scenario_id("My Category", Path("/x/A file.yaml"), "Änd now: this!")
    assert made == "my-category/a-file/nd-now-this" and check_id(made) == ""
    twice = written(tmp_path, COMMANDS + COMMANDS.split("scenarios:\n")[1])
    with pytest.raises(InputError, match="the id 'kind/files/makes-a-file' is used twice"):
        load_scenarios(twice)


@pytest.mark.row("SI-10", "SI-39")
def test_the_shipped_suite_is_chosen_by_tag_number_and_name() -> None:
    everything = gather([SHIPPED], Choice())
    assert len({one.id for one in everything}) == len(everything)
    assert all(one.assets_folder.is_dir() for one in everything if "[[asset:" in one.task)
    quick = gather([SHIPPED], Choice(tags=("quick",)))
    assert 0 < len(quick) < len(everything)
    assert [one.number for one in gather([SHIPPED], Choice(numbers=numbers_of("2,4-5")))] == [2, 4, 5]
    assert {one.category for one in gather([SHIPPED], Choice(names=("safety/",)))} == {"safety"}
    without = gather([SHIPPED], Choice(without=("quick",)))
    assert not any("quick" in one.tags for one in without)


@pytest.mark.row("VR-27")
def test_the_seven_scenarios_of_reasoning_are_there() -> None:
    tags = {tag for one in gather([SHIPPED], Choice(tags=("reasoning",))) for tag in one.tags}
    wanted = "plan-first idempotent inspect-first no-duplicate asset-first error-recovery policy-opt-out"
    assert set(wanted.split()) <= tags


@pytest.mark.row("VR-29")
def test_each_check_of_reasoning_has_its_bad_agent() -> None:
    targets = Counter(one.target for one in BAD)
    assert set(targets) == set(panel()) and min(targets.values()) >= 5
    assert len(GOOD) >= 5


@pytest.mark.row("SI-38")
def test_choosing_nothing_is_no_pass(tmp_path: Path) -> None:
    path = written(tmp_path, COMMANDS)
    with pytest.raises(InputError, match="running nothing is not a pass"):
        gather([path], Choice(tags=("none",)))
    path.unlink()
    with pytest.raises(InputError, match="no scenario file"):
        gather([tmp_path], Choice())
    assert not summarise([]).good


def scenario(folder: Path, text: str = COMMANDS) -> Scenario:
    return load_scenarios(written(folder, text))[0]


def ran(folder: Path, text: str = COMMANDS, **job: Any) -> Outcome:
    return run_job(Job(scenario=scenario(folder, text), **{"root": folder / "root", **job}))


@pytest.mark.row("SI-1", "SI-24", "SI-28", "SI-32")
def test_a_scenario_of_commands_passes_and_leaves_nothing(tmp_path: Path) -> None:
    outcome = ran(tmp_path, debug=True)
    assert (outcome.verdict, outcome.as_expected, outcome.reason) == (Verdict.PASS, True, "")
    assert list((tmp_path / "root").iterdir()) == []
    words = " ".join(outcome.log)
    for part in ("debug: made ", "debug: run 'touch made.txt' in ", "debug: removed "):
        assert part in words
    assert ran(tmp_path).log == ()


@pytest.mark.row("SI-27", "SI-29")
def test_the_folder_of_a_failed_one_is_kept_when_asked(tmp_path: Path) -> None:
    text = COMMANDS.replace("touch made.txt", "'touch [[asset:name.txt]]'")
    written(tmp_path, "other.txt", "kind/files/name.txt")
    outcome = ran(tmp_path, text, keep=True)
    assert outcome.verdict is Verdict.FAIL and outcome.reason == "file: made.txt is missing"
    assert (Path(outcome.kept) / "project" / "other.txt").exists()
    assert (outcome.task, outcome.prompt) == ("touch [[asset:name.txt]]", "touch other.txt")


@pytest.mark.row("SI-12", "SI-4")
def test_what_cannot_be_set_up_is_an_error_of_that_scenario(tmp_path: Path) -> None:
    text = COMMANDS.replace("touch made.txt", "'touch {{path:gone}}'")
    outcome = ran(tmp_path, text)
    assert outcome.verdict is Verdict.ERROR and "asset 'gone': is missing" in outcome.reason
    (tmp_path / "file").write_text("")
    outcome = ran(tmp_path, root=tmp_path / "file", retries=0)
    assert outcome.verdict is Verdict.ERROR and "cannot be made" in outcome.reason


@pytest.mark.row("SI-40")
def test_only_transient_faults_are_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(scenario=scenario(tmp_path), root=tmp_path / "root", retries=2)
    faults: list[Exception] = []
    whole = running._tried

    def tried(one: Job) -> Outcome:
        if faults:
            raise faults.pop(0)
        return whole(one)

    monkeypatch.setattr(running, "_tried", tried)
    monkeypatch.setattr(running, "wait_seconds", lambda fault: 0.0)
    faults[:] = [ConnectionResetError("gone"), ConnectionResetError("gone")]
    outcome = run_job(job)
    assert (outcome.verdict, outcome.attempts, len(outcome.faults)) == (Verdict.PASS, 3, 2)
    faults[:] = [ConnectionResetError("gone")] * 3
    outcome = run_job(job)
    assert (outcome.verdict, outcome.attempts) == (Verdict.ERROR, 3)
    for fault in (TimeoutError("overloaded 529, try again"), ValueError("connection reset")):
        faults[:] = [fault]
        outcome = run_job(job)
        assert (outcome.verdict, outcome.attempts) == (Verdict.ERROR, 1)
    assert [wait_seconds(n, lambda: 1.0) for n in (1, 2, 3, 9)] == [0.2, 0.4, 0.8, 5.0]
    assert wait_seconds(1, lambda: 0.0) == 0.1


class AtOnce(Executor):
    """Runs in this process; some jobs die first, and all finish in the opposite order."""

    def __init__(self, deaths: int = 0) -> None:
        self.deaths = deaths

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.deaths:
            self.deaths -= 1
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def jobs(folder: Path, count: int) -> list[Job]:
    return repeated([Job(scenario=scenario(folder), root=folder / "root")], count)


@pytest.mark.row("SI-31")
def test_outcomes_keep_the_order_of_the_jobs_and_lost_ones_are_begun_anew(tmp_path: Path) -> None:
    told: list[int] = []
    outcomes = run_suite(jobs(tmp_path, 4), AtOnce(2), lambda job, outcome: told.append(outcome.repetition))
    assert [one.repetition for one in outcomes] == [1, 2, 3, 4]
    assert [one.attempts for one in outcomes] == [2, 2, 1, 1] and sorted(told) == [1, 2, 3, 4]
    (lost,) = run_suite(jobs(tmp_path, 1), AtOnce(9))
    assert lost.verdict is Verdict.ERROR and lost.reason.startswith("its process died 3 times")


def dies(seconds: float) -> int:
    """A job whose process is killed."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def sleeps(seconds: float) -> float:
    """A job."""
    time.sleep(seconds)
    return seconds


@pytest.mark.row("SI-30")
@pytest.mark.slow
def test_the_death_of_one_process_disturbs_no_other() -> None:
    with SlotPool(2) as pool:
        slow, dead = pool.submit(sleeps, 1.0), pool.submit(dies, 0.0)
        with pytest.raises(BrokenProcessPool):
            dead.result(60)
        assert slow.result(60) == 1.0
        assert pool.submit(sleeps, 0.0).result(60) == 0.0


def test_an_unknown_executor_is_told() -> None:
    for where in ("dask", "ssh://host", "dask://"):
        with pytest.raises(InputError, match="must be local, dask://HOST:PORT"), open_executor(where, 1):
            pass


@pytest.mark.row("VR-31")
def test_wilsons_interval_is_that_of_the_books() -> None:
    """81 of 263: 0.2553 to 0.3662 (Newcombe 1998, table I, method 3); and the edges."""
    rate = wilson(81, 263)
    assert (round(rate.low, 4), round(rate.high, 4)) == (0.2553, 0.3662)
    assert (round(wilson(0, 20).high, 4), wilson(0, 20).low) == (0.1611, 0.0)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)
    assert str(wilson(9, 10)) == "9/10 = 90% (60% to 98%)"


def outcome(name: str, verdict: Verdict = Verdict.PASS, *, good: bool = True, **fields: Any) -> Outcome:
    checks = (
        CheckResult("looked_before_acting", "reasoning", good, ("Read came first",), 3.0),
        CheckResult("file", "mechanics", True, (f"a <b> & sk-ant-api03-{SECRET}",), 1.0),
    )
    fields = {"seconds": 1.5, "reason": "" if good else "why\x1b[31m", **fields}
    fields |= {"checks": checks, "task": "do it"}
    return Outcome(id=name, name=name, verdict=verdict, as_expected=good, **fields)


REPORT = Report(
    "2026-01-02T03:04:05Z",
    2.0,
    2,
    (outcome("a/b/one"), outcome("a/b/two", Verdict.FAIL, good=False), outcome("a/b/two", repetition=2)),
)


@pytest.mark.row("SI-41", "VR-26")
def test_reports_say_the_same_in_four_forms(tmp_path: Path) -> None:
    document = json.loads(as_json(REPORT))
    assert [one["id"] for one in document["outcomes"]] == ["a/b/one", "a/b/two", "a/b/two"]
    assert document["summary"]["scores"] == {"all": 0.75, "mechanics": 1.0, "reasoning": 0.6667}
    assert not document["good"] and document["time_saved_seconds"] == 2.5
    markdown = as_markdown(REPORT)
    assert "FAIL: 2 of 3 as expected, in 2.0 s, 2 at once (2.5 s saved)." in markdown
    assert "| a/b/two | 1/2 = 50% (9% to 91%) |" in markdown
    suite = ET.fromstring(as_junit(REPORT))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    page = as_html(REPORT)
    assert "a &lt;b&gt; &amp;" in page and "<script" not in page
    for text in (as_json(REPORT), markdown, as_junit(REPORT), page):
        assert SECRET not in text and "\x1b" not in text
    names = [path.name for path in write_reports(REPORT, tmp_path / "out")]
    assert names == ["report.json", "report.md", "junit.xml", "report.html"]


@pytest.mark.row("SI-41")
def test_two_reports_are_compared(tmp_path: Path) -> None:
    old = json.loads(as_json(Report("", 1.0, 1, (outcome("a/b/one"), outcome("a/b/gone")))))
    bad = outcome("a/b/one", Verdict.FAIL, good=False)
    new = json.loads(as_json(Report("", 1.0, 1, (bad, outcome("a/b/new")))))
    changes = compare(old, new)
    assert (changes.added, changes.removed) == (("a/b/new",), ("a/b/gone",))
    assert changes.worse == ("a/b/one: pass → fail (not expected)",)
    assert compare(new, old).better == ("a/b/one: fail (not expected) → pass",)
    assert compare(old, old).lines() == ["nothing changed"]
    for text in ("# Markdown", "{}", "[]", '{"schema": 99, "outcomes": []}'):
        path = tmp_path / "report.json"
        path.write_text(text)
        with pytest.raises(InputError, match=r"give a report\.json of copilot eval"):
            read_report(path)


@pytest.mark.row("SI-38", "SI-39", "SI-27")
def test_the_command_lists_refuses_and_needs_paths(tmp_path: Path) -> None:
    path = written(tmp_path, COMMANDS)
    listed = CliRunner().invoke(eval_command, [str(path), "--list"])
    assert listed.output == "  1  kind/files/makes-a-file  files, quick\n"
    for options in (["--tag", "none"], ["--scenarios", "x"], ["--compare", str(tmp_path / "gone.json")]):
        refused = CliRunner().invoke(eval_command, [str(path), *options])
        assert isinstance(refused.exception, InputError), options
    assert CliRunner().invoke(eval_command, []).exit_code == 2


@pytest.mark.row("SI-33", "SI-34")
def test_each_command_can_have_a_folder_and_assets_of_its_own(tmp_path: Path) -> None:
    text = COMMANDS.replace(
        "[touch made.txt]", "['cat {{path:a.txt}}', 'tee -a {{path:a.txt}}', 'cat {{path:a.txt}}']"
    )
    text = text.replace("[touch]", "[cat, tee]\n    isolation: command").replace(
        "file: made.txt", "exit_code: 0"
    )
    asset = written(tmp_path, "asset", "kind/files/a.txt")
    outcome = ran(tmp_path, text)
    assert (outcome.verdict, outcome.reason) == (Verdict.PASS, "")
    places = [str(one["subject"]).split("/assets")[0].rsplit("/", 1)[1] for one in outcome.tools]
    assert places == ["command-1", "command-2", "command-3"]
    assert asset.read_text() == "asset"


@pytest.mark.row("VR-28")
def test_a_real_model_without_a_key_is_inconclusive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-the-host")
    text = COMMANDS.replace("commands: [touch made.txt]", "task: x\n    playbook: {turns: [{text: hi}]}")
    text = text.replace("allow_commands: [touch]", "provider: anthropic")
    outcome = ran(tmp_path, text)
    assert outcome.verdict is Verdict.INCONCLUSIVE and "no key of yours is seen" in outcome.reason
