"""The risk of saying yes to a question of a program: by its words, the text above it, and what is allowed.

An everyday act is medium if the question names nothing beside it; installing is high unless a lock file pins
it. The governing prompt may lift a named high question to medium, but none that deletes, publishes, pays,
reaches other machines or gives rights away.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Sequence
from dataclasses import replace

import re2

from copilot.core.detection import (
    SAID_ABOVE,
    Detection,
)
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import (
    SCREEN_KINDS,
    ScreenKind,
)
from copilot.guard.asked_words import unknown_in_report, unknown_word
from copilot.guard.beside_question import UNKNOWN_YES, answers_a_question, beside
from copilot.guard.grants import Grant
from copilot.guard.named_acts import Act, Named, named_acts
from copilot.guard.prompt_permissions import PromptPermissions
from copilot.guard.risk_words import (
    changes_more,
    destroys,
    exposes,
    is_report,
    reaches_out,
    reaches_out_strongly,
    speaks_of_more,
)
from copilot.guard.scope import ProjectScope, locate
from copilot.guard.text import folded

# What a yes would do where a program asks in plain words: is it an act that is known to be harmless?
#
# No list of dangerous words is ever complete, and none knows every language. So a yes is taken as
# harmless only if the question names nothing itself ("Proceed?"; the text above it counts) or begins
# with an act that shows, adds or keeps something; anything else is a person's to judge.


def _any_of(*words: str) -> str:
    return "(?:" + "|".join(words) + ")"


_POLITE = _any_of(
    "(?:do|would|should|shall|may|can|could|will) (?:you|i|we) ",
    "(?:want|wish|like|prefer|ok|okay)(?: me)? to ",
    "(?:want|like|prefer|please|now|also|me to) ",
    "go ahead and ",
)
_THIS = _any_of("this", "that", "it", "these", "those", "everything", "the (?:above|information)")
_GOES_ON = _any_of(
    "proceed|continue|go (?:on|ahead)|carry on|confirm|confirm (?:this|that|generation)",
    "ready|ok|okay|retry|try again|looks? (?:good|ok|okay|right)",
    rf"(?:is|are|does|do) (?:all of )?{_THIS}[\w ]{{0,40}} (?:ok|okay|correct|right|fine|good)",
    "(?:are you )?(?:really )?sure(?: (?:that )?you want to (?:continue|proceed))?",
)
_MILD = _any_of(
    "add|append|create|generate|write|save|keep|preserve|retain|back ?up",
    "use|define|include|remind|stage|initiali[sz]e|set ?up",
    "show|see|view|read|list|print|display|preview|browse|inspect|look|explain|describe",
    "check|verify|validate|compare|diff|search|find|count",
    "open (?:the )?(?:documentation|docs|file|editor|diff)",
)
_ASKED = re2.compile(rf"^{_POLITE}*(?:{_GOES_ON}|{_MILD})\b")
_BEFORE = re2.compile(r"^(?:[^\w(\[]|\d+[.)]|no [\w ]{1,40} found, )+")
_ANSWERS = re2.compile(
    r"(?:\(y\)es\s*/[^\n\[]*|[(\[][^()\[\]]{1,40}[)\]]\s*|\by(?:es)?\s*/\s*no?\b\s*)+[?:>]*\s*$"
)
_SENTENCE_END = re2.compile(r"(?:[?!;:]|\b\.)\s+|…\s*")
_NEXT = re2.compile(r",? and then |,? then |;")
"""What is done after an act is another one, and must be known as well."""
_LETTERS = re2.compile(r"[(\[]\s*\pL{1,3}(?:\s*/\s*\pL{1,3})+\s*[)\]]\s*[?:>]*\s*$")


_WRITES = re2.compile(r"\b(?:write|save|generate|create|initiali[sz]e|set ?up|define|append)\b")
_OVER = re2.compile(
    r"\b(?:no|not|all|table|history|conversation|session|prompts?|original|previous|last|first|stash|backups?"
    r"|index|settings?|preferences|config\w*|defaults?|values?|state|repo|repository|git"
    r"|existing|modified files?|store|snapshots?|workspace|(?:this|the) (?:folder|directory))\b"
    r"|\w\.\w|/"
)
"""With an act that writes: what may be there already, or be lost or shown by it."""
_TAKES_PLACE = re2.compile(r"\b(?:stash|backups?|history|conversation|previous|last|no)\b")
_GIVES = (
    (
        re2.compile(r"\b(?:keep|preserve|retain)\b"),
        re2.compile(r"\d|\b(?:one|two|three|first|latest|only)\b"),
    ),
    (
        re2.compile(r"\b(?:use|include|add|keep|preserve|retain)\b"),
        re2.compile(
            r"\b(?:snapshots?|versions?|drafts?|cop(?:y|ies)|existing|packages?|plugins?|modules?|presets?"
            r"|dependenc\w+|devdependencies|extensions?|usage|statistics|stats|report|release)\b"
            r"|\byour (?:code|project|prompts?|usage|source)\b"
        ),
    ),
    (
        re2.compile(r"\b(?:show|see|view|read|list|print|display|preview|browse|inspect|describe|explain)\b"),
        re2.compile(r"\b(?:variables?|values?)\b"),
    ),
)
"""With an act: what is thrown away by keeping the rest, comes from elsewhere, leaves, or shows a secret."""


def known_harmless(question: str) -> bool:
    """Whether saying yes to this question goes on, shows, adds or keeps something, and exposes nothing."""
    plain = folded(question)
    clauses = _NEXT.split(_asking(plain))
    return not exposes(plain) and all(_harmless(clause.strip()) for clause in clauses)


def _harmless(clause: str) -> bool:
    """Whether a clause names an act that is known, and nothing but everyday things."""
    act = _ASKED.search(clause)
    if act is None or unknown_word(clause[act.end() :]):
        return False
    rest = clause[act.end() :]
    if any(acts.search(act.group()) and things.search(rest) for acts, things in _GIVES):
        return False
    return not (_OVER if _WRITES.search(act.group()) else _TAKES_PLACE).search(rest)


_NAMES_NOTHING = re2.compile(
    r"(?:[\s\d,.]|\b(?:this|that|it|these|those|them|all|of|the|with|next|above|plans?|steps?|options?|changes?"
    r"|everything|information|now|to|go|you|i|we|want|number)\b)*"
)


_ONLY_GOES_ON = re2.compile(rf"^{_POLITE}*{_GOES_ON}$")


def names_nothing(question: str) -> bool:
    """Whether a question says only that something goes on: the rows above say what."""
    asked = _asking(folded(question))
    act = _ASKED.search(asked)
    if act is None:
        return False
    goes_on = _ONLY_GOES_ON.search(act.group()) is not None
    return goes_on or _NAMES_NOTHING.fullmatch(asked[act.end() :]) is not None


def letters_without_words(question: str) -> bool:
    """Whether one of some letters is asked for, as `(j/n)`: what each of them means is not known."""
    return _LETTERS.search(question.strip()) is not None


def _asking(plain: str) -> str:
    """The sentence that asks, without the answers that it offers and without marks before it."""
    line = next((row.strip() for row in reversed(plain.splitlines()) if row.strip()), "")
    asked = _BEFORE.sub("", _ANSWERS.sub("", line)).rstrip("?:>›❯… ")
    return str(_BEFORE.sub("", _SENTENCE_END.split(asked)[-1])).strip()


# Whether an install is pinned: which lock file of the project names what it fetches.
#
# Looked at on disk, in the project's folder itself: a question that says "from the lock file" proves
# nothing.


_LOCKS: dict[str, tuple[str, ...]] = {
    "package.json": (
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "bun.lockb",
    ),
    "pyproject.toml": ("uv.lock", "poetry.lock", "pdm.lock"),
    "Pipfile": ("Pipfile.lock",),
    "requirements.txt": (),
    "setup.py": (),
    "Cargo.toml": ("Cargo.lock",),
    "Gemfile": ("Gemfile.lock",),
    "composer.json": ("composer.lock",),
    "go.mod": ("go.sum",),
    "mix.exs": ("mix.lock",),
}
"""The manifests of package managers, each with the files that pin what it names."""
_OF_INSTALLER: dict[str, tuple[str, ...]] = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json"),
    "yarn": ("yarn.lock",),
    "pnpm": ("pnpm-lock.yaml",),
    "bun": ("bun.lock", "bun.lockb"),
    "pip": (),
    "pip3": (),
    "poetry": ("poetry.lock",),
    "uv": ("uv.lock",),
    "pdm": ("pdm.lock",),
    "pipenv": ("Pipfile.lock",),
    "cargo": ("Cargo.lock",),
    "bundle": ("Gemfile.lock",),
    "bundler": ("Gemfile.lock",),
    "composer": ("composer.lock",),
    "mix": ("mix.lock",),
}
_ANY_LOCK = ("", "lock file", "lockfile")


def lock_file_for(scope: ProjectScope, said: str = "") -> str:
    """The lock file that an install rests on; empty if any manifest of the project has none.

    `said` is what the question names: an installer, a file, "lock file", or nothing.
    """
    if scope.too_wide:
        return ""
    manifests = [name for name in _LOCKS if _exists(scope, name)]
    pinned = {name: [lock for lock in _LOCKS[name] if _exists(scope, lock)] for name in manifests}
    there = [lock for locks in pinned.values() for lock in locks]
    if said in _OF_INSTALLER:
        return next((lock for lock in there if lock in _OF_INSTALLER[said]), "")
    if said in _ANY_LOCK:
        return there[0] if there and all(pinned.values()) else ""
    return next((lock for lock in there if lock.casefold() == said), "")


def _exists(scope: ProjectScope, name: str) -> bool:
    """Whether it is a plain file of the project's folder (a link must not lead out of it)."""
    place = locate(scope, name)
    return place.inside and scope.is_file(posixpath.join(scope.root, name))


_PATH = re2.compile(r"(^|[\s\"'(])~?/[^\s\"']+")
_PREVIEW = re2.compile(r"(?s)^(?:(.*)\n)?About to write to (/[^\n]*/package\.json):\n(\{.*\})$")
"""`npm init` shows the file that it would write, whole."""
_ELSEWHERE = re2.compile(
    r"https?:|\bgit@|\bs?ftp\b|\bssh\b|\bcurl\b|\bwget\b|\bregistry\b|\bnetwork\b|\bserver\b|\bwebsite\b"
)
_DESTROYING_PROGRAM = re2.compile(
    r"(?:^|[\s`'\"$;&|(])(?:rm|rmdir|unlink|dd|mkfs\S*|shred|fdisk|truncate|mv|chmod|chown|kill|killall|pkill"
    r"|git (?:-\S+ )*(?:clean|reset|restore|checkout|stash|rebase|push))(?:[\s`'\")]|$)"
)
_BULLET = re2.compile(r"^\s*[-*+•·]\s+\S")
_ACT_REASONS = {
    Act.TEST: "runs the project's tests",
    Act.LINT: "runs a linter on the project",
    Act.BUILD: "builds the project",
    Act.FORMAT: "formats the project's code",
    Act.COMMIT: "adds a commit to the current branch",
}
_UNKNOWN_ABOVE = "words.unknown-above"
_LIFTED_BY_ANSWER = frozenset({"words.install", "words.unknown", "words.reaches-out", "prompt.unsaid"})


def question_risk(
    detection: Detection, scope: ProjectScope, grants: Sequence[Grant], permissions: PromptPermissions
) -> Risk:
    """The risk of saying yes to what `detection` asks, as grants and the governing prompt make it."""
    named = _named(detection)
    asked = question_with_context(detection)
    risk = _words_risk(detection, asked, scope) if named is None else _act_risk(named, detection, scope)
    if risk.level is not RiskLevel.HIGH:
        return risk
    lifted = lifted_by(risk, next((one for one in grants if one.covers_prompt(asked)), None))
    return lifted if lifted is not risk else _lifted_by_prompt(risk, named, detection, asked, permissions)


def question_with_context(detection: Detection) -> str:
    """The question and the text above it, without the names in paths (except of devices)."""
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
    word = changes_more(plain)
    if word:
        reason = f"«{word}»: what changes more than it names needs a person"
        return Risk(RiskLevel.HIGH, (reason,), "words.more", word)
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
    above = detection.above.splitlines()
    more = speaks_of_more(above)
    if more:
        reason = f"a line above it speaks of more: {' '.join(more.split())[:80]}"
        return Risk(RiskLevel.HIGH, (reason,), "words.above")
    selected = detection.selected_option()
    if selected is not None and (found := word_risk(selected.label)):
        return found
    unknown = next((one for one in above if not is_report(one) and unknown_in_report(folded(one))), "")
    if unknown:
        reason = f"a line above it may speak of more: {' '.join(unknown.split())[:80]}"
        return Risk(RiskLevel.HIGH, (reason,), _UNKNOWN_ABOVE)
    reasons = [_ACT_REASONS[act] for act in named.acts if act is not Act.INSTALL]
    if Act.INSTALL not in named.acts:
        return Risk(RiskLevel.MEDIUM, tuple(reasons), f"words.{named.acts[0].name.lower()}")
    lock = lock_file_for(scope, named.installer)
    if lock:
        return Risk(RiskLevel.MEDIUM, (*reasons, f"installs what {lock} names"), "words.install-locked")
    reason = "installs packages that no lock file of this folder pins"
    return Risk(RiskLevel.HIGH, (*reasons, reason), "words.install")


def _words_risk(detection: Detection, full_question: str, scope: ProjectScope) -> Risk:
    """By the words of the question, and of the option that says yes."""
    subject = detection.subject
    if subject is not None and subject.action == SAID_ABOVE and subject.cut:
        return Risk(RiskLevel.HIGH, ("copilot cannot see for itself what this is about",), "prompt.unsaid")
    preview = _PREVIEW.search(subject.text.strip()) if subject is not None else None
    if preview is not None and _is_object(preview.group(3)):
        return _preview_risk(detection, preview.group(1) or "", preview.group(2), scope)
    return _risk_of_words(detection, full_question)


def _risk_of_words(detection: Detection, full_question: str) -> Risk:
    found = word_risk(full_question)
    bare = detection.kind is ScreenKind.YES_NO and names_nothing(detection.question or "")
    more = "" if found else beside(detection, full_question, bare=bare)
    if more:
        return Risk(RiskLevel.HIGH, (more,), "words.unknown")
    if not found and detection.kind in (ScreenKind.MENU, ScreenKind.YES_NO):
        selected = detection.selected_option()
        found = word_risk(selected.label) if selected else None
    found = found or _not_known(detection.kind, full_question, short=answers_a_question(detection))
    if found:
        return found
    if reason := SCREEN_KINDS[detection.kind].low_risk:
        return Risk(RiskLevel.LOW, (reason,), f"prompt.{detection.kind.value}")
    if not full_question.strip():
        return Risk(RiskLevel.HIGH, ("the prompt does not say what it asks",), "prompt.empty")
    return Risk(RiskLevel.LOW, ("nothing in the prompt names a danger",), f"prompt.{detection.kind.value}")


def _not_known(kind: ScreenKind, full_question: str, *, short: bool) -> Risk | None:
    """High where the effect of the answer is unknown, though no word in it names a danger."""
    if kind is ScreenKind.YES_NO and full_question.strip() and not known_harmless(full_question):
        return Risk(RiskLevel.HIGH, (UNKNOWN_YES,), "words.unknown")
    if kind is ScreenKind.MENU and short and not known_harmless(full_question):
        return Risk(RiskLevel.HIGH, (UNKNOWN_YES,), "words.unknown")
    if kind is ScreenKind.TEXT_INPUT and letters_without_words(full_question):
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
    risk: Risk, named: Named | None, detection: Detection, full_question: str, permissions: PromptPermissions
) -> Risk:
    """Medium where the governing prompt names this question or this act; the first line that fits counts."""
    answer = permissions.answer_to(_naming(detection, full_question), full_question)
    line = None
    if answer is not None and answer.yes and _may_lift(risk, detection, full_question):
        line = answer.line if all(answer.covers(item) for item in _listed(detection)) else None
    if answer is None and named is not None and risk.rule in ("words.install", _UNKNOWN_ABOVE):
        acts = named.acts if risk.rule == _UNKNOWN_ABOVE else (Act.INSTALL,)
        lines = [permissions.line_for(act) for act in acts]
        line = lines[0] if None not in lines else None
    if line is None:
        return risk
    reasons = (f"allowed by your prompt, line {line}", *risk.reasons)
    return replace(risk, level=RiskLevel.MEDIUM, reasons=reasons)


def _naming(detection: Detection, full_question: str) -> tuple[str, ...]:
    """The texts that name what a yes does: the question, or the text above one that names nothing."""
    subject = detection.subject
    question = detection.question or ""
    if subject is None or not subject.text:
        return (question.strip(), *(span.strip() for span in question.split("`")[1::2]))
    above = full_question.removesuffix(f"\n{question}")
    return (above, *(line.strip() for line in above.split("\n") if line.strip()))


def _listed(detection: Detection) -> tuple[str, ...]:
    """What is listed above, by bullets or below the last colon at a row's end: a yes must name each."""
    rows = detection.subject.text.split("\n") if detection.subject is not None else []
    first = max((at for at, row in enumerate(rows, 1) if row.rstrip().endswith(":")), default=len(rows))
    return tuple(
        row.strip() for at, row in enumerate(rows) if row.strip() and (at >= first or _BULLET.search(row))
    )


def _may_lift(risk: Risk, detection: Detection, full_question: str) -> bool:
    """Whether a line of the governing prompt may lift this at all."""
    plain = folded(full_question)
    subject = detection.subject
    unseen = subject is not None and subject.cut and bool(subject.text)
    dangers = (
        *(destroys(plain), reaches_out_strongly(plain), exposes(plain)),
        *(_ELSEWHERE.search(plain), _DESTROYING_PROGRAM.search(plain)),
    )
    return risk.rule in _LIFTED_BY_ANSWER and not unseen and not any(dangers)
