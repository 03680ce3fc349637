"""`assess`: the risk of saying yes to the prompt that is on the screen.

A permission is as dangerous as what it permits; a yes/no prompt or menu is judged by its words, folded so
that invisible or look-alike characters hide nothing. Unknown kinds, acts that are not known to be harmless,
and cut dialogs are high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import re2

from copilot.core.detection import SAID_ABOVE, Detection, ScreenKind, Subject
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.safety.asked_act import known_harmless, letters_without_words
from copilot.safety.finding import Scene
from copilot.safety.grants import Grant
from copilot.safety.judge import judge_command
from copilot.safety.packs_load import RuleBook
from copilot.safety.scope import Place, ProjectScope, locate
from copilot.safety.text import folded, has_hidden, mixed_script_word

_DESTROYS = re2.compile(
    r"(?:\b|_)(?:delet\w*|remov\w*|overwr\w*|eras\w*|destroy\w*|drop(?:s|ped|ping)?|purg\w*|prun\w*|wip(?:e|es|ed|ing)|truncat\w*"
    r"|discard\w*|uninstall\w*|reset\w*|revert\w*|replac\w*|clobber\w*|format(?:s|ted|ting)?|unlink\w*|trash\w*|clear(?:s|ed|ing)?"
    r"|empty|shred\w*|kill\w*|terminat\w*|mov(?:e|es|ed|ing)|renam\w*|los[et]|lost|irreversibl\w*|permanent\w*|undone|downgrad\w*)\b"
)
_REACHES_OUT = re2.compile(
    r"\b(?:force\w*|push\w*|deploy\w*|publish\w*|releas(?:e|es|ed|ing)|upload\w*|send\w*|shar(?:e|es|ed|ing)"
    r"|merg(?:e|es|ed|ing)|production|prod|migrat\w*|connect(?:ing)?|fingerprint|host key|authenticity"
    r"|rebas\w*|amend\w*|sudo|root|install\w*|download\w*|execut\w*|appl(?:y|ies|ied|ying)|run|restart\w*"
    r"|reboot\w*|shut ?down|upgrad\w*|pay\w*|purchas\w*|charg\w*|subscri\w*|grant\w*|trust\w*|token"
    r"|credential\w*|api key|password|disk space will be freed|telemetry|mode|always"
    r"|accept\w*|agree\w*|licen[cs]e agreement|commit\w*|tag|fetch\w*)\b"
)
_PATH = re2.compile(r"(?m)(^|[\s\"'(])~?/[^\s\"']+")
"""The names in a path do not tell what is done with it."""
_HARD_KINDS = {
    ScreenKind.PASSWORD: "a password is the person's to type",
    ScreenKind.LOGIN: "signing in is the person's to do",
    ScreenKind.UNKNOWN: "the screen is not understood",
    ScreenKind.ERROR: "an error waits for a decision",
    ScreenKind.EDITOR: "what stands in an editor is the person's",
}
OWN_TEST_RUN = "test_run"
"""What a profile calls the tool of `copilot mcp`, known by its server's and its own name in the dialog. That
a server of this name is used at all was a person's decision before."""
_READ_OR_DELETE = {
    "read": (RiskLevel.NONE, "reads a file of the project"),
    "delete": (RiskLevel.HIGH, "deletes a file"),
}
_MILD_KINDS = {
    ScreenKind.QUESTION: "an answer in words changes nothing by itself",
    ScreenKind.TEXT_INPUT: "a text is entered",
    ScreenKind.PRESS_KEY: "a key is pressed to go on",
    ScreenKind.PAGER: "a pager is left",
}


def assess(
    detection: Detection,
    scope: ProjectScope,
    grants: Sequence[Grant] = (),
    book: RuleBook | None = None,
) -> Risk:
    """The risk of saying yes to `detection`. Never lower than what its words or its subject deserve.

    `book` are the rules for commands (default: the built-in ones).
    """
    kind = detection.kind
    grants = [grant for grant in grants if grant.stands]
    if kind in _HARD_KINDS:
        return Risk(RiskLevel.HIGH, (_HARD_KINDS[kind],), f"prompt.{kind.value}")
    if not detection.asks:
        return NO_RISK
    disguised = _disguised(detection)
    if disguised is not None:
        return disguised
    if kind is ScreenKind.TRUST:
        return Risk(
            RiskLevel.HIGH, ("trusting a folder or server is the person's to decide",), "prompt.trust"
        )
    if kind is ScreenKind.PERMISSION or detection.subject is not None:
        return _subject_risk(detection, scope, grants, book)
    return _words_risk(detection, grants)


def _disguised(detection: Detection) -> Risk | None:
    """High if the prompt carries characters that a person cannot see or tell apart."""
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
    detection: Detection, scope: ProjectScope, grants: Sequence[Grant], book: RuleBook | None
) -> Risk:
    subject = detection.subject
    if subject is not None and subject.action == SAID_ABOVE and subject.cut:
        return Risk(RiskLevel.HIGH, (_unseen("is about"),), "prompt.unsaid")
    if subject is not None and subject.action == SAID_ABOVE:
        return _words_risk(replace(detection, question=told_question(detection), subject=None), grants)
    if subject is None or not subject.text.strip():
        return Risk(RiskLevel.HIGH, (_unseen("permits"),), "permission.unknown")
    if subject.cut:
        inner = _uncut_risk(subject, scope, (), book)
        if inner.level is RiskLevel.FORBIDDEN:
            return inner
        return Risk(
            RiskLevel.HIGH, ("cut: the dialog does not show all of it",), "permission.cut", subject.text
        )
    return _uncut_risk(subject, scope, grants, book)


def _unseen(what: str) -> str:
    """A model's reason may tell well what it is about, and stands beside this."""
    return f"copilot cannot see for itself what this {what}"


def told_question(detection: Detection) -> str:
    """The question of a program with what it says above it, the names in paths left out."""
    subject = detection.subject
    above = f"{_PATH.sub(' ', subject.text)}\n" if subject is not None else ""
    return f"{above}{detection.question or ''}"


def _uncut_risk(
    subject: Subject, scope: ProjectScope, grants: Sequence[Grant], book: RuleBook | None
) -> Risk:
    if subject.action == "shell":
        return judge_command(subject.text, scope, grants, book=book)
    if subject.action in ("write", "edit", "delete", "read"):
        return assess_path(subject.action, subject.text.strip(), scope, grants)
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
    return _lifted(risk, next((one for one in grants if _covers_subject(one, subject)), None))


def _covers_subject(grant: Grant, subject: Subject) -> bool:
    """Whether the grant names this fetch, tool or plan."""
    if grant.action != subject.action or grant.action not in ("fetch", "tool", "plan"):
        return False
    if grant.action == "fetch":
        return _same_fetch(grant, subject.text)
    return grant.action == "plan" or grant.pattern[0] == subject.text


def _lifted(risk: Risk, grant: Grant | None) -> Risk:
    """The risk as a grant for exactly this makes it: medium instead of high, never less or from more."""
    if grant is None or risk.level is not RiskLevel.HIGH:
        return risk
    return replace(risk, level=RiskLevel.MEDIUM, reasons=(f"allowed: {risk.reason}",), grants=(grant.rule,))


def assess_path(action: str, path: str, scope: ProjectScope, grants: Sequence[Grant] = ()) -> Risk:
    """The risk of a file action, by where the file is and what is done to it (every file of a list)."""
    paths = [line.strip() for line in path.splitlines() if line.strip()] or [path]
    risks = [_one_path(action, one, scope, grants) for one in paths]
    used = tuple(rule for risk in risks for rule in risk.grants)
    left = {grant.rule: grant.times for grant in grants if grant.times is not None}
    if any(used.count(rule) > left.get(rule, len(used)) for rule in used):
        return max((_one_path(action, one, scope, ()) for one in paths), key=lambda risk: risk.level)
    return replace(max(risks, key=lambda risk: risk.level), grants=used)


def _one_path(action: str, path: str, scope: ProjectScope, grants: Sequence[Grant]) -> Risk:
    if has_hidden(path):
        return Risk(RiskLevel.HIGH, ("the path has invisible characters",), "path.hidden", path)
    place = locate(scope, path)
    risk = _placed(action, path, place, scope)
    scene = Scene(scope, (scope.cwd,), lambda text, scene: [], {})
    grant = next((one for one in grants if one.stands and one.covers_path(action, path, scene)), None)
    return _lifted(risk, grant)


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


def _words_risk(detection: Detection, grants: Sequence[Grant]) -> Risk:
    """By the words of the question, and of the option that says yes."""
    question = detection.question or ""
    found = _dangerous_word(question)
    if not found and detection.kind in (ScreenKind.MENU, ScreenKind.YES_NO):
        selected = detection.selected_option()
        found = _dangerous_word(selected.label) if selected else None
    found = found or _not_known(detection)
    if found:
        return _lifted(found, next((one for one in grants if one.covers_prompt(question)), None))
    if detection.kind in _MILD_KINDS:
        return Risk(RiskLevel.LOW, (_MILD_KINDS[detection.kind],), f"prompt.{detection.kind.value}")
    if not question.strip():
        return Risk(RiskLevel.HIGH, ("the prompt does not say what it asks",), "prompt.empty")
    return Risk(RiskLevel.LOW, ("nothing in the prompt names a danger",), f"prompt.{detection.kind.value}")


def _not_known(detection: Detection) -> Risk | None:
    """High where nobody can say what the answer does, though no word in it names a danger."""
    question = detection.question or ""
    if detection.kind is ScreenKind.YES_NO and question.strip() and not known_harmless(question):
        return Risk(RiskLevel.HIGH, ("copilot does not know what a yes to this does",), "words.unknown")
    if detection.kind is ScreenKind.TEXT_INPUT and letters_without_words(question):
        return Risk(RiskLevel.HIGH, ("it is not known what the letters mean",), "words.letters")
    return None


def assess_choice(detection: Detection, label: str) -> Risk:
    """The risk of choosing the option `label` of a menu or yes/no prompt, by its own words."""
    disguised = _disguised(detection)
    if disguised is not None:
        return disguised
    return _dangerous_word(label) or Risk(
        RiskLevel.LOW, ("nothing in the option names a danger",), "prompt.option"
    )


def _dangerous_word(text: str) -> Risk | None:
    plain = folded(text)
    match = _DESTROYS.search(plain)
    if match:
        word = match.group().strip("_")
        reason = f"«{word}»: what deletes, moves or overwrites needs a person"
        return Risk(RiskLevel.HIGH, (reason,), "words.destroys", word)
    match = _REACHES_OUT.search(plain)
    if match:
        return Risk(
            RiskLevel.HIGH,
            (f"«{match.group()}» in what is asked needs a person",),
            "words.reaches-out",
            match.group(),
        )
    return None


def _same_fetch(grant: Grant, url: str) -> bool:
    """Whether the grant names this very host (`fetch:example.com`) over an encrypted or plain address."""
    host = re2.search(r"^(?:https?://)?([A-Za-z0-9.\-]+)(?:[/?#]|$)", url.strip())
    return bool(host) and host.group(1).casefold() == grant.pattern[0].casefold()
