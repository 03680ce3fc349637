"""A verdict costs a bounded number of steps, whatever the command is."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from copilot.core.detection import Detection, Subject
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.below import expand
from copilot.guard.budget import TOO_MUCH, UNITS, Budget, TooMuch
from copilot.guard.command_risk import judge_command
from copilot.guard.families import is_secret_name
from copilot.guard.grants import Grant
from copilot.guard.grants_offer import MAX_TRIED, offer_for
from copilot.guard.looks import counted
from copilot.guard.own_files import own_cleanup
from copilot.guard.scope import ProjectScope

SCOPE = ProjectScope("/home/me/project", "/home/me", posixpath.normpath)
LETTERS = " ".join("abcdefghijklmnop")
HOSTILE = {
    "folders": "; ".join(f"cd d{number}" for number in range(20)) + "; ls",
    "loops": "".join(f"for {name} in {LETTERS}; do " for name in "abcd") + "echo $a; " + "done; " * 4,
    "loop of reads": "".join(f"for {name} in {LETTERS}; do " for name in "abc") + "cat $a; " + "done; " * 3,
    "watch": "watch " + "ls " * 2000,
    "parallel": "parallel " + "ls " * 2000,
    "operands": "cat " + "a " * 4000,
    "remote": "ssh h " + '"ls -la" ' * 800,
    "wrapper": "sudo -x " * 900 + "ls",
    "substitutions": "echo " + "$(ls) " * 1300,
    "commands": "ls; " * 1900,
    "document": "cat <<EOF\n" + "x $y\n" * 1300 + "EOF",
    "wildcards": "ls " + " ".join(f"a*{number}" for number in range(400)),
    "stars": "ls " + "*a" * 3500,
    "deep paths": "cd a; cd b; cd c; cat " + "a/" * 3500,
    "scripts": "; ".join(f"bash -c 'ls {number} >/dev/null'" for number in range(80)),
    "quotes": "cat " + '""' * 3800,
    "pieces": "cat " + "a\\ " * 2000,
    "evals": "eval " * 9 + "ls " * 400,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_too_much_is_held_and_says_so(name: str) -> None:
    risk = judge_command(HOSTILE[name], SCOPE)
    assert (risk.level, risk.rule) == (RiskLevel.HIGH, "parse.budget"), risk
    assert "too much to judge" in risk.reasons


COUNTED = ProjectScope("/srv/p", "/home/me", str, lambda _: True, lambda _: ("a",))


@pytest.mark.parametrize(
    "look",
    [
        lambda scope: scope.resolve("/a/b"),
        lambda scope: scope.is_file("/a/b"),
        lambda scope: scope.files_below("/a/b"),
        lambda scope: scope.disk.list_folder("/a/b"),
        lambda scope: scope.disk.read_file("/a/b"),
        lambda scope: scope.disk.size_of("/a/b"),
    ],
    ids=["resolve", "is_file", "files_below", "list_folder", "read_file", "size_of"],
)
def test_every_look_at_the_disk_is_counted_once(look: Callable[[ProjectScope], object]) -> None:
    budget = Budget()
    scope = counted(COUNTED, budget)
    look(scope)
    spent = UNITS - budget.left
    assert spent > 0
    look(scope)
    assert UNITS - budget.left == spent
    with pytest.raises(TooMuch):
        look(counted(COUNTED, Budget(0)))


@pytest.mark.timeout(30)
def test_a_long_name_takes_no_quadratic_time() -> None:
    assert not is_secret_name("a" + "~" * 100_000 + "x")
    assert is_secret_name(".env" + ".1" * 20_000)


@pytest.mark.timeout(30)
def test_a_makefile_takes_no_quadratic_time(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("a" + " " * 300_000 + "\ntest:\n\ttrue\n")
    assert judge_command("make test", ProjectScope(str(tmp_path), "/home/me")).level is RiskLevel.MEDIUM


def test_a_file_that_is_too_large_to_search_is_held(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"scripts": {"test": "x"}}' + " " * 600_000)
    assert judge_command("npm test", ProjectScope(str(tmp_path), "/home/me")).rule == TOO_MUCH


@pytest.mark.parametrize(("begin", "end"), [("( ", " )"), ("{ ", "; }"), ("if ls; then ", "; fi")])
def test_groups_are_nested_only_so_deep(begin: str, end: str) -> None:
    assert judge_command(begin * 4 + "ls" + end * 4, SCOPE).level < RiskLevel.HIGH
    assert judge_command(begin * 40 + "ls" + end * 40, SCOPE).rule == "parse.failed"


def test_a_clean_up_that_is_too_much_is_not_taken_for_the_runs_own(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "a").touch()
    scope = ProjectScope(str(tmp_path), "/home/me", made=frozenset({"made/a", *map(str, range(2_000))}))

    def judge(part: str, budget: Budget) -> Risk:
        return judge_command(part, scope, budget=budget)

    assert own_cleanup("rm -r made", scope, judge) is not None
    assert own_cleanup("rm " + " ".join(map(str, range(2_000))), scope, judge) is None


def test_what_is_too_much_to_judge_cannot_be_granted() -> None:
    detection = Detection(ScreenKind.PERMISSION, "Go on?", subject=Subject("shell", HOSTILE["folders"]))
    judged: list[Risk] = []

    def judge(grants: Sequence[Grant]) -> Risk:
        judged.append(judge_command(HOSTILE["folders"], SCOPE, grants))
        return judged[-1]

    assert offer_for(detection, SCOPE, judge).rules == ()
    assert len(judged) == 1


def test_an_offer_tries_only_so_many_rules() -> None:
    command = "; ".join(f"prog{number} >> a{number}" for number in range(30))
    detection = Detection(ScreenKind.PERMISSION, "Go on?", subject=Subject("shell", command))
    judged: list[Risk] = []

    def judge(grants: Sequence[Grant]) -> Risk:
        judged.append(Risk(RiskLevel.HIGH, ("no",), "test", command))
        return judged[-1]

    assert offer_for(detection, SCOPE, judge).rules == ()
    assert len(judged) <= MAX_TRIED + 1


def test_a_budget_is_used_up() -> None:
    budget = Budget(10)
    budget.spend(10)
    with pytest.raises(TooMuch):
        budget.spend(1)


def test_a_large_folder_is_looked_through_only_so_far(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"f{number}").write_text("")
    scope = ProjectScope(str(tmp_path), "/home/me")
    assert len(expand(scope, "f*", str(tmp_path), Budget(UNITS))) == 300
    with pytest.raises(TooMuch):
        expand(scope, "f*", str(tmp_path), Budget(100))
