"""One prompt of a run as a section of the report, and as a part of its Markdown form."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from copilot.core.plan_progress import shown_kind
from copilot.core.provider_registry import what_it_saw
from copilot.core.reply import Proposal
from copilot.core.risk import Risk
from copilot.engine.history import has_reply, reply_words
from copilot.engine.plan_history import Move, PlanHistory, PlanPart, end_words
from copilot.engine.review import Prompt
from copilot.guard.text import safe_text
from copilot.plain_files import open_plain
from copilot.recording.artifacts import command_log
from copilot.recording.report_frames import Pieces, screen_html


def text(value: object) -> str:
    """Text from outside: visible marks for what would hide or reorder it, and escaped for HTML."""
    return html.escape(safe_text(str(value)), quote=True)


def prompt_html(prompt: Prompt, screen: Sequence[Pieces], requests: Sequence[tuple[int, str, str]]) -> str:
    """The section; `requests` are number, prompt and answer of each model call."""
    return "\n".join(_parts(prompt, screen, requests))


def _parts(
    prompt: Prompt, screen: Sequence[Pieces], requests: Sequence[tuple[int, str, str]]
) -> Iterator[str]:
    detection = prompt.detection
    yield (
        f'<section id="prompt-{prompt.number}"><h2><button type="button" data-at="{prompt.at:.3f}" '
        f'class="at" title="show this moment in the recording">{prompt.at:.1f} s</button> '
        f"{prompt.number}. {text(shown_kind(detection))}</h2>"
    )
    if detection.question:
        yield f"<pre>{text(detection.question)}</pre>"
    if detection.subject is not None:
        cut = " (cut off on the screen)" if detection.subject.cut else ""
        yield f"<p>{text(detection.subject.action)}{cut}</p><pre>{text(detection.subject.text)}</pre>"
    if detection.options:
        yield "<ul>"
        yield from (
            f"<li>{text(option.label)}{' (selected)' if option.selected else ''}</li>"
            for option in detection.options
        )
        yield "</ul>"
    yield f'<p class="quiet">read by {text(detection.rule)} ({text(detection.source.name.lower())})</p>'
    if screen:
        rows = frozenset(detection.evidence)
        shown = f'<pre class="screen">{screen_html(screen, rows)}</pre>'
        yield f"<details><summary>the screen</summary>{shown}</details>"
    saw = what_it_saw(prompt.provider)
    for number, asked, answered in requests:
        yield f"<details><summary>{text(saw)} (request {number})</summary>"
        yield f"<pre>{text(asked)}</pre></details>"
        if answered:
            yield f"<details><summary>its answer, as it came</summary><pre>{text(answered)}</pre></details>"
    for _, proposal in prompt.proposals:
        heading = "Reply proposed" if has_reply(proposal.reply) else "No reply proposed"
        yield f"<h3>{heading}</h3><pre>{text(proposed_words(proposal))}</pre>"
        yield f"<p>{text(proposal_words(proposal))}</p>"
    for at, decision in prompt.decisions:
        tone = "good" if decision.verdict.value.startswith("send") else "warn"
        yield (
            f'<h3>Decision</h3><p><span class="at">{at:.1f} s</span> '
            f'<span class="kind {tone}">{text(decision.verdict.value)}</span>: {text(decision.reason)} '
            f'<span class="quiet">[{text(decision.rule)}, by {text(decision.by)}]</span></p>'
            f"<p>Risk {text(risk_words(decision.risk))}</p>"
        )
    yield "<h3>What happened</h3><ul>"
    for one in prompt.history:
        yield (
            f'<li><span class="at">{one.at:.1f} s</span> <span class="kind">{text(one.word)}</span> '
            f"{text(one.text)}</li>"
        )
    yield "</ul></section>"


def proposed_words(proposal: Proposal) -> str:
    """What was proposed, and what the model asks instead."""
    asks = f"; it asks: {proposal.clarification}" if proposal.clarification else ""
    return reply_words(proposal.reply) + asks


def risk_words(risk: Risk) -> str:
    """A risk in one line: level, reasons, what it was seen in, which rule."""
    where = f" in “{risk.part}”" if risk.part else ""
    return f"{risk.level.word}: {risk.reason}{where} [{risk.rule}]"


def proposal_words(proposal: Proposal) -> str:
    """Who proposed, why, how sure, at what price."""
    usage = proposal.usage
    cost = "price unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    tokens = f", {usage.input_tokens} + {usage.output_tokens} tokens, {cost}" if usage.input_tokens else ""
    by = " ".join(part for part in (proposal.provider, proposal.model) if part) or "unknown"
    reason = f"{proposal.reason} " if proposal.reason else ""
    return f"{reason}({by}, {proposal.confidence:.0%} sure{tokens})"


_MOST_LOG_BYTES = 20_000
_TONES = {"done": "good", "failed": "bad"}


def plan_html(plan: PlanHistory | None, folder: Path) -> Iterator[str]:
    """The section; nothing for a run without a plan. `folder` is the run's."""
    if plan is None:
        return
    yield f'<section id="plan"><h2>The plan: {text(plan.name)}</h2>'
    yield f"<p>{_end(plan.moves, plan.run_end)}</p>"
    for step in plan.steps.values():
        yield f"<h3>{text(step.label)}: {_end(step.moves, plan.run_end)}</h3><ul>"
        for part in step.parts:
            yield "".join(_part(part, plan.run_end, folder))
        yield "</ul>"
    yield "</section>"


def _part(part: PlanPart, run_end: str, folder: Path) -> Iterator[str]:
    yield f'<li><span class="at">{part.at:.1f} s</span> <span class="kind">{text(part.name)}</span>'
    if part.text:
        yield f": <code>{text(part.text)}</code>"
    yield f" — {_end(part.moves, run_end)}{seconds_words(part)}"
    written = output_of(part, folder)
    if written:
        yield f"<details><summary>its output</summary><pre>{text(written)}</pre></details>"
    yield "</li>"


def _end(moves: list[Move], run_end: str) -> str:
    tone = _TONES.get(moves[-1].state, "warn") if moves else "warn"
    return f'<span class="{tone}">{text(end_words(moves, run_end))}</span>'


def seconds_words(part: PlanPart) -> str:
    """How long a command took, as an addition in brackets; empty for prompts."""
    seconds = part.ran.seconds if part.ran is not None else None
    return f" ({seconds:.1f} s)" if seconds is not None else ""


def output_of(part: PlanPart, folder: Path) -> str:
    """The end of what a command wrote, as it was written down (redacted); empty if nothing is there."""
    if part.ran is None:
        return ""
    try:
        with os.fdopen(open_plain(folder / command_log(part.ran.ticket)), "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _MOST_LOG_BYTES))
            data = file.read(_MOST_LOG_BYTES)
    except OSError:
        return ""
    if size > len(data):
        data = b"... the beginning is left out here ...\n" + data.partition(b"\n")[2]
    return data.decode("utf-8", "replace").rstrip("\n")
