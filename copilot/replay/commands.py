"""`copilot detect` and `copilot explain`, as click commands; nothing heavy is loaded before they run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click


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
    from copilot.recording.asciicast import read_cast
    from copilot.replay.detect import as_object, cast_of, choose_profile, recorded_version, settled_of
    from copilot.safety.text import safe_text

    cast = _given(cast)
    recording = read_cast(cast_of(cast))
    chosen = choose_profile(recording, profile)
    if detectors is not None:
        chosen = with_overrides(chosen, detectors)
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
    from copilot.recording.asciicast import read_cast
    from copilot.replay.detect import cast_of, choose_profile, recorded_version
    from copilot.replay.explain import explain_at
    from copilot.replay.moments import parse_moment
    from copilot.safety.text import safe_text

    cast = _given(cast)
    recording = read_cast(cast_of(cast))
    moment = parse_moment(at, recording.duration, "--at")
    for line in explain_at(recording, choose_profile(recording, profile), moment, recorded_version(cast)):
        click.echo(safe_text(line))
