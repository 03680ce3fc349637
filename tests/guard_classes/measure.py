"""How many members of each class `copilot judge` lets through, and how many everyday commands it holds.

    python -m tests.guard_classes.measure [--seed N] [--classes g-awk-brace ...] [--save FILE] [--quick]

Only the public command is used: JSON lines on stdin, one verdict per line, in a fresh project, one process per level
and batch. A batch that is over its time limit is halved until the command that stops the judge is found; it counts
as `hung`, never as held. The columns: `tried` members with a parse tree of their own, `plain` cores as they are, what
was allowed of both at each level, and `sharp`, the share of tried members whose control (the same command around
`ls`) is allowed at full: only there is it the risk itself that holds the member.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.guard_classes.everyday import everyday
from tests.guard_classes.generate import DATA, Member, members
from tests.guard_classes.project import make_project
from tests.guard_classes.registry import CLASSES, RiskClass

LEVELS = ("assist", "full")
BATCH = 250
JOBS = 2
BATCH_SECONDS = 180.0
RISKS = ("none", "low", "medium", "high")
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """`verdict`: allow, hold, deny or hung; `risk`: none, low, medium or high, "" when hung."""

    verdict: str
    risk: str
    reason: str

    @property
    def allowed(self) -> bool:
        """Whether the guard let it through."""
        return self.verdict == "allow"


def judge(commands: Sequence[str], level: str, project: Path) -> list[Verdict]:
    """A verdict per command, in order. Raises RuntimeError when the judge gives another number of lines."""
    parts = [commands[start : start + BATCH] for start in range(0, len(commands), BATCH)]
    with ThreadPoolExecutor(JOBS) as pool:
        return [
            verdict for part in pool.map(lambda part: _batch(part, level, project), parts) for verdict in part
        ]


def _batch(commands: Sequence[str], level: str, project: Path) -> list[Verdict]:
    argv = [sys.executable, "-m", "copilot", "judge", "--cwd", str(project), "--autonomy", level]
    text = "".join(json.dumps({"command": command}) + "\n" for command in commands)
    seconds = BATCH_SECONDS if len(commands) > 1 else BATCH_SECONDS / 6
    try:
        done = subprocess.run(argv, input=text, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        if len(commands) == 1:
            return [Verdict("hung", "", f"no verdict within {seconds:.0f} s")]
        half = len(commands) // 2
        return _batch(commands[:half], level, project) + _batch(commands[half:], level, project)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if len(lines) != len(commands):
        raise RuntimeError(
            f"{len(lines)} verdicts for {len(commands)} commands: {done.stderr.strip()[-300:]}"
        )
    return [Verdict(line["verdict"], line["risk"], line["reason"]) for line in lines]


def through(risk: RiskClass, level: str, verdict: Verdict) -> bool:
    """Whether this verdict is a miss: allowed, unless the class may be allowed at `full` with that risk."""
    if verdict.verdict == "hung":
        return True
    tolerated = level == "full" and bool(risk.at_full) and verdict.risk == risk.at_full
    return verdict.allowed and not tolerated


@dataclass(frozen=True, slots=True)
class Row:
    """What came out for one class; the misses are pairs of a member and its verdict, by level."""

    risk: RiskClass
    made: list[Member]
    sharp: int
    misses: dict[str, list[tuple[Member, Verdict]]]
    tolerated: int
    hung: int

    @property
    def tried(self) -> int:
        """Members with a parse tree of their own."""
        return sum(member.new_shape for member in self.made)

    def count(self, level: str, new_shape: bool) -> int:
        """Misses among the members with (or without) a parse tree of their own."""
        return sum(member.new_shape is new_shape for member, _ in self.misses[level])


def measure(risk: RiskClass, seed: int, project: Path, scale: float, known: dict[str, bool]) -> Row:
    """Judges the members of a class and their controls; `known` keeps which controls were allowed, for all classes."""
    made = list(members(risk, seed, int(625 * scale), int(200 * scale)))
    controls = sorted({member.control for member in made} - known.keys())
    known.update(
        (text, verdict.allowed)
        for text, verdict in zip(controls, judge(controls, "full", project), strict=True)
    )
    misses: dict[str, list[tuple[Member, Verdict]]] = {}
    hung = tolerated = 0
    for level in LEVELS:
        verdicts = judge([member.command for member in made], level, project)
        misses[level] = [
            (member, verdict)
            for member, verdict in zip(made, verdicts, strict=True)
            if through(risk, level, verdict)
        ]
        hung += sum(verdict.verdict == "hung" for verdict in verdicts)
        if level == "full":
            tolerated = sum(verdict.allowed and not through(risk, level, verdict) for verdict in verdicts)
    sharp = sum(member.new_shape and known[member.control] for member in made)
    return Row(risk, made, sharp, misses, tolerated, hung)


def show(row: Row) -> None:
    """Prints the row of the table and its examples."""
    plain = len(row.made) - row.tried
    cells = [
        row.tried,
        row.sharp,
        row.count("assist", True),
        row.count("full", True),
        plain,
        row.count("assist", False),
        row.count("full", False),
        row.tolerated,
        row.hung,
    ]
    print(f"{row.risk.name:22}" + "".join(f"{cell:8}" for cell in cells), flush=True)


def examples(row: Row) -> None:
    """Prints up to five misses of the class, those at assist and those without a carrier first."""
    found = sorted(
        row.misses["full"],
        key=lambda pair: (RISKS.index(pair[1].risk) if pair[1].risk in RISKS else 9, len(pair[0].command)),
    )
    step = max(1, len(found) // EXAMPLES)
    if found:
        print(f"\n{row.risk.name}: {row.risk.why}")
    for member, verdict in found[::step][:EXAMPLES]:
        print(
            f"    [{verdict.risk or 'hung'}: {verdict.reason[:60]}] {json.dumps(member.command, ensure_ascii=False)}"
        )


def measure_data(project: Path) -> None:
    """The two files of `data`: what is allowed of guided.jsonl, and held of everyday.jsonl."""
    guided = [json.loads(line) for line in (DATA / "guided.jsonl").read_text().splitlines()]
    usual = [
        json.loads(line)["command"]
        for line in (DATA / "everyday.jsonl").read_text().splitlines()
        if json.loads(line)["class"] == "everyday"
    ]
    for level in LEVELS:
        verdicts = judge([entry["command"] for entry in guided], level, project)
        classes = {risk.name: risk for risk in CLASSES}
        missed = sum(
            through(classes[entry["class"]], level, verdict)
            for entry, verdict in zip(guided, verdicts, strict=True)
        )
        held = sum(not verdict.allowed for verdict in judge(usual, level, project))
        print(
            f"{level}: guided.jsonl {missed} of {len(guided)} let through, everyday.jsonl {held} of {len(usual)} held"
        )


def measure_everyday(number: int, seed: int, project: Path, save: dict[str, object]) -> None:
    """Prints how many everyday commands are held, at full by reason with examples."""
    commands = list(everyday(number, seed))
    for level in LEVELS:
        verdicts = judge(commands, level, project)
        held = [
            (command, verdict)
            for command, verdict in zip(commands, verdicts, strict=True)
            if not verdict.allowed
        ]
        print(
            f"\neveryday at {level}: {len(held)} of {len(commands)} held ({100 * len(held) / len(commands):.1f}%)"
        )
        save[f"everyday_{level}"] = [[command, verdict.reason] for command, verdict in held]
    by_reason: dict[str, list[str]] = {}
    for command, verdict in held:
        by_reason.setdefault(verdict.reason, []).append(command)
    for reason, found in sorted(by_reason.items(), key=lambda item: -len(item[1]))[:20]:
        print(
            f"    {len(found):4} {reason[:70]}: " + "  |  ".join(json.dumps(command) for command in found[:3])
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.guard_classes.measure",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--classes", nargs="*", default=[risk.name for risk in CLASSES], metavar="CLASS")
    parser.add_argument(
        "--save", type=Path, help="write all misses and all held everyday commands here, as JSON"
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the members, 300 everyday commands")
    options = parser.parse_args()
    save: dict[str, object] = {}
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(Path(folder) / "project")
        measure_data(project)
        print(
            f"\n{'class':22}"
            + "".join(
                f"{name:>8}"
                for name in ("tried", "sharp", "assist", "full", "plain", "assist", "full", "medium", "hung")
            )
        )
        rows: list[Row] = []
        known: dict[str, bool] = {}
        for risk in CLASSES:
            if risk.name in options.classes:
                rows.append(measure(risk, options.seed, project, 0.1 if options.quick else 1.0, known))
                show(rows[-1])
                save[risk.name] = {
                    level: [
                        [member.command, verdict.risk, verdict.reason]
                        for member, verdict in rows[-1].misses[level]
                    ]
                    for level in LEVELS
                }
        total = sum(row.tried for row in rows)
        print(
            f"{'all':22}{total:8}{sum(row.sharp for row in rows):8}"
            + "".join(f"{sum(row.count(level, True) for row in rows):8}" for level in LEVELS)
        )
        for row in rows:
            examples(row)
        measure_everyday(300 if options.quick else 2000, options.seed, project, save)
    print(f"\n{time.monotonic() - started:.0f} s")
    if options.save:
        options.save.write_text(json.dumps(save, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
