"""Commands that a governing prompt names: lifted exactly as they are written, by an unconditional sentence only."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core.risk import RiskLevel
from copilot.engine.prompt_risk import RiskAssessor
from copilot.guard.scope import ProjectScope
from copilot.providers.permissions import permissions_of
from tests.plans import source_document


def named(prompt: str) -> list[str]:
    return [" ".join(grant.pattern) for grant in permissions_of(prompt).commands]


@pytest.mark.parametrize(
    ("prompt", "commands"),
    [
        ("You may run `git init`.", ["git init"]),
        ("- You may run `npm init -y` and `npx create-vite@5.1.0 app`.", ["npm init -y", "npx create-vite@5.1.0 app"]),
        ("You may use `npx @radzion/workspace init`, run the tests and commit.", ["npx @radzion/workspace init"]),
        ("Feel free to run `uv init`. You can run `cargo new shop`.", ["uv init", "cargo new shop"]),
        (source_document.GOVERNING + source_document.ASKS_FOR_ITS_COMMANDS, ["git init", "npm init -y", "npx @radzion/workspace init"]),
    ],
)  # fmt: skip
def test_a_sentence_of_permission_names_commands(prompt: str, commands: list[str]) -> None:
    assert named(prompt) == commands


@pytest.mark.parametrize(
    "prompt",
    [
        "Run `git init`.",
        "`git init`",
        "You may run `git init` only if the folder is empty.",
        "You may not run `git init`.",
        "You may run `git init`. But ask first.",
        "You may run `git init`.\nNever use git here.",
        "You may run `git init`. `git init` needs my approval.",
        "You may run `git init`. Do not run any commands.",
        "You may run `git init` in `/etc`.",
        "If CI is green:\n- You may run `git init`.",
        "> You may run `git init`.",
        "```\nYou may run `git init`.\n```",
        "You may run `rm -rf build`, `git push`, `npm publish` and `curl https://x.example`.",
        "You may run `npx *`, `npx x; rm y`, `npx ../x`, `npx https://x.example/a`, `npx a --out=/etc`.",
        "You may run `npm install left-pad`.",
        "You may run `git init --template=/tmp/x`.",
        "You may run `git init\u200b`.",
        "You may run `npx`.",
        "You may delete `git init`.",
    ],
)
def test_nothing_else_names_one(prompt: str) -> None:
    assert named(prompt) == []


def test_other_permissions_of_the_sentence_count_as_before() -> None:
    prompt = "You may run `npm init -y`, install the project's dependencies and commit."
    allowed = permissions_of(prompt)
    assert [act.name for act, _ in allowed.acts] == ["INSTALL", "COMMIT"]
    assert named(prompt) == ["npm init -y"]


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("git init", RiskLevel.MEDIUM),
        ("git init --template=x", RiskLevel.HIGH),
        ("git init && git push", RiskLevel.HIGH),
        ("npm init -y", RiskLevel.MEDIUM),
        ("npm init", RiskLevel.HIGH),
        ("npx @radzion/workspace init", RiskLevel.MEDIUM),
        ("npx @radzion/workspace remove", RiskLevel.HIGH),
        ("npx @radzion/workspace@2.0.0 init", RiskLevel.HIGH),
        ("rm -rf /", RiskLevel.FORBIDDEN),
    ],
)
def test_a_command_of_the_plan_is_lifted_only_if_it_is_named(
    tmp_path: Path, command: str, level: RiskLevel
) -> None:
    scope = ProjectScope(str(tmp_path), str(tmp_path / "home"))
    allowed = permissions_of(source_document.GOVERNING + source_document.ASKS_FOR_ITS_COMMANDS)
    assert RiskAssessor(scope).command(command).level >= RiskLevel.HIGH
    risk = RiskAssessor(scope, permissions=allowed).command(command)
    assert risk.level is level
    assert (risk.reason.startswith("allowed by your prompt, line 6")) is (level is RiskLevel.MEDIUM)
