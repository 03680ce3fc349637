"""What a permission is about is read whole from the screen: a wrong path or command would be misjudged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, ScreenKind
from copilot.detectors import Examiner
from copilot.recording.asciicast import read_cast
from copilot.screen import TerminalScreen

CORPUS = Path(__file__).parents[1] / "corpus"
JUST_BEFORE_SECONDS = 0.01

SUBJECTS = {
    "claude/bash_permission_80x24": ["shell: python3 app.py && touch out.txt"],
    "claude/classic_renderer": ["write: run.py", "shell: python3 run.py && rm -rf build/ && touch done.txt"],
    "claude/long_diff_80x24": ["write: big.py"],
    "claude/plan_approve": ["edit: app.py"],
    "claude/psp_session": ["write: run.py", "shell: python3 run.py && rm -rf build/ && touch done.txt"],
    "claude/rm_rf_deny": ["shell: rm -rf build/"],
    "claude/screen_reader": ["write: hello.py"],
    "claude/two_permissions": ["shell: touch one.txt", "shell: touch two.txt"],
    "claude/webfetch_permission": ["fetch: https://example.com/docs"],
    "claude/write_deny_esc": ["write: secrets.env", "write: config.toml"],
    "codex/bash_dont_ask_again": ["shell: pip install requests"],
    "codex/rm_rf_accept_80x24": ["shell: rm -rf build/ && git clean -fdx"],
    "codex/two_permissions": ["shell: touch two.txt", "shell: touch one.txt"],
    "codex/write_file": ["edit: /tmp/demo3/project/hello.py"],
}


@pytest.mark.row("CP-31")
@pytest.mark.parametrize("name", SUBJECTS)
def test_subjects_of_recorded_permissions(name: str) -> None:
    found = [
        f"{one.subject.action}: {one.subject.text}" if one.subject else "none" for one in _permissions(name)
    ]
    assert found == SUBJECTS[name]


def _permissions(name: str) -> list[Detection]:
    """What is seen just before each labelled permission of the recording is answered."""
    labels = json.loads((CORPUS / f"{name}.json").read_text("utf-8"))
    examiner = Examiner(load_profile(name.partition("/")[0]))
    screen = TerminalScreen(labels["cols"], labels["rows"])
    events = iter(read_cast(CORPUS / f"{name}.cast").events)
    event = next(events, None)
    seen = []
    for label in labels["labels"]:
        while event is not None and event.at <= label["t_end"] - JUST_BEFORE_SECONDS:
            if event.code == "o":
                screen.feed(event.data.encode("utf-8", "surrogatepass"))
            event = next(events, None)
        if label["state"] == ScreenKind.PERMISSION:
            seen.append(examiner.examine(screen.snapshot()).detection)
    return seen
