"""An engine on a screen of our own, and what comes out of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from copilot.config.profile_files import load_profile
from copilot.core.reply import Autonomy
from copilot.core.run import Run
from copilot.detection import Examiner
from copilot.engine.engine import Engine, Output
from copilot.engine.grants import RunGrants
from copilot.engine.inputs import ChildStarted, ChildWrote, Input, Looked, Tick
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.guard.grants import Grant
from copilot.guard.scope import ProjectScope
from copilot.screen import TerminalScreen

T = TypeVar("T")
SCOPE = ProjectScope(cwd="/p", home="/home/me")


class Driven:
    """An engine with its clock in the test's hands; `outputs` are all that came out so far."""

    def __init__(
        self, *rules: str, profile: str = "claude", level: Autonomy = Autonomy.FULL, lines: int = 40
    ) -> None:
        loaded = load_profile(profile)
        reader = ScreenReader(TerminalScreen(80, lines), Examiner(loaded))
        grants = RunGrants([Grant.parse(rule) for rule in rules])
        self.engine = Engine(Run(profile=loaded, autonomy=level), reader, RiskAssessor(SCOPE), grants)
        self.outputs: list[Output] = []
        self.at = 0.0
        self.give(ChildStarted(at=0.0, epoch=0.0))

    def give(self, given: Input) -> list[Output]:
        """What follows from it."""
        came = list(self.engine.receive(given))
        self.outputs += came
        return came

    def shows(self, text: str, seconds: float = 2.0) -> list[Output]:
        """The child draws this on an empty screen; time passes until it has settled."""
        self.give(ChildWrote(self.at, b"\x1b[2J\x1b[H" + text.replace("\n", "\r\n").encode()))
        return self.passes(0.0) + self.passes(seconds)

    def passes(self, seconds: float) -> list[Output]:
        """Time passes, on both clocks."""
        self.at += seconds
        return self.give(Tick(at=self.at, epoch=self.at))

    def looks(self) -> list[Output]:
        """The answer to a LookAtScreen."""
        return self.give(Looked(at=self.at, epoch=self.at))

    def of(self, kind: type[T]) -> list[T]:
        """All outputs of that kind so far."""
        return only(self.outputs, kind)


def only(outputs: Iterable[Output], kind: type[T]) -> list[T]:
    """Those of that kind."""
    return [output for output in outputs if isinstance(output, kind)]
