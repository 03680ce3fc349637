"""`copilot explain`: every rule on the screen of one moment, whether it matched, and why not."""

from __future__ import annotations

from collections.abc import Iterator

from copilot.core.profile import Profile
from copilot.detectors import Examination
from copilot.recording.asciicast import Cast
from copilot.replay.detect import CastPlayer


def explain_at(cast: Cast, profile: Profile, at: float, version: str = "") -> Iterator[str]:
    """Lines for a person: what was read at that moment, from what evidence, every rule of that version."""
    player = CastPlayer(cast, profile, version=version)
    last = None
    for settled in player.settled(until=at):
        last = settled
    player.reader.look(at)
    examination = player.reader.examination
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
