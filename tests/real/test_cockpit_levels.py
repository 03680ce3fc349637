"""Real CLIs in the cockpit under tmux, by keys alone, at each autonomy level: what is sent by itself, and what
waits for the person. The story is that of `scenes.py`: a file, the tests, a choice, a deletion, a question.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from copilot.core.reply import Autonomy
from tests.real.cockpit import LOOK_SECONDS, Cockpit
from tests.real.run import RunFolder, read_run
from tests.real.scenes import REPLIES, TASK, story
from tests.real.stage import stage
from tests.real.tools import TOOLS

pytestmark = [
    pytest.mark.real_cli,
    pytest.mark.slow,
    pytest.mark.timeout(420),
    pytest.mark.usefixtures("tmux_needed"),
]
CLIS = ("claude", "codex", "gemini")
GO_ON = "go on without deleting it"
BY_ITSELF = {
    Autonomy.WATCH: frozenset[str](),
    Autonomy.SUGGEST: frozenset[str](),
    Autonomy.ASSIST: frozenset({"write", "choose"}),
    Autonomy.FULL: frozenset({"write", "test", "choose", "ask"}),
}
"""What no key is needed for."""
SEEN = {
    "write": r"hello\.py",
    "test": r"python3 -m unittest",
    "choose": r"Which database",
    "delete": r"rm -rf build/",
    "ask": r"MIT or Apache-2\.0\?",
}


class Person(Cockpit):
    """Who answers what waits, by the cockpit's own keys."""

    level = Autonomy.SUGGEST
    patience_seconds = 100.0
    """What is sent by itself has no step of its own here: several turns may lie between two looks."""

    def answers(self, scene: str) -> None:
        """One prompt of the story, in the way that the level leaves to the person."""
        if scene in BY_ITSELF[self.level]:
            return
        badge = "YOUR TURN" if self.level is Autonomy.WATCH else "HELD"
        kind = {"choose": "menu", "ask": "question"}.get(scene, "permission")
        self.sees(rf"{SEEN[scene]}[\s\S]*▲ {badge} +{kind}", f"{self.level.value}-{scene}")
        self.reads_it()
        if scene == "delete":
            self._picks(r"No\b")
        elif self.level is not Autonomy.WATCH:
            self.commands("s")
        elif scene == "ask":
            self.commands("e")
            self.sees(r"^ EDIT ")
            self.types("MIT")
            self.presses("Enter")
        else:
            self._picks("Postgres" if scene == "choose" else r"(Yes|Allow once)")

    def _picks(self, label: str) -> None:
        self.commands("p")
        screen = self.sees(r"^ REPLY [\s\S]*")
        found = re.search(rf"[│┃].*?(\d) {label}", screen)
        assert found, screen
        self.presses(found[1])
        self.sees(rf"▸ {found[1]} {label}")
        self.presses("Enter")


@pytest.mark.parametrize("level", list(Autonomy), ids=lambda level: level.value)
@pytest.mark.parametrize("name", CLIS)
def test_a_session_by_keys(name: str, level: Autonomy, tmp_path: Path) -> None:
    replies = tmp_path / "replies.yaml"
    replies.write_text(REPLIES)
    options = ["--autonomy", level.value, "--provider", "playbook", "--playbook", str(replies)]
    scenes = [scene for scene in SEEN if scene != "choose" or TOOLS[name].ask is not None]
    with stage(name, tmp_path, playbook=story(name)) as on:
        with Person(on, *options, task=TASK) as person:
            person.level = level
            for scene in scenes:
                person.answers(scene)
                if scene == "delete":
                    person.sees(r"(READY|TURN DONE)", f"{level.value}-refused")
                    person.types(GO_ON)
                    person.presses("Enter")
            person.sees(r"The license is MIT[\s\S]*TURN DONE", f"{level.value}-done")
            person.commands("q")
            person.terminal.exit_status(LOOK_SECONDS)
        on.assert_files()
        assert [request.turn for request in on.model.main_requests][-1] == "done"
    assert_decided(read_run(tmp_path / "runs"), level, scenes)


def assert_decided(folder: RunFolder, level: Autonomy, scenes: list[str]) -> None:
    """The transcript says who sent what, and that every key rests on a decision."""
    assert not folder.transcript.problems
    folder.assert_keys_follow_their_decisions()
    written = {record.data["decision"] for record in folder.records("effect.WriteKeys")}
    typed = [decision for decision in folder.decisions if decision["number"] in written]
    by_itself = [one for one in typed if one["by"] == "policy"]
    by_hand = [one for one in typed if one["by"] == "person"]
    assert len(by_itself) == len([scene for scene in scenes if scene in BY_ITSELF[level]])
    assert len(by_hand) == len([scene for scene in scenes if scene not in BY_ITSELF[level]])
    (refused,) = [one for one in by_hand if (one["reply"]["choice"] or "").startswith("No")]
    assert refused["risk"]["level"] == "none", "to refuse is harmless"
    asked = folder.records("effect.AskProvider")
    assert bool(asked) is (level is not Autonomy.WATCH)
