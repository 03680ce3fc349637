"""What a permission is about is read whole from the screen: a wrong path or command would be misjudged."""

from __future__ import annotations

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.screen_rules import SubjectRule
from copilot.detection.regions import Regions
from copilot.detection.subjects import find_subject
from tests.detection.recorded import permissions_of, subject_of
from tests.detection.screens import detect, screen

SUBJECTS = {
    "claude/bash_permission_80x24": ["shell: python3 app.py && touch out.txt"],
    "claude/classic_renderer": [
        "write: run.py (cut)",
        "shell: python3 run.py && rm -rf build/ && touch done.txt",
    ],
    "claude/long_diff_80x24": ["write: big.py (cut)"],
    "claude/plan_approve": ["edit: app.py"],
    "claude/psp_session": [
        "write: /tmp/demo/project/run.py",
        "shell: python3 run.py && rm -rf build/ && touch done.txt",
    ],
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
    assert [subject_of(one) for one in permissions_of(name)] == SUBJECTS[name]


ENDS = "Permission required\n\n{}\n\n❯ 1. Yes\n  2. No\n\nEnter to select · Esc to cancel"


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ("$ rm -rf dist\n\nDo you want to run this command?", "rm -rf dist"),
        ("Run this command?\n\n$ cat <<E\nIs it so?\nrm -rf dist\nE", "cat <<E\nIs it so?\nrm -rf dist\nE"),
    ],
    ids=["the question is no part of it", "a row of it that looks like a question hides nothing"],
)
def test_a_command_ends_before_the_question_only_if_nothing_stands_between(body: str, command: str) -> None:
    subject = detect("generic", ENDS.format(body), hidden=True).subject
    assert subject is not None
    assert subject.text == command


def test_a_report_without_what_it_may_name_tells_no_subject() -> None:
    rule = SubjectRule("shell", message=r"^Bash(?:: (.+))?$")
    regions = Regions(screen("x", status="blocked:permission:Bash"), load_profile("generic").screen)
    region = regions.region("screen")
    assert region is not None
    assert find_subject((rule,), region, regions) is None
