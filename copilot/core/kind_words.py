"""What people read for a kind of screen: a label, and a noun with its article for a sentence."""

from __future__ import annotations

from copilot.core.detection import ScreenKind

KIND_WORDS = {
    ScreenKind.STARTING: "starting",
    ScreenKind.TRUST: "trust this folder?",
    ScreenKind.LOGIN: "login",
    ScreenKind.MENU: "menu",
    ScreenKind.PERMISSION: "permission",
    ScreenKind.YES_NO: "yes or no",
    ScreenKind.QUESTION: "question",
    ScreenKind.TEXT_INPUT: "text wanted",
    ScreenKind.PASSWORD: "password",
    ScreenKind.PRESS_KEY: "press a key",
    ScreenKind.PAGER: "pager",
    ScreenKind.EDITOR: "editor",
    ScreenKind.IDLE: "ready",
    ScreenKind.COMPLETED: "turn done",
    ScreenKind.BUSY: "busy",
    ScreenKind.ERROR: "error",
    ScreenKind.EXITED: "exited",
    ScreenKind.UNKNOWN: "not understood",
}
_NOUNS = {
    ScreenKind.STARTING: "a program that starts",
    ScreenKind.TRUST: "trust in a folder",
    ScreenKind.YES_NO: "a question for yes or no",
    ScreenKind.TEXT_INPUT: "a wanted text",
    ScreenKind.PRESS_KEY: "a wanted key",
    ScreenKind.EDITOR: "an editor",
    ScreenKind.IDLE: "a new instruction",
    ScreenKind.COMPLETED: "a new instruction",
    ScreenKind.BUSY: "a program at work",
    ScreenKind.ERROR: "an error",
    ScreenKind.EXITED: "a program that has ended",
    ScreenKind.UNKNOWN: "a screen that is not understood",
}


def kind_noun(kind: ScreenKind) -> str:
    """`an editor`, `a wanted text`: what waits there, to be named in a sentence."""
    return _NOUNS.get(kind, f"a {KIND_WORDS[kind]}")
