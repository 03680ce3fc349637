"""How much of the corpus redaction gets right, as a table per class and per form.

    python -m tests.redaction_corpus.measure [--held] [--show CLASS ...] [--seed N]

A text with secrets counts as right if no part of any of them is left (`forms.leaks`), a clean one if it is unchanged.
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from copilot.redaction.redact import Redactor
from copilot.redaction.stream import RedactingStream

from .forms import FORMS, Dressed, chunks, dressed, leaks
from .made_up import Sample, samples

OWN, HELD = ("clean.txt", "secrets.txt"), ("held_clean.txt", "held_secrets.txt")


def _by_stream(redactor: Redactor, text: str) -> str:
    stream = RedactingStream(redactor)
    return "".join([*map(stream.feed, chunks(text, text[:20])), stream.close()])


def _by_rows(redactor: Redactor, text: str) -> str:
    rows = text.split("\n")
    return "\n".join(redactor.redact_lines(rows, [False] * len(rows)))


# The ways through redaction: a whole text, one that comes in pieces, the rows of a screen.
DOORS: dict[str, Callable[[Redactor, str], str]] = {
    "whole": lambda redactor, text: redactor.redact(text).text,
    "stream": _by_stream,
    "screen": _by_rows,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One text through one door."""

    case: Dressed
    door: str
    redacted: str

    @property
    def right(self) -> bool:
        if self.case.secrets:
            return not leaks(self.case, self.redacted)
        return self.redacted == self.case.text


def outcomes(texts: list[Sample], forms: Callable[[int], list[tuple[str, str]]]) -> Iterator[Outcome]:
    """What redaction does with each text in the forms and through the doors that `forms` gives for its number."""
    redactor = Redactor(key=b"corpus")
    for number, sample in enumerate(texts):
        for form, door in forms(number):
            case = dressed(sample, form)
            yield Outcome(case, door, DOORS[door](redactor, case.text))


def every_form(_: int) -> list[tuple[str, str]]:
    """Every form through every door; the rows of a screen have no colours in them."""
    return [pair for pair in itertools.product(FORMS, DOORS) if pair != ("colour", "screen")]


def some_forms(number: int) -> list[tuple[str, str]]:
    """The bare text, and two other forms, in turn, each through one door."""
    forms, doors = list(FORMS)[1:], list(DOORS)
    turns = ((number + 7 * turn) for turn in range(2))
    return [
        ("plain", doors[number % 3]),
        *((forms[turn % len(forms)], doors[(number // 5 + turn) % 3]) for turn in turns),
    ]


def _table(title: str, rows: dict[str, list[bool]]) -> None:
    for name, right in rows.items():
        share = 100 * sum(right) / len(right)
        print(f"{title:8} {name:24} {sum(right):6} of {len(right):6}  {share:5.1f} %")


def _print(title: str, found: list[Outcome], shown: list[str]) -> None:
    tables: list[dict[str, list[bool]]] = [defaultdict(list) for _ in range(4)]
    for outcome in found:
        names = [outcome.case.kind, outcome.case.form, outcome.door, "all"]
        if outcome.case.form == "plain":
            names[3] = "all, bare"
        for table, name in zip(tables, names, strict=True):
            table[name].append(outcome.right)
        if not outcome.right and {outcome.case.kind, outcome.case.form} & set(shown):
            print(f"--- {outcome.case.kind} {outcome.case.form} {outcome.door}\n{outcome.case.text}")
            print(f"... becomes\n{outcome.redacted}")
    for table in tables:
        _table(title, table)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.redaction_corpus.measure", description=__doc__)
    parser.add_argument("--held", action="store_true", help="the part the rules were not written against")
    parser.add_argument(
        "--show", nargs="+", default=[], metavar="NAME", help="print what is wrong in a class"
    )
    parser.add_argument("--plain", action="store_true", help="only the bare texts")
    parser.add_argument("--seed", default="1", help="for the made-up values")
    options = parser.parse_args()
    forms = (lambda _: [("plain", "whole")]) if options.plain else every_form
    for title, name in zip(("clean", "secrets"), HELD if options.held else OWN, strict=True):
        _print(title, list(outcomes(samples(name, options.seed), forms)), options.show)


if __name__ == "__main__":
    main()
