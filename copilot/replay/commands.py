"""`copilot detect` and `copilot explain`, as click commands; nothing heavy is loaded before they run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import click

from copilot.core.profile import Profile
from copilot.detection import Examination
from copilot.recording.asciicast import Cast
from copilot.replay.driver import CastPlayer, watching


def explain_at(cast: Cast, profile: Profile, at: float, version: str = "") -> Iterator[str]:
    """Lines for a person: what was read at that moment, from what evidence, every rule of that version."""
    player = CastPlayer(cast, watching(cast, profile, version))
    last = None
    for settled in player.settled(until=at):
        last = settled
    player.engine.reader.look(at)
    examination = player.engine.reader.examination
    yield f"at {at:.3f} s, profile {profile.name}" + (f", version {version}" if version else "")
    if last is None:
        yield "settled: nothing yet"
    else:
        yield f"settled: {last.detection.kind.value} at {last.at:.3f} s by {last.detection.rule}"
    if examination is not None:
        yield from explain(examination)


def explain(examination: Examination) -> Iterator[str]:
    """The reading of one screen and every rule, the matching ones marked."""
    detection = examination.detection
    yield f"reading: {detection.kind.value} by {detection.rule} (evidence: {detection.source.name.lower()})"
    if detection.note:
        yield f"  note: {detection.note}"
    if detection.question:
        yield f"  question: {detection.question}"
    for option in detection.options:
        yield f"  {'>' if option.selected else ' '} {option.label}  [{option.key or 'arrows, Enter'}]"
    if (subject := detection.shown_subject) is not None:
        cut = " (cut off)" if subject.cut else ""
        yield f"  subject: {subject.action}{cut}: {subject.text}"
    if detection.draft:
        yield f"  draft: {detection.draft}"
    for row in detection.evidence:
        yield f"  row {row}: {examination.regions.rows.texts[row].strip()}"
    if examination.report is not None:
        report = examination.report
        yield f"report: {report.says} by {report.by} {report.kind}".rstrip()
    for verdict in examination.verdicts():
        mark = "MATCH" if verdict.matched else "  no "
        reason = f": {verdict.why_not}" if verdict.why_not else ""
        yield f"{mark} {verdict.rule.priority:3} {verdict.rule.id} ({verdict.rule.kind}){reason}"


def _given(cast: str) -> str:
    """A recording, or a run by its folder, its id or the beginning of it."""
    from copilot.recording.run_place import given_run

    return str(given_run(Path(cast), os.environ))


@click.command("detect")
@click.argument("cast", type=click.Path(), metavar="CAST|RUN")
@click.option("--profile", metavar="NAME", help="The profile to read the screens with; else recognised.")
@click.option("--detectors", metavar="FILE", help="A detectors.json merged over the profile.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def detect_command(cast: str, profile: str | None, detectors: str | None, as_json: bool) -> None:
    """Detections over a recording, one per change, on the recording's clock.

    RUN is its folder, its id or the beginning of it, or last for the newest.
    """
    from copilot.config.detector_overrides import with_overrides
    from copilot.guard.text import safe_text
    from copilot.recording.asciicast import read_cast
    from copilot.replay.detect import as_object, cast_of, choose_profile, recorded_version, settled_of

    cast = _given(cast)
    recording = read_cast(cast_of(cast))
    chosen = choose_profile(recording, profile)
    if detectors is not None:
        chosen = with_overrides(
            chosen, detectors, lambda note: click.echo(safe_text(f"copilot: note: {note}"), err=True)
        )
    for settled in settled_of(recording, chosen, recorded_version(cast)):
        if as_json:
            click.echo(json.dumps(as_object(settled), ensure_ascii=True))
            continue
        detection = settled.detection
        labels = " / ".join(option.label for option in detection.options)
        parts = [detection.question or "", f"[{labels}]" if labels else ""]
        line = f"{settled.at:9.3f}  {detection.kind.value:11} {' '.join(part for part in parts if part)}"
        click.echo(safe_text(f"{line.rstrip()}  ({detection.rule})"))


@click.command("explain")
@click.argument("cast", type=click.Path(), metavar="CAST|RUN")
@click.option("--at", required=True, metavar="T", help="When on the recording's clock: 90, 1:30 or 50%.")
@click.option("--profile", metavar="NAME", help="The profile to read the screen with; else recognised.")
def explain_command(cast: str, at: str, profile: str | None) -> None:
    """Every rule on the screen at T: whether it matched, and why not.

    RUN is its folder, its id or the beginning of it, or last for the newest.
    """
    from copilot.guard.text import safe_text
    from copilot.recording.asciicast import read_cast
    from copilot.replay.detect import cast_of, choose_profile, recorded_version
    from copilot.replay.recorded import parse_moment

    cast = _given(cast)
    recording = read_cast(cast_of(cast))
    moment = parse_moment(at, recording.duration, "--at")
    for line in explain_at(recording, choose_profile(recording, profile), moment, recorded_version(cast)):
        click.echo(safe_text(line))
