"""The risk of changing a file, by where it is and by what the change does, as far as the dialog shows it.

Low is only what is known to be everyday: code, documents and data of the project, shown whole, in which no
line says that a check goes, a secret comes, or something else runs or is reached. What is not shown is never
low.
"""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Iterator

import re2

from copilot.core.detection import ShownChange
from copilot.core.risk import Risk, RiskLevel
from copilot.guard.edit_checks import NAME, PIECES, Renames, measures_less, moved_check, slipped_in
from copilot.guard.edit_rules import EditRules, LineRule, edit_rules
from copilot.guard.families import is_autoload_path, is_autoload_source
from copilot.redaction.redact import Redactor

_MANY = 5
"""So many lines must go before a change can count as emptying the file."""
_TEST_FOLDERS = frozenset({"test", "tests", "spec", "specs", "__tests__", "e2e", "__snapshots__", "testing"})
_TEST_NAME = re2.compile(r"(?i)^tests?_|[_.\-](tests?|spec|specs)\.|^conftest|_tests?\.\w+$|\.snap$")
_TEST_CLASS = re2.compile(r"[a-z0-9]Tests?\.\w+$|[a-z0-9]Spec\.\w+$|^Test[A-Z]")
_WORDS = re2.compile(r"[a-z]+|[A-Z]+(?:[a-z]+)?")
_CHECKS = re2.compile(
    r"(?i)assert|expect|should|raise|throw|error|fatal|fail|require|verify|check|valid|test|^it$|^def$|^func$|to[A-Z]"
    r"|^be|equal|true|false|none|null|nil|^not$|^or$|^and$|^is$|^in$|^return$|admin|owner|auth|login|perm|allow|deny"
    r"|forbid|role|hmac|compare|sign|token|secure|sanitize|escape|encrypt|csrf|max|limit|abort|random|secret|describe"
    r"|any|log|print|skip|mock|decode"
)
_LOGS = re2.compile(r"(?i)^\s*(?:\w+\.)?(?:log|logger|logging|println?|printf|console|puts|echo)\s*[.(! ]")
_EXPECTED = re2.compile(r"(?i)expect|golden|snap|approved|reference|baseline")
_CONSTANT = re2.compile(r"(?i)^\s*return(?:\s+(?:true|1|nil|null|none|ok))?\s*;?\s*$")
_RETURNS = re2.compile(r"(?i)^\s*(?:return\b|\w+.*=>)")
_HOST = re2.compile(
    r"(?i)(?:\b(?:https?|wss?|ftp):[/\\]{0,3}|\b[a-z][a-z0-9+.\-]{1,15}://"
    r"|\b(?:src|href|action|url|host|import|from)\b[\s=:(\"'`]{1,6}[/\\]{2,4})"
    r"((?:\$?\{[^}]*\}|#\{[^}]*\}|[^/\\\s\"'`<>)\]}:])+)"
)
_ENDINGS = (
    "com|org|net|io|dev|ai|co|cloud|biz|xyz|site|online|tech|ru|cn|de|uk|eu|us|fr|nl|jp|in|br|ch|at|pl|top|club"
    "|example|invalid|onion"
)
_NAMED_HOST = re2.compile(rf"(?i)[\"'`][/\\]{{2,4}}((?:[a-z0-9\-]+\.)+(?:{_ENDINGS}))\b")
"""An address without its scheme, as pages write it."""
_BARE_HOST = re2.compile(rf"(?i)[\"'`:]((?:[\w.+\-]+@)?(?:[a-z0-9\-]+\.)+(?:{_ENDINGS}))[/:?\"'`]")
"""A text that is like the name of a host, or an address of mail."""
_LOCAL = re2.compile(
    r"(?i)^(?:localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|www\.w3\.org|[$#]?\{[^}\"'`]*\}|\$\w+|%s)$"
)
_PROMPTED = re2.compile(r"^\s*(?:>>>|\.\.\.)\s")
_COMMENT = re2.compile(r"^\s*(?://|#(?:\s|#|$)|\*(?:\s|/|$)|/\*|--\s|<!--|;(?:;|\s))")


def change_risk(  # noqa: PLR0911  one line a rule
    path: str, change: ShownChange | None, made: frozenset[str]
) -> Risk:
    """The risk of a change to `path`, relative to the project, that lies in bounds and is no secret.

    `made` are the files that this run itself made.
    """
    rules = edit_rules()
    own = path in made
    act = change.act if change is not None else "edit"
    if act == "delete":
        return _deleted(path, own)
    by_place = _place_risk(path, rules, own=own and act == "overwrite")
    if by_place is not None:
        return by_place
    if change is not None and (found := _content_risk(path, change, own, rules)):
        return found
    if change is None or not change.whole or not (change.added or change.removed or act == "overwrite"):
        return _unseen(path, rules)
    if act == "overwrite" and not own:
        return Risk(RiskLevel.MEDIUM, ("overwrites what this run did not make",), "edit.overwrite", path)
    if rules.kind_of(path) == "scripts":
        return Risk(RiskLevel.MEDIUM, (f"{path} is a script",), "edit.script", path)
    if not own and rules.kind_of(path) == "code" and _is_security(path, rules):
        return Risk(RiskLevel.MEDIUM, (f"{path} says who may do what",), "edit.rights", path)
    word = "a file that this run made" if own else "a file of the project"
    return Risk(RiskLevel.LOW, (f"changes {word}, and all of the change is shown",), "path.edit", path)


def lines_risk(path: str, lines: tuple[str, ...]) -> Risk | None:
    """The risk of lines that are added at the end of a file; None if they are everyday ones."""
    rules = edit_rules()
    rule = rules.path_rule(path)
    if rule is not None:
        return Risk(RiskLevel.HIGH, (f"{path} {rule.reason}",), rule.id, path)
    return _content_risk(path, ShownChange("edit", (), lines, (), whole=True), False, rules)


def _deleted(path: str, own: bool) -> Risk:
    if own:
        return Risk(RiskLevel.MEDIUM, (f"deletes {path}, which this run made",), "edit.delete-own", path)
    return Risk(RiskLevel.HIGH, ("deletes a file",), "path.delete", path)


def _unseen(path: str, rules: EditRules) -> Risk:
    """Where what matters may be hidden a person looks; elsewhere history keeps what was there."""
    if is_test(path) or _is_security(path, rules):
        reason = f"the dialog does not show all of the change to {path}"
        return Risk(RiskLevel.HIGH, (reason,), "edit.unseen", path)
    return Risk(RiskLevel.MEDIUM, ("the dialog does not show all of the change",), "edit.unseen", path)


def _place_risk(  # noqa: PLR0911  one line a rule
    path: str, rules: EditRules, *, own: bool
) -> Risk | None:
    """The risk by where it is. `own`: the run made it, so only what something else runs or reads counts."""
    names = path.split("/")
    folders = path.casefold().split("/")[:-1]
    kind = rules.kind_of(path)
    rule = rules.path_rule(path)
    if rule is not None and (kind != "docs" or rule.names_it(path)):
        return Risk(RiskLevel.HIGH, (f"{path} {rule.reason}",), rule.id, path)
    loads = is_autoload_source if kind in ("code", "docs") else is_autoload_path
    if kind != "scripts" and loads(names):
        return Risk(
            RiskLevel.HIGH, (f"{path} is run or read by a tool of its own accord",), "edit.autoload", path
        )
    if own:
        return None
    if _shadows(path):
        reason = f"{path} shadows a module of Python"
        return Risk(RiskLevel.HIGH, (reason,), "edit.shadows", path)
    ordinary = rules.ordinary
    hidden = any(part.startswith(".") for part in path.split("/"))
    if kind == "data":
        known = ordinary["data_folders"].intersection(folders) and not ordinary["decides"].intersection(
            folders
        )
    else:
        known = bool(kind)
    if kind == "data" and _is_security(path, rules):
        return Risk(RiskLevel.HIGH, (f"{path} says who may do what",), "edit.rights", path)
    if hidden or not known:
        reason = f"{path} may decide what runs next: what reads it is not known"
        return Risk(RiskLevel.HIGH, (reason,), "edit.unknown-file", path)
    return None


_SOURCE_ROOTS = frozenset({"", "src", "lib", "test", "tests", "scripts", "tools", "app"})


def _shadows(path: str) -> bool:
    """Whether Python imports the file in place of a module of its own: where programs and tests start."""
    folder, _, name = path.rpartition("/")
    stem, _, ending = name.partition(".")
    return ending == "py" and folder in _SOURCE_ROOTS and stem in sys.stdlib_module_names


def is_test(path: str) -> bool:
    """Whether the file holds tests or what they compare with."""
    *folders, name = path.split("/")
    named = _TEST_NAME.search(name) is not None or _TEST_CLASS.search(name) is not None
    return named or bool(_TEST_FOLDERS.intersection(folder.casefold() for folder in folders))


def _is_security(path: str, rules: EditRules) -> bool:
    stems = {word.casefold() for part in path.split("/") for word in _WORDS.findall(part.rsplit(".", 1)[0])}
    return bool(rules.ordinary["security"].intersection(stems))


def _content_risk(  # noqa: PLR0911  one line a rule
    path: str, change: ShownChange, own: bool, rules: EditRules
) -> Risk | None:
    removed, added = _changed(change)
    removed = () if own else removed
    test, kind = is_test(path), rules.kind_of(path)
    if found := _secret(added):
        return Risk(RiskLevel.HIGH, ("writes down what looks like a secret",), "edit.secret-written", found)
    renames = Renames(removed, change.kept, added, rules)
    found_lines = list(_findings(rules, removed, added, renames, test=test, docs=kind == "docs"))
    for rule, line in found_lines:
        if rule.level == "high":
            return Risk(RiskLevel.HIGH, (rule.reason,), rule.id, line.strip())
    medium = next(
        (Risk(RiskLevel.MEDIUM, (rule.reason,), rule.id, line.strip()) for rule, line in found_lines), None
    )
    if kind != "docs":
        found = _other_host(removed, change.kept, added, test=test)
        if found:
            return Risk(RiskLevel.HIGH, ("names another address than before",), "edit.endpoint", found)
    if own:
        return medium
    if _empties(change, removed, added):
        return Risk(RiskLevel.HIGH, ("takes most of what is shown away",), "edit.emptied", path)
    if not test and kind == "code":
        found = (
            _decides_nothing(path, removed, added, rules, renames)
            or moved_check(change, rules)
            or slipped_in(change, rules)
        )
        if found:
            return Risk(RiskLevel.HIGH, ("decides less than before",), "edit.check-removed", found)
    if test and (found := measures_less(removed, added)):
        return Risk(RiskLevel.HIGH, ("takes from a test what it measures",), "edit.test-weaker", found)
    if test and (len(removed) > len(added) or (removed and kind == "data" and _EXPECTED.search(path))):
        return Risk(RiskLevel.HIGH, ("takes from a test what it compares with",), "edit.test-weaker", path)
    return medium


def _changed(change: ShownChange) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that go and come, without those that only move, and without blank ones."""
    return _without(change.removed, change.added), _without(change.added, change.removed)


def _without(lines: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of which the others have no match, each match taken once."""
    left, found = Counter(others), []
    for line in lines:
        if left[line]:
            left[line] -= 1
        elif line.strip():
            found.append(line)
    return tuple(found)


def _findings(
    rules: EditRules,
    removed: tuple[str, ...],
    added: tuple[str, ...],
    renames: Renames,
    *,
    test: bool,
    docs: bool,
) -> Iterator[tuple[LineRule, str]]:
    for rule in rules.lines:
        if (rule.where == "test") != test and rule.where not in ("any", "docs"):
            continue
        lines = added if rule.added else removed
        if docs != (rule.where == "docs") and rule.id != "edit.secret-written":
            if not docs:
                continue
            # pytest runs what a text shows behind the mark of a prompt.
            lines = tuple(line for line in lines if _PROMPTED.search(line))
        for line in lines:
            if rule.finds(line) and (rule.added or not _kept_in(line, added, renames)):
                yield rule, line


def _kept_in(line: str, added: tuple[str, ...], renames: Renames) -> bool:
    """Whether an added line is the same but for names that check nothing, and no further right.

    Further right, a new condition is around it. A comment checks nothing.
    """
    if _COMMENT.search(line) or _LOGS.search(line):
        return True
    shape = _shape(line)
    return any(
        _shape(one) == shape and _indent(one) <= _indent(line) and renames.allow(line, one) for one in added
    )


def _shape(line: str) -> tuple[str, ...]:
    """The line without the names of things: what it compares, with which values, and how it checks."""
    return tuple(
        "name" if NAME.search(token) and not _CHECKS.search(token) else token
        for token in PIECES.findall(line)
    )


@functools.cache
def _redactor() -> Redactor:
    return Redactor()


def _secret(added: tuple[str, ...]) -> str:
    text = "\n".join(added)
    return "a secret" if text and _redactor().redact(text).count else ""


def _hosts(lines: tuple[str, ...]) -> set[str]:
    found = (host for line in lines for one in (_HOST, _NAMED_HOST) for host in one.findall(line))
    return {str(host).casefold() for host in found}


def _bare_hosts(lines: tuple[str, ...]) -> set[str]:
    return {str(host).casefold() for line in lines for host in _BARE_HOST.findall(line)}


def _other_host(
    removed: tuple[str, ...], kept: tuple[str, ...], added: tuple[str, ...], *, test: bool
) -> str:
    """An address that comes and was not there; in a test only one that takes another's place.

    A bare name counts where it replaces an address or another name.
    """
    bare = _bare_hosts(added) - _bare_hosts((*removed, *kept))
    if bare and (_hosts(removed) or _bare_hosts(removed)):
        return min(bare)
    before, after = _hosts((*removed, *kept)), _hosts(added)
    if test and not _hosts(removed):
        return ""
    return next((host for host in sorted(after - before) if not _LOCAL.search(host)), "")


def _empties(change: ShownChange, removed: tuple[str, ...], added: tuple[str, ...]) -> bool:
    whole = change.act == "overwrite"
    if whole and change.whole and not added and not change.kept:
        return True
    return len(removed) >= _MANY and len(removed) > (1 if whole else 2) * len(added)


def _decides_nothing(
    path: str, removed: tuple[str, ...], added: tuple[str, ...], rules: EditRules, renames: Renames
) -> str:
    """A line that now gives a constant back, or one of security code that does not stay."""
    constant = next((line for line in added if _CONSTANT.search(line)), "")
    security = _is_security(path, rules)
    if constant and (security or any(_RETURNS.search(line) for line in removed)):
        return constant.strip()
    if not security:
        return ""
    return next((line.strip() for line in removed if not _kept_in(line, added, renames)), "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
