"""What is shown beside a question: the rows above it, the options of a menu, the key or text to enter.

Each is known word by word, or the answer is a person's: what a program may print there is not in any list.
"""

from __future__ import annotations

import re2

from copilot.core.detection import SAID_ABOVE, Detection
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.asked_words import unknown_in_option, unknown_in_report
from copilot.guard.risk_words import exposes, field_word, runs_command
from copilot.guard.text import folded

UNKNOWN_YES = "copilot does not know what a yes to this does"
_KEY = re2.compile(
    r"(?:[^.!?…]*[.!?…]\s+)?[\s\[(<*-]*(?:please )?(?:press|hit|tap|strike"
    r"|push) (?:the )?[\[(<\"']?[\w ]{1,12}[\])>\"']?(?: key)?"
    r"(?: (?:to|for) (?:continue|proceed|go on|go back|return|close|exit|quit|leave|finish|start"
    r"|see more|view more|show more|more|help"
    r"|scroll|dismiss|resume|next))?[\s\])>.:…*-]*"
)
_GOES_ON = re2.compile(r"[\s\[(<*-]*(?:continue|proceed|more|ok|okay|end|next)[\s\])>.:?…*%0-9-]*")
_CONFIRMS = re2.compile(
    r"\b(?:type|enter|write|input|retype|re-enter)\b.{0,60}\bto (?:confirm|continue|proceed|go on|verify)"
)
_TAKES_CODE = re2.compile(r"\b(?:commands?|scripts?|expressions?|sql|query|queries|code|shell|programs?)\b")


def beside(  # noqa: PLR0911  one line a kind
    detection: Detection, full_question: str, *, bare: bool
) -> str:
    """Why the rows above, or the kind of the prompt, may make an answer another one than it seems; or "".

    `bare`: the question names nothing itself.
    """
    plain = folded(detection.question or "")
    subject = detection.subject
    if detection.kind is ScreenKind.PRESS_KEY:
        if plain.strip() and not _GOES_ON.fullmatch(plain.strip()) and not _KEY.fullmatch(plain.strip()):
            return "what the key starts is not known"
        return ""
    if detection.kind is ScreenKind.TEXT_INPUT:
        if _CONFIRMS.search(plain):
            return "the text that is typed confirms something"
        if word := field_word(plain):
            return f"«{word}»: what is typed pays, opens or is a secret"
        return "what is typed is run" if _TAKES_CODE.search(plain) else ""
    if subject is not None and subject.action == SAID_ABOVE:
        lines = [line for line in folded(full_question).splitlines()[:-1] if line.strip()]
        return UNKNOWN_YES if not _report(lines) else ""
    above = [line for line in folded(detection.above).splitlines() if line.strip()]
    if detection.kind is ScreenKind.MENU:
        return "" if not above or _report(above) or not _may_go_on(detection, above) else UNKNOWN_YES
    printed = [line for line in above if not _SHELL.search(line)]
    unsaid = bare and subject is None and above
    return UNKNOWN_YES if unsaid and not (printed and _report(printed)) else ""


_SHELL = re2.compile(r"^\s*(?:[$❯➜%]|\S+@\S+[$#%]) +\S")
_CHANGES = re2.compile(
    r"\b(?:load|go|writ|sav|restor|us|switch|reset|revert|roll|mov|copy|send|upload)ing\b.*"
    r"\b(?:backups?|snapshots?|existing|defaults?|settings|drafts?|versions?|stash|previous|first|last|back)\b"
)
_OPTION_GOES_ON = re2.compile(
    r"(?:yes|continue|proceed|go (?:on|ahead)|ok|okay|finish|submit|start|next|done|confirm|run|apply"
    r"|accept)(?:[\s,:;!(].*)?"
)


def _report(lines: list[str]) -> bool:
    """Whether folded rows only report, in known words."""
    return not (
        runs_command(lines) or any(unknown_in_report(line) or _CHANGES.search(line) for line in lines)
    )


def _may_go_on(detection: Detection, above: list[str]) -> bool:
    """Whether choosing in a menu may start what the rows above say: an option goes on, or they run it."""
    labels = (folded(one.label).strip() for one in detection.options)
    return runs_command(above) or any(_OPTION_GOES_ON.fullmatch(label) for label in labels)


_ANSWERS = frozenset(("yes", "no", "cancel", "abort", "quit", "none"))
_LETTERS = 2


def answers_a_question(detection: Detection) -> bool:
    """Whether a menu is a question for yes or no: `[o/N]`, `(yes/cancel)`, `[N]uke [K]eep`."""
    labels = [one.label.strip().casefold() for one in detection.options]
    short = any(label in _ANSWERS or len(label) <= _LETTERS for label in labels)
    return short and (detection.question or "").rstrip(" :").endswith("?") and len(labels) <= 4


def option_risk(label: str) -> Risk | None:
    """The risk of choosing an option of a menu by its label; None if all of its words are known."""
    plain = folded(label)
    if (
        exposes(plain)
        or runs_command([plain])
        or (_SAYS_YES.search(plain) and not _YES_ONLY.search(plain))
        or any(pattern.search(plain) for pattern in (_OPENS_UP, _LEAVES, _TAKES_OTHER))
    ):
        return Risk(
            RiskLevel.HIGH,
            ("what the option opens, runs or turns off needs a person",),
            "words.exposes",
            label,
        )
    word = unknown_in_option(plain)
    if word:
        reason = f"it is not known what «{word}» does"
        return Risk(RiskLevel.MEDIUM, (reason,), "words.option", label)
    return None


_YES_ALONE = (
    "please|proceed|continue|go|ahead|on|ok|okay|sure|default|recommended|i|am|it|this|that|is|correct|y"
)
_SAYS_YES = re2.compile(r"^[\W\d]*yes\b")
_YES_ONLY = re2.compile(rf"^[\W\d]*yes(?:\W+(?:{_YES_ALONE})\b)*\W*$")
_LEAVES = re2.compile(
    r"^\W*(?:submit|close|abort|back|go back|exit|finish|quit)\b\W+(?:\w+\W+)*?(?:with|and|the|other|code"
    r"|project|changes|logs?|report|stash|sessions?|first|version)\b"
)
_TAKES_OTHER = re2.compile(
    r"^\W*(?:use|keep|add|continue with|view values?|choose)\b.*\b(?:\d+ backups?|backups?|snapshots?"
    r"|versions?|existing|stash|drafts?|plugins?|variables?|me|no tests)\b"
    r"|^\W*continue with option\b|\bvalues of\b"
)
"""Options that name the state, code or person that is taken, or what goes with leaving."""
_OPENS_UP = re2.compile(
    r"\b(?:off|yolo|autopilot|auto|never|always|all|everything|full|unrestricted|bypass\w*|skip\w*"
    r"|without|remember\w*|unlimited)\b"
)
