"""The story that the simulated CLI plays: a small piece of work with every kind of prompt in it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from copilot.demo.project import DELETION_SCENE
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


PERMISSION_OPTIONS = (
    "Yes",
    "Yes, and don't ask again this session",
    "No, and tell me what to do differently (esc)",
)
_BUILD_STEPS = ("compile", "lint", "bundle", "hash", "copy", "index")


class Story:
    """The scenes, by name; each leaves its mark in the project folder and in the transcript."""

    def __init__(self, stage: Stage, project: Path, swap_after: float | None = None) -> None:
        self._stage = stage
        self._project = project
        self._swap_after = swap_after
        self.scenes: dict[str, Callable[[], None]] = {
            "read": self.read,
            "permission": self.permission,
            "output": self.output,
            "menu": self.menu,
            "yes_no": self.yes_no,
            "text": self.text,
            DELETION_SCENE: self.destructive,
        }

    def read(self) -> None:
        """Be busy, with two decoys: a question that does not wait, and a prompt that is only quoted."""
        self._stage.say("● I will look at the project first.")
        quoted = (
            "  ⎿ README.md",
            "     Overwrite every file? [y/N]",
            "     (a line of the file, nobody asks)",
        )
        self._stage.work("Reading", 1.5, quoted)
        self._stage.say("● Should I also rewrite the tests? I look at how they are run before I decide.")
        self._stage.work("Thinking", 1.5)

    def permission(self) -> None:
        """Ask to write a file, and write it only if allowed."""
        body = ("greeting.py", "", "1 +def greet(name: str) -> str:", '2 +    return f"Hello, {name}!"')
        asked = Dialog("write", "Create file", body, "Do you want to create greeting.py?", PERMISSION_OPTIONS)
        answer = choose(self._stage, asked, self._swapper())
        if answer.startswith("Yes"):
            (self._project / "greeting.py").write_text(
                'def greet(name: str) -> str:\n    return f"Hello, {name}!"\n', encoding="utf-8"
            )
            self._stage.say("● Wrote greeting.py (2 lines).")
        else:
            self._stage.say("● I leave greeting.py unwritten.")

    def _swapper(self) -> Callable[[], Dialog | None]:
        began, after = time.monotonic(), self._swap_after
        if after is None:
            return lambda: None
        return lambda: self._removal() if time.monotonic() - began >= after else None

    def output(self) -> None:
        """Long output, quickly."""
        self._stage.say("● Building…")
        rows = [f"     [{n:3d}/160] {_BUILD_STEPS[n % 6]} module_{n:03d} ok" for n in range(1, 161)]
        self._stage.work("Building", 2.0, rows)

    def menu(self) -> None:
        """A choice of three."""
        body = ("The text that a visitor reads first.",)
        options = ("Plain (Recommended)", "Formal", "With the time of day")
        asked = Dialog(
            "menu", "Style of the greeting", body, "Which style should the greeting have?", options
        )
        style = choose(self._stage, asked)
        self._stage.say(f"● The greeting will be: {style}.")
        self._stage.work("Editing", 0.8)

    def yes_no(self) -> None:
        """A question in a line, answered by y or n."""
        if ask_yes_no(self._stage, "yes_no", "Add a line about it to README.md?"):
            with (self._project / "README.md").open("a", encoding="utf-8") as file:
                file.write("\nSee greeting.py for how visitors are greeted.\n")
            self._stage.say("● README.md has a new line.")
        else:
            self._stage.say("● README.md stays as it is.")

    def text(self) -> None:
        """Free text, with a default."""
        name = ask_line(self._stage, "text", "Enter a title for the page", "Welcome")
        self._stage.say(f"● The page is titled {name}.")
        self._stage.work("Writing notes", 0.8)

    def destructive(self) -> None:
        """Ask to delete a folder; refused, the folder stays."""
        answer = choose(self._stage, self._removal())
        if answer.startswith("Yes"):
            shutil.rmtree(self._project / "build", ignore_errors=True)
            self._stage.say("● Removed build/.")
        else:
            self._stage.say("● I keep build/ as it is.")

    def _removal(self) -> Dialog:
        body = ("rm -rf build", "Remove the old build folder")
        return Dialog(DELETION_SCENE, "Bash command", body, "Do you want to proceed?", PERMISSION_OPTIONS)


def composer(stage: Stage, linger: float | None) -> None:
    """The composer when the work is done: `/exit` leaves, other text is taken as a new task.

    With `linger` the program also ends by itself after so many seconds without a key.
    """
    draft = ""
    idle_since = time.monotonic()
    stage.note("asked", "composer")
    while linger is None or time.monotonic() - idle_since < linger:
        rows = stage.composer_rows(draft, "  ? for shortcuts · /exit to leave")
        stage.draw(rows, (2, 2 + len(stage.fitting(draft, 2))))
        for key in stage.keys(0.25):
            idle_since = time.monotonic()
            if key.name == "C-d" and not draft:
                return
            if key.name == "Enter" and not key.burst:
                if draft.strip() == "/exit":
                    stage.note("received", "composer", draft)
                    return
                if draft:
                    _take_task(stage, draft)
                draft = ""
            else:
                draft = edited(stage, "composer", key, draft)


def _take_task(stage: Stage, task: str) -> None:
    stage.note("received", "composer", task)
    stage.say(f"❯ {task}")
    stage.say(f"  ⎿ received: {task}", "green")
    stage.work("Working", 1.0)
    stage.say("● Nothing is left to do.")
    stage.say("✻ Worked for 1s", "dim")
