"""`report.html`: a run on one page, for a reader who was not there. Self-contained: nothing is loaded.

Everything in it stems from outside, so every text is made harmless and escaped; the page forbids itself all
but its own style and its own script, both by their hashes. The records are redacted already; nothing else is
read.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from copilot.core.provider_registry import asks_a_model, drafted_by
from copilot.core.screen_kinds import KIND_WORDS
from copilot.engine.review import Prompt, RunReview
from copilot.engine.totals import HELD_VERDICTS
from copilot.errors import InputError
from copilot.plain_files import MIB, read_plain
from copilot.private_files import replace_atomically
from copilot.recording.artifacts import CAST_NAME, CHANGES_NAME, REPORT_NAME
from copilot.recording.cast_file import CastFile, open_cast
from copilot.recording.report_files import files_html, files_words
from copilot.recording.report_frames import Pictures, pictures_of
from copilot.recording.report_prompt import plan_html, prompt_html, text
from copilot.recording.runs import RecordedRun, summarise
from copilot.recording.transcript import json_text
from copilot.resources import data_folder

LARGEST_AT_END_BYTES = 2_000_000
"""At the end of a run its recording is put into the page up to this size: more would take long."""
_MOST_DIFF_LINES = 5000
_MOST_BYTES = 16 * MIB
"""Of a request, an answer, or what changed."""
_STATE_TONES = {
    "AWAITING_INPUT": "good",
    "ASKING_QUESTION": "answer",
    "ANSWERING": "answer",
    "HELD": "warn",
    "COMPLETED": "good",
    "ERROR": "bad",
    "ABORTED": "warn",
    "RUNNING": "main",
}


def write_report(run: RecordedRun, path: Path | None = None, *, whole: bool = False) -> Path:
    """Write the report, by default into the run's folder. `whole`: with the recording, however large.

    Raises OSError, and InputError as `run.steps` does.
    """
    path = run.path / REPORT_NAME if path is None else path
    replace_atomically(path, report_html(run, whole=whole))
    return path


def report_html(run: RecordedRun, *, whole: bool = True) -> str:
    """The page. Raises InputError for a run of another version."""
    review = run.review()
    cast = recording_of(run)
    played = cast is not None and (whole or cast.lines[len(cast)] <= LARGEST_AT_END_BYTES)
    chosen = [prompt.at for prompt in review.prompts]
    pictures = pictures_of(cast, chosen, frames=True) if cast is not None and played else Pictures()
    style = (data_folder("styles") / "report.css").read_text("utf-8") + pictures.css()
    script = (data_folder("styles") / "report.js").read_text("utf-8") if played else ""
    body = [
        *_head(run, review),
        *_problems(run),
        *_contents(review),
        *plan_html(review.plan, run.path),
        *(
            _player(pictures, max(review.duration, cast.duration), review)
            if cast is not None and played
            else []
        ),
        *(
            prompt_html(prompt, pictures.screens.get(prompt.at, []), requests_of(run, prompt))
            for prompt in review.prompts
        ),
        *files_html(review),
        *_changes(run),
        *([f"<script>{script}</script>"] if played else []),
    ]
    name = text(run.path.name)
    policy = f"default-src 'none'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    policy += f"; script-src '{_hash(script)}'" if played else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>copilot: {name}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>Run {name}</h1>\n" + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )


def _hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


def recording_of(run: RecordedRun) -> CastFile | None:
    """The recording of the terminal; None if it cannot be read."""
    try:
        return open_cast(run.path / CAST_NAME)
    except InputError:
        return None


def facts_of(run: RecordedRun, review: RunReview) -> dict[str, str]:
    """The run in a few lines: heading and value."""
    summary = summarise(run.path)
    outcome, counted = run.manifest.get("outcome"), run.manifest.get("summary")
    reason = outcome.get("reason", "") if isinstance(outcome, dict) else ""
    numbers = counted if isinstance(counted, dict) else {}
    settings = run.settings
    cost = "unknown" if summary.cost_usd is None else f"${summary.cost_usd:.4f}"
    child = settings.get("child")
    return {
        "Outcome": f"{summary.outcome}{': ' if reason else ''}{reason}",
        "Command": " ".join(map(str, child)) if isinstance(child, list) else "",
        "Started": summary.started_at,
        "Lasted": f"{summary.seconds:.0f} s",
        "Profile": summary.profile,
        "Level": f"{_levels(run, review)}{' (dry run)' if settings.get('dry_run') else ''}",
        "Provider": " ".join(str(settings.get(name) or "") for name in ("provider", "model")).strip(),
        "Replies typed": str(summary.steps),
        "Held or refused": str(summary.held),
        **files_words(review),
        **_drafted(str(settings.get("provider") or ""), numbers),
        "Cost": cost,
        "Commit": str(run.manifest.get("git_commit") or "none"),
    }


def _drafted(provider: str, numbers: dict[str, Any]) -> dict[str, str]:
    """How many replies were written, by a model or by what is none."""
    given, got = numbers.get("input_tokens", 0), numbers.get("output_tokens", 0)
    count, tokens = numbers.get("requests", 0), f" ({given} in, {got} out tokens)"
    if asks_a_model(provider):
        return {"Model calls": f"{count}{tokens}"}
    return {"Replies drafted": f"{count} by {drafted_by(provider)}{tokens if given or got else ''}"}


def _levels(run: RecordedRun, review: RunReview) -> str:
    """The level at the start, and those that the person chose later."""
    words = [str(run.settings.get("autonomy", ""))]
    last = words[0]
    for at, level in review.levels:
        if level.value != last:
            words.append(f"later {level.value} (from {at:.1f} s)")
        last = level.value
    return ", ".join(word for word in words if word)


def _head(run: RecordedRun, review: RunReview) -> Iterator[str]:
    yield "<table>"
    for heading, value in facts_of(run, review).items():
        yield f'<tr><th scope="row">{heading}</th><td>{text(value)}</td></tr>'
    yield "</table>"


def _problems(run: RecordedRun) -> Iterator[str]:
    for problem in run.problems:
        yield f'<p class="bad">The transcript is damaged at {text(problem)}.</p>'


def _contents(review: RunReview) -> Iterator[str]:
    if not review.prompts:
        yield "<p>Nothing was asked in this run.</p>"
        return
    yield '<nav aria-label="prompts"><h2>Prompts</h2><ol>'
    for prompt in review.prompts:
        what = prompt.detection.question or KIND_WORDS[prompt.detection.kind]
        yield f'<li><a href="#prompt-{prompt.number}">{text(what)}</a> {_fate(prompt)}</li>'
    yield "</ol></nav>"


def _fate(prompt: Prompt) -> str:
    if not prompt.decisions:
        return '<span class="quiet">no decision</span>'
    decision = prompt.decisions[-1][1]
    tone = "warn" if decision.verdict in HELD_VERDICTS else "good"
    return f'<span class="{tone}">{text(decision.verdict.value)}</span>'


def _player(pictures: Pictures, duration: float, review: RunReview) -> Iterator[str]:
    yield "<section><h2>The recording</h2>"
    yield _timeline(review, duration)
    yield (
        '<div id="player"><pre id="player-screen" tabindex="0" aria-label="the terminal"></pre>'
        '<div id="player-bar"><button type="button" id="player-play">Play</button>'
        '<button type="button" id="player-previous" aria-label="previous prompt">‹ prompt</button>'
        '<button type="button" id="player-next" aria-label="next prompt">prompt ›</button>'
        '<input type="range" id="player-seek" min="0" step="0.1" value="0" aria-label="time">'
        '<span id="player-clock" class="at"></span>'
        '<button type="button" id="player-speed" aria-label="speed">1x</button></div></div>'
    )
    yield (
        '<p id="player-help" class="quiet">Space plays and stops, n and p go to the next prompt and the one '
        "before, j and l five seconds back and on, + and - change the speed. Long pauses are skipped.</p>"
    )
    frames = json_text(pictures.as_object(duration, [prompt.at for prompt in review.prompts]))
    # Inside a script element nothing but these characters could end it or begin a comment.
    safe = frames.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    yield f'<script type="application/json" id="frames">{safe}</script></section>'


def _timeline(review: RunReview, duration: float) -> str:
    """States and prompts as one picture, drawn without any style attribute."""
    total = max(duration, 0.001)
    parts = []
    for span in review.spans:
        x, width = span.start / total * 1000, max(1.0, (span.end - span.start) / total * 1000)
        tone = _STATE_TONES.get(span.state.value, "quiet")
        words = f"{span.start:.1f} s {span.state.value} {span.reason}"
        parts.append(
            f'<rect x="{x:.1f}" y="18" width="{width:.1f}" height="24" class="s-{tone}">'
            f"<title>{text(words)}</title></rect>"
        )
    for prompt in review.prompts:
        x = prompt.at / total * 1000
        parts.append(
            f'<path d="M{x:.1f} 16l-6 -12h12z" class="s-warn"><title>{prompt.number}. '
            f"{text(prompt.detection.question or KIND_WORDS[prompt.detection.kind])}</title></path>"
        )
    return (
        '<svg class="timeline" viewBox="0 0 1000 44" preserveAspectRatio="none" role="img" '
        f'aria-label="states of the run over time">{"".join(parts)}</svg>'
    )


def requests_of(run: RecordedRun, prompt: Prompt) -> list[tuple[int, str, str]]:
    """Number, prompt and answer of each model call for this prompt, as they were written down."""
    found = []
    for number in prompt.requests:
        folder = run.path / "prompts" / f"step-{number:02d}"
        texts = []
        for name in ("request.txt", "reply.txt"):
            texts.append(_text(folder / name))
        if texts[0]:
            found.append((number, texts[0], texts[1]))
    return found


def changes_in(run: RecordedRun) -> str:
    """What changed in the working tree during the run, as it was written down; empty if it was not."""
    return _text(run.path / CHANGES_NAME)


def _text(path: Path) -> str:
    """What was written down there; empty if it was not, or cannot be read."""
    try:
        return read_plain(path, _MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _changes(run: RecordedRun) -> Iterator[str]:
    diff = changes_in(run)
    if not diff:
        return
    yield '<section id="changes"><h2>What changed</h2><p class="quiet">'
    yield "The working tree at the end of the run against the commit it began on; "
    yield "what was changed before it began is in it too.</p>"
    lines = diff.splitlines()
    yield f"<details><summary>{len(lines)} lines</summary><pre>"
    yield "\n".join(map(_diff_line, lines[:_MOST_DIFF_LINES]))
    if len(lines) > _MOST_DIFF_LINES:
        yield f"… and {len(lines) - _MOST_DIFF_LINES} more lines in {html.escape(CHANGES_NAME)}"
    yield "</pre></details></section>"


def _diff_line(line: str) -> str:
    tones = (("+++", "kind"), ("---", "kind"), ("+", "add"), ("-", "cut"), ("@@", "hunk"), ("diff ", "kind"))
    tone = next((tone for start, tone in tones if line.startswith(start)), "")
    return f'<span class="{tone}">{text(line)}</span>' if tone else text(line)
