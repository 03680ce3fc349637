"""The words for a state: one badge (word, shape and tone together), what is asked, why it is held.

Every panel, the compact strip and the terminal's title say a thing by these same words. No widgets here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import PurePath

from copilot.core.detection import SAID_ABOVE, EvidenceSource
from copilot.core.plan_progress import shown_kind
from copilot.core.reply import Verdict
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import KIND_WORDS, ScreenKind
from copilot.core.states import RunState
from copilot.engine.view import SessionView
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line

SOURCE_WORDS = {
    EvidenceSource.QUIET: "quiet",
    EvidenceSource.TTY: "the kernel",
    EvidenceSource.SCREEN: "the screen",
    EvidenceSource.REPORT: "its own report",
}
RISK_SHAPES = {
    RiskLevel.NONE: "▁",
    RiskLevel.LOW: "▂",
    RiskLevel.MEDIUM: "▄",
    RiskLevel.HIGH: "▆",
    RiskLevel.FORBIDDEN: "█",
}
RISK_TONES = {
    RiskLevel.NONE: "success",
    RiskLevel.LOW: "success",
    RiskLevel.MEDIUM: "warning",
    RiskLevel.HIGH: "error",
    RiskLevel.FORBIDDEN: "error",
}


def risk_style(level: RiskLevel) -> str:
    alarm = " $alarm" if level >= RiskLevel.HIGH else ""
    return f"bold ${RISK_TONES[level]}{alarm}"


@dataclass(frozen=True, slots=True)
class Badge:
    """A state at a glance. `tone` is a colour variable of the theme."""

    word: str
    shape: str
    tone: str
    detail: str = ""


def badge(model: CockpitModel, now: float) -> Badge:
    view = model.view
    if view.state in _ENDS:
        word, shape, tone = _ENDS[view.state]
        return Badge(word, shape, tone, clean_line(view.outcome or view.state_reason))
    if view.countdown_ends_at is not None:
        return Badge("SENDING", "▶", "accent", f"in {countdown_left(view, now)} s")
    if view.state is RunState.ANSWERING:
        return Badge("TYPING", "»", "accent", "and checking that it is taken")
    if view.waiting_for_provider or view.waiting_for_opinion:
        what = "a second opinion" if view.waiting_for_opinion else shown_kind(view.detection)
        return Badge("THINKING", "◌", "primary", f"{what} · {elapsed(now - model.since)}")
    if view.state is RunState.HELD or view.detection.asks:
        return _held_badge(model.seen)
    return _plain_badge(model, now)


_ENDS = {
    RunState.COMPLETED: ("DONE", "✓", "success"),
    RunState.ERROR: ("ERROR", "✗", "error"),
    RunState.ABORTED: ("STOPPED", "■", "warning"),
}


def _held_badge(view: SessionView) -> Badge:
    what = shown_kind(view.detection)
    if view.proposal is None:
        return Badge("YOUR TURN", "▲", "warning", what)
    return Badge("HELD", "▲", "warning", what)


def _plain_badge(model: CockpitModel, now: float) -> Badge:
    kind = model.detection.kind
    for_seconds = elapsed(now - model.since)
    if kind is ScreenKind.BUSY:
        return Badge("BUSY", "●", "primary", for_seconds)
    if kind is ScreenKind.COMPLETED:
        return Badge("TURN DONE", "✓", "success", "the composer is ready")
    if kind is ScreenKind.IDLE:
        return Badge("READY", "○", "success", "nothing is asked")
    if kind is ScreenKind.STARTING or model.view.state is RunState.INIT:
        return Badge("STARTING", "◔", "quiet", for_seconds)
    if kind is ScreenKind.EXITED:
        return Badge("EXITED", "■", "quiet", "")
    return Badge(
        KIND_WORDS[kind].upper(), "◆", "warning" if kind is ScreenKind.ERROR else "quiet", for_seconds
    )


def question_line(view: SessionView) -> str:
    """What is asked, in one harmless line; for a permission what it is about."""
    detection = view.detection
    subject = clean_line(detection.subject.text) if detection.subject else ""
    question = clean_line(detection.question or "")
    if subject and question and subject not in question:
        return f"{question} {subject}" if len(question) < 40 else f"{subject} · {question}"
    return question or subject


def subject_line(view: SessionView) -> str:
    """The command itself, or what is done to which file; the question where neither is known."""
    subject = view.detection.shown_subject
    if subject is None or subject.action == SAID_ABOVE:
        return question_line(view)
    doing = f"{subject.action} " if subject.action in _FILE_ACTIONS else ""
    return doing + clean_line(subject.text)


_FILE_ACTIONS = ("write", "edit", "delete", "read")


def why_held(model: CockpitModel) -> str:
    """Why the run waits for a person, in one line; empty if it does not."""
    view = model.seen
    decision = view.decision
    if decision is not None and decision.verdict in (Verdict.HOLD, Verdict.ESCALATE, Verdict.REFUSE):
        return clean_line(decision.reason)
    if view.state is RunState.HELD:
        return clean_line(view.state_reason)
    return ""


def why_held_below_risk(model: CockpitModel) -> str:
    """The same for below the risk: without what that has just said."""
    risk, held = shown_risk(model.seen), why_held(model)
    if risk.reason:
        said = clean_line(risk.reason)
        for words in (said, f"risk {risk.level.word}: {said}"):
            rest = held.removeprefix(f"{words} (")
            if rest != held and rest.endswith(")"):
                return rest[:-1]
    return held


def shown_risk(view: SessionView) -> Risk:
    """The risk to show: that of the decided reply, else that of saying yes."""
    return view.decision.risk if view.decision is not None else view.risk


def countdown_left(view: SessionView, now: float) -> int:
    """Whole seconds until the reply is sent, never below 0."""
    return max(0, math.ceil((view.countdown_ends_at or now) - now))


def elapsed(seconds: float) -> str:
    """`0:07`, `12:30`, `1:02:03`."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def in_words(seconds: float) -> str:
    """`7 s`, `40 min`, `1 h 02 min`: where `40:00` would be read as hours."""
    minutes, left = divmod(max(0, int(seconds)), 60)
    hours, rest = divmod(minutes, 60)
    if hours:
        return f"{hours} h {rest:02} min"
    return f"{minutes} min" if minutes else f"{left} s"


def money(cost_usd: float | None) -> str:
    """A cost as shown; an unknown one is said to be unknown."""
    if cost_usd is None:
        return "cost unknown"
    return f"${cost_usd:.2f}" if cost_usd >= 0.1 or cost_usd == 0 else f"${cost_usd:.4f}"


def model_name(model: str) -> str:
    """A model as shown; of a playbook, whose name is its path, the file's name."""
    return PurePath(model).name if model.startswith("/") else model


def count(number: int) -> str:
    """`950`, `1.2k`, `34k`."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 10_000 else f"{number // 1000}k"


def title_line(model: CockpitModel, now: float) -> str:
    """The outer terminal's title: who needs what, shortest first."""
    state = badge(model, now)
    what = f" {state.detail}" if state.word in ("HELD", "YOUR TURN") and state.detail else ""
    return clean_line(f"{state.shape} {state.word.lower()}{what} · {model.view.profile} · copilot")[:80]
