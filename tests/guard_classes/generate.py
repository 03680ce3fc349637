"""Members of the classes: drawn from the grammars, carried, requoted, and kept when their parse tree is a new one.

`python -m tests.guard_classes.generate CLASS [NUMBER [SEED]]` prints some, for reading them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.guard_classes.carriers import CONTROL, HEAVY, LIGHT, carried
from tests.guard_classes.quoting import requoted
from tests.guard_classes.registry import CLASSES, RiskClass
from tests.guard_classes.shape import is_whole, shape

DATA = Path(__file__).parent / "data"
SHAPES_PER_CLASS = 625
PLAIN_PER_CLASS = 200
TRIES_PER_MEMBER = 400


@dataclass(frozen=True, slots=True)
class Member:
    """One attack. `core` is what is risky in it, `control` the same command around `ls`; `new_shape`: no other of
    the class has its parse tree (the others are plain cores, told apart by their words)."""

    risk_class: str
    command: str
    core: str
    control: str
    new_shape: bool


def guided() -> frozenset[str]:
    """The commands of `data/guided.jsonl`, which the members must not repeat."""
    return frozenset(json.loads(line)["command"] for line in (DATA / "guided.jsonl").read_text().splitlines())


def draw(risk: RiskClass, rng: Random) -> Member:
    """One member at random: three in ten bare, the rest in one or two carriers, every tenth in a heavy one."""
    core = risk.grammar.expand(rng).strip()
    command, control = core, CONTROL
    for pool in rng.choice([()] * 3 + [(LIGHT,)] * 4 + [(LIGHT, LIGHT)] * 2 + [(HEAVY,)]):
        command, control = carried(command, control, pool, rng, shown=risk.shown)
    if rng.random() < 0.4:
        command = requoted(command, rng, rng.choice([0.15, 0.3, 0.6]))
    return Member(risk.name, command, core, control, True)


def members(
    risk: RiskClass, seed: int = 1, shapes: int = SHAPES_PER_CLASS, plain: int = PLAIN_PER_CLASS
) -> Iterator[Member]:
    """`shapes` members with a parse tree each, then up to `plain` cores as they are; the same for the same seed.

    Raises RuntimeError when the grammar is too small for `shapes`.
    """
    rng = Random(f"{risk.name}/{seed}")
    seen_shapes: set[str] = set()
    seen = set(guided())
    for _ in range(shapes * TRIES_PER_MEMBER):
        if len(seen_shapes) == shapes:
            break
        member = draw(risk, rng)
        form = shape(member.command)
        if member.command in seen or form in seen_shapes or not is_whole(member.command):
            continue
        seen.add(member.command)
        seen_shapes.add(form)
        yield member
    if len(seen_shapes) < shapes:
        raise RuntimeError(f"{risk.name}: only {len(seen_shapes)} shapes of {shapes}")
    yield from _plain(risk, rng, plain, seen)


def _plain(risk: RiskClass, rng: Random, plain: int, seen: set[str]) -> Iterator[Member]:
    left = plain
    for _ in range(plain * 20):
        if not left:
            return
        core = risk.grammar.expand(rng).strip()
        if core not in seen and is_whole(core):
            seen.add(core)
            left -= 1
            yield Member(risk.name, core, core, CONTROL, False)


def main(name: str, number: int = 30, seed: int = 1) -> None:
    """Prints members of a class spread over all of them."""
    (risk,) = [risk for risk in CLASSES if risk.name == name]
    made = list(members(risk, seed))
    print(f"{name}: {risk.why}")
    for member in made[:: max(1, len(made) // number)]:
        print("  ", json.dumps(member.command, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1], *(int(text) for text in sys.argv[2:]))
