"""The examples that help and documents give are right: they are loaded by what reads such files."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from copilot import cli
from copilot.config.plan_files import load_plan
from copilot.lab.model_server import ModelServer
from copilot.lab.model_server.playbook_file import load_playbook
from tests.model_server.wire import post

DOCS = Path(__file__).resolve().parents[2] / "docs"


def example(text: str, first: str) -> str:
    """The indented block of a help text that begins with a line of this beginning."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.strip().startswith(first))
    end = next(number for number, line in enumerate(lines) if number > start and not line.strip())
    return textwrap.dedent("\n".join(lines[start:end])) + "\n"


def test_the_help_of_plan_check_has_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plan", "check", "--help"]) == 0
    said = capsys.readouterr().out
    assert "docs/plans.md" in said and (DOCS / "plans.md").is_file()
    path = tmp_path / "plan.yml"
    path.write_text(example(said, "name: "), encoding="utf-8")
    assert [step.name for step in load_plan(path, print).steps] == ["Look around", "Write it"]
    assert cli.main(["plan", "check", str(path)]) == 0


def test_a_wrong_plan_is_told_in_the_form_of_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.yml"
    path.write_text("name: x\nsteps:\n  - name: a\n    runn: ls\n  - nam: b\n", encoding="utf-8")
    assert cli.main(["plan", "check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 3
    assert all(line.startswith(f"copilot: error: {path}, line ") for line in err.splitlines())


def test_the_help_of_model_server_has_a_playbook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["model-server", "--help"]) == 0
    said = capsys.readouterr().out
    assert "docs/model-server.md" in said
    path = tmp_path / "playbook.yaml"
    path.write_text(example(said, "turns:"), encoding="utf-8")
    book = load_playbook(path)
    assert [call.name for call in book.turns[0].tool_calls] == ["Write"] and book.turns[1].text == "Done."


def test_the_first_playbook_of_the_document_answers_the_documents_request(tmp_path: Path) -> None:
    document = (DOCS / "model-server.md").read_text(encoding="utf-8")
    (book,) = re.findall(r"cat > hello\.yaml <<'END'\n(.*?)END\n", document, re.DOTALL)
    (path, body) = re.findall(r"curl -s http://127\.0\.0\.1:8765(\S+) .*?-d '(.*?)'", document, re.DOTALL)[0]
    (tmp_path / "hello.yaml").write_text(book, encoding="utf-8")
    with ModelServer(tmp_path / "hello.yaml") as server:
        reply = post(server.url + path, None, data=body.encode())
        assert reply.status == 200 and reply.body["content"][0]["text"] == "Hello from the playbook."
        assert [request.turn for request in server.requests] != [""]


_VALUE_TYPES = re.compile(r"\b(?:INTEGER|FLOAT|RANGE|TEXT|PATH|DIRECTORY|FILENAME)\b(?!\|)")


@pytest.mark.parametrize(
    "command",
    [
        *(["plan"], ["plan", "check"], ["profiles"], ["mcp"], ["mcp", "install"], ["demo"], ["eval"]),
        *(["serve"], ["judge"], ["model-server"], ["run-test"], ["runs"], ["report"], ["replay"], ["undo"]),
    ],
    ids=" ".join,
)
def test_help_cuts_no_line_and_names_values_by_what_they_are(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*command, "--help"]) == 0
    said = capsys.readouterr().out
    assert not [line for line in said.splitlines()[1:] if line.rstrip().endswith("...")]
    options = said.partition("Options:")[2]
    assert not _VALUE_TYPES.search(options), options
