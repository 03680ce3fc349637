"""`python -m tests.plain_prompts`: 60 plain prompts under the real command, as a table.

`--markdown` prints it as in `docs/profiles.md`, `--only LANGUAGE` tries one language.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.plain_prompts.measure import Cell, measured
from tests.plain_prompts.programs import LANGUAGES, Language
from tests.plain_prompts.shapes import SHAPES, Shape


def _cell(place: tuple[Language, Shape]) -> Cell:
    with tempfile.TemporaryDirectory() as folder:
        return measured(*place, Path(folder))


def _print_markdown(cells: Sequence[Cell], languages: Sequence[Language]) -> None:
    print("| prompt | read as | options | " + " | ".join(one.name for one in languages) + " |")
    print("|---" * (3 + len(languages)) + "|")
    for shape in SHAPES:
        row = [cell.verdict(shape) for cell in cells if cell.shape == shape.name]
        print(f"| {shape.name} | {shape.kind} | {', '.join(shape.options) or '–'} | {' | '.join(row)} |")


def main(argv: list[str] | None = None) -> int:
    """Print the table and what was not taken; 1 if anything went wrong that was not held."""
    parser = argparse.ArgumentParser(description="60 plain prompts under the real command, as a table.")
    parser.add_argument("--only", choices=[one.name for one in LANGUAGES], help="this language")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    languages = [one for one in LANGUAGES if options.only in (None, one.name)]
    places = [(language, shape) for shape in SHAPES for language in languages]
    with ProcessPoolExecutor(options.jobs) as pool:
        cells = list(pool.map(_cell, places))
    verdicts = [cell.verdict(shape) for cell, (_, shape) in zip(cells, places, strict=True)]
    if options.markdown:
        _print_markdown(cells, languages)
    for cell, verdict in zip(cells, verdicts, strict=True):
        if not options.markdown:
            print(f"{cell.language:<8}{cell.shape:<28}{verdict}")
        elif verdict != "taken":
            print(f"{cell.language}, {cell.shape}: {verdict}, {cell.skipped or cell.last}", file=sys.stderr)
    print(f"{verdicts.count('taken')} of {len(verdicts)} taken", file=sys.stderr)
    return int(any(verdict not in ("taken", "skipped") and verdict[:4] != "held" for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
