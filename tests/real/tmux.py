"""A terminal to drive by script: tmux on a socket of its own, without anybody's configuration."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_LOOK_SECONDS = 0.05
_TMUX_SECONDS = 20.0
_SHELL = "trap : INT QUIT; {program}; echo $? > {status}.new; mv {status}.new {status}"


class TmuxError(AssertionError):
    """What was waited for did not come; the message holds the screen."""


class Tmux:
    """One program in one tmux pane of a fixed size; a context manager that leaves no process behind.

    tmux runs it with exactly `environment`. The pane stays after the program has ended, so that its last
    screen and exit status can be read.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 120,
        lines: int = 40,
        cwd: Path | str = ".",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.columns = columns
        self.lines = lines
        self._command = list(command)
        self._cwd = str(cwd)
        self._environment = dict(environment or {})
        self._folder = Path(tempfile.mkdtemp(prefix="tmux-test-"))
        self._socket = str(self._folder / "socket")
        self._status_file = self._folder / "status"

    def __enter__(self) -> Self:
        clean = [f"{name}={value}" for name, value in self._environment.items()]
        program = _SHELL.format(
            program=shlex.join(["env", "-i", *clean, *self._command] if clean else self._command),
            status=shlex.quote(str(self._status_file)),
        )
        size = ["-x", str(self.columns), "-y", str(self.lines)]
        options = ["set", "-g", "status", "off", ";", "set", "-g", "remain-on-exit", "on", ";"]
        options += ["set", "-g", "history-limit", "5000", ";", "set", "-sg", "escape-time", "0", ";"]
        options += ["set", "-g", "default-terminal", "tmux-256color", ";"]
        self.tmux(*options, "new-session", "-d", "-s", "main", *size, "-c", self._cwd, program)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End tmux and what runs in it. Harmless when repeated."""
        command = ["tmux", "-S", self._socket, "kill-server"]
        subprocess.run(command, capture_output=True, check=False, timeout=_TMUX_SECONDS)
        shutil.rmtree(self._folder, ignore_errors=True)

    def tmux(self, *arguments: str) -> str:
        """One tmux command on our socket. Raises TmuxError with what tmux says."""
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_TMUX_SECONDS)
        if done.returncode != 0:
            raise TmuxError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    @property
    def attach(self) -> list[str]:
        """The command that shows this terminal in another one."""
        return ["tmux", "-S", self._socket, "-f", "/dev/null", "attach-session", "-t", "main"]

    def keys(self, *names: str) -> None:
        """Press keys by tmux's names (`Enter`, `Escape`, `Down`, `C-c`, `1`)."""
        self.tmux("send-keys", "-t", "main", *names)

    def type(self, text: str) -> None:
        """Type a text as it is, without Enter."""
        self.tmux("send-keys", "-t", "main", "-l", "--", text)

    def raw(self, data: bytes) -> None:
        """Give the program these bytes as they are, as a terminal would for the mouse."""
        self.tmux("send-keys", "-t", "main", "-H", *(f"{byte:02x}" for byte in data))

    def paste(self, text: str) -> None:
        """Paste a text; bracketed if the program wants that."""
        self.tmux("set-buffer", "--", text)
        self.tmux("paste-buffer", "-p", "-d", "-t", "main")

    def resize(self, columns: int, lines: int) -> None:
        self.tmux("resize-window", "-t", "main", "-x", str(columns), "-y", str(lines))
        self.columns, self.lines = columns, lines

    def screen(self, *, colours: bool = False) -> str:
        """What is on the screen, a line per row; with `colours` as escape sequences."""
        return self.tmux("capture-pane", "-p", *(["-e"] if colours else []), "-t", "main")

    def screen_after(self, pattern: str, seconds: float) -> str:
        """The screen as soon as it matches `pattern` (multi-line mode). Raises TmuxError with the screen."""
        expression = re.compile(pattern, re.MULTILINE)
        return self._look_until(lambda screen: expression.search(screen) is not None, f"{pattern!r}", seconds)

    def screen_without(self, pattern: str, seconds: float) -> str:
        """The screen as soon as it does not match `pattern`. Raises TmuxError with the screen."""
        expression = re.compile(pattern, re.MULTILINE)
        return self._look_until(lambda screen: expression.search(screen) is None, f"no {pattern!r}", seconds)

    def settled_screen(self, quiet_seconds: float, seconds: float) -> str:
        """The screen once it has not changed for `quiet_seconds`. Raises TmuxError with the screen."""
        last, since = "", time.monotonic()

        def settled(screen: str) -> bool:
            nonlocal last, since
            if screen != last:
                last, since = screen, time.monotonic()
            return time.monotonic() - since >= quiet_seconds

        return self._look_until(settled, f"a screen quiet for {quiet_seconds} s", seconds)

    def exit_status(self, seconds: float) -> int:
        """The program's exit status once it has ended, negative for a signal. Raises TmuxError with the screen.

        tmux 3.3 sometimes never learns the status, so the pane's shell writes it down.
        """
        self._look_until(lambda _: self._status_file.exists(), "the end of the program", seconds)
        status = int(self._status_file.read_text())
        return status if status < 128 else 128 - status

    @property
    def pid(self) -> int:
        """The process id of the program. Raises TmuxError when it has ended."""
        shell = self.asked("#{pane_pid}")
        children = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=False).stdout
        if not children.split():
            raise TmuxError("the program has ended")
        return int(children.split()[0])

    @property
    def title(self) -> str:
        return self.asked("#{pane_title}")

    @property
    def alternate_screen(self) -> bool:
        """Whether the program draws on the alternate screen."""
        return self.mode("alternate_on") == "1"

    def mode(self, name: str) -> str:
        """A mode of the terminal by tmux's name for it (`mouse_any_flag`, `cursor_flag`)."""
        return self.asked(f"#{{{name}}}")

    def save_screen(self, path: Path) -> None:
        """Keep the screen with its colours in a file (`cat` shows it)."""
        path.write_text(self.screen(colours=True), encoding="utf-8")

    def asked(self, question: str) -> str:
        """What tmux says to a question in its own formats (`#{cursor_x}`)."""
        return self.tmux("display-message", "-p", "-t", "main", question).rstrip("\n")

    def _look_until(self, good: Callable[[str], bool], what: str, seconds: float) -> str:
        deadline = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if good(screen):
                return screen
            if time.monotonic() > deadline:
                raise TmuxError(f"waited {seconds} s for {what}; the screen is:\n{screen}")
            time.sleep(_LOOK_SECONDS)


def has_tmux() -> bool:
    """Whether tmux is installed."""
    return shutil.which("tmux") is not None
