"""The session that the source document tells, on a real line-reading program: menu 3, y, done."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core import effects as fx
from tests.plans import source_document
from tests.session.live import ended, run_settings, running

SCAFFOLD = """#!/bin/sh
echo "Available: 1-React, 2-Next.js, 3-Express"
printf "Choose a template (1-React, 2-Next.js, 3-Express):{end}"; read template
printf "Proceed to install deps? [y/n]{end}"; read answer
printf "Enter project name:{end}"; read name
echo "$template $answer $name" > answers
echo "✅ Scaffold complete"
"""
REPLIES = """order: any
replies:
  - {question: {contains: Choose a template}, choice: Express}
  - {question: {contains: install deps}, choice: "yes"}
  - {question: {contains: project name}, text: shop}
"""


@pytest.mark.row("CP-86", "CP-94")
@pytest.mark.parametrize("end", [" ", r"\n"], ids=["blank", "newline"])
async def test_a_scaffolder_is_driven_to_its_end_without_any_grant(tmp_path: Path, end: str) -> None:
    """With the detectors file of the document as it stands there."""
    program = tmp_path / "scaffold"
    program.write_text(SCAFFOLD.replace("{end}", end), encoding="utf-8")
    detectors = tmp_path / "detectors.json"
    detectors.write_text(source_document.DETECTORS, encoding="utf-8")
    program.chmod(0o755)
    playbook = tmp_path / "replies.yaml"
    playbook.write_text(REPLIES, encoding="utf-8")
    settings = run_settings(
        tmp_path,
        program,
        provider="playbook",
        playbook=str(playbook),
        detectors=str(detectors),
        headless=True,
        governing_prompt="Build a small web service.\nYou may install the project's dependencies and run the tests.",
    )
    async with running(settings) as watched:
        ending = await ended(watched)
        decisions = [step.decision for step in watched.of(fx.RecordDecision)]
        assert (ending.outcome, ending.exit_code) == ("completed", 0), decisions
        assert "allowed by your prompt, line 2" in decisions[1].reason
    assert (tmp_path / "answers").read_text() == "3 y shop\n"
