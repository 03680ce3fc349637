"""The guards of the hostile corpus, each of which can be switched off to see that its cases then get through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from copilot.config import settings
from copilot.core import policy, reply_keys
from copilot.core.detection import Detection
from copilot.core.events import FreshLook
from copilot.core.profile import Profile, ReplyKeys
from copilot.core.reply import Reply
from copilot.core.reply_keys import KeyPlan
from copilot.core.risk import NO_RISK
from copilot.core.screen_kinds import (
    PERSONS_KINDS,
    ScreenKind,
)
from copilot.core.snapshot import TtyFacts
from copilot.detection import Examiner
from copilot.detection.regions import Regions
from copilot.engine import engine, prompt_risk, reader
from copilot.engine.reader import ScreenReader
from copilot.guard import prompts
from copilot.prompting import answer
from copilot.screen import TerminalScreen
from copilot.session.start import Prepared

Patch = pytest.MonkeyPatch


def _risk(patch: Patch) -> None:
    """Nothing is dangerous: the judge of commands, files and words."""
    patch.setattr(prompt_risk, "assess", lambda *_: NO_RISK)
    patch.setattr(prompt_risk, "assess_choice", lambda *_: NO_RISK)


def _line(name: str) -> Callable[[Patch], None]:
    """Policy without one of its lines."""

    def off(patch: Patch) -> None:
        patch.setattr(
            policy, "POLICY_RULES", tuple(line for line in policy.POLICY_RULES if line.__name__ != name)
        )

    return off


def _unseen(patch: Patch) -> None:
    """Hidden text raises nothing."""
    patch.setattr(engine, "risk_with_invisible", lambda risk, _hidden: risk)


def _blanked(patch: Patch) -> None:
    """The detectors read what nobody can see."""
    patch.setattr(reader, "without_hidden", lambda snapshot, _theme: (snapshot, {}))


def _disguised(patch: Patch) -> None:
    """Look-alike letters and invisible characters raise nothing."""
    patch.setattr(prompts, "_disguised", lambda *_: None)


def _words(patch: Patch) -> None:
    """A choice is taken without the words that come with it."""
    plan = reply_keys._plan_choice

    def wordless(detection: Detection, reply: Reply, keys: ReplyKeys) -> KeyPlan:
        return plan(detection, replace(reply, text=None), keys)

    patch.setattr(reply_keys, "_plan_choice", wordless)


def _clean(patch: Patch) -> None:
    """Every character may be typed."""
    for room in (reply_keys, answer):
        patch.setattr(room, "clean_reply", lambda text, multi_line: text)


def _fresh_look(patch: Patch) -> None:
    """Keys go by what was settled, not by a look at the screen; and a prompt that changes withdraws nothing."""
    look = ScreenReader.look

    def stale(self: ScreenReader, at: float, facts: TtyFacts) -> FreshLook:
        fresh = look(self, at, facts)
        return replace(fresh, detection=self.settled or fresh.detection)

    patch.setattr(ScreenReader, "look", stale)


def _composer(patch: Patch) -> None:
    """A composer below a dialog is not seen."""
    patch.setattr(Regions, "composer", None)


def _cursor(patch: Patch) -> None:
    """Where the cursor stands says nothing, and a list counts wherever it stands."""
    patch.setattr(Regions, "_live", lambda self, choices: choices)
    patch.setattr(Regions, "cursor_place", frozenset({"hidden"}))
    patch.setattr(Regions, "prompt_text", None)


def _strings(patch: Patch) -> None:
    """The bodies of control strings are printed, as some emulators do."""
    feed = TerminalScreen.feed

    def printing(self: TerminalScreen, data: bytes) -> None:
        for start_of_string in (b"\x1bP", b"\x1b_", b"\x1b^", b"\x1bX", b"\x1b]0;", b"\x1b\\"):
            data = data.replace(start_of_string, b"")
        feed(self, data)

    patch.setattr(TerminalScreen, "feed", printing)


def _title_report(patch: Patch) -> None:
    """The terminal answers with the title that the child gave it."""
    feed = TerminalScreen.feed

    def telling(self: TerminalScreen, data: bytes) -> None:
        feed(self, data)
        if b"\x1b[21t" in data:
            self.write_process_input(f"\x1b]l{self.title}\x1b\\")

    patch.setattr(TerminalScreen, "feed", telling)


def _narrowed(patch: Patch) -> None:
    """The project's file may do what it likes."""
    patch.setattr(settings, "narrowed", lambda wished, _without: (dict(wished), ()))


def _trust(patch: Patch) -> None:
    """Trust is given like any other permission."""
    _line("_trusts")(patch)
    _risk(patch)
    patch.setattr(policy, "ASSIST_KINDS", policy.ASSIST_KINDS | {ScreenKind.TRUST})
    patch.setattr(policy, "PERSONS_KINDS", PERSONS_KINDS - {ScreenKind.TRUST})


GUARDS: dict[str, Callable[[Patch], None]] = {
    "risk": _risk,
    "widening": _line("_widens"),
    "unseen": _unseen,
    "blanked": _blanked,
    "disguised": _disguised,
    "words": _words,
    "clean": _clean,
    "fresh look": _fresh_look,
    "composer": _composer,
    "cursor": _cursor,
    "strings": _strings,
    "title report": _title_report,
    "narrowed": _narrowed,
    "trust": _trust,
    "reports": lambda patch: None,
    "leading": lambda patch: None,
}


def changed(guard: str) -> Callable[[Prepared], Prepared] | None:
    """What of a run's own material switches the guard off: some stand in the profile."""
    if "reports" in guard:
        return lambda prepared: _with(prepared, screen={"evidence": {"program_status": False, "titles": ()}})
    if "leading" in guard:
        return lambda prepared: _with(prepared, reply_keys={"avoid_leading": ""})
    return None


def _with(prepared: Prepared, **changes: dict[str, Any]) -> Prepared:
    profile: Profile = prepared.profile
    for field, values in changes.items():
        part = getattr(profile, field)
        values = {
            key: replace(getattr(part, key), **value) if isinstance(value, dict) else value
            for key, value in values.items()
        }
        profile = replace(profile, **{field: replace(part, **values)})
    return replace(prepared, profile=profile, examiner=Examiner(profile))
