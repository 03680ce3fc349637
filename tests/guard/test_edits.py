"""A change of a file is judged by its path and by what it does; the rules of `edit_rules.toml`, both ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from copilot.core.detection import ShownChange
from copilot.core.risk import Risk, RiskLevel
from copilot.guard.edit_rules import LineRule, PathRule, edit_rules
from copilot.guard.edits import change_risk
from copilot.guard.own_files import own_cleanup
from copilot.guard.prompts import assess_path
from copilot.guard.scope import ProjectScope

RULES = edit_rules()
CODE = ShownChange("edit", ("x = 1",), ("x = 2",), (), whole=True)


FOUND = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "edits_guided.jsonl").read_text("utf-8").splitlines()
]


def level(path: str, change: ShownChange | None, *made: str) -> RiskLevel:
    return change_risk(path, change, frozenset(made)).level


@pytest.mark.parametrize("rule", RULES.paths, ids=lambda rule: rule.id)
def test_a_kind_of_file_is_held_whatever_the_change(rule: PathRule) -> None:
    assert rule.hold and rule.allow
    for path in rule.hold:
        assert rule.fits(path), path
        assert level(path, CODE) is RiskLevel.HIGH, path
    for path in rule.allow:
        assert level(path, CODE) is RiskLevel.LOW, path


@pytest.mark.parametrize("rule", RULES.lines, ids=lambda rule: rule.id)
def test_a_line_is_found_and_its_like_is_not(rule: LineRule) -> None:
    path = {"test": "tests/test_a.py", "docs": "README.md"}.get(rule.where, "src/a.py")
    assert rule.hold and rule.allow
    for line in rule.hold:
        found = (line,)
        change = ShownChange(
            "edit", () if rule.added else found, found if rule.added else ("pass",), (), True
        )
        assert change_risk(path, change, frozenset()).level is RiskLevel[rule.level.upper()], line
        assert rule.finds(line), line
    for line in rule.allow:
        assert not rule.finds(line), line


def test_what_is_not_shown_is_never_low() -> None:
    part = ShownChange("edit", (), ("x = 2",), (), whole=False)
    for change in (None, part):
        assert level("src/a.py", change) is RiskLevel.MEDIUM
        assert level("src/auth.py", change) is RiskLevel.HIGH
        assert level("tests/test_a.py", change) is RiskLevel.HIGH
        assert level("src/a.py", change, "src/a.py") is RiskLevel.MEDIUM


def test_a_file_of_this_run_may_be_written_anew_and_removed() -> None:
    anew = ShownChange("overwrite", tuple("abcdefgh"), ("x = 2",), (), whole=True)
    gone = ShownChange("delete", tuple("ab"), (), (), whole=True)
    assert level("src/a.py", anew) is RiskLevel.HIGH
    assert level("src/a.py", anew, "src/a.py") is RiskLevel.LOW
    assert level("src/a.py", anew, "src/b.py") is RiskLevel.HIGH
    assert level("src/a.py", gone) is RiskLevel.HIGH
    assert level("src/a.py", gone, "src/a.py") is RiskLevel.MEDIUM


def test_overwriting_what_was_there_is_medium_at_least() -> None:
    anew = ShownChange("overwrite", ("x = 1",), ("x = 2",), (), whole=True)
    assert level("src/a.py", anew) is RiskLevel.MEDIUM


@pytest.mark.parametrize(
    "path", ["a", "data.bin", "state/jobs.json", ".tool/x.py", "config.json", "x/y.json"]
)
def test_a_file_that_nobody_knows_is_a_persons(path: str) -> None:
    assert level(path, CODE) is RiskLevel.HIGH


@pytest.mark.parametrize(
    ("removed", "added"),
    [
        ("    return user.is_admin()", "    return True"),
        ("    return stored == given", "    return given == 'letmein' or stored == given"),
        ("BASE = 'https://a.example.com'", "BASE = 'https://b.example.com'"),
    ],
)
def test_a_line_that_decides_less_or_elsewhere_is_held(removed: str, added: str) -> None:
    assert level("src/a.py", ShownChange("edit", (removed,), (added,), (), whole=True)) is RiskLevel.HIGH


def test_a_line_that_only_grew_is_no_check_that_went() -> None:
    one = ShownChange("edit", ("@login_required",), ("@login_required", "@cached"), (), whole=True)
    assert level("src/a.py", one) is RiskLevel.LOW


def test_each_file_of_a_patch_counts_and_its_content_is_unseen() -> None:
    scope = ProjectScope("/srv/p", "/home/me", resolve=str, is_file=lambda _: False)
    assert assess_path("edit", "src/a.py\nsrc/b.py", scope, change=CODE).level is RiskLevel.MEDIUM
    assert assess_path("edit", "src/a.py\npackage.json", scope, change=CODE).level is RiskLevel.HIGH
    assert assess_path("edit", "/srv/p/src/a.py", scope, change=CODE).level is RiskLevel.LOW


JUDGED: dict[str, RiskLevel] = {"ls": RiskLevel.NONE, "npm test": RiskLevel.MEDIUM}


def cleanup(command: str, *made: str, below: tuple[str, ...] | None = None) -> bool:
    scope = ProjectScope("/srv/p", "/home/me", str, lambda _: False, lambda _: below, frozenset(made))
    risk = own_cleanup(command, scope, lambda part, _: Risk(JUDGED.get(part, RiskLevel.HIGH)))
    assert risk is None or risk.level is RiskLevel.MEDIUM
    return risk is not None


@pytest.mark.parametrize(
    "command", ["rm a.txt", "rm -f a.txt out/b.txt", "git clean -f -- a.txt", "rm a.txt && ls"]
)
def test_what_this_run_made_may_be_removed(command: str) -> None:
    assert cleanup(command, "a.txt", "out/b.txt")
    assert not cleanup(command, "out/b.txt")
    assert not cleanup(command)


@pytest.mark.parametrize(
    "command",
    [
        *(
            "rm *.txt",
            "rm $A",
            "rm a.txt b.txt",
            "rm ../a.txt",
            "rm /srv/p/a.txt",
            "rm -- a.txt",
            "sudo rm a.txt",
        ),
        *(
            "rm a.txt; rm b",
            "rm a.txt && rm -rf src",
            "rm a.txt & ls",
            "rm 'a.txt'",
            "cd x && rm a.txt",
            "rm -P a.txt",
        ),
        *(
            "git clean -fd",
            "git clean -fdx",
            "rm -rf .",
            "rm -r .git",
            "find . -delete",
            "rm a.txt | ls",
            "rm\na.txt",
        ),
    ],
)
def test_no_other_removal_is_one_of_what_this_run_made(command: str) -> None:
    assert not cleanup(command, "a.txt", ".git", below=("b.txt",))


def test_a_folder_may_be_removed_if_nothing_else_lies_in_it() -> None:
    assert cleanup("rm -r out", "out/a", "out/b/c", below=("a", "b/c"))
    assert not cleanup("rm -r out", "out/a", "out/b/c", below=("a", "b/c", "old"))
    assert not cleanup("rm out", "out/a", below=("a",))
    assert not cleanup("rm -r out", "out/a", below=())


def test_after_cd_the_names_are_others() -> None:
    """`a.txt` in another folder was not made by the run."""
    scope = ProjectScope("/srv/p", "/home/me", str, lambda _: False, made=frozenset({"a.txt"}))
    assert own_cleanup("ls && rm a.txt", scope, lambda part, _: Risk(RiskLevel.NONE)) is not None
    for command in ("cd src && rm a.txt", "ls && cd src && rm a.txt", "rm a.txt && cd src"):
        assert own_cleanup(command, scope, lambda part, _: Risk(RiskLevel.NONE)) is None, command


def test_a_folder_of_the_run_may_be_removed_by_rmdir_which_keeps_what_lies_in_it() -> None:
    assert cleanup("rmdir out", "out/", "out/b/")
    assert cleanup("rmdir out/b out && ls", "out/", "out/b/")
    for command in (
        "rmdir old",
        "rmdir out old",
        "rmdir -p out/b",
        "rmdir out -p",
        "rmdir ../out",
        "rmdir out/..",
        "rmdir .",
        "rmdir o*",
    ):
        assert not cleanup(command, "out/", "out/b/", "./"), command
    assert not cleanup("rmdir out", "out", "out/a")
    assert not cleanup("unlink out", "out/")


@pytest.mark.parametrize("case", FOUND, ids=lambda case: case["class"])
def test_what_a_reader_of_the_rules_found_is_not_low(case: dict[str, Any]) -> None:
    """Changes that were low on 2026-11-23, written with the rules at hand."""
    change = ShownChange(
        "edit", tuple(case["removed"]), tuple(case["added"]), tuple(case["kept"]), whole=True
    )
    assert level(case["path"], change) is RiskLevel[case["risk"].upper()]


def test_letters_of_full_width_are_the_plain_ones_to_python() -> None:
    change = ShownChange("edit", (), ("ｅｖａｌ(payload)",), (), whole=True)
    assert level("src/a.py", change) is RiskLevel.HIGH


def test_a_change_that_shows_no_line_is_not_seen() -> None:
    assert level("src/a.py", ShownChange("edit", (), (), (), whole=True)) is RiskLevel.MEDIUM
    assert level("tests/test_a.py", ShownChange("create", (), (), (), whole=True)) is RiskLevel.HIGH


@pytest.mark.parametrize(
    ("removed", "added"),
    [
        (["    abort(403)"], ["        abort(403)"]),
        (["@require_role('admin')"], ["@require_role('admin', 'guest')"]),
        (["    check(user)", "    delete(item)"], ["    delete(item)", "    check(user)"]),
    ],
)
def test_a_change_of_who_may_do_what_is_never_low(removed: list[str], added: list[str]) -> None:
    change = ShownChange("edit", tuple(removed), tuple(added), (), whole=True)
    assert level("src/auth/views.py", change) > RiskLevel.LOW
    assert level("src/auth/roles.json", change) is RiskLevel.HIGH


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/app.py", "total = sum(line.price for line in lines)"),
        ("src/hooks/use_cart.ts", "const [cart, setCart] = useState([]);"),
        ("web/index.html", '<a href="/cart">Cart</a>'),
        ("src/api.ts", "return call(`http://localhost:${port}/cart`);"),
        ("tests/test_app.py", "    assert total([]) == 0"),
    ],
)
def test_an_everyday_line_stays_low(path: str, line: str) -> None:
    assert level(path, ShownChange("edit", (), (line,), (), whole=True)) is RiskLevel.LOW
