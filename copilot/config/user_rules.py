"""Rule files of the user (`$XDG_CONFIG_HOME/copilot/rules/*.toml`) and of the project (`.copilot/rules/`).

The user's may allow and raise, the project's only raise (`docs/safety.md`).
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping
from pathlib import Path

from copilot.config.paths import project_root
from copilot.core.risk import RiskLevel
from copilot.errors import InputError
from copilot.guard.command_risk import judge_command
from copilot.guard.rule import Rule
from copilot.guard.rule_files import RuleBook, built_in, load_rules
from copilot.guard.scope import ProjectScope
from copilot.plain_files import KIB, read_text
from copilot.resources import config_folder

RULES = "rules"
PROJECT_RULES = Path(".copilot") / RULES
MAX_FILE_BYTES = 256 * KIB
"""Every example in it is judged at each start."""
MOST_FILES = 100
_SCOPE = ProjectScope(
    "/home/me/project", "/home/me", posixpath.normpath, lambda path: "/node_modules/.bin/" in path
)


def rule_book(
    user_files: Iterable[tuple[str, str]], project_files: Iterable[tuple[str, str]] = ()
) -> tuple[RuleBook, tuple[str, ...]]:
    """The built-in rules, the user's files, and the project's rules that raise.

    Each file is a pair (name, text).

    Also returns a note for each project file with allowing rules, which are ignored. Raises InputError for an
    invalid file, or an example that is not judged as its rule expects.
    """
    book, notes = built_in(), []
    ids = {rule.id: "the built-in rules" for rule in (*book.allows, *book.raises)}
    for name, text in user_files:
        allows, raises = load_rules(text, name)
        _claim_ids([*allows, *raises], name, ids)
        book = book.with_file(allows, raises)
        check_examples(allows, raises, name, book)
    for name, text in project_files:
        allows, raises = load_rules(text, name)
        _claim_ids([*allows, *raises], name, ids)
        if allows:
            ignored = ", ".join(rule.id for rule in allows)
            notes.append(f"{name}: a project's file may only raise; not counted: {ignored}")
        book = book.with_file((), raises)
        check_examples((), raises, name, book)
    return book, tuple(notes)


def check_examples(allows: Iterable[Rule], raises: Iterable[Rule], name: str, book: RuleBook) -> None:
    """Judge the examples of a file. Raises InputError for a missing or failing example."""
    for rule in allows:
        where = f"{name}: rule {rule.id}"
        if not rule.allow:
            raise InputError(f"{where}: allow: give at least one example of what it allows")
        _check_risk(rule.allow, f"{where}: allow", book, at_most=rule.risk)
        _check_risk(rule.hold, f"{where}: hold", book, at_least=RiskLevel.HIGH)
    for rule in raises:
        # `hold` has the examples of a rule that raises.
        where = f"{name}: raise {rule.id}: examples"
        if not rule.hold:
            raise InputError(f"{where}: give at least one example of what it raises")
        _check_risk(rule.hold, where, book, at_least=rule.risk)


def _check_risk(
    commands: Iterable[str],
    where: str,
    book: RuleBook,
    *,
    at_least: RiskLevel = RiskLevel.NONE,
    at_most: RiskLevel = RiskLevel.FORBIDDEN,
) -> None:
    for command in commands:
        risk = judge_command(command, _SCOPE, book=book)
        if not at_least <= risk.level <= at_most:
            wanted = f"at least {at_least.word}" if risk.level < at_least else f"at most {at_most.word}"
            raise InputError(
                f"{where}: {command!r} is {risk.level.word} by {risk.rule} ({risk.reason}), not {wanted}; "
                "fix the rule or the example"
            )


def _claim_ids(rules: Iterable[Rule], name: str, ids: dict[str, str]) -> None:
    for rule in rules:
        if rule.id in ids:
            raise InputError(f"{name}: id: {rule.id!r} is taken by {ids[rule.id]}; choose another")
        ids[rule.id] = name


def rules_for(cwd: Path, environment: Mapping[str, str] = os.environ) -> tuple[RuleBook, tuple[str, ...]]:
    """The rules by which commands in `cwd` are judged, and notes on ignored rules.

    Raises InputError in one line that names the file, the rule, the key and the fix.
    """
    user_files = _texts(config_folder(environment) / RULES)
    return rule_book(user_files, _texts(project_root(cwd) / PROJECT_RULES))


def _texts(folder: Path) -> list[tuple[str, str]]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be read ({error.strerror}); make it readable or remove it"
        ) from error
    if len(paths) > MOST_FILES:
        raise InputError(f"{folder}: holds more than {MOST_FILES} rule files; put them together")
    return [(str(path), read_text(path, MAX_FILE_BYTES)) for path in paths]
