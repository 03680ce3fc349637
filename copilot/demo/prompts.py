"""The prompts of the simulated CLI: each takes what it asked for, says so, and flags the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from copilot.demo.raw_terminal import Key
from copilot.demo.stage import Stage

_LOOK_SECONDS = 0.25
"""How often a waiting prompt is redrawn, so that a resize shows."""


@dataclass(frozen=True, slots=True)
class Dialog:
    """A question with a list of options. `body` is drawn above the question."""

    name: str
    title: str
    body: tuple[str, ...]
    question: str
    options: tuple[str, ...]


def _dialog_rows(stage: Stage, dialog: Dialog, pointer: int) -> list[tuple[str, str]]:
    rows = [stage.rule(), (f" {dialog.title}", "bold"), ("", "")]
    rows += [(f"   {line}", "") for line in dialog.body]
    rows += [("", ""), (f" {dialog.question}", "")]
    for index, label in enumerate(dialog.options):
        mark = "❯" if index == pointer else " "
        rows.append((f" {mark} {index + 1}. {label}", "cyan" if index == pointer else ""))
    return stage.squeezed([*rows, ("", ""), (" Enter to select · ↑/↓ to move · Esc to cancel", "dim")])


def choose(stage: Stage, dialog: Dialog, swap: Callable[[], Dialog | None] = lambda: None) -> str:
    """The label that was chosen; Esc takes the last. Letters are ignored, but flagged.

    `swap` is asked at every redraw and may put another dialog in this one's place.
    """
    pointer = 0
    stage.note("asked", dialog.name, dialog.question)
    stage.draw(_dialog_rows(stage, dialog, pointer))
    stage.guard(dialog.name)
    while True:
        other = swap()
        if other is not None and other != dialog:
            dialog, pointer = other, 0
            stage.note("asked", dialog.name, dialog.question)
        stage.draw(_dialog_rows(stage, dialog, pointer))
        for key in stage.keys(_LOOK_SECONDS):
            pointer, chosen = _move(stage, dialog, key, pointer)
            if chosen is not None:
                return _received(stage, dialog.name, chosen, dialog.options)


def _move(stage: Stage, dialog: Dialog, key: Key, pointer: int) -> tuple[int, str | None]:
    """Where the pointer is after `key`, and the label if the key chose one."""
    last = len(dialog.options) - 1
    if key.name in ("Up", "Down"):
        return min(last, max(0, pointer + (1 if key.name == "Down" else -1))), None
    if key.name == "Enter" and not key.burst:
        return pointer, dialog.options[pointer]
    if key.name == "Esc":
        return pointer, dialog.options[last]
    if key.text.isascii() and key.text.isdigit() and 1 <= int(key.text) <= last + 1:
        return pointer, dialog.options[int(key.text) - 1]
    stage.flag(dialog.name, f"{key!s} at a list")
    return pointer, None


def _received(stage: Stage, name: str, value: str, options: Sequence[str] = ()) -> str:
    number = f"{options.index(value) + 1}. " if value in options else ""
    stage.note("received", name, value)
    stage.say(f"  ⎿ received: {number}{value or '(nothing)'}", "green")
    return value


def ask_line(stage: Stage, name: str, question: str, default: str = "") -> str:
    """A line of text, sent by an Enter of its own; nothing typed means `default`."""
    label = f" {question} [{default}]: " if default else f" {question}: "
    return _received(stage, name, _line(stage, name, label) or default)


def ask_yes_no(stage: Stage, name: str, question: str) -> bool:
    """Yes or no, by y or n and Enter; Enter alone means yes; anything else is flagged and asked again."""
    while True:
        answer = _line(stage, name, f" {question} (Y/n) ").strip().lower()
        if answer in ("", "y", "yes", "n", "no"):
            _received(stage, name, answer)
            return not answer.startswith("n")
        stage.flag(name, f"{answer!r} is neither y nor n")


def _line(stage: Stage, name: str, label: str) -> str:
    draft = ""
    stage.note("asked", name, label.strip())
    stage.draw([stage.rule(), (label, "bold")], (1, len(label)))
    stage.guard(name)
    while True:
        shown = label + stage.fitting(draft, len(label))
        stage.draw([stage.rule(), (shown, "bold")], (1, len(shown)))
        for key in stage.keys(_LOOK_SECONDS):
            if key.name == "Enter" and not key.burst:
                return draft
            draft = edited(stage, name, key, draft)


def edited(stage: Stage, name: str, key: Key, draft: str) -> str:
    """The draft after `key`. Text and Enter in one write are a paste, which does not send."""
    if key.burst:
        stage.flag(name, "text and Enter came in one write")
        return draft
    if key.text:
        return draft + key.text
    if key.name == "Backspace":
        return draft[:-1]
    if key.name == "C-u":
        return ""
    stage.flag(name, f"{key.name} in a line of text")
    return draft
