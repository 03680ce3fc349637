"""`report.html`: a run on one page, for a reader who was not there. Self-contained: no script, no network.

Everything in it stems from outside, so every text is made harmless and escaped, and the page forbids itself
to load or run anything. The records are redacted already; nothing else is read.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.private_files import replace_atomically
from copilot.recording.runs import RecordedRun, summarise
from copilot.safety.text import safe_text

REPORT_NAME = "report.html"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; --line: #8885; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } table { border-collapse: collapse; } th { text-align: left; padding-right: 1.5rem; }
section { border-top: 1px solid var(--line); padding: .5rem 0; break-inside: avoid; }
pre { background: var(--soft); padding: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.at { opacity: .7; font-variant-numeric: tabular-nums; } .kind { font-weight: 600; }
ul { margin: .2rem 0; } .bad { color: #c00; } @media (prefers-color-scheme: dark) { .bad { color: #f77; } }
"""


def write_report(run: RecordedRun) -> Path:
    """Write the report into the run's folder. Raises OSError, and InputError as `run.steps` does."""
    path = run.path / REPORT_NAME
    replace_atomically(path, report_html(run))
    return path


def report_html(run: RecordedRun) -> str:
    """The page. Raises InputError for a run of another version."""
    name = _text(run.path.name)
    body = "\n".join([*_head(run), *_problems(run), *_story(run)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>copilot: {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>Run {name}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _text(value: object) -> str:
    """Text from outside: visible marks for what would hide or reorder it, and escaped for HTML."""
    return html.escape(safe_text(str(value)), quote=True)


def _head(run: RecordedRun) -> Iterator[str]:
    summary = summarise(run.path)
    outcome = run.manifest.get("outcome")
    reason = outcome.get("reason", "") if isinstance(outcome, dict) else ""
    cost = "unknown" if summary.cost_usd is None else f"${summary.cost_usd:.4f}"
    rows = {
        "Outcome": f"{summary.outcome}{': ' if reason else ''}{reason}",
        "Started": summary.started_at,
        "Lasted": f"{summary.seconds:.0f} s",
        "Profile": summary.profile,
        "Replies typed": summary.steps,
        "Held or refused": summary.held,
        "Cost": cost,
        "Commit": run.manifest.get("git_commit") or "none",
    }
    yield "<table>"
    for heading, value in rows.items():
        yield f'<tr><th scope="row">{heading}</th><td>{_text(value)}</td></tr>'
    yield "</table>"


def _problems(run: RecordedRun) -> Iterator[str]:
    for problem in run.problems:
        yield f'<p class="bad">The transcript is damaged at {_text(problem)}.</p>'


def _story(run: RecordedRun) -> Iterator[str]:
    """What happened, in order: prompts with all that followed them, and changes of state."""
    open_section = False
    for record, step in run.steps():
        if isinstance(step, ev.ScreenSettled) and step.detection.asks:
            yield from ["</section>"] if open_section else []
            open_section = True
            kind = _text(step.detection.kind.value)
            yield f'<section><h2><span class="at">{record.at:.1f} s</span> {kind}</h2>'
            yield from _prompt(step.detection)
            continue
        line = _line(step)
        if line is not None:
            word, text = line
            at = f'<span class="at">{record.at:.1f} s</span>'
            yield f'<p>{at} <span class="kind">{word}</span> {_text(text)}</p>'
    yield from ["</section>"] if open_section else []


def _prompt(detection: Detection) -> Iterator[str]:
    if detection.question:
        yield f"<pre>{_text(detection.question)}</pre>"
    if detection.subject is not None:
        yield f"<p>{_text(detection.subject.action)}</p><pre>{_text(detection.subject.text)}</pre>"
    if detection.options:
        yield "<ul>"
        for option in detection.options:
            yield f"<li>{_text(option.label)}{' (selected)' if option.selected else ''}</li>"
        yield "</ul>"


def _line(step: ev.Event | fx.Effect) -> tuple[str, str] | None:
    """One step as a word and a text; None for steps that a reader can do without."""
    line: tuple[str, str] | None = None
    match step:
        case ev.ReplyProposed():
            line = "Proposed", f"{step.proposal.reply}: {step.proposal.reason}"
        case ev.ReplyFailed():
            line = "No reply", step.reason
        case ev.PersonSent():
            line = "The person sent", str(step.reply)
        case ev.PersonTyped():
            line = "The person typed", ""
        case ev.ChildExited():
            line = "The child ended", f"with status {step.status}"
        case fx.EnterState():
            line = "State", f"{step.state.value} {step.reason}"
        case fx.RecordDecision():
            decision = step.decision
            risk = f"risk {decision.risk.level.word} ({decision.risk.reason})"
            line = "Decision", f"{decision.verdict.value}: {decision.reason} [{decision.rule}]; {risk}"
        case fx.WriteKeys():
            line = "Typed", " ".join(filter(None, (step.text, *step.keys)))
        case fx.ReplyTaken():
            line = "Outcome", step.outcome
        case fx.ReplyExpired() | fx.CallPerson():
            line = "Held", step.reason
        case fx.EndRun():
            line = "End", f"{step.outcome}: {step.reason}"
    return line
