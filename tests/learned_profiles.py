"""What some ten labelled moments are worth: `python -m tests.learned_profiles [CLI …]`.

The eight coding CLIs with their own profiles off. Moments of the first few recordings of each are labelled as the
corpus labels them, a profile is learned from them, and the CLI's *other* recordings are read with `generic` alone
and with what was learned. `--patience` holds each prompt so many seconds longer than recorded, in which nothing is
drawn (`generic` wants 2.5 s of stillness for a composer). `--markdown` prints the table of docs/profiles.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from copilot.config.profile_files import load_profile
from copilot.core.profile import Profile
from copilot.core.screen_kinds import ScreenKind
from copilot.recording.asciicast import read_cast
from copilot.recording.unknown_screens import Label
from copilot.replay.detect import screen_at
from copilot.replay.moments import Moment
from copilot.replay.new_profile import Taught, teach
from tests.scoreboard import CODING_CLIS, UNKNOWN_PATIENCE
from tests.scoring.feeding import Feeding, LabelledPlayer
from tests.scoring.labels import ASKING, CORPUS, READY, expected_kind, labels_of
from tests.scoring.scores import BEFORE_END_SECONDS, LabelScore, scored

WANTED = {"ready": 3, "busy": 3, "permission": 2, "menu": 1, "question": 1}
MOST_MOMENTS = 12
LISTED = {"permission", "menu", "trust", "yes_no"}


def family(kind: str) -> str:
    """What a label counts as when moments are chosen."""
    return "ready" if kind in READY else kind


def moments_of(path: Path, wanted: Counter[str]) -> list[Moment]:
    """The moments of a recording that are wanted: prompts at their end, work in its middle."""
    cast, found = read_cast(path), []
    for label in labels_of(path):
        kind = expected_kind(label)
        if wanted[family(kind)] <= 0 and not (kind in ASKING and kind not in WANTED):
            continue
        wanted[family(kind)] -= 1
        end = label["t_end"] - BEFORE_END_SECONDS
        at = (label["t_start"] + end) / 2 if kind == "busy" else end
        name = f"{path.stem} at {at:.1f} s"
        found.append(Moment(name, screen_at(cast, at), Label(ScreenKind(kind)), at, cast))
    return found


def lesson_of(cli: str) -> tuple[list[Moment], list[Path]]:
    """Moments as a person would label them in a few runs, and the recordings that they are not from."""
    wanted, moments, rest = Counter(WANTED), list[Moment](), []
    for path in sorted((CORPUS / cli).glob("*.cast")):
        kinds = Counter(family(expected_kind(label)) for label in labels_of(path))
        helps = any(wanted[kind] > 0 for kind in kinds) and len(moments) < MOST_MOMENTS
        if helps:
            moments += moments_of(path, wanted)
        else:
            rest.append(path)
    return moments, rest


@dataclass(frozen=True)
class Figures:
    """Counts over the labels of some recordings."""

    listed: int
    seen: int
    options: str
    composers: str
    busy: int
    false_waiting: int
    wrong: int


def scores_of(paths: Sequence[Path], profile: Profile, patience: float) -> Iterator[LabelScore]:
    """How each label of these recordings is read with this profile."""
    for path in paths:
        labels = labels_of(path)
        feeding = Feeding(patience=patience)
        player = LabelledPlayer(read_cast(path), profile, labels, feeding, frozenset())
        yield from scored(path, player, list(player.settled()))


def figures_of(scores: Sequence[LabelScore]) -> Figures:
    """The figures of the table."""
    listed = [one for one in scores if one.kind in LISTED]
    options = [one.options for one in listed if one.options is not None and one.seen]
    ready = [one for one in scores if one.kind in READY]
    busy = [one for one in scores if one.kind == "busy"]
    return Figures(
        len(listed),
        sum(one.seen for one in listed),
        f"{sum(options)}/{len(options)}",
        f"{sum(one.got in READY for one in ready)}/{len(ready)}",
        len(busy),
        sum(bool(one.false_waiting) for one in busy),
        sum(one.answered_wrongly or one.typed_over for one in scores),
    )


@dataclass(frozen=True)
class Result:
    cli: str
    moments: int
    taught: Taught
    figures: tuple[Figures, ...]
    """Of `generic` and of what was learned, as recorded; then the same with patience."""


def measured(cli: str, patience: float) -> Result:
    """Learn from some recordings of a CLI, read the others."""
    moments, rest = lesson_of(cli)
    taught = teach(moments, f"{cli}_learned")
    ways = [(load_profile("generic"), 0.0), (taught.profile, 0.0)]
    ways += [(profile, patience) for profile, _ in ways]
    figures = tuple(figures_of(list(scores_of(rest, profile, seconds))) for profile, seconds in ways)
    return Result(cli, len(moments), taught, figures)


def rows_of(result: Result) -> list[list[str]]:
    """The rows of one CLI: read with `generic`, and with what was learned."""
    rows = []
    for name, now, later in (
        ("generic", result.figures[0], result.figures[2]),
        (f"learned ({result.moments})", result.figures[1], result.figures[3]),
    ):
        rows.append(
            [
                result.cli,
                name,
                f"{now.seen}/{now.listed}",
                now.options,
                now.composers,
                later.composers,
                f"{now.false_waiting + later.false_waiting} of {2 * now.busy}",
                str(now.wrong + later.wrong),
            ]
        )
    return rows


HEADER = ["CLI", "read with (labels)", "prompts seen", "options exact", "composers at once"]
HEADER += ["composers after 3 s", "waiting while busy", "answered wrongly"]


def main(argv: list[str] | None = None) -> int:
    """Print the table; 1 if what was learned waits while busy or sees fewer prompts than `generic` does."""
    parser = argparse.ArgumentParser(description="What some ten labelled moments are worth.")
    parser.add_argument("clis", nargs="*", default=CODING_CLIS)
    parser.add_argument("--patience", type=float, default=UNKNOWN_PATIENCE)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    with ProcessPoolExecutor(options.jobs) as pool:
        clis = options.clis
        results = list(pool.map(measured, clis, [options.patience] * len(clis)))
    rows = [row for result in results for row in rows_of(result)]
    if options.markdown:
        rows = [HEADER, ["---"] * len(HEADER), *rows]
        print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    else:
        for row in [HEADER, *rows]:
            print("  ".join(f"{cell:<20}" for cell in row))
        for result in results:
            print(
                f"\n{result.cli}: {result.taught.right} of {result.moments} labels read so,"
                f" {result.taught.before} before"
            )
            for rule in result.taught.rules:
                print(f"  {rule.id}: {[one.pattern for one in (*rule.all, *rule.any) if one.pattern]}")
            for line in result.taught.unsure:
                print(f"  unsure: {line}")
    worse = [
        result.cli
        for result in results
        if result.figures[1].false_waiting > result.figures[0].false_waiting
        or result.figures[3].false_waiting > result.figures[2].false_waiting
        or result.figures[1].seen < result.figures[0].seen
    ]
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
