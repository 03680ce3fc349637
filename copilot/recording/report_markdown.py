"""A run as Markdown, for a pull request: the facts, each prompt with its decision, and what changed.

Text from outside is put into code spans and fences that it cannot leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from copilot.core.plan_progress import shown_kind
from copilot.engine.history import outcome_words, reply_words
from copilot.engine.plan_history import PlanHistory, end_words
from copilot.engine.review import Prompt, RunReview
from copilot.guard.text import safe_text
from copilot.recording.report import changes_in, facts_of
from copilot.recording.report_files import file_rows, more_words
from copilot.recording.report_prompt import proposed_words, risk_words, seconds_words
from copilot.recording.runs import RecordedRun

_MOST_DIFF_LINES = 400


def report_markdown(run: RecordedRun) -> str:
    """The page. Raises InputError for a run of another version."""
    review = run.review()
    lines = [f"## Run {_code(run.path.name)}", "", "| | |", "| --- | --- |"]
    lines += [f"| {heading} | {_cell(value)} |" for heading, value in facts_of(run, review).items() if value]
    lines += [f"\n**The transcript is damaged** at {_code(str(problem))}." for problem in run.problems]
    lines += _plan(review.plan)
    for prompt in review.prompts:
        lines += ["", *_prompt(prompt)]
    lines += _files(review)
    diff = changes_in(run)
    if diff:
        rows = diff.splitlines()
        shown = "\n".join(rows[:_MOST_DIFF_LINES])
        more = f"\n… and {len(rows) - _MOST_DIFF_LINES} more lines" if len(rows) > _MOST_DIFF_LINES else ""
        lines += [
            "",
            "<details><summary>What changed</summary>",
            "",
            _fence(shown + more, "diff"),
            "",
            "</details>",
        ]
    return "\n".join(lines) + "\n"


def _plan(plan: PlanHistory | None) -> Iterator[str]:
    if plan is None:
        return
    yield f"\n### The plan: {_code(plan.name)}"
    yield f"\n{_code(end_words(plan.moves, plan.run_end))}\n"
    for step in plan.steps.values():
        yield f"- {_code(step.label)}: {_code(end_words(step.moves, plan.run_end))}"
        for part in step.parts:
            what = f" {_code(part.text)}" if part.text else ""
            ended = _code(end_words(part.moves, plan.run_end))
            yield f"  - {part.at:.1f} s, {_code(part.name)}:{what} {ended}{seconds_words(part)}"


def _prompt(prompt: Prompt) -> Iterator[str]:
    detection = prompt.detection
    yield f"### {prompt.number}. {shown_kind(detection)} at {prompt.at:.1f} s"
    if detection.question:
        yield f"- asked: {_code(detection.question)}"
    if (subject := detection.shown_subject) is not None:
        yield f"- {subject.action}: {_code(subject.text)}"
    if prompt.proposals:
        yield f"- proposed: {_code(proposed_words(prompt.proposals[-1][1]))}"
    for _, decision in prompt.decisions:
        reason, rule = _code(decision.reason), _code(decision.rule)
        own = f" {_code(reply_words(decision.reply))}" if decision.by == "person" and decision.reply else ""
        yield f"- **{decision.verdict.value}**{own} by {decision.by}: {reason} ({rule})"
        yield f"- risk {_code(risk_words(decision.risk))}"
    if prompt.outcome:
        yield f"- outcome: {outcome_words(prompt.outcome)}"


def _files(review: RunReview) -> Iterator[str]:
    rows = file_rows(review)
    if rows:
        yield "\n### Files\n"
    for row in rows:
        yield f"- {row.at:.1f} s, {row.by} {_code(row.after)}"
        for word, paths, more in row.paths:
            yield f"  - {word}: {', '.join(map(_code, paths))}{more_words(more, alone=not paths)}"


def _code(value: str) -> str:
    """A code span that its text cannot end."""
    line = safe_text(" ".join(value.split()))
    ticks = "`" * (max([0, *map(len, re.findall("`+", line))]) + 1)
    space = " " if line.startswith("`") or line.endswith("`") or not line else ""
    return f"{ticks}{space}{line}{space}{ticks}"


def _cell(value: str) -> str:
    return _code(value).replace("|", "\\|")


def _fence(value: str, language: str) -> str:
    """A fenced block that its text cannot end."""
    body = safe_text(value)
    ticks = "`" * max(3, max([0, *map(len, re.findall("`+", body))]) + 1)
    return f"{ticks}{language}\n{body}\n{ticks}"
