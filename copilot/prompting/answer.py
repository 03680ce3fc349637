"""`read_answer`: what a model sent back, checked against what was asked. Whatever does not fit is held.

Accepted are one JSON object (alone, in a fence, or in prose), and plain text for models that cannot do
better. The check is strict because what passes may be typed: a choice must name a listed option, a text must
be one printable line. Repairs are few and only where a single meaning is left ("Sure! y").
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import NoReturn

from copilot.core.reply import AnswerForm, Reply, ReplyRequest
from copilot.core.reply_keys import UnsafeReply, clean_reply
from copilot.errors import ProviderError
from copilot.prompting.asked import read_asked
from copilot.prompting.patterns import pattern

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


_KNOWN = frozenset({"choice", "text", "reason", "confidence", "needs_human"})


def find_object(text: str) -> dict[str, object] | None:
    """The answer's object: the whole text, in a fence, or within prose. None if there is none.

    Raises ProviderError if there is more than one, or something that began as JSON and is broken.
    """
    if text.startswith("{") and (whole := _load(text)) is not None:
        return whole
    found = _objects_in(text)
    if len(found) > 1 and any(other != found[0] for other in found[1:]):
        raise ProviderError("the answer holds several JSON objects that say different things")
    if found:
        return found[0]
    if text.startswith("{") or '"choice"' in text or '"needs_human"' in text:
        raise ProviderError("the answer is malformed JSON")
    return None


def _objects_in(text: str) -> list[dict[str, object]]:
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
    found: list[dict[str, object]] = []
    position = 0
    for _ in range(50):
        position = text.find("{", position)
        if position < 0:
            break
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        if isinstance(value, dict) and _KNOWN & value.keys():
            found.append(value)
        position = end
    return found


def _load(text: str) -> dict[str, object] | None:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise ProviderError("the answer is malformed JSON: nested too deeply") from None
    except ValueError:
        return None
    if not isinstance(value, dict) or not _KNOWN & value.keys():
        raise ProviderError("the answer is a JSON object of another form")
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ProviderError("the answer says one field twice")
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ProviderError(f"the answer holds {name}, which is no number")


PLAIN_CONFIDENCE = 0.6
"""For a plain answer that fits the form exactly: sendable, but never as sure as one that says so."""
PROSE_CONFIDENCE = 0.4
"""For a plain text of our guess that it is what should be typed: below what policy sends unseen."""
_LONGEST_RAW = 200_000
_LONGEST_REASON = 500
_CHATTY = (
    "sure",
    "here",
    "certainly",
    "of course",
    "okay",
    "the answer",
    "you ",
    "i ",
    "i'",
    "let me",
    "based on",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The fields of a `Proposal` that come from the model's own words."""

    reply: Reply
    reason: str = ""
    confidence: float = 1.0
    needs_human: bool = False
    clarification: str | None = None


def read_answer(raw: str, request: ReplyRequest) -> Answer:
    """The answer in `raw`. Raises ProviderError with the reason if it is not exactly one usable answer."""
    if len(raw) > _LONGEST_RAW:
        raise ProviderError(f"the answer is {len(raw)} characters long")
    text = without_thinking(raw).strip()
    if not text:
        raise ProviderError("the answer is empty")
    fields = find_object(text)
    return _from_fields(fields, request) if fields is not None else _from_plain(text, request)


def _from_fields(fields: dict[str, object], request: ReplyRequest) -> Answer:
    choice = _string_or_number(fields, "choice")
    text = _optional_string(fields, "text")
    reason = _reason(fields)
    confidence = _confidence(fields)
    needs_human = _flag(fields, "needs_human")
    for words in (text, choice):
        if words is not None and words.lstrip().startswith("?") and not _is_choice(words, request):
            return _clarification(words, reason, confidence)
    try:
        reply = _reply(choice, text, request)
    except ProviderError:
        if not needs_human:
            raise
        return Answer(Reply(), reason or "the model wants you to decide", confidence, needs_human=True)
    return Answer(reply, reason, confidence, needs_human)


def _from_plain(text: str, request: ReplyRequest) -> Answer:
    if text.startswith("?") and not _is_choice(text, request):
        return _clarification(text, "", PLAIN_CONFIDENCE)
    if refusal := refusal_in(text):
        raise ProviderError(f"the model refused: {refusal}")
    reason = "answered in plain text, without a reason"
    if request.form in (AnswerForm.YES_NO, AnswerForm.CHOICE):
        return Answer(_chosen(plain_choice(text, request), request), reason, PLAIN_CONFIDENCE)
    if text[0] in "{[" or "```" in text or "</" in text:
        raise ProviderError("the answer is malformed: neither one JSON object nor plain text")
    words = check_text(text.removeprefix("`").removesuffix("`"), request.form)
    prose = len(words) > 120 or words.casefold().startswith(_CHATTY)
    return Answer(Reply(text=words), reason, PROSE_CONFIDENCE if prose else PLAIN_CONFIDENCE)


def _reply(choice: str | None, text: str | None, request: ReplyRequest) -> Reply:
    """The reply that choice and text make in this form."""
    form = request.form
    if form in (AnswerForm.YES_NO, AnswerForm.CHOICE):
        if choice is None:
            if text is None or not text.strip():
                raise ProviderError("the answer chooses nothing")
            return _chosen(text, request)
        chosen = _chosen(choice, request)
        if text is None or not text.strip() or form is AnswerForm.YES_NO:
            return _without_contradiction(chosen, text, request)
        if _is_choice(text, request):
            return _without_contradiction(chosen, text, request)
        return Reply(choice=chosen.choice, text=check_text(text, AnswerForm.TEXT))
    if choice is not None and choice.strip():
        raise ProviderError("the answer chooses an option, but a text is asked for")
    if text is None:
        raise ProviderError("the answer holds no text")
    if not text.strip():
        if request.kind != "text_input":
            raise ProviderError("the answer is an empty text")
        return Reply(text="")
    return Reply(text=check_text(text, form))


def _without_contradiction(chosen: Reply, text: str | None, request: ReplyRequest) -> Reply:
    if text is not None and text.strip() and _chosen(text, request) != chosen:
        raise ProviderError("choice and text of the answer contradict each other")
    return chosen


def _chosen(words: str, request: ReplyRequest) -> Reply:
    """The reply of a choice given as label, listed number, or y/n. Raises ProviderError if none fits."""
    words = words.strip().strip("`").strip()
    if request.form is AnswerForm.YES_NO:
        return _yes_or_no(words, request)
    label = _label(words, request)
    if label is None:
        shown = one_sentence(words, 60)
        raise ProviderError(f"the answer {shown!r} is none of the listed options")
    return Reply(choice=label)


def _yes_or_no(words: str, request: ReplyRequest) -> Reply:
    if words in request.choices:
        return Reply(choice=words)
    letter = {"y": "y", "yes": "y", "n": "n", "no": "n"}.get(words.casefold())
    if letter is None:
        raise ProviderError(f"the answer {one_sentence(words, 60)!r} is neither y nor n")
    if not request.choices:
        return Reply(text=letter)
    meant = [label for label in request.choices if label.casefold().startswith(letter)]
    if len(meant) != 1:
        raise ProviderError(f"no single option means {letter!r}")
    return Reply(choice=meant[0])


def _label(words: str, request: ReplyRequest) -> str | None:
    """The one option meant: exact label, label but for case and blanks, or listed number (with its label)."""
    if words in request.choices:
        return words
    close = [label for label in request.choices if _folded(label) == _folded(words)]
    if close:
        return close[0] if len(close) == 1 else None
    if any(label.strip().isdigit() for label in request.choices):
        return None
    number, _, rest = words.partition(".")
    number = number.strip()
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        return None
    listed = [option.label for option in read_asked(request).options if option.number == int(number)]
    if len(listed) != 1 or listed[0] not in request.choices:
        return None
    return listed[0] if not rest.strip() or _folded(rest) == _folded(listed[0]) else None


def _is_choice(words: str, request: ReplyRequest) -> bool:
    if request.form not in (AnswerForm.YES_NO, AnswerForm.CHOICE):
        return False
    try:
        _chosen(words, request)
    except ProviderError:
        return False
    return True


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold().rstrip(".")


def _clarification(words: str, reason: str, confidence: float) -> Answer:
    question = one_sentence(words.strip().lstrip("?"), 300)
    if not question:
        raise ProviderError("the answer is a question mark without a question")
    return Answer(Reply(), reason or "the model asks you first", confidence, True, question)


def _optional_string(fields: dict[str, object], name: str) -> str | None:
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    raise ProviderError(f"{name!r} of the answer is not a text")


def _string_or_number(fields: dict[str, object], name: str) -> str | None:
    value = fields.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _optional_string(fields, name)


def _reason(fields: dict[str, object]) -> str:
    return one_sentence(_optional_string(fields, "reason") or "", _LONGEST_REASON)


def _confidence(fields: dict[str, object]) -> float:
    value = fields.get("confidence")
    if value is None:
        return PLAIN_CONFIDENCE
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ProviderError("'confidence' of the answer is not a number from 0 to 1")
    return float(value)


def _flag(fields: dict[str, object], name: str) -> bool:
    value = fields.get(name)
    if value is None:
        return False
    if isinstance(value, bool):
        return value
    raise ProviderError(f"{name!r} of the answer is neither true nor false")
