"""`read_answer`: what a model sent back, checked against what was asked. Whatever does not fit is held.

Accepted are one JSON object (alone, in a fence, or in prose), and plain text for models that cannot do
better. The check is strict because what passes may be typed: a choice must name a listed option, a text must
be one printable line. Repairs are few and only where a single meaning is left ("Sure! y").
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.context.answer_json import find_object
from copilot.context.answer_text import check_text, one_sentence, plain_choice, refusal_in, without_thinking
from copilot.context.asked import read_asked
from copilot.core.reply import Reply
from copilot.core.reply_request import AnswerForm, ReplyRequest
from copilot.errors import ProviderError

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
