"""`assess`: the risk of saying yes to the prompt that is on the screen.

A permission is as dangerous as what it permits; a yes/no prompt or menu is judged by its words, folded so
that invisible or look-alike characters hide nothing. Unknown kinds, acts that are not known to be harmless,
and cut dialogs are high.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import re2

from copilot.core.detection import (
    SAID_ABOVE,
    Detection,
    ShownChange,
    Subject,
)
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.screen_kinds import (
    SCREEN_KINDS,
    ScreenKind,
)
from copilot.guard.beside_question import option_risk
from copilot.guard.budget import TOO_MUCH, Budget
from copilot.guard.command_risk import judge_command
from copilot.guard.edits import change_risk
from copilot.guard.grants import Grant
from copilot.guard.own_files import own_cleanup
from copilot.guard.prompt_permissions import NO_PERMISSIONS, PromptPermissions
from copilot.guard.question_risk import lifted_by, question_risk, word_risk
from copilot.guard.rule_files import RuleBook, Scene
from copilot.guard.scope import Place, ProjectScope, locate
from copilot.guard.text import has_hidden, mixed_script_word

OWN_TEST_RUN = "test_run"
"""What a profile calls the tool of `copilot mcp`, known by its server's and its own name in the dialog. That
a server of this name is used at all was a person's decision before."""
_BY_CONTENT = frozenset({"path.write", "path.edit", "path.delete"})
"""Where the path alone does not decide."""
_READ_OR_DELETE = {
    "read": (RiskLevel.NONE, "reads a file of the project"),
    "delete": (RiskLevel.HIGH, "deletes a file"),
}


def assess(
    detection: Detection,
    scope: ProjectScope,
    grants: Sequence[Grant] = (),
    book: RuleBook | None = None,
    permissions: PromptPermissions = NO_PERMISSIONS,
) -> Risk:
    """The risk of saying yes to `detection`. Never lower than what its words or its subject deserve.

    `book` are the rules for commands (default: the built-in ones), `permissions` what the governing prompt
    allows where a program asks in plain words.
    """
    kind = detection.kind
    grants = [grant for grant in grants if grant.is_open]
    if reason := SCREEN_KINDS[kind].high_risk:
        return Risk(RiskLevel.HIGH, (reason,), f"prompt.{kind.value}")
    if not detection.asks:
        return NO_RISK
    disguised = _disguised(detection)
    if disguised is not None:
        return disguised
    if kind is ScreenKind.TRUST:
        return Risk(
            RiskLevel.HIGH, ("trusting a folder or server is the person's to decide",), "prompt.trust"
        )
    subject = detection.subject
    if kind is not ScreenKind.PERMISSION and (subject is None or subject.action == SAID_ABOVE):
        return question_risk(detection, scope, grants, permissions)
    return _subject_risk(subject, scope, grants, book)


def _disguised(detection: Detection) -> Risk | None:
    """High if the prompt holds invisible or look-alike characters."""
    texts = [detection.question or "", *(option.label for option in detection.options)]
    if any(has_hidden(text) for text in texts):
        return Risk(RiskLevel.HIGH, ("the prompt has invisible characters",), "prompt.hidden")
    word = next((found for text in texts if (found := mixed_script_word(text))), "")
    return (
        Risk(RiskLevel.HIGH, (f"{word!r} mixes scripts to look alike",), "prompt.look-alike", word)
        if word
        else None
    )


def _subject_risk(
    subject: Subject | None, scope: ProjectScope, grants: Sequence[Grant], book: RuleBook | None
) -> Risk:
    if subject is None or not subject.text.strip():
        return Risk(
            RiskLevel.HIGH, ("copilot cannot see for itself what this permits",), "permission.unknown"
        )
    if subject.cut:
        inner = _uncut_risk(subject, scope, (), book)
        if inner.level is RiskLevel.FORBIDDEN:
            return inner
        if subject.odd:
            return Risk(RiskLevel.HIGH, (f"uncertain: {subject.odd}",), "permission.odd", subject.text)
        return Risk(
            RiskLevel.HIGH, ("cut: the dialog does not show all of it",), "permission.cut", subject.text
        )
    if subject.unproven:
        return _unproven_risk(_uncut_risk(subject, scope, (), book), subject)
    return _uncut_risk(subject, scope, grants, book)


def _unproven_risk(risk: Risk, subject: Subject) -> Risk:
    """At least medium: what looks like the command or the file may be something else."""
    if risk.level >= RiskLevel.MEDIUM:
        return risk
    reason = "read by its form alone: no profile knows this CLI"
    return Risk(RiskLevel.MEDIUM, (reason, *risk.reasons), "permission.unproven", subject.text)


def _uncut_risk(  # noqa: PLR0911  one line an action
    subject: Subject, scope: ProjectScope, grants: Sequence[Grant], book: RuleBook | None
) -> Risk:
    if subject.action == "shell":
        blank = _unseen_blank(subject.text)
        if blank:
            return Risk(RiskLevel.HIGH, (f"uncertain: {blank}",), "permission.blanks", subject.text)
        risk = judge_command(subject.text, scope, grants, book=book)
        if risk.level is not RiskLevel.HIGH:
            return risk
        if risk.rule == TOO_MUCH:
            return risk

        def judge(part: str, budget: Budget) -> Risk:
            return judge_command(part, scope, book=book, budget=budget)

        return own_cleanup(subject.text, scope, judge) or risk
    if subject.action in ("write", "edit", "delete", "read"):
        return assess_path(subject.action, subject.text.strip(), scope, grants, subject.change)
    if subject.action == OWN_TEST_RUN:
        reason = "runs the project's tests in copilot's own time box"
        return Risk(RiskLevel.MEDIUM, (reason,), "permission.test-run", subject.text)
    reasons = {
        "fetch": "fetches from the network",
        "plan": "starts a whole plan",
        "tool": "uses a tool of a server",
    }
    reason = reasons.get(subject.action, "it is not known what is permitted")
    risk = Risk(RiskLevel.HIGH, (reason,), f"permission.{subject.action}", subject.text)
    return lifted_by(risk, next((one for one in grants if _covers_subject(one, subject)), None))


_DOCUMENT = re2.compile(r"<<-?\s*[\\'\"]?([A-Za-z0-9_.-]+)")


def _unseen_blank(command: str) -> str:
    """Why blanks that a screen does not show may make another command of several rows, or "".

    A backslash joins lines only if nothing follows it; a here-document ends at a line that is its word
    and nothing else. Where such a line occurs twice, it is not known which of them it is.
    """
    lines = command.split("\n")
    for line in lines[:-1]:
        if line.rstrip().endswith("\\"):  # however many: quotes around it halve them
            return "a blank behind a backslash at a row's end cannot be seen"
    words = Counter(_DOCUMENT.findall(command))
    ends = Counter(line.strip() for line in lines)
    for word, number in words.items():
        if ends[word] > number:
            return f"{word} is on more than one row, and blanks beside it cannot be seen"
    return ""


def _covers_subject(grant: Grant, subject: Subject) -> bool:
    """Whether the grant names this fetch, tool or plan."""
    if grant.action != subject.action or grant.action not in ("fetch", "tool", "plan"):
        return False
    if grant.action == "fetch":
        return _same_fetch(grant, subject.text)
    return grant.action == "plan" or grant.pattern[0] == subject.text


def assess_path(
    action: str,
    path: str,
    scope: ProjectScope,
    grants: Sequence[Grant] = (),
    change: ShownChange | None = None,
) -> Risk:
    """The risk of a file action, by where the file is and what is done to it (every file of a list).

    `change` is what is shown of a write or an edit.
    """
    paths = [line.strip() for line in path.splitlines() if line.strip()] or [path]
    shown = change if len(paths) == 1 else None
    risks = [_one_path(action, one, scope, grants, shown) for one in paths]
    used = tuple(rule for risk in risks for rule in risk.grants)
    left = {grant.rule: grant.times for grant in grants if grant.times is not None}
    if any(used.count(rule) > left.get(rule, len(used)) for rule in used):
        return max((_one_path(action, one, scope, (), shown) for one in paths), key=lambda risk: risk.level)
    return replace(max(risks, key=lambda risk: risk.level), grants=used)


def _one_path(
    action: str, path: str, scope: ProjectScope, grants: Sequence[Grant], change: ShownChange | None
) -> Risk:
    if has_hidden(path):
        return Risk(RiskLevel.HIGH, ("the path has invisible characters",), "path.hidden", path)
    place = locate(scope, path)
    risk = _placed(action, path, place, scope)
    if action != "read" and place.relative is not None and risk.rule in _BY_CONTENT:
        if action == "delete":
            change = ShownChange("delete")
        risk = replace(change_risk(place.relative, change, scope.made), part=path)
    scene = Scene(scope, (scope.cwd,), lambda text, scene: [], {})
    grant = next((one for one in grants if one.is_open and one.covers_path(action, path, scene)), None)
    return lifted_by(risk, grant)


def _placed(action: str, path: str, place: Place, scope: ProjectScope) -> Risk:
    if action != "read" and place.protected:
        return Risk(
            RiskLevel.FORBIDDEN, (f"changes {path}, which other tools trust",), "path.protected", path
        )
    if place.secret:
        return Risk(RiskLevel.HIGH, (f"{path} may hold secrets",), "path.secret", path)
    if not place.inside:
        return Risk(RiskLevel.HIGH, (f"{path} is outside the project",), "path.outside", path)
    if action in _READ_OR_DELETE:
        level, reason = _READ_OR_DELETE[action]
        return Risk(level, (reason,), f"path.{action}", path)
    if place.runs_later or scope.too_wide:
        return Risk(RiskLevel.HIGH, (f"{path} is run or trusted by other tools",), "path.runs-later", path)
    return Risk(RiskLevel.LOW, ("changes a file of the project",), f"path.{action}", path)


def assess_choice(detection: Detection, label: str) -> Risk:
    """The risk of choosing the option `label` of a menu or yes/no prompt, by its own words."""
    disguised = _disguised(detection)
    if disguised is not None:
        return disguised
    menu = option_risk(label) if detection.kind is ScreenKind.MENU else None
    return (
        word_risk(label)
        or menu
        or Risk(RiskLevel.LOW, ("nothing in the option names a danger",), "prompt.option")
    )


def _same_fetch(grant: Grant, url: str) -> bool:
    """Whether the grant names this very host (`fetch:example.com`) over an encrypted or plain address."""
    host = re2.search(r"^(?:https?://)?([A-Za-z0-9.\-]+)(?:[/?#]|$)", url.strip())
    return bool(host) and host.group(1).casefold() == grant.pattern[0].casefold()
