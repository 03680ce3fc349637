"""The risk of saying yes to a question of a program: by its words, what stands above it, and what is allowed.

An everyday act is medium if the question names nothing beside it; installing is high unless a lock file pins
it. The governing prompt may lift a named high question to medium, but none that deletes, publishes, pays,
reaches other machines or gives rights away.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import re2

from copilot.core.detection import SAID_ABOVE, Detection, ScreenKind
from copilot.core.risk import Risk, RiskLevel
from copilot.safety.above_words import speaks_of_more
from copilot.safety.asked_act import exposes, known_harmless, letters_without_words
from copilot.safety.danger_words import destroys, reaches_out, reaches_out_strongly
from copilot.safety.grants import Grant
from copilot.safety.lock_files import lock_file_for
from copilot.safety.named_acts import Act, Named, named_acts
from copilot.safety.prompt_permissions import PromptPermissions
from copilot.safety.scope import ProjectScope, locate
from copilot.safety.text import folded

_PATH = re2.compile(r"(^|[\s\"'(])~?/[^\s\"']+")
_PREVIEW = re2.compile(r"(?s)^(?:(.*)\n)?About to write to (/[^\n]*/package\.json):\n(\{.*\})$")
"""`npm init` shows the file that it would write, whole."""
_ELSEWHERE = re2.compile(
    r"https?:|\bgit@|\bs?ftp\b|\bssh\b|\bcurl\b|\bwget\b|\bregistry\b|\bnetwork\b|\bserver\b|\bwebsite\b"
)
_MILD_KINDS = {
    ScreenKind.QUESTION: "an answer in words changes nothing by itself",
    ScreenKind.TEXT_INPUT: "a text is entered",
    ScreenKind.PRESS_KEY: "a key is pressed to go on",
    ScreenKind.PAGER: "a pager is left",
}
_ACT_REASONS = {
    Act.TEST: "runs the project's tests",
    Act.LINT: "runs a linter on the project",
    Act.BUILD: "builds the project",
    Act.FORMAT: "formats the project's code",
    Act.COMMIT: "adds a commit to the current branch",
}
_LIFTED_BY_ANSWER = frozenset({"words.install", "words.unknown", "words.reaches-out", "prompt.unsaid"})


def question_risk(
    detection: Detection, scope: ProjectScope, grants: Sequence[Grant], permissions: PromptPermissions
) -> Risk:
    """The risk of saying yes to what `detection` asks, as grants and the governing prompt make it."""
    named = _named(detection)
    told = told_question(detection)
    risk = _act_risk(named, detection, scope) if named is not None else _words_risk(detection, told, scope)
    if risk.level is not RiskLevel.HIGH:
        return risk
    lifted = lifted_by(risk, next((one for one in grants if one.covers_prompt(told)), None))
    return lifted if lifted is not risk else _lifted_by_prompt(risk, named, detection, told, permissions)


def told_question(detection: Detection) -> str:
    """The question of a program with what it says above it, the names in paths (but of devices) left out."""
    subject = detection.subject
    if subject is None or not subject.text:
        return detection.question or ""
    lines = (_PATH.sub(_without_path, line) for line in subject.text.split("\n"))
    return "\n".join([*lines, detection.question or ""])


def lifted_by(risk: Risk, grant: Grant | None) -> Risk:
    """The risk as a grant for exactly this makes it: medium instead of high, never less or from more."""
    if grant is None or risk.level is not RiskLevel.HIGH:
        return risk
    return replace(risk, level=RiskLevel.MEDIUM, reasons=(f"allowed: {risk.reason}",), grants=(grant.rule,))


def word_risk(text: str) -> Risk | None:
    """High if a word of the text names a danger."""
    plain = folded(text)
    word = destroys(plain)
    if word:
        reason = f"«{word}»: what deletes, moves or overwrites needs a person"
        return Risk(RiskLevel.HIGH, (reason,), "words.destroys", word)
    word = reaches_out(plain)
    return (
        Risk(RiskLevel.HIGH, (f"«{word}» in what is asked needs a person",), "words.reaches-out", word)
        if word
        else None
    )


def _without_path(match: re2.Match) -> str:
    text = str(match.group())
    return text if "/dev/" in text else " "


def _named(detection: Detection) -> Named | None:
    """The everyday acts that the question names, where a yes or no can be typed."""
    question = detection.question or ""
    asks = detection.kind is ScreenKind.YES_NO or (
        detection.kind is ScreenKind.TEXT_INPUT and question.rstrip().endswith("?")
    )
    return named_acts(question) if asks else None


def _act_risk(named: Named, detection: Detection, scope: ProjectScope) -> Risk:
    more = speaks_of_more(detection.above.splitlines())
    if more:
        reason = f"a line above it speaks of more: {' '.join(more.split())[:80]}"
        return Risk(RiskLevel.HIGH, (reason,), "words.above")
    selected = detection.selected_option()
    if selected is not None and (found := word_risk(selected.label)):
        return found
    reasons = [_ACT_REASONS[act] for act in named.acts if act is not Act.INSTALL]
    if Act.INSTALL not in named.acts:
        return Risk(RiskLevel.MEDIUM, tuple(reasons), f"words.{named.acts[0].name.lower()}")
    lock = lock_file_for(scope, named.installer)
    if lock:
        return Risk(RiskLevel.MEDIUM, (*reasons, f"installs what {lock} names"), "words.install-locked")
    reason = "installs packages that no lock file of this folder pins"
    return Risk(RiskLevel.HIGH, (*reasons, reason), "words.install")


def _words_risk(detection: Detection, told: str, scope: ProjectScope) -> Risk:
    """By the words of the question, and of the option that says yes."""
    subject = detection.subject
    if subject is not None and subject.action == SAID_ABOVE and subject.cut:
        return Risk(RiskLevel.HIGH, ("copilot cannot see for itself what this is about",), "prompt.unsaid")
    preview = _PREVIEW.search(subject.text.strip()) if subject is not None else None
    if preview is not None and _is_object(preview.group(3)):
        return _preview_risk(detection, preview.group(1) or "", preview.group(2), scope)
    return _risk_of_words(detection, told)


def _risk_of_words(detection: Detection, told: str) -> Risk:
    found = word_risk(told)
    if not found and detection.kind in (ScreenKind.MENU, ScreenKind.YES_NO):
        selected = detection.selected_option()
        found = word_risk(selected.label) if selected else None
    found = found or _not_known(detection.kind, told)
    if found:
        return found
    if detection.kind in _MILD_KINDS:
        return Risk(RiskLevel.LOW, (_MILD_KINDS[detection.kind],), f"prompt.{detection.kind.value}")
    if not told.strip():
        return Risk(RiskLevel.HIGH, ("the prompt does not say what it asks",), "prompt.empty")
    return Risk(RiskLevel.LOW, ("nothing in the prompt names a danger",), f"prompt.{detection.kind.value}")


def _not_known(kind: ScreenKind, told: str) -> Risk | None:
    """High where nobody can say what the answer does, though no word in it names a danger."""
    if kind is ScreenKind.YES_NO and told.strip() and not known_harmless(told):
        return Risk(RiskLevel.HIGH, ("copilot does not know what a yes to this does",), "words.unknown")
    if kind is ScreenKind.TEXT_INPUT and letters_without_words(told):
        return Risk(RiskLevel.HIGH, ("it is not known what the letters mean",), "words.letters")
    return None


def _preview_risk(detection: Detection, above: str, path: str, scope: ProjectScope) -> Risk:
    """By where the file is that is shown whole, and by what is said besides."""
    place = locate(scope, path)
    if not place.inside or scope.too_wide:
        return Risk(RiskLevel.HIGH, (f"{path} is outside the project",), "path.outside", path)
    risk = _risk_of_words(detection, f"{above}\n{detection.question or ''}")
    return (
        Risk(RiskLevel.LOW, ("writes the package.json that is shown",), "path.write", path)
        if (risk.level <= RiskLevel.LOW)
        else risk
    )


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _lifted_by_prompt(
    risk: Risk, named: Named | None, detection: Detection, told: str, permissions: PromptPermissions
) -> Risk:
    """Medium where the governing prompt names this question or this act; the first line that fits counts."""
    answer = permissions.answer_to(_naming(detection, told), told)
    line = None
    if answer is not None and answer.yes and _may_lift(risk, detection, told):
        line = answer.line if all(answer.fits(item) for item in _listed(detection)) else None
    if answer is None and named is not None and risk.rule == "words.install":
        line = permissions.line_for(Act.INSTALL)
    if line is None:
        return risk
    reasons = (f"allowed by your prompt, line {line}", *risk.reasons)
    return replace(risk, level=RiskLevel.MEDIUM, reasons=reasons)


def _naming(detection: Detection, told: str) -> tuple[str, ...]:
    """The texts that name what a yes does: the question, or what stands above one that names nothing."""
    subject = detection.subject
    if subject is None or not subject.text:
        return ((detection.question or "").strip(),)
    above = told.removesuffix(f"\n{detection.question or ''}")
    return (above, *(line.strip() for line in above.split("\n") if line.strip()))


def _listed(detection: Detection) -> tuple[str, ...]:
    """What is listed below the last line above that ends in a colon: a yes must name each of it."""
    rows = detection.subject.text.split("\n") if detection.subject is not None else []
    heads = [number for number, row in enumerate(rows) if row.rstrip().endswith(":")]
    return tuple(row.strip() for row in rows[heads[-1] + 1 :] if row.strip()) if heads else ()


def _may_lift(risk: Risk, detection: Detection, told: str) -> bool:
    """Whether a line of the governing prompt may lift this at all."""
    plain = folded(told)
    subject = detection.subject
    unseen = subject is not None and subject.cut and bool(subject.text)
    dangers = (destroys(plain), reaches_out_strongly(plain), exposes(plain), _ELSEWHERE.search(plain))
    return risk.rule in _LIFTED_BY_ANSWER and not unseen and not any(dangers)
