"""From a reply to keystrokes: which keys, in which writes, with what checked between them.

A choice is made by its label; the digit or the arrow path is computed from the screen given, so callers
plan again from a fresh look right before typing. Words are never planned for a menu or a permission: there
Enter takes whatever is highlighted (measured: "no" and Enter approves in two CLIs).
"""

from __future__ import annotations

import enum
import unicodedata
from dataclasses import dataclass

import re2

from copilot.core.characters import described, is_seen
from copilot.core.detection import Detection, Option
from copilot.core.profile import ReplyKeys
from copilot.core.reply import Reply
from copilot.core.screen_kinds import READY_KINDS, SCREEN_KINDS, TEXT_KINDS, ScreenKind, kind_noun

# `clean_reply`: may this text be typed into the child? (invariant 3)
#
# The one home of the rule. The reading of a model's answer asks it first; the planning of keys asks it
# again, whoever made the reply.


MAX_REPLY_CHARACTERS = 10_000
MAX_LINE_BYTES = 4_000
"""A terminal in canonical mode keeps at most 4,095 bytes of a line and drops the rest silently."""

_PASTE_MARKERS = ("[200~", "[201~")


class UnsafeReply(ValueError):
    """A reply that must not be typed; `reason` is one line for the person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def clean_reply(text: str, *, multi_line: bool) -> str:
    """`text` itself if every character of it may be typed. Raises UnsafeReply with the reason otherwise.

    Nothing is repaired: a reply with a control character in it was not meant the way it would arrive. A
    tab is refused as well, because shells and line editors act on it, and so are private characters, whose
    meaning is unknown.
    """
    if len(text) > MAX_REPLY_CHARACTERS:
        raise UnsafeReply(f"the reply has {len(text)} characters, more than {MAX_REPLY_CHARACTERS}")
    if "\n" in text and not multi_line:
        raise UnsafeReply("the reply has several lines and the prompt takes one")
    if not (text.isascii() and text.isprintable()):
        for index, char in enumerate(text):
            if char != "\n" and (char == "\t" or not _may_be_typed(text, index)):
                raise UnsafeReply(f"the reply has {described(char)} at position {index + 1}")
    if any(marker in text for marker in _PASTE_MARKERS):
        raise UnsafeReply("the reply has a bracketed-paste marker in it")
    if any(len(line.encode("utf-8")) > MAX_LINE_BYTES for line in text.split("\n")):
        raise UnsafeReply(f"the reply has a line of more than {MAX_LINE_BYTES} bytes")
    return text


def _may_be_typed(text: str, index: int) -> bool:
    return is_seen(text, index) and unicodedata.category(text[index]) != "Co"


CONTINUE = "continue"
"""The choice that leaves a press_key, pager or editor prompt that lists no options."""


class CannotType(Exception):
    """This reply cannot be typed at this prompt; the message says why, for the person."""


class Check(enum.StrEnum):
    """What a fresh look must show before a write."""

    SAME_PROMPT = "same prompt"
    """The judged prompt is still on the screen."""
    POINTER = "pointer"
    """The same prompt, with the pointer on the chosen option."""
    TEXT_SHOWN = "text shown"
    """The text written before is on the screen."""
    ANY = "any"
    """Nothing: only time must pass (a text field opens at the row chosen)."""


@dataclass(frozen=True, slots=True)
class KeyWrite:
    """One write to the child: key names, or literal text, after its check has held."""

    check: Check
    keys: tuple[str, ...] = ()
    text: str = ""
    paste: bool = False
    field: bool = False
    """It is free text, or the Enter that accepts what a field holds: only for a field that is proven."""
    by_line: bool = False
    """Its line breaks may go as they are: the program reads lines until Ctrl-D."""


@dataclass(frozen=True, slots=True)
class KeyPlan:
    """The writes of one reply in order. `target` is the label that the pointer must reach, if any."""

    writes: tuple[KeyWrite, ...]
    target: str | None = None


def offered_choices(detection: Detection) -> tuple[str, ...]:
    """The labels that a reply to this prompt may name."""
    if detection.options:
        return tuple(option.label for option in detection.options)
    return (CONTINUE,) if SCREEN_KINDS[detection.kind].goes_on else ()


_DEFAULT_IS_YES = re2.compile(
    r"(?i)[\[(<{][^\])>}]*\by(?:es)?\b[^\])>}]*[\])>}]|\by(?:es)?\s?[/|]\s?n(?:o)?\b|\[?[/,|]?y[/,|]"
)
"""A question that names yes among its answers, whatever else it offers: `[Y/n/c/e/a/?]`, `(Y|n)`, `[Yes]`."""

_PLAIN_SIGNS = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\uff07": "'", "\u00a0": " ", "\u2011": "-"}
)


def matches_any(label: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the profile's patterns is found in the label.

    Typographic apostrophes, blanks and hyphens count as the plain ones: CLIs print both.
    """
    plain = " ".join(label.translate(_PLAIN_SIGNS).split())
    return any(re2.search(pattern, plain) for pattern in patterns)


def widens(option: Option, keys: ReplyKeys) -> bool:
    """Whether choosing this widens what the CLI may do unasked; its label may run on in the description."""
    return matches_any(f"{option.label} {option.description or ''}", keys.widening_options)


def permits_more(detection: Detection, option: Option, keys: ReplyKeys) -> bool:
    """Whether an option of a permission prompt may permit more than what is asked.

    Only a label that is known to be a bare yes is one; no list of what widens is ever complete.
    """
    if detection.kind is not ScreenKind.PERMISSION or matches_any(option.label, keys.refuse_options):
        return False
    whole = f"{option.label} {option.description or ''}".strip()
    return not any(re2.fullmatch(pattern, whole) for pattern in keys.approve_options)


def never_words(detection: Detection) -> bool:
    """Whether a prompt takes no text at all: there Enter takes whatever is highlighted."""
    return bool(detection.options) or detection.kind not in TEXT_KINDS


def plan_keys(detection: Detection, reply: Reply, keys: ReplyKeys) -> KeyPlan:
    """The writes that give `reply` to the prompt `detection`.

    Raises CannotType if the prompt does not take such a reply.
    """
    if detection.multi_select:
        raise CannotType("several options can be ticked here; only a person answers that")
    if reply.choice is not None:
        return _plan_choice(detection, reply, keys)
    if reply.text is None:
        raise CannotType("the reply is empty")
    return _plan_text(detection, reply.text, keys)


def plan_refusal(detection: Detection, keys: ReplyKeys) -> KeyPlan | None:
    """The profile's safe refusal for this prompt: its keys, else the option that refuses; None if unknown."""
    listed = keys.refuse.get(detection.kind.value)
    option = refusing_option(detection, keys)
    if listed and not (option is not None and _by_letter(option)):
        return KeyPlan(_writes(listed))
    return plan_keys(detection, Reply(choice=option.label), keys) if option else None


def _by_letter(option: Option) -> bool:
    """Whether a letter that the prompt itself names chooses it: that refusal is known to be read there."""
    return option.key is not None and option.key[:1].isalpha() and len(option.key.split()[0]) == 1


def command_plan(detection: Detection, command: str) -> KeyPlan:
    """A command of the CLI itself (`/exit`), typed at its ready composer.

    Raises CannotType if the composer is not ready or holds a draft.
    """
    if detection.kind not in READY_KINDS or detection.draft:
        raise CannotType("the composer is not ready for a command")
    return KeyPlan((KeyWrite(Check.SAME_PROMPT, text=command, field=True), _enter()))


def refusing_option(detection: Detection, keys: ReplyKeys) -> Option | None:
    """The first option that refuses and widens nothing."""
    for option in detection.options:
        refuses = matches_any(option.label, keys.refuse_options)
        if refuses and not widens(option, keys):
            return option
    return None


def _plan_choice(detection: Detection, reply: Reply, keys: ReplyKeys) -> KeyPlan:
    choice = reply.choice or ""
    if not detection.options:
        leave = keys.continue_keys.get(detection.kind.value)
        if choice == CONTINUE and leave and SCREEN_KINDS[detection.kind].goes_on:
            return KeyPlan(_writes(leave))
        raise CannotType("the prompt lists no options")
    option = detection.option_named(choice)
    if option is None:
        raise CannotType(f"no single option is called {choice!r}")
    free = matches_any(option.label, keys.free_text_options)
    listed = keys.refuse.get(detection.kind.value)
    if free and listed and not reply.text and matches_any(option.label, keys.refuse_options):
        # Chosen, it would open a field for the reason and wait for words that no reply holds.
        return KeyPlan(_writes(listed))
    seen = detection.selected_option() is not None
    writes = _writes(tuple(option.key.split()), seen) if option.key else _by_arrows(detection, option)
    if reply.text and not free and not matches_any(option.label, keys.refuse_options):
        # Words that follow a refusal may come later; what restricts a yes would come too late.
        raise CannotType(f"no words go with {option.label!r} here: it would be taken without them")
    if reply.text and free:
        opened = writes[:-1] if writes[-1].keys == ("Enter",) and len(writes) > 1 else writes
        _require_plain(reply.text, detection, keys)
        return KeyPlan((*opened, KeyWrite(Check.ANY, text=reply.text, field=True), _enter()), option.label)
    return KeyPlan(writes, option.label)


def _plan_text(detection: Detection, text: str, keys: ReplyKeys) -> KeyPlan:
    if never_words(detection):
        raise CannotType(f"words are never typed at {kind_noun(detection.kind)}")
    if detection.draft:
        raise CannotType("the composer holds a draft of yours")
    _require_plain(text, detection, keys)
    paste = "\n" in text or keys.paste == "bracketed"
    if not text:
        if _DEFAULT_IS_YES.search(detection.question or ""):
            raise CannotType("Enter alone would take a default that says yes")
        return KeyPlan((KeyWrite(Check.SAME_PROMPT, keys=("Enter",), field=True),))
    if detection.ends_input:
        block = KeyWrite(Check.SAME_PROMPT, text=text.rstrip("\n"), paste=paste, field=True, by_line=True)
        return KeyPlan((block, _enter(), KeyWrite(Check.ANY, keys=("C-d",))))
    return KeyPlan((KeyWrite(Check.SAME_PROMPT, text=text, paste=paste, field=True), _enter()))


def _require_plain(text: str, detection: Detection, keys: ReplyKeys) -> None:
    """Checked here once more, whoever made the reply: this is the last place before the keys."""
    try:
        clean_reply(text, multi_line=detection.multi_line)
    except UnsafeReply as problem:
        raise CannotType(problem.reason) from None
    if text and text[0] in keys.avoid_leading:
        raise CannotType(f"a text that begins with {text[0]!r} is a command of the CLI, not a message")


def _writes(names: tuple[str, ...], pointer_seen: bool = False) -> tuple[KeyWrite, ...]:
    """Key names as writes: an Enter after other keys goes apart, for one write is taken as a paste.

    After moves Enter takes what is selected then: where that is seen, it must be the option that is meant.
    """
    if len(names) > 1 and names[-1] == "Enter":
        moved = any(name in ("Up", "Down", "Left", "Right", "Tab", "S-Tab") for name in names[:-1])
        after_move = Check.POINTER if pointer_seen else Check.SAME_PROMPT
        check = after_move if moved else Check.TEXT_SHOWN
        return (KeyWrite(Check.SAME_PROMPT, keys=names[:-1]), KeyWrite(check, keys=("Enter",)))
    return (KeyWrite(Check.SAME_PROMPT, keys=names),)


def _by_arrows(detection: Detection, target: Option) -> tuple[KeyWrite, ...]:
    labels = [option.label for option in detection.options]
    selected = [index for index, option in enumerate(detection.options) if option.selected]
    if len(selected) != 1:
        raise CannotType("no pointer is seen on the options")
    distance = labels.index(target.label) - selected[0]
    if distance == 0:
        return (KeyWrite(Check.POINTER, keys=("Enter",)),)
    key = "Down" if distance > 0 else "Up"
    return (
        KeyWrite(Check.SAME_PROMPT, keys=(key,) * abs(distance)),
        KeyWrite(Check.POINTER, keys=("Enter",)),
    )


def _enter() -> KeyWrite:
    return KeyWrite(Check.TEXT_SHOWN, keys=("Enter",))
