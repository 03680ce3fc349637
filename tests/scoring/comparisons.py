"""The same recordings read in several ways, side by side: sources switched off, output arriving otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.scoring.feeding import Feeding
from tests.scoring.labels import WAITING, folded
from tests.scoring.scores import How, LabelScore
from tests.scoring.tables import by_cli, figures_of

_CONFIRMED_SECONDS = 0.7
Score = Callable[[How], list[LabelScore]]

SOURCES: dict[str, frozenset[str]] = {
    "all": frozenset(),
    "no program status": frozenset({"status"}),
    "no titles": frozenset({"title"}),
    "no status, no titles": frozenset({"status", "title"}),
    "no progress": frozenset({"progress"}),
    "no screen rules": frozenset({"rules"}),
}
FEEDINGS: dict[str, Feeding] = {
    "as recorded": Feeding(),
    "1-byte chunks": Feeding(chunk=1),
    "64 KB chunks": Feeding(chunk=65536),
    "100 times as fast": Feeding(speed=100.0),
    "1-byte chunks, 100 times": Feeding(chunk=1, speed=100.0),
    "64 KB chunks, 100 times": Feeding(chunk=65536, speed=100.0),
}


def print_sources(score: Score, how: How) -> None:
    """What is lost without each source: recall, waiting reported while busy, held, time to settle."""
    print("| CLI | without | recall | right kind | only held | waiting while busy | settle |")
    print("|---|---|---|---|---|---|---|")
    for name, without in SOURCES.items():
        for cli, items in by_cli(score(replace(how, without=without))).items():
            figures = figures_of(items)
            waiting = [item for item in items if item.kind in WAITING]
            held = sum(item.held for item in waiting)
            settle = "–" if figures["settle"] is None else f"{figures['settle']:.2f} s"
            print(
                f"| {cli} | {name} | {figures['recall']:.1%} | {figures['kind']:.1%} | {held} of {len(waiting)} "
                f"| {figures['false_waiting']} of {figures['busy']} | {settle} |"
            )


def differences(one: Sequence[LabelScore], other: Sequence[LabelScore]) -> list[str]:
    """The labels that two readings see differently: kind, question or options."""
    found = []
    for left, right in zip(one, other, strict=True):
        before, after = _reading(left), _reading(right)
        if before != after and _long_enough(right):
            found.append(f"{left.where} {left.kind}: {before} became {after}")
    return found


def _long_enough(score: LabelScore) -> bool:
    """Whether it stood long enough to be confirmed at all (the first screen of a faster recording may not)."""
    start = score.label["t_seen"] if "t_seen" in score.label else score.label["t_start"]
    return bool(score.label["t_end"] - start >= _CONFIRMED_SECONDS)


def _reading(score: LabelScore) -> tuple[object, ...]:
    if score.kind == "busy":
        return ("busy", bool(score.false_waiting))
    if score.kind not in WAITING:
        return ()
    detection = score.detection
    if detection is None or not detection.asks:
        return (score.got,)
    options = tuple((folded(option.label), option.selected, option.checked) for option in detection.options)
    return (score.got, folded(detection.question), options)


def print_feedings(score: Score, how: How) -> int:
    """Whether the detections are the same however the output arrives; the number of feedings that differ."""
    recorded = score(how)
    differing = 0
    for name, feeding in FEEDINGS.items():
        found = differences(recorded, score(replace(how, feeding=feeding)))
        differing += bool(found)
        print(f"{name}: {len(recorded)} labels, {len(found)} read otherwise")
        for line in found:
            print("  " + line)
    return differing
