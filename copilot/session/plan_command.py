"""`copilot plan check`: a plan's faults, one line each, and how the guard sees its commands."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from copilot.errors import EXIT_USAGE
from copilot.guard.text import safe_text

if TYPE_CHECKING:
    from copilot.core.plan import Plan, PlanCommand


@click.group("plan")
def plan_command() -> None:
    """Plans: what a run does by itself, step by step."""


@plan_command.command("check", short_help="List every fault of a plan, or its steps.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--cwd", type=click.Path(file_okay=False), metavar="DIR", default=".", help="The project (default: here)."
)
@click.option("--allow", "allowed", multiple=True, metavar="RULE", help="A grant, as for a run.")
@click.option("--prompt", default="", metavar="TEXT|FILE", help="The governing prompt, as for a run.")
def check_command(file: Path, cwd: str, allowed: tuple[str, ...], prompt: str) -> int:
    """Check FILE: exit code 2 and a line for each fault, or a line for each step.

    A command that is never run, whoever asks, is a fault too.

    \b
    A plan is YAML:
      name: Greeting
      steps:
        - name: Look around
          run: [ls, "git status"]           # shell commands
        - name: Write it
          send: Write a greeting module.    # a prompt for the CLI
          verify: python3 -m unittest       # must pass
          timeout: 20m

    All keys: docs/plans.md of the source.
    """
    from copilot.config.plan_files import PlanError, load_plan
    from copilot.config.settings import governing_prompt
    from copilot.core.plan import turn_end_hint

    try:
        plan = load_plan(file, _note)
    except PlanError as error:
        for problem in error.problems:
            _error(problem)
        return EXIT_USAGE
    governing = governing_prompt(prompt, Path.cwd()) if prompt else ""
    lines, never = _lines(plan, Path(cwd).absolute(), allowed, governing)
    for line in lines:
        click.echo(safe_text(line))
    if not never and (hint := turn_end_hint(plan)):
        _note(hint)
    for problem in never:
        _error(f"{file}: {problem}; take it out of the plan")
    return EXIT_USAGE if never else 0


def _note(text: str) -> None:
    click.echo(safe_text(f"copilot: note: {text}"), err=True)


def _error(problem: str) -> None:
    click.echo(safe_text(f"copilot: error: {' '.join(problem.split())}"), err=True)


def _lines(plan: Plan, folder: Path, allowed: tuple[str, ...], governing: str) -> tuple[list[str], list[str]]:
    """How the guard sees the plan, and what of it can never run."""
    from copilot.config.user_rules import rules_for
    from copilot.core.plan import PlanPrompt
    from copilot.core.reply import Autonomy
    from copilot.engine.prompt_risk import RiskAssessor
    from copilot.guard.command_risk import verdict_at
    from copilot.guard.grants import Grant, GrantBook
    from copilot.guard.scope import ProjectScope
    from copilot.providers.permissions import permissions_of

    grants = GrantBook([Grant.parse(rule) for rule in allowed], time.time())
    book, notes = rules_for(folder)
    scope = ProjectScope(str(folder), str(Path.home()))
    assessor = RiskAssessor(scope, book, permissions_of(governing))

    never: list[str] = []

    def judged(word: str, command: PlanCommand, label: str) -> str:
        risk = assessor.command(command.text, grants.open_at(time.time()))
        verdict = verdict_at(risk, Autonomy.FULL)
        if verdict == "forbid":
            never.append(f"step {label}: {word} `{command.text}` is never run: {risk.reason}")
        says = {"allow": "runs at level full", "hold": "held", "forbid": "never run"}[verdict]
        return f"  {word} {command.text}: {says}, risk {risk.level.word}: {risk.reason}"

    lines = [*notes, f"{plan.name}: {len(plan.steps)} steps"]
    for index, step in enumerate(plan.steps):
        label = plan.label(index)
        lines.append(label)
        for task in step.tasks:
            lines.append(
                f"  send {task.text}" if isinstance(task, PlanPrompt) else judged("run", task, label)
            )
        lines += [judged("verify", check, label) for check in step.checks]
    return lines, never
