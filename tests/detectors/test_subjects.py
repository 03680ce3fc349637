"""What a permission is about is read whole from the screen: a wrong path or command would be misjudged."""

from __future__ import annotations

import pytest

from tests.detectors.recorded import permissions_of, subject_of

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
    assert [subject_of(one) for one in permissions_of(name)] == SUBJECTS[name]
