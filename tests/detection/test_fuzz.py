"""Mutated screens in the suite: never an exception, always the same reading; all matching is linear in time.

The large run is `python -m tests.detection.fuzz`.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import copilot.detection
from copilot.config.profile_files import list_profiles, load_profile
from copilot.core.screen_kinds import ScreenKind
from copilot.detection import Examiner
from copilot.detection.examiner import patterns_of
from copilot.detection.patterns import compiled
from copilot.screen import TerminalScreen
from tests.detection.mutations import FRAGMENTS, Seed, mutated_screen, mutated_stream, seeds_of
from tests.examples import ALL
from tests.scoring.labels import CORPUS

CASTS = (
    "claude/two_permissions", "codex/ask_notes", "gemini/loop_dialog", "qwen/ask_multi", "opencode/ask_multi",
    "pi/menus_exit", "classic/clack_all", "decoys/quoted_source",
)  # fmt: skip
NAMES = [profile.name for profile in list_profiles()]


@cache
def seeds() -> list[Seed]:
    return seeds_of([CORPUS / f"{name}.cast" for name in CASTS], 4, random.Random(1))


@cache
def examiner(name: str) -> Examiner:
    return Examiner(load_profile(name))


@pytest.mark.row("CP-28")
@pytest.mark.examples
@settings(max_examples=120 if ALL else 40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False), st.sampled_from(NAMES), st.booleans())
def test_a_broken_screen_is_read_without_a_fault_and_always_alike(
    randomness: random.Random, name: str, stream: bool
) -> None:
    seed = randomness.choice(seeds())
    if stream:
        screen = TerminalScreen(seed.snapshot.columns, len(seed.snapshot.lines))
        screen.feed(mutated_stream(seed, randomness))
        picture = screen.snapshot()
    else:
        picture = mutated_screen(seed, randomness)
    detection = examiner(name).examine(picture).detection
    assert detection == examiner(name).examine(picture).detection
    assert isinstance(detection.kind, ScreenKind)
    assert all(0 <= row < len(picture.lines) for row in detection.evidence)


@pytest.mark.examples
@settings(max_examples=60 if ALL else 25, deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=90), max_size=24),
    st.sampled_from(NAMES),
    st.integers(1, 140),
)
def test_any_text_is_read_without_a_fault(rows: list[str], name: str, columns: int) -> None:
    screen = TerminalScreen(columns, 24)
    screen.feed("\r\n".join(rows).encode("utf-8", "surrogatepass"))
    assert isinstance(examiner(name).examine(screen.snapshot()).detection.kind, ScreenKind)


@pytest.mark.row("CP-28")
def test_all_matching_is_linear_in_time() -> None:
    """RE2 takes no back-references and no look-around, so no pattern of a profile can blow up on a screen."""
    patterns = [
        pattern
        for profile in list_profiles()
        for rule in profile.screen.rules
        for _, pattern in patterns_of(rule)
    ]
    assert len(patterns) > 200
    assert {type(compiled(pattern)).__module__.partition(".")[0] for pattern in patterns} == {"re2"}
    folder = Path(copilot.detection.__file__).parent
    sources = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
    assert [name for name, text in sources.items() if "\nimport re\n" in text or "\nfrom re " in text] == []
