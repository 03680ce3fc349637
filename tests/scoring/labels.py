"""Labels of the recordings, and when a detection says exactly what a label says.

Words are compared without white space (a wrap may stand anywhere) and without the frame of a box; nothing else
is forgiven. Where a label does not spell out what is on the screen, `differences.toml` names what is there and
why; that is then what must be found, to the letter.
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from copilot.core.detection import Detection
from copilot.core.screen_kinds import (
    PROMPT_KINDS,
    WAITING_KINDS,
)

TESTS = Path(__file__).resolve().parent.parent
CORPUS = TESTS / "corpus"
WAITING = {kind.value for kind in WAITING_KINDS}
ASKING = {kind.value for kind in PROMPT_KINDS}
READY = {"idle", "completed"}
_FRAMES = re.compile(r"[\s│┃║─━╭╮╰╯┌┐└┘·]+")
Label = dict[str, Any]


def labels_of(cast: Path, as_labelled: bool = False) -> list[Label]:
    """The labels of a recording, with what `differences.toml` adds to them and `t_seen` where it is known.

    `as_labelled` leaves those differences out.
    """
    data = json.loads(cast.with_suffix(".json").read_text("utf-8"))
    labels: list[Label] = data["labels"]
    differences = {} if as_labelled else _differences()
    for number, label in enumerate(labels):
        label.update(differences.get(f"{cast.parent.name}/{cast.stem}#{number}", {}))
        before = labels[number - 1] if number else None
        if "t_seen" not in label and before is not None and before["state"] in ("busy", "starting"):
            # such a label was ended at the moment when the next screen first matched
            label["t_seen"] = before["t_end"]
    return labels


@cache
def _differences() -> dict[str, Label]:
    data = tomllib.loads((Path(__file__).parent / "differences.toml").read_text("utf-8"))
    found: dict[str, Label] = {}
    for entry in data["label"]:
        values = {key: value for key, value in entry.items() if key not in ("at", "why")}
        for place in entry["at"]:
            found.setdefault(place, {}).update(values)
    return found


def expected_kind(label: Label) -> str:
    """The kind that is right for a label: an error that the CLI retries by itself is busy."""
    if label["state"] == "error" and "retries by itself" in (label.get("note") or ""):
        return "busy"
    return str(label["state"])


def folded(text: str | None) -> str:
    """Text for comparison: without white space and the marks of a frame."""
    return _FRAMES.sub("", text or "")


def same_question(label: Label, detection: Detection) -> bool:
    """Whether the words of the question are the same."""
    return folded(label["question"]) == folded(detection.question)


def same_options(label: Label, detection: Detection) -> bool:
    """Whether all options are there, in order, to the letter, with the right ones selected and ticked.

    Of `yes_no` the options are meanings: only they and the preselected one are compared.
    """
    wanted, got = label["options"], detection.options
    if len(wanted) != len(got):
        return False
    for one, two in zip(wanted, got, strict=True):
        if folded(one["label"]).casefold() != folded(two.label).casefold():
            return False
        if bool(one["selected"]) != two.selected:
            return False
        if "checked" in one and two.checked is not None and one["checked"] != two.checked:
            return False
    return True
