"""The scoreboard's figures and how they are printed."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tests.scoring.labels import READY, WAITING
from tests.scoring.scores import LabelScore

REPORTING = ("claude", "codex", "gemini", "qwen")
"""CLIs that report by program status or by window title: they are read sooner."""
Figures = dict[str, Any]


def by_cli(scores: Iterable[LabelScore]) -> dict[str, list[LabelScore]]:
    groups: dict[str, list[LabelScore]] = defaultdict(list)
    for score in scores:
        groups[score.cli].append(score)
    return dict(sorted(groups.items()))


def figures_of(scores: Sequence[LabelScore]) -> Figures:
    """All figures of one CLI, or of all: shares from 0 to 1 (None: nothing to measure), counts, seconds."""
    waiting = [score for score in scores if score.kind in WAITING]
    busy = [score for score in scores if score.kind == "busy"]
    times = [score.settle_seconds for score in waiting if score.settle_seconds is not None]
    minutes = sum(score.busy_seconds for score in busy) / 60
    false = [score for score in busy if score.false_waiting]
    return {
        "labels": len(waiting),
        "recall": _share(score.seen for score in waiting),
        "kind": _share(score.exact_kind for score in waiting),
        "question": _share(score.question for score in waiting),
        "options": _share(score.options for score in waiting),
        "settle": round(statistics.median(times), 3) if times else None,
        "busy": len(busy),
        "busy_minutes": round(minutes, 2),
        "false_waiting": len(false),
        "false_per_minute": round(sum(len(score.false_waiting) for score in false) / minutes, 2)
        if minutes
        else 0.0,
        "decoys": sum(score.decoy for score in scores),
        "answered_wrongly": sum(score.answered_wrongly for score in scores),
    }


def unknown_figures_of(scores: Sequence[LabelScore]) -> Figures:
    """What counts for a CLI that no profile knows: its dialogs, their options, its ready composer."""
    asked = [score for score in scores if score.kind in ("permission", "menu")]
    ready = [score for score in scores if score.kind in READY]
    busy = [score for score in scores if score.kind == "busy"]
    return {
        "asked": len(asked),
        "asked_seen": _share(score.seen for score in asked),
        "options": _share(score.options for score in scores),
        "ready": len(ready),
        "ready_seen": _share(score.got in READY for score in ready),
        "busy": len(busy),
        "false_waiting": sum(bool(score.false_waiting) for score in busy),
        "answered_wrongly": sum(score.answered_wrongly for score in scores),
        "typed_over": sum(score.typed_over for score in scores),
    }


def _share(values: Iterable[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 4) if known else None


def report_of(scores: Sequence[LabelScore]) -> dict[str, Any]:
    """Everything as plain data, for `--json`."""
    report: dict[str, Any] = {}
    for cli, items in by_cli(scores).items():
        kinds = sorted({item.kind for item in items if item.kind in WAITING})
        report[cli] = {
            "all": figures_of(items),
            "kinds": {kind: figures_of([item for item in items if item.kind == kind]) for kind in kinds},
            "confusion": [
                {"kind": kind, "read_as": got, "count": count} for (kind, got), count in confusion_of(items)
            ],
        }
    return report


def confusion_of(scores: Iterable[LabelScore]) -> list[tuple[tuple[str, str], int]]:
    """Which kind was taken for which other, the most frequent first."""
    wrong = Counter((item.kind, item.got) for item in scores if item.kind in WAITING and not item.exact_kind)
    return wrong.most_common()


_HEAD = ("CLI", "kind", "n", "recall", "kind", "question", "options", "settle")
_LINE = "{:9} {:12} {:>4} {:>7} {:>7} {:>8} {:>8} {:>7}"


def print_table(scores: Sequence[LabelScore]) -> None:
    """Per CLI and kind, what was read while busy, and the matrix of confusions."""
    print(_LINE.format(*_HEAD))
    for cli, items in by_cli(scores).items():
        for kind in sorted({item.kind for item in items if item.kind in WAITING}):
            _print_row(cli, kind, figures_of([item for item in items if item.kind == kind]))
        figures = figures_of(items)
        _print_row(cli, "ALL", figures)
        print(
            f"{cli:9} busy: {figures['busy']} labels, {figures['busy_minutes']} min, "
            f"{figures['false_waiting']} read as waiting ({figures['false_per_minute']} a minute); "
            f"decoys: {figures['decoys']}; answered where nothing is asked: {figures['answered_wrongly']}"
        )
        for (kind, got), count in confusion_of(items):
            print(f"{cli:9} {kind} read as {got}: {count}")
        print()


def _print_row(cli: str, kind: str, figures: Figures) -> None:
    print(
        _LINE.format(
            cli,
            kind,
            figures["labels"],
            *(_percent(figures[key]) for key in ("recall", "kind", "question", "options")),
            _seconds(figures["settle"]),
        )
    )


def print_markdown(scores: Sequence[LabelScore]) -> None:
    print(
        "| CLI | labels | recall | right kind | question | options | waiting while busy | answered wrongly | settle |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for cli, items in by_cli(scores).items():
        figures = figures_of(items)
        shares = " | ".join(_percent(figures[key]) for key in ("recall", "kind", "question", "options"))
        print(
            f"| {cli} | {figures['labels']} | {shares} | {figures['false_waiting']} of {figures['busy']} "
            f"| {figures['answered_wrongly']} | {_seconds(figures['settle'])} |"
        )


_UNKNOWN_HEAD = ("CLI", "asked", "seen", "options", "ready", "seen", "busy", "false", "wrong", "over")
_UNKNOWN_LINE = "{:9} {:>6} {:>7} {:>8} {:>6} {:>7} {:>5} {:>6} {:>6} {:>5}"


def print_unknown(scores: Sequence[LabelScore]) -> None:
    """Per CLI what a profile that does not know it sees.

    Permissions and menus, options read to the letter, ready composers; stretches of work read as waiting, screens
    answered where nothing is asked, dialogs read as a field that takes text.
    """
    print(_UNKNOWN_LINE.format(*_UNKNOWN_HEAD))
    for cli, items in [*by_cli(scores).items(), ("ALL", list(scores))]:
        figures = unknown_figures_of(items)
        shares = {key: _percent(figures[key]) for key in ("asked_seen", "options", "ready_seen")}
        print(_UNKNOWN_LINE.format(cli, *(figures | shares).values()))


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}".replace(".0%", "%")


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f} s"


def print_misses(scores: Iterable[LabelScore]) -> None:
    """Every label that was read wrongly, and how."""
    for score in scores:
        detection = score.detection
        head = f"{score.where} until {score.label['t_end']:.2f} {score.kind}"
        rule = detection.rule if detection is not None else "-"
        for text in score.false_waiting:
            print(f"FALSE {head}{' DECOY' if score.decoy else ''}: {text}")
        if score.kind in WAITING and not score.exact_kind:
            note = f" ({detection.note})" if detection is not None and detection.note else ""
            print(f"{'KIND' if score.seen else 'MISS'}  {head}: got {score.got} by {rule}{note}")
        detection = score.asked or detection
        if score.question is False and detection is not None:
            print(
                f"QUEST {head} by {rule}\n   want {score.label['question']!r}\n   got  {detection.question!r}"
            )
        if score.options is False and detection is not None:
            wanted = [
                (item["label"], item["selected"], item.get("checked")) for item in score.label["options"]
            ]
            got = [(item.label, item.selected, item.checked) for item in detection.options]
            print(f"OPTS  {head} by {rule}\n   want {wanted}\n   got  {got}")
