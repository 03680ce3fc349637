"""The rules of the user and of the project: what they may do, and what is said of a wrong one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.config.user_rules import rules_for
from copilot.errors import InputError
from copilot.replay.judge_command import judge_command

ALLOW = """
[[rule]]
id = "own.report"
risk = "medium"
words = ["./report"]
operands = "read"
options = ["--short"]
reason = "our report only reads"
allow = ["./report --short src"]
hold = ["./report /etc"]
"""
RAISE = """
[[raise]]
id = "team.no-tests"
risk = "high"
words = ["npm", "test"]
reason = "tests cost money here"
examples = ["npm test"]
"""
FORBID = RAISE.replace("team.no-tests", "team.never").replace('"high"', '"forbidden"')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project; its own and the user's rules are written by `own` and `of_project`."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    return project


def own(folder: Path, text: str, name: str = "a.toml") -> Path:
    return written(folder.parent / "config/copilot/rules" / name, text)


def of_project(folder: Path, text: str) -> Path:
    return written(folder / ".copilot/rules/team.toml", text)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def judged(folder: Path, command: str, *options: str) -> tuple[str, str]:
    arguments = ["--cwd", str(folder), *options]
    done = CliRunner().invoke(judge_command, arguments, input=json.dumps(command), catch_exceptions=False)
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["verdict"], answer["rule"]


def test_the_user_may_allow_what_is_not_known(folder: Path) -> None:
    assert judged(folder, "./report src") == ("hold", "program.unknown")
    own(folder, ALLOW)
    assert judged(folder, "./report src") == ("allow", "own.report")
    assert judged(folder, "./report ../x")[0] == "hold"
    assert judged(folder, "./report src; rm -rf ~")[0] == "forbid"


def test_the_user_may_raise_what_is_built_in_and_nothing_lowers_forbidden(folder: Path) -> None:
    own(folder, RAISE)
    assert judged(folder, "npm test") == ("hold", "team.no-tests")
    assert judged(folder, "timeout 5 npm test") == ("hold", "team.no-tests")
    assert judged(folder, "npm test", "--allow", "shell:npm test")[0] == "allow"
    own(folder, FORBID)
    assert judged(folder, "npm test", "--allow", "shell:npm test")[0] == "forbid"


def test_a_rule_of_the_user_does_not_lower_what_is_forbidden(folder: Path) -> None:
    text = (
        '[[rule]]\nid="own.all"\nrisk="none"\nwords=["rm"]\noperands="text"\nreason="mine"\nallow=["rm a"]\n'
    )
    own(folder, text)
    assert judged(folder, "rm a")[0] == "allow"
    assert judged(folder, "rm -rf ~")[0] == "forbid"


def test_a_project_may_only_narrow(folder: Path) -> None:
    path = of_project(folder, ALLOW + RAISE)
    assert judged(folder, "npm test") == ("hold", "team.no-tests")
    assert judged(folder, "./report src")[0] == "hold"
    _, notes = rules_for(folder)
    assert notes == (f"{path}: a project's file may only raise; not counted: own.report",)
    (folder / "deep").mkdir()
    assert judged(folder / "deep", "npm test")[0] == "hold"


def test_a_project_narrows_what_the_user_allows(folder: Path) -> None:
    own(folder, ALLOW)
    of_project(
        folder, RAISE.replace('["npm", "test"]', '["./report"]').replace('["npm test"]', '["./report a"]')
    )
    assert judged(folder, "./report src") == ("hold", "team.no-tests")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"medium"', '"mild"'), "rule own.report: risk: 'mild' is not one of none, low, medium"),
        (('"medium"', '"high"'), "rule own.report: risk: 'high' is not one of"),
        (('id = "own.report"', ""), "rule (without id): id is missing"),
        (('operands = "read"', 'operands = "any"'), "rule own.report: operands: 'any' is not one of"),
        (('["./report"]', '["("]'), "rule own.report: words: '(' is no pattern"),
        (('["--short"]', '"--short"'), "rule own.report: options: write a list of strings"),
        (("reason =", "wild = 1\nreason ="), "rule own.report: wild: write true or false"),
        (("reason =", "speed = 1\nreason ="), "rule own.report: speed: this key is not known; the keys are"),
        (
            ('["./report --short src"]', '["./report /etc"]'),
            "rule own.report: allow: './report /etc' is high by",
        ),
        (
            ('["./report /etc"]', '["./report src"]'),
            "rule own.report: hold: './report src' is medium by own.report",
        ),
        (('allow = ["./report --short src"]', ""), "rule own.report: allow: give at least one example"),
        (("[[rule]]", "[rule]"), "rule: write it as [[rule]]"),
        (("[[rule]]", "[[rules]]"), "the key 'rules' is not known; write [[rule]] or [[raise]]"),
        (("[[rule]]", "[[rule"), "not TOML"),
        (("own.report", "read.cat"), "id: 'read.cat' is taken by the built-in rules; choose another"),
    ],
)
def test_a_wrong_file_is_one_line_with_file_rule_key_and_fix(
    folder: Path, change: tuple[str, str], said: str
) -> None:
    path = own(folder, ALLOW.replace(*change))
    with pytest.raises(InputError) as caught:
        rules_for(folder)
    assert str(caught.value).startswith(f"{path}: ") and said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_no_silence(folder: Path) -> None:
    path = own(folder, "")
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        rules_for(folder)
    path.write_bytes(b"#" * 300_000)
    with pytest.raises(InputError, match="larger than"):
        rules_for(folder)


def test_explain_says_which_part_decided_and_where(folder: Path) -> None:
    command = "ls && bash -c 'npm test; rm -rf build'"
    arguments = ["--cwd", str(folder), "--explain"]
    answer = json.loads(CliRunner().invoke(judge_command, arguments, input=json.dumps(command)).stdout)
    assert (answer["part"], answer["rule"]) == ("rm -rf build", "files.delete")
    assert command[answer["start"] : answer["end"]] == "rm -rf build"


def test_a_counted_grant_is_used_up_by_the_lines_before(folder: Path) -> None:
    arguments = ["--cwd", str(folder), "--allow", "shell[times=1]:rm -r build"]
    done = CliRunner().invoke(judge_command, arguments, input='"rm -r src"\n"rm -r build"\n"rm -r build"\n')
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["hold", "allow", "hold"]
