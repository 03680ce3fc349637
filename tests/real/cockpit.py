"""A person at the cockpit, in tmux: keys after the leader, looks at the screen, a picture of each moment."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from tests.real.run import copilot_command
from tests.real.stage import Stage
from tests.real.tmux import Tmux

LEADER = "C-]"
LOOK_SECONDS = 30.0
QUIET_SECONDS = 0.3
NEW_SECONDS = 0.4
"""A key that comes sooner after a prompt took another's place is not taken for an answer to it."""
"""Codex takes keys that follow each other faster for a paste, and an Enter among them for a line end."""


class Cockpit:
    """`copilot` with the stage's CLI, at 120x40. A context manager.

    Pictures of what was seen lie in the stage's folder as text with colours (`cat` shows them).
    """

    patience_seconds = LOOK_SECONDS

    def __init__(
        self, on: Stage, *options: str, task: str, environment: dict[str, str] | None = None
    ) -> None:
        self._pictures = on.folder / "pictures"
        self._pictures.mkdir()
        command = copilot_command(on, *options, log=on.folder / "runs", child=on.recipe.with_task(task))
        variables = {**on.recipe.environment, "COLORTERM": "truecolor", **(environment or {})}
        self.terminal = Tmux(command, columns=120, lines=40, cwd=on.project, environment=variables)

    def __enter__(self) -> Self:
        self.terminal.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.terminal.close()

    def sees(self, pattern: str, name: str = "") -> str:
        """The screen once it matches; with a `name` its picture is kept."""
        screen = self.terminal.screen_after(pattern, self.patience_seconds)
        if name:
            size = f"{self.terminal.columns}x{self.terminal.lines}"
            self.terminal.save_screen(self._pictures / f"{name}-{size}.ans")
        return screen

    def resizes(self, columns: int, lines: int) -> None:
        self.terminal.resize(columns, lines)

    def presses(self, *keys: str) -> None:
        """Press keys, as the terminal or the cockpit takes them."""
        self.terminal.keys(*keys)

    def types(self, text: str) -> None:
        """Type a text, and look at it for a moment."""
        self.terminal.type(text)
        self.terminal.settled_screen(QUIET_SECONDS, LOOK_SECONDS)

    def commands(self, *keys: str) -> None:
        """Press the leader, then keys of the cockpit."""
        self.terminal.keys(LEADER, *keys)

    def reads_it(self) -> None:
        """Take as long as a person does at least."""
        self.terminal.settled_screen(NEW_SECONDS, LOOK_SECONDS)

    def leaves(self, words: str) -> None:
        """Leave the CLI by typing, then the cockpit."""
        self.types(words)
        self.sees(rf"^[ ▌]?[❯›]\s{words}")
        self.presses("Enter")
        self.sees(r"✓ DONE", "left")
        self.commands("q")
        assert self.terminal.exit_status(20) == 0
