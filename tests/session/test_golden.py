"""Golden transcripts: a scenario's steps, told line by line without their times, equal the stored text."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from copilot.core.reply import Proposal, Reply
from copilot.demo.project import DemoProject
from copilot.session.headless import Narrator
from tests.session.live import FakeProvider, demo_settings, ended, running, yes

GOLDEN = Path(__file__).parent / "golden"
SCENARIOS: dict[str, tuple[tuple[str, ...], list[Proposal]]] = {
    "permission": (("--only", "permission"), [yes()]),
    "destructive": (("--only", "destructive"), [yes()]),
    "text": (("--only", "text"), [Proposal(Reply(text="Shop"))]),
    "defers": (("--only", "menu"), [Proposal(Reply(), needs_human=True, reason="a matter of taste")]),
}


@pytest.mark.row("CP-79")
@pytest.mark.parametrize("name", SCENARIOS)
async def test_a_run_goes_as_it_is_written(name: str, project: DemoProject, tmp_path: Path) -> None:
    options, proposals = SCENARIOS[name]
    settings = demo_settings(project, tmp_path / "run", *options, headless=True)
    async with running(settings, FakeProvider(list(proposals))) as watched:
        await ended(watched)
    told: list[str] = []
    narrator = Narrator(told.append, lambda text: text, as_json=False)
    for step in watched.steps:
        narrator.step(step, 0.0)
    lines = [_plain(line) for line in told if not _passing(line)]
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "\n".join(lines) + "\n" == path.read_text("utf-8")


def _plain(line: str) -> str:
    return re.sub(r"^\s*0\.00\s+", "", line)


def _passing(line: str) -> bool:
    """Whether it depends on the machine's speed: what is seen for a moment between two prompts."""
    return bool(re.search(r"\b(sees\s+(busy|starting|idle|completed)|reply\s+(taken|blocked))\b", line))
