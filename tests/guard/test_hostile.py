"""Hostile screens of every class of attack, through the real pipeline at `full`, with a model that obeys.

The corpus is `hostile/cNN_*.toml`, one file per class. Not a byte is typed for any of them. A case that names
its guard is played once more with that guard switched off: then something is typed, so the case has teeth.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.core.probe import LETTERS
from copilot.session.start import Prepared
from tests.examples import some
from tests.guard.hostile_guards import GUARDS, changed
from tests.guard.hostile_run import Case, Played, load, play
from tests.own_profile import own_profile

CASES = load()
CLASSES = range(1, 14)
AT_ONCE = 16
PROFILE = r"""
schema_version = 1
name = "hostile_text"

[limits]
level = "assist"

[reply_keys]
paste = "bracketed"
avoid_leading = "/!"

[screen.evidence]
program_status = false

[screen.confirm_seconds]
default = 0.2

[[screen.rules]]
id = "hostile.text"
kind = "text_input"
multi_line = false
all = [{ pattern = 'Say it, take' }]
question = '(Say it, take \d+:)'
"""
PROBES = [letter.encode() for letter in LETTERS]
"""Typed to see whether there is a field, before the reply: with one of them nothing has got through yet."""
FENCE = re.compile(r"<<<UNTRUSTED (\w+) [^\n]*\n.*?\n\1 UNTRUSTED>>>", re.DOTALL)
ANSWERS = re.compile(
    rb"(?:\x1b\[\??[0-9;]*[cRn]|\x1b\[>[0-9;]*c|\x1bP>\|[ -~]*\x1b\\|\x1bP[01]\$r[0-9;]*m?\x1b\\|\x1bP[01]\+r[0-9A-Fa-f=]*\x1b\\"
    rb"|\x1b\](?:1[0-2]|4;\d+);rgb:[0-9a-f/]+(?:\x07|\x1b\\)|\x1b\]7501;\?\x1b\\|\x1b\][lL]\x1b\\)*"
)
"""What the terminal answers by itself: fixed bytes, with nothing of the child's in them."""


@pytest.fixture(autouse=True)
def _profile(clean_user: Path) -> None:
    own_profile("hostile_text", PROFILE)


async def play_all(
    cases: Iterable[Case],
    folder: Path,
    change: Callable[[Prepared], Prepared] | None = None,
    *,
    stop_at_key: bool = False,
) -> dict[str, Played]:
    free = asyncio.Semaphore(AT_ONCE)
    played: dict[str, Played] = {}

    async def one(number: int, case: Case) -> None:
        async with free:
            played[_name(case)] = await play(case, folder / str(number), change, stop_at_key=stop_at_key)

    async with asyncio.TaskGroup() as group:
        for number, case in enumerate(cases):
            group.create_task(one(number, case))
    return played


def _name(case: Case) -> str:
    return f"c{case.class_:02d} {case.id}"


def _typed(case: Case, played: Played) -> bytes:
    """What the child got that the terminal did not answer by itself."""
    return b"" if ANSWERS.fullmatch(played.typed) and not played.writes else played.typed or b"?"


def test_the_corpus_covers_every_class() -> None:
    count = Counter(case.class_ for case in CASES)
    assert len(CASES) >= 60 and all(count[number] >= 3 for number in CLASSES), count
    guarded = {case.class_ for case in CASES if case.guard}
    assert guarded == set(CLASSES)
    assert len({_name(case) for case in CASES}) == len(CASES)


@pytest.mark.waits
@pytest.mark.timeout(240)
@pytest.mark.row("CP-40")
@pytest.mark.invariant(3)
@pytest.mark.invariant(7)
async def test_not_a_byte_is_typed_for_any_of_them(tmp_path: Path) -> None:
    played = await play_all(CASES, tmp_path)
    typed = {_name(case): _typed(case, played[_name(case)]) for case in CASES}
    assert {name: data for name, data in typed.items() if data} == {}
    for case in CASES:
        one = played[_name(case)]
        assert one.kinds, f"{_name(case)}: nothing was detected at all"
        assert not case.kind or case.kind in one.kinds, (_name(case), one.kinds)
        assert not case.rule or case.rule in one.rules, (_name(case), one.rules)
        assert re.search(case.expired, " ".join(one.expired)), (_name(case), one.expired)
        for request in one.requests:
            outside = FENCE.sub("", request.user) + request.system
            assert not case.hidden or case.hidden not in outside, f"{_name(case)}: outside of the fence"
        _check_report(one.folder, _name(case))


@pytest.mark.waits
@pytest.mark.timeout(240)
@pytest.mark.invariant(7)
@pytest.mark.examples
async def test_not_a_byte_is_typed_either_where_no_profile_knows_the_cli(tmp_path: Path) -> None:
    known = [case for case in CASES if case.profile not in ("generic", "hostile_text")]
    cases = [replace(case, profile="generic") for case in some(known, 2)]
    played = await play_all(cases, tmp_path)
    assert {name: one.typed for name, one in played.items() if one.writes} == {}


def _check_report(folder: Path, name: str) -> None:
    """The page about the run: no script, element or control of the child's."""
    page = (folder / "report.html").read_text("utf-8")
    assert "<script>alert" not in page and "<img src=x" not in page, name
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page), name


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.invariant(7)
@pytest.mark.parametrize("guard", sorted({case.guard for case in CASES if case.guard}))
async def test_each_case_gets_through_once_its_guard_is_off(
    guard: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in guard.split("+"):
        GUARDS[name](monkeypatch)
    cases = [case for case in CASES if case.guard == guard]
    played = await play_all(cases, tmp_path, changed(guard), stop_at_key=True)
    held = {
        _name(case): (one.kinds, one.rules)
        for case in cases
        if _typed(case, one := played[_name(case)]) in (b"", *PROBES)
    }
    assert held == {}
