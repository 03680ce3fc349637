"""What a redirection writes: a new log, an append to a text, or something else."""

from __future__ import annotations

from collections.abc import Sequence

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg
from copilot.guard.budget import CHARACTERS
from copilot.guard.edits import lines_risk
from copilot.guard.growth import growth_refusal, ignoring_refusal, is_new_log, new_log_refusal
from copilot.guard.never import written
from copilot.guard.rule_files import Finding, Scene, high
from copilot.guard.shell_tree import Redirect


def writing_findings(
    redirect: Redirect,
    target: Arg,
    scene: Scene,
    pipe: list[tuple[Arg, ...]],
    bodies: Sequence[str],
    *,
    fed: bool,
) -> list[Finding]:
    """The findings of one redirection that writes; that of what it does comes last but for a refusal.

    `pipe` are the commands whose output it is, `bodies` the here-documents beside it.
    """
    if target.text == "/dev/tty":
        return [high("writes on the screen, where a dialog may be", "path.terminal", grantable=True)]
    found = written(target, scene)
    if target.text in ("/dev/null", "/dev/stderr", "/dev/stdout"):
        return []
    refusal = scene.path_refusal(target, "append")
    if refusal:
        return [*found, high(refusal, "path.write")]
    if redirect.operator in (">", "&>") and is_new_log(target, scene):
        found.append(Finding(RiskLevel.LOW, f"writes the new log {target.shown}", "files.new-log"))
        refusal = new_log_refusal(pipe, scene, fed=fed) or _said(target, scene, pipe, bodies)
    elif redirect.operator in (">>", "&>>"):
        found.append(Finding(RiskLevel.LOW, f"appends to {target.shown}", "files.append"))
        refusal = growth_refusal(pipe, scene, target, fed=fed)
        refusal = refusal or ignoring_refusal(pipe, target, bodies[-1] if bodies else None)
        refusal = refusal or _said(target, scene, pipe, bodies)
    else:
        found.append(high(f"overwrites {target.shown}", "files.overwrite", grantable=True))
    return [*found, high(refusal, "files.growth", grantable=True)] if refusal else found


_EDIT, _EDIT_LINE = 500, 30
"""Judging what is written as a change of a file, and each of its lines."""


def _said(target: Arg, scene: Scene, pipe: list[tuple[Arg, ...]], bodies: Sequence[str]) -> str:
    """Why what is written would be held as a change of the file too, or ""."""
    texts = list(bodies)
    if len(pipe) == 1 and pipe[0][0].shown in ("echo", "printf"):
        texts += [arg.text.replace("\\n", "\n") for arg in pipe[0][1:] if arg.text is not None]
    lines = tuple(line for text in texts for line in text.split("\n"))
    for place in scene.places(target.shown):
        scene.budget.spend(_EDIT + _EDIT_LINE * len(lines) + sum(map(len, lines)) // CHARACTERS)
        risk = lines_risk(place.relative, lines) if place.relative is not None else None
        if risk is not None and risk.level > RiskLevel.LOW:
            return f"{target.shown}: {risk.reason}"
    return ""
