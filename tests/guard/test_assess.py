"""The risk of saying yes to a prompt, grants, and verdicts."""

from __future__ import annotations

import posixpath

import pytest

from copilot.core.detection import (
    Detection,
    Option,
    ShownChange,
    Subject,
)
from copilot.core.reply import Autonomy
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.errors import InputError
from copilot.guard.command_risk import judge_command, verdict_at
from copilot.guard.grants import Grant
from copilot.guard.prompts import assess, assess_choice
from copilot.guard.scope import ProjectScope

SCOPE = ProjectScope("/home/me/project", "/home/me", posixpath.normpath)


def permission(action: str, text: str, *, cut: bool = False) -> Detection:
    change = (
        ShownChange("edit", ("x = 1",), ("x = 2",), (), whole=True) if action in ("write", "edit") else None
    )
    subject = Subject(action, text, cut, change=change)
    return Detection(ScreenKind.PERMISSION, "Do you want to proceed?", subject=subject)


def level(detection: Detection, *grants: str) -> str:
    return assess(detection, SCOPE, [Grant.parse(rule) for rule in grants]).level.word


@pytest.mark.row("CP-44", "CP-84")
@pytest.mark.parametrize(
    ("action", "text", "expected"),
    [
        ("shell", "ls -la", "none"),
        ("shell", "npm test", "medium"),
        ("shell", "rm -rf build/", "high"),
        ("shell", "rm -rf ~", "forbidden"),
        ("write", "src/new.py", "low"),
        ("edit", "/home/me/project/src/app.py", "low"),
        ("edit", "src/../../other/app.py", "high"),
        ("write", "/etc/hosts", "high"),
        ("write", "~/.ssh/authorized_keys", "forbidden"),
        ("edit", ".git/hooks/pre-commit", "forbidden"),
        ("edit", ".claude/settings.json", "forbidden"),
        ("edit", ".github/workflows/ci.yml", "high"),
        ("write", ".env", "high"),
        ("write", "src/a.py\n~/.bashrc", "forbidden"),
        ("delete", "src/app.py", "high"),
        ("read", "src/app.py", "none"),
        ("read", "id_rsa", "high"),
        ("read", "/etc/passwd", "high"),
        ("fetch", "https://example.com", "high"),
        ("plan", "do it all", "high"),
        ("tool", "demo.echo", "high"),
        ("unknown", "something", "high"),
        ("shell", "", "high"),
    ],
)
def test_a_permission_is_as_dangerous_as_what_it_permits(action: str, text: str, expected: str) -> None:
    assert level(permission(action, text)) == expected


def test_a_cut_dialog_is_never_judged_as_if_it_were_whole() -> None:
    assert level(permission("shell", "ls", cut=True)) == "high"
    assert level(permission("write", "src/a.py", cut=True), "write:src/**") == "high"
    assert level(permission("shell", "rm -rf ~", cut=True)) == "forbidden"
    assert level(Detection(ScreenKind.PERMISSION, "Do you want to proceed?")) == "high"


@pytest.mark.row("CP-84", "CP-37")
@pytest.mark.parametrize(
    "question",
    ["Delete the existing folder dist/?", "cp: overwrite 'README.md'?", "rm: remove 4 arguments recursively?", "Proceed with deletion? (y/N)",
     "Overwrite existing files? (y/N)", "force push to origin?", "Deploy to production?", "Publish package?", "DROP table users?",
     "mv: replace 'b', overriding mode 0644?", "ｄｅｌｅｔｅ all files?", "del\u200bete all?", "d\u0435lete all?", "Remove_all_data now?"],
)  # fmt: skip
def test_words_that_destroy_or_reach_out_need_a_person(question: str) -> None:
    detection = Detection(ScreenKind.YES_NO, question, (Option("yes", selected=True), Option("no")))
    assert level(detection) == "high"


@pytest.mark.parametrize(
    "question", ["Is this OK? (yes)", "Would you like to use TypeScript?", "Add TypeScript?"]
)
def test_plain_questions_are_low(question: str) -> None:
    assert level(Detection(ScreenKind.YES_NO, question, (Option("yes"), Option("no")))) == "low"
    assert level(Detection(ScreenKind.MENU, question, (Option("SQLite"), Option("Postgres")))) == "low"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(ScreenKind.PASSWORD, "high"), (ScreenKind.LOGIN, "high"), (ScreenKind.TRUST, "high"), (ScreenKind.UNKNOWN, "high"),
     (ScreenKind.EDITOR, "high"), (ScreenKind.PRESS_KEY, "low"), (ScreenKind.QUESTION, "low"), (ScreenKind.TEXT_INPUT, "low"), (ScreenKind.PAGER, "low"),
     (ScreenKind.IDLE, "none"), (ScreenKind.BUSY, "none")],
)  # fmt: skip
def test_the_kind_of_a_prompt(kind: ScreenKind, expected: str) -> None:
    assert level(Detection(kind, "Continue")) == expected


def test_an_editor_is_not_judged_by_the_name_of_its_mode() -> None:
    risk = assess(Detection(ScreenKind.EDITOR, "vim, normal mode"), SCOPE)
    assert risk.rule == "prompt.editor" and "mode" not in risk.reason


def test_an_option_is_judged_by_its_own_words() -> None:
    detection = Detection(ScreenKind.MENU, "Conflict on package.json", (Option("Overwrite"), Option("Abort")))
    assert assess_choice(detection, "Overwrite").level is RiskLevel.HIGH
    assert assess_choice(detection, "Abort").level is RiskLevel.LOW


@pytest.mark.row("CP-45")
@pytest.mark.parametrize(
    ("grant", "command", "expected"),
    [
        ("shell:rm -r build", "rm -r build", "medium"),
        ("shell:rm -r build", "rm -r src", "high"),
        ("shell:rm -r build", "rm -r build src", "high"),
        ("shell:rm -r build", "rm -r build; rm -r src", "high"),
        ("shell:rm -r build/*", "rm -r build/x", "medium"),
        ("shell:npm install *", "npm install left-pad", "medium"),
        ("shell:npm install *", "npm install https://x.example/x.tgz", "high"),
        ("shell:cp *", "cp src/app.py .github/workflows/x.yml", "high"),
        ("shell:python3 -", "echo 'import x' | python3 -", "high"),
        ("shell:psql shop", "psql shop <<< 'DELETE FROM users'", "high"),
        ("shell:rm -r build/*", "rm -r build/../src", "high"),
        ("shell:rm -r build/*", "rm -r build/*", "high"),
        ("shell:rm -rf ~", "rm -rf ~", "forbidden"),
        ("shell:npm install *", "npm install left-pad", "medium"),
        ("shell:npm install *", "npm install --prefix /etc x", "high"),
        ("shell:npm install *", "npm install -g x", "high"),
        ("shell:npm install *", "npm install x && curl y", "high"),
        ("shell:npm install *", "sudo npm install x", "high"),
        ("shell:npm install *", "npm install $x", "high"),
        ("shell:npm install *", "npm install x > ~/.bashrc", "forbidden"),
        ("shell:npm install *", "PATH=/evil npm install x", "high"),
        ("shell:npm publish", "npm publish", "forbidden"),
        ("shell:python3 app.py", "python3 app.py", "medium"),
        ("shell:cat /etc/hosts", "cat /etc/hosts", "medium"),
        ("write:docs/**", "echo x > docs/a/b.md", "medium"),
        ("write:docs/**", "echo x > docs/../src/b.md", "high"),
        ("write:docs/*", "echo x > docs/a/b.md", "high"),
    ],
)  # fmt: skip
def test_a_grant_lifts_exactly_what_it_names(grant: str, command: str, expected: str) -> None:
    assert judge_command(command, SCOPE, [Grant.parse(grant)]).level.word == expected


def test_grants_for_files_and_fetches() -> None:
    assert level(permission("delete", "build/a.o"), "delete:build/**") == "medium"
    assert level(permission("delete", "src/a.py"), "delete:build/**") == "high"
    assert level(permission("fetch", "https://example.com/a"), "fetch:example.com") == "medium"
    assert level(permission("fetch", "https://example.com.evil.net/"), "fetch:example.com") == "high"
    assert level(permission("edit", ".git/config"), "edit:.git/**") == "forbidden"


@pytest.mark.parametrize("rule", ["", "npm install", "shell:", "shell:*", "dance:x", "shell:'open"])
def test_a_bad_grant_says_how_to_write_one(rule: str) -> None:
    with pytest.raises(InputError, match=r"--allow"):
        Grant.parse(rule)


@pytest.mark.parametrize(
    ("risk", "verdicts"),
    [
        (RiskLevel.NONE, "hold hold allow allow"),
        (RiskLevel.LOW, "hold hold allow allow"),
        (RiskLevel.MEDIUM, "hold hold hold allow"),
        (RiskLevel.HIGH, "hold hold hold hold"),
        (RiskLevel.FORBIDDEN, "forbid forbid forbid forbid"),
    ],
)
def test_the_verdict_at_each_level(risk: RiskLevel, verdicts: str) -> None:
    levels = (Autonomy.WATCH, Autonomy.SUGGEST, Autonomy.ASSIST, Autonomy.FULL)
    assert " ".join(verdict_at(Risk(risk), level) for level in levels) == verdicts


def test_the_part_that_decided_is_named() -> None:
    risk = judge_command("ls && npm test; rm -rf build | cat", SCOPE)
    assert (risk.part, risk.rule, risk.level) == ("rm -rf build", "files.delete", RiskLevel.HIGH)
