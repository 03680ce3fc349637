"""Scores the detectors over labelled recordings and prints a table: `make scoreboard`.

A waiting label ends with the key that answers it: what counts is what is settled just before its end. In
`busy` labels (decoys included) anything reported as waiting is an error, the first 0.35 s
apart. Time between labels is a transition and is not scored. `--check` fails below the thresholds.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.config.profile_files import load_profile, profile_paths
from copilot.core.detection import PROMPT_KINDS, WAITING_KINDS, Detection
from copilot.recording.asciicast import read_cast
from copilot.replay.detect import settled_of

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
SHARED = HERE.parent.parent / "shared" / "corpus"
IGNORED_SECONDS = 0.35
"""At the start of a busy label: the reading before it needs time to give way."""
BEFORE_END_SECONDS = 0.002
WAITING = {kind.value for kind in WAITING_KINDS}
ASKING = {kind.value for kind in PROMPT_KINDS}
READY = {"idle", "completed"}
RECALL_AIM = 0.95


@dataclass
class LabelScore:
    """How one label was read."""

    cli: str
    cast: str
    number: int
    kind: str
    t_end: float
    got: str = ""
    seen: bool = False
    exact_kind: bool = False
    question: bool | None = None
    options: bool | None = None
    settle_seconds: float | None = None
    false_waiting: list[str] = field(default_factory=list)
    busy_seconds: float = 0.0
    decoy: bool = False
    wanted: dict[str, Any] = field(default_factory=dict)
    detection: Detection | None = None


def expected_kind(label: dict[str, Any]) -> str:
    """The kind that is right for a label: an error that the CLI retries by itself is busy."""
    if label["state"] == "error" and "retries by itself" in (label.get("note") or ""):
        return "busy"
    return str(label["state"])


def folded(text: str | None) -> str:
    """Text for comparison: blanks, case, and marks of layout apart."""
    return re.sub(r"[\s·]+", "", text or "").casefold().rstrip(".:")


def same_question(wanted: str, got: str | None) -> bool:
    """Whether the words are the same, or one holds the other whole (a label may name only its core)."""
    one, two = folded(wanted), folded(got)
    return bool(two) and (one == two or (len(two) >= 6 and two in one) or (len(one) >= 6 and one in two))


def same_options(wanted: list[dict[str, Any]], detection: Detection) -> bool:
    """Whether all options are there, in order, with the right one selected (and ticked)."""
    got = detection.options
    if len(wanted) != len(got):
        return False
    for label, option in zip(wanted, got, strict=True):
        texts = {folded(label["label"]), folded(label["label"] + (label.get("description") or ""))}
        mine = {folded(option.label), folded(option.label + (option.description or ""))}
        close = any(
            one.startswith(two) or two.startswith(one) for one in texts for two in mine if one and two
        )
        if not (texts & mine or close):
            return False
    if {folded(label["label"]) for label in wanted} == {"yes", "no"}:
        return True
    chosen = [label["selected"] for label in wanted]
    return (
        not any(chosen) or chosen == [option.selected for option in got] or not any(o.selected for o in got)
    )


def score_cast(path: Path, profile_name: str | None = None) -> list[LabelScore]:
    """Score one recording with its labels."""
    cli = path.parent.name
    name = profile_name or (cli if cli in profile_paths() else "generic")
    labels = json.loads(path.with_suffix(".json").read_text("utf-8"))["labels"]
    settled = list(settled_of(read_cast(path), load_profile(name)))
    scores = []
    for number, label in enumerate(labels):
        kind = expected_kind(label)
        score = LabelScore(cli, path.stem, number, kind, label["t_end"], decoy=bool(label.get("decoy")))
        score.wanted = label
        end = label["t_end"] - BEFORE_END_SECONDS
        before = [item for item in settled if item.at <= end]
        score.detection = before[-1].detection if before else None
        score.got = score.detection.kind.value if score.detection else "-"
        if kind == "busy":
            _score_busy(score, settled, label)
        elif kind in WAITING:
            _score_waiting(score, before, label)
        scores.append(score)
    return scores


def _score_busy(score: LabelScore, settled: list[Any], label: dict[str, Any]) -> None:
    start, end = label["t_start"] + IGNORED_SECONDS, label["t_end"] - BEFORE_END_SECONDS
    score.busy_seconds = max(end - start, 0.0)
    if end <= start:
        return
    at_start = [item for item in settled if item.at <= start][-1:]
    for item in at_start + [item for item in settled if start < item.at < end]:
        if item.detection.kind.value in WAITING:
            score.false_waiting.append(f"{item.detection.kind.value}@{item.at:.2f} {item.detection.rule}")


def _score_waiting(score: LabelScore, before: list[Any], label: dict[str, Any]) -> None:
    detection = score.detection
    if detection is None:
        return
    kinds = {"idle": READY, "completed": READY, "yes_no": {"yes_no"}}.get(score.kind, {score.kind})
    score.seen = detection.kind.value in WAITING and (
        detection.kind.value in ASKING if score.kind in ASKING else True
    )
    score.exact_kind = detection.kind.value == score.kind
    if not score.exact_kind and detection.kind.value in kinds and score.kind in READY:
        score.seen = True
    if label.get("question") and score.kind in ASKING:
        score.question = same_question(label["question"], detection.question)
    if label.get("options") and score.kind in ASKING:
        score.options = same_options(label["options"], detection)
    if score.exact_kind:
        shown = label.get("t_seen", label["t_start"])
        score.settle_seconds = max(before[-1].at - shown, 0.0) if before[-1].at >= shown else None


def casts_under(folders: list[Path], only: list[str]) -> Iterator[Path]:
    """The labelled recordings, a CLI's folder at a time."""
    seen = set()
    for folder in folders:
        for path in sorted(folder.glob("*/*.cast")):
            key = (path.parent.name, path.name)
            wanted = not only or path.parent.name in only or f"{path.parent.name}/{path.stem}" in only
            if key not in seen and wanted and path.with_suffix(".json").exists():
                seen.add(key)
                yield path


def print_table(scores: list[LabelScore]) -> dict[str, dict[str, float]]:
    """The table, per CLI and kind; returns the figures per CLI."""
    groups: dict[str, list[LabelScore]] = defaultdict(list)
    for score in scores:
        groups[score.cli].append(score)
    print(f"{'CLI':9} {'kind':12} {'n':>4} {'recall':>7} {'kind':>6} {'quest.':>7} {'opts':>6} {'settle':>7}")
    figures = {}
    for cli, items in sorted(groups.items()):
        waiting = [item for item in items if item.kind in WAITING]
        for kind in sorted({item.kind for item in waiting}):
            _row(cli, kind, [item for item in waiting if item.kind == kind])
        figures[cli] = _row(cli, "ALL", waiting)
        busy = [item for item in items if item.kind == "busy"]
        false = [item for item in busy if item.false_waiting and not item.decoy]
        decoys = [
            item
            for item in items
            if item.decoy and item.kind == "busy" and any(_asks(text) for text in item.false_waiting)
        ]
        minutes = sum(item.busy_seconds for item in busy) / 60
        figures[cli].update(false_waiting=len(false), decoys=len(decoys))
        print(f"{cli:9} busy: {len(busy)} labels, {minutes:.1f} min, {len(false)} false waiting;", end=" ")
        print(f"decoys: {sum(item.decoy for item in items)}, {len(decoys)} answered\n")
    return figures


def _asks(text: str) -> bool:
    return text.partition("@")[0] in ASKING


def _row(cli: str, kind: str, items: list[LabelScore]) -> dict[str, float]:
    def share(values: list[bool]) -> float:
        return sum(values) / len(values) if values else 1.0

    questions = [item.question for item in items if item.question is not None]
    options = [item.options for item in items if item.options is not None]
    times = [item.settle_seconds for item in items if item.settle_seconds is not None]
    result = {
        "recall": share([item.seen for item in items]),
        "kind": share([item.exact_kind for item in items]),
        "question": share(questions),
        "options": share(options),
        "settle": statistics.median(times) if times else 0.0,
    }
    print(
        f"{cli:9} {kind:12} {len(items):4} {result['recall']:7.1%} {result['kind']:6.0%}"
        f" {result['question']:7.0%} {result['options']:6.0%} {result['settle']:6.2f}s"
    )
    return result


def print_misses(scores: list[LabelScore]) -> None:
    """Every label that was read wrongly, and how."""
    for score in scores:
        where = f"{score.cli}/{score.cast} #{score.number} @{score.t_end:.2f} {score.kind}"
        detection = score.detection
        for text in score.false_waiting:
            print(f"FALSE {where}{' DECOY' if score.decoy else ''}: {text}")
        if score.kind in WAITING and not score.exact_kind:
            rule = detection.rule if detection else "-"
            note = f" ({detection.note})" if detection and detection.note else ""
            print(f"{'KIND' if score.seen else 'MISS'}  {where}: got {score.got} by {rule}{note}")
        if score.question is False and detection:
            print(
                f"QUEST {where}: {score.wanted['question']!r} got {detection.question!r} ({detection.rule})"
            )
        if score.options is False and detection:
            wanted = [(o["label"], o["selected"]) for o in score.wanted["options"]]
            got = [(o.label, o.description, o.selected) for o in detection.options]
            print(f"OPTS  {where}: ({detection.rule})\n   want {wanted}\n   got  {got}")


def confusion(scores: list[LabelScore]) -> None:
    """Which kind was taken for which."""
    wrong = Counter(
        (score.kind, score.got) for score in scores if score.kind in WAITING and not score.exact_kind
    )
    for (kind, got), count in wrong.most_common():
        print(f"  {kind:12} read as {got:12} {count}")


def main(argv: list[str] | None = None) -> int:
    """Print the scoreboard; with --check, 1 if a threshold is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="CLIs, or CLI/recording; else all")
    parser.add_argument("--shared", action="store_true", help="also the recordings beside the repository")
    parser.add_argument("--corpus", action="append", type=Path, default=[], help="another folder of them")
    parser.add_argument("--profile", help="read all with this profile")
    parser.add_argument("--misses", action="store_true", help="list every label that was read wrongly")
    parser.add_argument("--check", action="store_true", help="fail below the thresholds")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    folders = [CORPUS, *options.corpus, *([SHARED] if options.shared and SHARED.is_dir() else [])]
    casts = list(casts_under(folders, options.only))
    with ProcessPoolExecutor(options.jobs) as pool:
        results = pool.map(score_cast, casts, [options.profile] * len(casts), chunksize=2)
        scores = [score for result in results for score in result]
    if options.misses:
        print_misses(scores)
    figures = print_table(scores)
    confusion(scores)
    failed = [
        f"{cli}: {what}"
        for cli, values in figures.items()
        for what, bad in (
            ("recall below 95%", cli in ("claude", "codex") and values["recall"] < RECALL_AIM),
            ("waiting reported while busy", values["false_waiting"] > 0),
            ("a decoy answered", values["decoys"] > 0),
        )
        if bad
    ]
    if options.check and failed:
        print("below the thresholds:", "; ".join(failed))
    return 1 if options.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())
