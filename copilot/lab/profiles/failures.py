"""Whether a walk broke off because of us: a recipe or an extension that this version does not take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2

from copilot.core.snapshot import ScreenSnapshot
from copilot.lab.clis.base import Recipe, Say
from copilot.lab.model_server import ModelServer
from copilot.lab.profiles.stations import Visit, missing_tool

_ROWS = 4
_LEAST_STATUS = 400


def failure_of(
    visits: Sequence[Visit], last: ScreenSnapshot, exit_status: int | None, model: ModelServer, recipe: Recipe
) -> str:
    """Why the walk says nothing of the dialogs behind the last visit, in the CLI's words; empty if it does.

    `last` is the screen at the end of the walk: what a CLI prints as it fails comes over the same terminal.
    """
    complaint = next(_complaints([*(visit.snapshot for visit in visits), last], recipe.complaints), "")
    if complaint:
        return f"our extension failed: {complaint}"
    met = [visit for visit in visits if visit.detection is not None]
    if met and visits[-1].detection is not None:
        return ""
    if not met and exit_status is not None:
        started = " ".join(recipe.command)
        return f"{started}: ended with status {exit_status} before any dialog: {_said(last)}"
    missing = missing_tool(model)
    if missing:
        return f"this version offers the model no tool {missing!r}"
    return _refused_call(model) or _never_asked(visits, model)


def _complaints(snapshots: Sequence[ScreenSnapshot], patterns: Sequence[str]) -> Iterator[str]:
    for snapshot in snapshots:
        for pattern in patterns:
            match = re2.search(pattern, "\n".join(snapshot.lines))
            if match is not None:
                yield " ".join(match.group().split())


def _said(snapshot: ScreenSnapshot) -> str:
    """The first rows of the last screen: the cause stands before the usage."""
    rows = [" ".join(line.split()) for line in snapshot.lines if line.strip()]
    return " / ".join(rows[:_ROWS]) or "it printed nothing"


def _refused_call(model: ModelServer) -> str:
    """What the CLI answered to the newest tool call, where it took none of it."""
    requests = model.main_requests
    errors = [result.text for result in requests[-1].new_results if result.is_error] if requests else []
    return f"the CLI refused the model's tool call: {' '.join(errors[0].split())}" if errors else ""


def _never_asked(visits: Sequence[Visit], model: ModelServer) -> str:
    """Words were typed, and no request came to the model server: the CLI speaks with nobody or another."""
    answers = [answer for visit in visits if visit.detection is not None for answer in visit.station.answers]
    spoken = any(isinstance(answer, Say) for answer in answers)
    bad = [one for one in model.other_requests if one.status >= _LEAST_STATUS]
    if not spoken or model.main_requests:
        return ""
    asked = f"; it asked for {bad[-1].path}" if bad else ""
    return f"the CLI never asked the scripted model{asked}"
