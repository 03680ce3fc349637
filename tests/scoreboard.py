"""How right the detectors are on labelled recordings: `make scoreboard`.

`python -m tests.scoreboard [CLI | CLI/RECORDING …]` prints a table; `--misses` lists each label that was read
wrongly, `--sources` what each source of evidence carries, `--feedings` whether it is the same however the
output arrives, `--unknown` what is seen of the coding CLIs without their profiles. What is counted:
tests/scoring/scores.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.scoring.comparisons import print_feedings, print_sources
from tests.scoring.labels import CORPUS
from tests.scoring.scores import How, LabelScore, score_cast
from tests.scoring.tables import (
    by_cli,
    figures_of,
    print_markdown,
    print_misses,
    print_table,
    print_unknown,
    report_of,
)

UNKNOWN_PROFILE = "generic"
CODING_CLIS = ("aider", "claude", "codex", "copilot", "gemini", "opencode", "pi", "qwen")
UNKNOWN_PATIENCE = 3.0
"""Recorded prompts were answered at once; without a report of the CLI a composer must stay still first."""
AIMS = {"recall": 0.99, "kind": 0.98, "question": 0.95, "options": 0.97}


def casts_under(folders: Sequence[Path], only: Sequence[str]) -> Iterator[Path]:
    """The labelled recordings, a CLI's folder at a time; of the same name the one in the first folder."""
    seen = set()
    for folder in folders:
        for path in sorted(folder.glob("*/*.cast")):
            key = (path.parent.name, path.name)
            wanted = not only or path.parent.name in only or f"{path.parent.name}/{path.stem}" in only
            if key not in seen and wanted and path.with_suffix(".json").exists():
                seen.add(key)
                yield path


def scored(casts: Sequence[Path], how: How, jobs: int) -> list[LabelScore]:
    """All labels of these recordings, read in one way."""
    if jobs == 1:
        return [score for path in casts for score in score_cast(path, how)]
    with ProcessPoolExecutor(jobs) as pool:
        results = pool.map(score_cast, casts, [how] * len(casts), chunksize=2)
        return [score for result in results for score in result]


def missed_aims(scores: Sequence[LabelScore]) -> list[str]:
    missed = []
    for cli, items in by_cli(scores).items():
        figures = figures_of(items)
        for what, aim in AIMS.items():
            if figures[what] is not None and figures[what] < aim:
                missed.append(f"{cli}: {what} {figures[what]:.1%} is below {aim:.0%}")
        for what in ("false_waiting", "answered_wrongly"):
            if figures[what]:
                missed.append(f"{cli}: {what.replace('_', ' ')} {figures[what]} times")
    return missed


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How right the detectors are on labelled recordings.")
    parser.add_argument("only", nargs="*", help="CLIs, or CLI/recording; else all")
    parser.add_argument("--corpus", action="append", type=Path, default=[], help="read this folder instead")
    parser.add_argument("--profile", default="", help="read all with this profile")
    parser.add_argument(
        "--without", action="append", default=[], choices=["status", "title", "progress", "rules"]
    )
    parser.add_argument("--as-labelled", action="store_true", help="leave tests/scoring/differences.toml out")
    parser.add_argument("--misses", action="store_true", help="list every label that was read wrongly")
    parser.add_argument("--patience", type=float, default=0.0, help="so many seconds more at every prompt")
    parser.add_argument("--unknown", action="store_true", help="the coding CLIs as if no profile knew them")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--sources", action="store_true", help="each source of evidence switched off in turn")
    parser.add_argument("--feedings", action="store_true", help="the output in other chunks, faster, resized")
    parser.add_argument("--check", action="store_true", help="fail below the aims")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Print what was asked for; with --check, 1 if an aim is missed."""
    options = _options(argv)
    if options.unknown:
        options.profile = options.profile or UNKNOWN_PROFILE
        options.patience = options.patience or UNKNOWN_PATIENCE
        options.only = options.only or [*CODING_CLIS, "decoys"]
    casts = list(casts_under(options.corpus or [CORPUS], options.only))
    how = How(options.profile, frozenset(options.without), as_labelled=options.as_labelled)
    how = replace(how, feeding=replace(how.feeding, patience=options.patience))
    if options.sources:
        print_sources(lambda one: scored(casts, one, options.jobs), how)
        return 0
    if options.feedings:
        return print_feedings(lambda one: scored(casts, one, options.jobs), how)
    scores = scored(casts, how, options.jobs)
    if options.json:
        print(json.dumps(report_of(scores), ensure_ascii=False, indent=1))
    else:
        if options.misses:
            print_misses(scores)
        if options.unknown:
            print_unknown(scores)
        else:
            (print_markdown if options.markdown else print_table)(scores)
    missed = missed_aims(scores) if options.check else []
    for line in missed:
        print(line, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
