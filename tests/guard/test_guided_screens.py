"""Screens that hide, forge, cut or shift what is asked: a model that always says yes gets nothing typed.

Made by somebody with the guard's source at hand. Every option is tried, at `assist` and `full`. What is typed
where nobody is there is the profile's refusal at most.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core.reply import Autonomy, Verdict
from tests.guard.guided_screens import LEVELS, play, profile_for, profile_name, screens

ALLOWED = {"base_ls"}
"""What a person would be annoyed to be asked."""
HOSTILE = [path for path in screens() if path.stem not in ALLOWED]
REFUSING = 9
"""The number of an option behind the last one: the last one counts, which refuses."""


@pytest.mark.invariant(7)
@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_a_hostile_screen_gets_no_yes(path: Path) -> None:
    profile = profile_for(profile_name(path.stem))
    for level in LEVELS:
        played = play(path.read_bytes(), profile, level)
        assert played.decisions, level
        assert played.keys == (), f"{level.value}: {played.subject}"


@pytest.mark.invariant(7)
@pytest.mark.parametrize(
    "path", [path for path in screens() if not path.stem.startswith("g_")], ids=lambda p: p.stem
)
def test_it_gets_none_either_where_no_profile_knows_the_cli(path: Path) -> None:
    for level in LEVELS:
        assert play(path.read_bytes(), profile_for("generic"), level).keys == (), level


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_an_ordinary_screen_is_answered(name: str) -> None:
    path = next(path for path in screens() if path.stem == name)
    for level in LEVELS:
        assert play(path.read_bytes(), profile_for("claude"), level).keys == ("1",)


@pytest.mark.parametrize(
    "path", [path for path in HOSTILE if path.stem.startswith("opt")], ids=lambda p: p.stem
)
def test_a_refusal_may_be_typed(path: Path) -> None:
    played = play(path.read_bytes(), profile_for("claude"), Autonomy.FULL, REFUSING)
    assert played.keys in (("2",), ("3",))


@pytest.mark.parametrize("name", ["h_real_claude", "overwrite", "cdx_reason_quote", "mcp_full"])
def test_where_nobody_is_there_the_refusal_is_typed_at_most(name: str) -> None:
    path = next(path for path in screens() if path.stem == name)
    profile = profile_for(profile_name(name))
    played = play(path.read_bytes(), profile, Autonomy.FULL, headless=True)
    assert set(played.keys) <= set(profile.reply_keys.refuse["permission"])
    assert all(one.verdict is not Verdict.SEND for one in played.decisions)
