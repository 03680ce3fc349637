"""How each label of a recording was read.

A waiting label ends with the key that answers it: what counts is what is settled just before its end. In
`busy` labels (decoys included) anything reported as waiting is an error, the first 0.35 s apart. Time between
labels is a transition and is not scored.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from copilot.config.profile_files import load_profile, profile_paths
from copilot.core.detection import Detection
from copilot.core.events import ScreenSettled
from copilot.core.profile import Profile
from copilot.core.screen_kinds import TEXT_KINDS
from copilot.core.screen_rules import ScreenRules
from copilot.recording.asciicast import read_cast
from tests.scoring.feeding import AS_RECORDED, Feeding, LabelledPlayer
from tests.scoring.labels import ASKING, READY, WAITING, Label, expected_kind, labels_of, same_options
from tests.scoring.labels import same_question as _same_question

IGNORED_SECONDS = 0.35
"""At the start of a busy label: the reading before it needs time to give way."""
FIELDS = {kind.value for kind in TEXT_KINDS}
BEFORE_END_SECONDS = 0.002


@dataclass(frozen=True)
class How:
    """How to read: with which profile, from which evidence, the output arriving in which way."""

    profile: str = ""
    without: frozenset[str] = frozenset()
    """Of status, title, progress, rules."""
    feeding: Feeding = AS_RECORDED
    as_labelled: bool = False
    """Compare with the labels to the letter, even where they do not spell out the screen."""


PLAIN = How()


@dataclass
class LabelScore:
    cli: str
    cast: str
    number: int
    kind: str
    label: Label
    detection: Detection | None = None
    """What counts: settled just before the answering key."""
    asked: Detection | None = None
    """The same before any key moved the pointer."""
    seen: bool = False
    exact_kind: bool = False
    held: bool = False
    """Noticed as asking by the CLI's report, but shown as unknown: the person answers."""
    question: bool | None = None
    options: bool | None = None
    settle_seconds: float | None = None
    false_waiting: list[str] = field(default_factory=list)
    busy_seconds: float = 0.0

    @property
    def got(self) -> str:
        return self.detection.kind.value if self.detection is not None else "-"

    @property
    def decoy(self) -> bool:
        """Whether it only looks like a question."""
        return bool(self.label.get("decoy"))

    @property
    def answered_wrongly(self) -> bool:
        """Whether something would have been answered where nothing is asked."""
        if self.kind == "busy":
            return any(text.partition("@")[0] in ASKING for text in self.false_waiting)
        return self.kind in READY and self.got in ASKING

    @property
    def typed_over(self) -> bool:
        """Whether a list of options was taken for an empty field, into which words would be typed."""
        listed = self.kind in ASKING - FIELDS and bool(self.label.get("options"))
        return listed and self.got in FIELDS and self.detection is not None and not self.detection.draft

    @property
    def where(self) -> str:
        """The label's name, as differences.toml names it."""
        return f"{self.cli}/{self.cast}#{self.number}"


def profile_of(cli: str, how: How) -> Profile:
    """The profile to read a CLI's recordings with, without the rules if they are switched off."""
    profile = load_profile(how.profile or (cli if cli in profile_paths() else "generic"))
    if "rules" not in how.without:
        return profile
    rules = ScreenRules(composer=profile.screen.composer, evidence=profile.screen.evidence)
    return replace(profile, screen=rules)


def read_labelled(path: Path, how: How = PLAIN) -> tuple[LabelledPlayer, list[ScreenSettled]]:
    """A recording, read: its labels on the clock of this feeding, and what settled."""
    profile, labels = profile_of(path.parent.name, how), labels_of(path, how.as_labelled)
    player = LabelledPlayer(read_cast(path), profile, labels, how.feeding, how.without)
    return player, list(player.settled())


def score_cast(path: Path, how: How = PLAIN) -> list[LabelScore]:
    """Score one recording with its labels."""
    return scored(path, *read_labelled(path, how))


def scored(path: Path, player: LabelledPlayer, settled: list[ScreenSettled]) -> list[LabelScore]:
    """How each label was read."""
    cli = path.parent.name
    scores = []
    for number, label in enumerate(player.labels):
        score = LabelScore(cli, path.stem, number, expected_kind(label), label)
        before = [item for item in settled if item.at <= label["t_end"] - BEFORE_END_SECONDS]
        score.detection = before[-1].detection if before else None
        if score.kind == "busy":
            _score_busy(score, settled)
        elif score.kind in WAITING and before:
            _score_waiting(score, before[-1], _as_asked(label, before, player.key_times))
        scores.append(score)
    return scores


def _score_busy(score: LabelScore, settled: list[ScreenSettled]) -> None:
    start = score.label["t_start"] + IGNORED_SECONDS
    end = score.label["t_end"] - BEFORE_END_SECONDS
    score.busy_seconds = max(end - start, 0.0)
    if end <= start:
        return
    at_start = [item for item in settled if item.at <= start][-1:]
    for item in at_start + [item for item in settled if start < item.at < end]:
        if item.detection.kind.value in WAITING:
            score.false_waiting.append(f"{item.detection.kind.value}@{item.at:.2f} {item.detection.rule}")


def _as_asked(label: Label, before: list[ScreenSettled], keys: list[float]) -> Detection:
    """What was settled before the first key: the label says what was asked, keys may move the pointer."""
    last = before[-1].detection
    first = next((at for at in keys if label["t_start"] < at < label["t_end"]), label["t_end"])
    asked = [item.detection for item in before if label["t_start"] - 1 < item.at <= first]
    return asked[-1] if asked and asked[-1].kind is last.kind else last


def _score_waiting(score: LabelScore, last: ScreenSettled, asked: Detection) -> None:
    detection = last.detection
    kind = detection.kind.value
    if score.kind in ASKING:
        score.seen = kind in ASKING
    else:
        score.seen = kind in WAITING
    score.asked = asked
    score.held = kind == "unknown" and detection.rule.startswith("report.")
    score.exact_kind = kind == score.kind
    if score.label.get("question") and score.kind in ASKING:
        score.question = _same_question(score.label, asked)
    if score.label.get("options") and score.kind in ASKING:
        score.options = same_options(score.label, asked)
    seen_at = score.label.get("t_seen")
    if score.exact_kind and seen_at is not None and last.at >= seen_at:
        score.settle_seconds = last.at - seen_at
