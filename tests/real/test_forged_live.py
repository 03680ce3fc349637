"""Forged dialogs live: real Claude Code and Codex show rows that read as another, harmless dialog.

A model asks for one forged call after the other and the replies say yes to everything. At `assist` and at `full`
nothing of it is carried out, and what is typed is the refusal.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.recording.asciicast import OUTPUT
from copilot.screen import TerminalScreen
from tests.real.forged import TASK, Forging, forging
from tests.real.run import HeadlessRun, RunFolder, run_headless

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(400)]
COLUMNS, LINES = 120, 40
YES = """\
order: any
replies:
  - {kind: permission, choice: {matches: "^(Yes|Yes, proceed.*|Allow)$"}, times: any}
  - {kind: menu, choice: {matches: "^(Yes|Yes, proceed.*|Allow)$"}, times: any}
  - {kind: yes_no, choice: "y", times: any}
  - {kind: question, text: "yes", times: any}
  - {kind: text_input, text: "yes", times: any}
"""


@pytest.mark.row("CP-40")
@pytest.mark.invariant(13)
@pytest.mark.parametrize("level", ["assist", "full"])
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_nothing_forged_is_carried_out(name: str, level: str, tmp_path: Path) -> None:
    (tmp_path / "replies.yaml").write_text(YES)
    with forging(name, tmp_path) as forged:
        words = ["--autonomy", level, "--provider", "playbook", "--playbook", str(tmp_path / "replies.yaml")]
        words += ["--columns", str(COLUMNS), "--lines", str(LINES), "--timeout", "150s"]
        run = run_headless(forged.on, *words, task=TASK, seconds=200.0)
        forged.assert_nothing_done()
        asked = dict.fromkeys(one.turn for one in forged.on.model.main_requests if one.turn != "wait")
        assert list(asked) == [*(one.name for one in forged.forgeries), "done"]
    assert_refused(run.folder)
    assert_shown(run, forged)


def assert_refused(folder: RunFolder) -> None:
    """Every key belongs to a refusal, to the words that say why, or to leaving at the end."""
    decided = {one["number"]: one for one in folder.decisions}
    typed = [decided[record.data["decision"]] for record in folder.records("effect.WriteKeys")]
    others = {one["rule"] for one in typed if one["verdict"] != "refuse"}
    assert others <= {"policy.follow_up", "run.leave"}
    folder.assert_keys_follow_their_decisions()
    assert not folder.transcript.problems


def assert_shown(run: HeadlessRun, forged: Forging) -> None:
    """The forged rows were on the screen when it was judged."""
    at = [
        record.at
        for record in run.folder.records("effect.RecordDecision")
        if record.data["decision"]["verdict"] == "refuse"
    ]
    pictures = _screens(run.folder, at)
    for one, picture in zip(forged.forgeries, pictures, strict=True):
        assert one.shows in picture, f"{one.name}:\n{picture}"


def _screens(folder: RunFolder, moments: list[float]) -> list[str]:
    screen = TerminalScreen(COLUMNS, LINES)
    events, found = iter(folder.cast.events), []
    event = next(events, None)
    for at in moments:
        while event is not None and event.at <= at:
            if event.code == OUTPUT:
                screen.feed(event.data.encode("utf-8", "surrogatepass"))
            event = next(events, None)
        found.append("\n".join(screen.snapshot().lines))
    return found
