"""Clean-ups of what the run itself made: `rm`, `rmdir` and `git clean` of exactly these, at medium.

Only plain words count here, no wildcard, no variable, no `..`, no `cd`: each operand is a file of the list, a
folder in which nothing else lies, or (`rmdir`) a folder of the list. What was there before the run is never
removed by itself.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable

import re2

from copilot.core.risk import Risk, RiskLevel
from copilot.guard.budget import PLACE, Budget, TooMuch
from copilot.guard.looks import counted
from copilot.guard.scope import ProjectScope, locate

_PLAIN = re2.compile(r"^[A-Za-z0-9_./@+, &\-]+$")
_REMOVES = re2.compile(
    r"^(?:rm(?P<rm>(?: -[frv]{1,3})*)|unlink|(?P<rmdir>rmdir)|git clean(?P<clean>(?: -[fdxq]{1,4})+)(?: --)?)"
    r" (?P<paths>[^-].*)$"
)


def own_cleanup(command: str, scope: ProjectScope, judge: Callable[[str, Budget], Risk]) -> Risk | None:
    """Medium if all that `command` removes was made by this run; None if that is not certain.

    The parts between `&&` that remove nothing are judged by `judge`, and may be medium at most; all share one
    budget.
    """
    budget = Budget()
    try:
        return _own_cleanup(command, counted(scope, budget), budget, judge)
    except TooMuch:
        return None


def _own_cleanup(
    command: str, scope: ProjectScope, budget: Budget, judge: Callable[[str, Budget], Risk]
) -> Risk | None:
    if not scope.made or scope.too_wide or _PLAIN.search(command) is None:
        return None
    parts = [part.strip() for part in command.split("&&")]
    if any("&" in part or not part or part.split()[0] == "cd" for part in parts):
        return None
    own = [_removes_own(part, scope, budget) for part in parts]
    if not any(own):
        return None
    rest = [judge(part, budget) for part, removes in zip(parts, own, strict=True) if not removes]
    if any(risk.level > RiskLevel.MEDIUM for risk in rest):
        return None
    return Risk(RiskLevel.MEDIUM, ("removes only what this run made",), "files.delete-own", command)


def _removes_own(part: str, scope: ProjectScope, budget: Budget) -> bool:
    match = _REMOVES.search(part)
    if match is None:
        return False
    words = dict.fromkeys(match.group("paths").split())
    budget.spend(2 * PLACE * len(words))
    if match.group("rmdir"):
        # rmdir(2) itself refuses a folder that is not empty.
        return all(_own_path(word, scope) + "/" in scope.made for word in words)
    deep = "r" in (match.group("rm") or "") or "d" in (match.group("clean") or "")
    return all(_is_own(word, scope, deep=deep) for word in words)


def _own_path(word: str, scope: ProjectScope) -> str:
    """The path of an operand as the ledger names it; empty if it is not plainly one of the project."""
    if word.startswith(("-", "/")) or ".." in word.split("/"):
        return ""
    path = posixpath.normpath(word)
    place = locate(scope, path)
    return path if place.relative == path != "." and not place.protected else ""


def _is_own(word: str, scope: ProjectScope, *, deep: bool) -> bool:
    path = _own_path(word, scope)
    if not path:
        return False
    if path in scope.made:
        return True
    below = scope.files_below(posixpath.join(scope.root, path)) if deep else None
    return bool(below) and all(posixpath.join(path, name) in scope.made for name in below or ())
