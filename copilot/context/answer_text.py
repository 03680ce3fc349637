"""Checks and few repairs of plain text that a model wrote."""

from __future__ import annotations

import unicodedata

from copilot.context.patterns import pattern
from copilot.core.clean_reply import UnsafeReply, clean_reply
from copilot.core.reply_request import AnswerForm, ReplyRequest
from copilot.errors import ProviderError

_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
_FILLER = pattern(
    r"(?i)^(?:sure|ok|okay|certainly|of course|absolutely|alright|right|my|the|final|correct|best|safe|"
    r"answer|reply|response|choice|is|would be|i|would|say|type|choose|select|pick|option|number)$"
)
_GAPS = pattern(r"[\s!,.:]+")
_BREAKS = pattern(r"[\s!,:*`\"']+")
_AGREEING = frozenset({"sure", "certainly", "of course", "absolutely", "ok", "okay", "alright"})
_THINKING = pattern(r"(?s)^\s*<think(?:ing)?>.*?</think(?:ing)?>")
_REFUSAL = pattern(
    r"(?i)^(?:i'?m sorry|i am sorry|sorry|i can't (?:help|assist|do|provide|comply|answer)|i cannot|"
    r"i'?m (?:not able|unable)|i am (?:not able|unable)|i won'?t|as an ai)\b"
)


def without_thinking(raw: str) -> str:
    """`raw` without a leading thinking block, which some local servers leave in."""
    return _THINKING.sub("", raw, 1)


def refusal_in(text: str) -> str:
    """The first sentence of a refusal in prose, or nothing."""
    return one_sentence(text, 160) if _REFUSAL.search(text.replace("’", "'")) else ""


def one_sentence(text: str, longest: int) -> str:
    """Printable, on one line, and no longer than that."""
    flat = " ".join("".join(c if is_plain(c) else " " for c in text).split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"


def is_plain(character: str) -> bool:
    """Whether a character can be seen and is no control: what may reach the child (line ends apart)."""
    if 0xE0100 <= ord(character) <= 0xE01EF:
        return False
    return unicodedata.category(character) not in _UNSEEN


def check_text(text: str, form: AnswerForm) -> str:
    """`text` as it may be typed, without blanks around it. Raises ProviderError if it must not be."""
    text = text.strip(" \t\r\n") if form is AnswerForm.TEXT else text.strip("\r\n").rstrip()
    text = text.replace("\r\n", "\n")
    if not text:
        raise ProviderError("the answer is an empty text")
    try:
        return clean_reply(text, multi_line=form is AnswerForm.MULTI_LINE)
    except UnsafeReply as problem:
        raise ProviderError(problem.reason) from None


def plain_choice(text: str, request: ReplyRequest) -> str:
    """What a plain answer chooses: itself, or what is left of it without words that only lead in.

    "Sure! y" leaves y. "Sure, no" is held, for its halves disagree; so is everything with other words in it.
    """
    bare = text.strip().strip("`*\"'").strip()
    if "\n" in bare or len(bare) > 200:
        raise ProviderError(f"the answer {one_sentence(bare, 60)!r} is not one of the replies asked for")
    exact = {choice.casefold() for choice in request.choices} | {"y", "n", "yes", "no"}
    if bare.casefold() in exact or (request.form is AnswerForm.CHOICE and not _leads_in(bare)):
        return bare
    return _after_filler(bare)


def _leads_in(text: str) -> bool:
    first = _GAPS.split(text)[0]
    return bool(_FILLER.search(first))


def _after_filler(text: str) -> str:
    """The part after leading filler words, unless the filler agrees and the rest refuses."""
    words = [word for word in _BREAKS.split(text) if word]
    begin = 0
    while begin < len(words) - 1 and _FILLER.search(words[begin].rstrip(".")):
        begin += 1
    rest = " ".join(words[begin:]).rstrip(".!")
    agrees = any(word.casefold().rstrip(".") in _AGREEING for word in words[:begin])
    if agrees and rest.casefold() in ("n", "no"):
        raise ProviderError("the answer agrees and refuses at once")
    return rest
