"""The registry of kinds of screen: what a screen can be, and what holds for each kind."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass


class ScreenKind(enum.StrEnum):
    """What a screen is. These words are fixed: labels, `copilot detect` and profiles use them."""

    STARTING = "starting"
    TRUST = "trust"
    LOGIN = "login"
    MENU = "menu"
    PERMISSION = "permission"
    YES_NO = "yes_no"
    QUESTION = "question"
    TEXT_INPUT = "text_input"
    PASSWORD = "password"
    PRESS_KEY = "press_key"
    PAGER = "pager"
    EDITOR = "editor"
    IDLE = "idle"
    COMPLETED = "completed"
    BUSY = "busy"
    ERROR = "error"
    EXITED = "exited"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class KindEntry:
    """What holds for one kind of screen. `words` name it alone, `noun` names it within a sentence."""

    words: str
    noun: str = ""
    label_key: str = ""
    """What a person presses to say that a screen is of this kind."""
    hint: str = ""
    """What follows its words where that is asked."""
    asks: bool = False
    ready: bool = False
    """The composer is ready and nothing is asked."""
    takes_text: bool = False
    goes_on: bool = False
    """`reply_keys.continue_keys` may leave it."""
    assisted: bool = False
    """Level assist answers it. Not a pager: whoever sits there may be reading."""
    persons: bool = False
    """No level says yes to it by itself (trust is given by `--trust`)."""
    secret: bool = False
    """A secret is asked: the person's alone to type, never a model's, never recorded."""
    high_risk: str = ""
    """Why every reply to it is of high risk."""
    low_risk: str = ""
    """Why a reply to it is of low risk where no word names a risk."""


SCREEN_KINDS: Mapping[ScreenKind, KindEntry] = {
    ScreenKind.PERMISSION: KindEntry(
        "permission", label_key="p", hint="wants to run or edit", asks=True, assisted=True
    ),
    ScreenKind.MENU: KindEntry("menu", label_key="m", hint="a list to choose from", asks=True, assisted=True),
    ScreenKind.YES_NO: KindEntry(
        "yes or no",
        "a question for yes or no",
        label_key="y",
        hint="a yes-or-no question",
        asks=True,
        assisted=True,
    ),
    ScreenKind.TRUST: KindEntry(
        "trust this folder?", "trust in a folder", label_key="r", asks=True, persons=True
    ),
    ScreenKind.QUESTION: KindEntry(
        "question",
        label_key="q",
        hint="asked in its message",
        asks=True,
        takes_text=True,
        low_risk="an answer in words changes nothing by itself",
    ),
    ScreenKind.TEXT_INPUT: KindEntry(
        "text wanted",
        "a wanted text",
        label_key="t",
        hint="it wants text",
        asks=True,
        takes_text=True,
        low_risk="a text is entered",
    ),
    ScreenKind.PASSWORD: KindEntry(
        "password",
        label_key="w",
        hint="it wants a secret",
        asks=True,
        persons=True,
        secret=True,
        high_risk="a password is the person's to type",
    ),
    ScreenKind.LOGIN: KindEntry(
        "login",
        label_key="l",
        hint="an account or key",
        asks=True,
        persons=True,
        secret=True,
        high_risk="signing in is the person's to do",
    ),
    ScreenKind.PRESS_KEY: KindEntry(
        "press a key",
        "a wanted key",
        label_key="k",
        hint="goes on at any key",
        asks=True,
        goes_on=True,
        assisted=True,
        low_risk="a key is pressed to go on",
    ),
    ScreenKind.PAGER: KindEntry(
        "pager",
        label_key="g",
        hint="text is being paged",
        asks=True,
        goes_on=True,
        low_risk="a pager is left",
    ),
    ScreenKind.EDITOR: KindEntry(
        "editor",
        "an editor",
        label_key="v",
        hint="an editor is open",
        asks=True,
        goes_on=True,
        persons=True,
        high_risk="what is in an editor is the person's",
    ),
    ScreenKind.IDLE: KindEntry(
        "ready", "a new instruction", label_key="i", hint="nothing is asked", ready=True, takes_text=True
    ),
    ScreenKind.COMPLETED: KindEntry(
        "turn done",
        "a new instruction",
        label_key="c",
        hint="ready after a turn",
        ready=True,
        takes_text=True,
    ),
    ScreenKind.BUSY: KindEntry("busy", "a program at work", label_key="b", hint="it works"),
    ScreenKind.STARTING: KindEntry("starting", "a program that starts", label_key="s", hint="it starts"),
    ScreenKind.ERROR: KindEntry(
        "error",
        "an error",
        label_key="e",
        hint="a turn failed",
        high_risk="an error waits for a decision",
    ),
    ScreenKind.EXITED: KindEntry("exited", "a program that has ended"),
    ScreenKind.UNKNOWN: KindEntry(
        "not understood",
        "a screen that is not understood",
        persons=True,
        high_risk="the screen is not understood",
    ),
}
"""The registry of kinds, in the order in which a person is offered them as labels."""

PROMPT_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.asks)
READY_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.ready)
SECRET_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.secret)
TEXT_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.takes_text)
PERSONS_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.persons)

WAITING_KINDS = PROMPT_KINDS | READY_KINDS | {ScreenKind.ERROR}
"""Kinds in which the child does nothing until keys come (`error` only if it does not retry by itself)."""

KIND_WORDS = {kind: entry.words for kind, entry in SCREEN_KINDS.items()}


def kind_noun(kind: ScreenKind) -> str:
    """`an editor`, `a wanted text`: what waits there, to be named in a sentence."""
    return SCREEN_KINDS[kind].noun or f"a {SCREEN_KINDS[kind].words}"
