"""The simulated CLI with a model: its tools, and what it makes of a model that answers badly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from copilot.demo import agent_tools
from copilot.demo.agent import ModelFault, ModelLine, _blocks
from copilot.demo.agent_extras import AgentExtras
from copilot.demo.agent_tools import TOOL_SCHEMAS, Desk
from copilot.lab.model_server import HttpError, ModelServer, Turn


class QuietStage:
    """Says nothing, and is never busy."""

    def say(self, text: str, style: str = "") -> None:
        """Nothing."""

    def busy_with(self, what: str, job: Any) -> Any:
        return job()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(agent_tools, "choose", lambda stage, asked: asked.options[0])
    return Desk(QuietStage(), tmp_path, AgentExtras(frozenset()))  # type: ignore[arg-type]


@pytest.mark.row("VR-9")
def test_edits_name_their_base(desk: Desk, tmp_path: Path) -> None:
    assert desk.use("Write", {"file_path": "a/b.txt", "content": "one\none\ntwo\n"}).failed is False
    assert "stands 2 times" in desk.use("Edit", {"file_path": "a/b.txt", "old": "one", "new": "x"}).text
    assert "stands 0 times" in desk.use("Edit", {"file_path": "a/b.txt", "old": "three", "new": "x"}).text
    assert desk.use("Edit", {"file_path": "a/b.txt", "old": "two", "new": "three"}).failed is False
    assert (tmp_path / "a" / "b.txt").read_text() == "one\none\nthree\n"
    assert desk.use("Search", {"text": "three"}).text == "a/b.txt:3: three"
    assert desk.use("List", {"path": "."}).text == "a/b.txt"
    assert desk.use("Bash", {"command": "cat a/b.txt; exit 3"}).text.endswith("three\n\nexit status 3")


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("Fly", {}, "there is no tool 'Fly'"),
        ("Write", {"file_path": "x"}, "Write: content must be a text"),
        ("Read", "x", "there is no tool 'Read'"),
        ("Read", {"file_path": "gone"}, "Read failed: "),
    ],
)
def test_bad_calls_are_told_to_the_model(desk: Desk, name: str, given: Any, said: str) -> None:
    done = desk.use(name, given)
    assert done.failed and done.text.startswith(said)


@pytest.mark.row("VR-4")
def test_a_wrong_kind_of_answer_is_named_at_once() -> None:
    with pytest.raises(ModelFault, match="200: the answer is not JSON"):
        _blocks(200, b"event: message_start\ndata: {}\n\n", "")


def test_passing_faults_are_retried_and_others_are_not() -> None:
    turns = [Turn(error=HttpError(529)), Turn("here"), Turn(error=HttpError(401, "bad key"))]
    with ModelServer(turns) as model:
        line = ModelLine(model.url, "", "", TOOL_SCHEMAS)
        line.add({"role": "user", "content": "go"})
        assert line.ask()[0]["text"] == "here"
        with pytest.raises(ModelFault, match="401 bad key"):
            line.ask()
