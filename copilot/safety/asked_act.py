"""What a yes would do where a program asks in plain words: is it an act that is known to be harmless?

No list of dangerous words is ever complete, and none knows every language. So a yes is taken as harmless only
if the question names nothing itself ("Proceed?"; what stands above it counts) or begins with an act that
shows, adds or keeps something; anything else is a person's to judge.
"""

from __future__ import annotations

import re2

from copilot.safety.text import folded


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
    "add|append|attach|create|generate|write|save|keep|preserve|retain|back ?up",
    "use|define|include|track|learn|remind|suggest|stage|initiali[sz]e|set ?up",
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
_EXPOSES = re2.compile(
    r"\b"
    + _any_of(
        r"public\w*|expos\w*|anonymous\w*|world[- ]readable|internet|online|remote|firewall|account",
        r"admin\w*|privileg\w*|permissions?|access|2fa|mfa|two[- ]factor|security|keys?|secrets?",
        r"certificat\w*|disabl\w*|turn\w* off|switch\w* off|sign\w* out|log\w* ?out|block\w*|bann?\w*",
        r"revok\w*|invit\w*|transfer\w*|buy\w*|order|bill\w*|cost\w*|e-?mail\w*|without|unsaved|forget\w*",
        r"squash\w*|rewrit\w*|disks?|partition\w*|boot\w*|flash\w*|encrypt\w*|every(?:one|body)|all files",
    )
    + r"\b|/dev/"
)
"""Makes an act that only adds or uses something another one ("Add bob as an admin?")."""
_NEXT = re2.compile(r",? and then |,? then |;")
"""What is done after an act is another one, and must be known as well."""
_LETTERS = re2.compile(r"[(\[]\s*\pL{1,3}(?:\s*/\s*\pL{1,3})+\s*[)\]]\s*[?:>]*\s*$")


def known_harmless(question: str) -> bool:
    """Whether saying yes to this question goes on, shows, adds or keeps something, and exposes nothing."""
    plain = folded(question)
    clauses = _NEXT.split(_asking(plain))
    return not exposes(plain) and all(_ASKED.search(clause.strip()) is not None for clause in clauses)


def exposes(plain: str) -> bool:
    """Whether a folded text speaks of rights, secrets, money, disks, or of what would be lost."""
    return _EXPOSES.search(plain) is not None


def letters_without_words(question: str) -> bool:
    """Whether one of some letters is asked for, as `(j/n)`: what each of them means is not known."""
    return _LETTERS.search(question.strip()) is not None


def _asking(plain: str) -> str:
    """The sentence that asks, without the answers that it offers and without marks before it."""
    line = next((row.strip() for row in reversed(plain.splitlines()) if row.strip()), "")
    asked = _BEFORE.sub("", _ANSWERS.sub("", line)).rstrip("?:>›❯… ")
    return str(_BEFORE.sub("", _SENTENCE_END.split(asked)[-1])).strip()
