"""Claude Code and Codex live with their own reports believed and not: what is detected stays the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.real.run import RunFolder
from tests.real.scenes import story
from tests.real.stage import stage
from tests.real.test_every_cli import at_full, prompts_of

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(600)]
_FOLDER = re.compile(r"/tmp/\S*?/project")
"""Each run has one of its own, and some labels name it."""
OFF = {
    "all": {},
    "no status": {"COPILOT_PROGRAM_STATUS": "off"},
    "no titles": {"COPILOT_TITLES": "off"},
    "neither": {"COPILOT_PROGRAM_STATUS": "off", "COPILOT_TITLES": "off"},
}


def run_with(name: str, folder: Path, environment: dict[str, str]) -> RunFolder:
    """The whole way with this evidence; every prompt is answered, so what is missed makes it fail."""
    folder.mkdir()
    with stage(name, folder, playbook=story(name)) as on:
        run = at_full(on, environment=environment)
        assert run.exit_code == 0
        on.assert_files()
    run.folder.assert_keys_follow_their_decisions()
    run.folder.assert_no_key_while_answered(on.model.given)
    return run.folder


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_the_same_detections_whatever_is_reported(name: str, tmp_path: Path) -> None:
    runs = {what: run_with(name, tmp_path / what.replace(" ", "-"), off) for what, off in OFF.items()}
    seen = {
        what: [
            (one["kind"], one["question"], [_FOLDER.sub("", option["label"]) for option in one["options"]])
            for one in prompts_of(folder)
        ]
        for what, folder in runs.items()
    }
    assert len(seen["all"]) >= 4
    for what, prompts in seen.items():
        assert prompts == seen["all"], what
    rules = {what: set(rules_of(folder)) for what, folder in runs.items()}
    assert "report.working" in rules["all"]
    assert not any(rule.startswith("report.") for rule in rules["neither"]), "the switches switch nothing"


def rules_of(folder: RunFolder) -> list[str]:
    return [record.data["detection"]["rule"] for record in folder.records("event.ScreenSettled")]
