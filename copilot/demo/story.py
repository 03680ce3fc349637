"""The story that the simulated CLI plays: a small piece of work with every kind of prompt in it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from copilot.demo.project import DELETION_SCENE
from copilot.demo.prompts import Dialog, ask_line, ask_yes_no, choose, edited
from copilot.demo.stage import Stage

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
