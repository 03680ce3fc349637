"""What the run made is known to the judge before a proposal counts; a late checkpoint is not waited for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from copilot.config.profile_files import load_profile
from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.reply import Autonomy, Decision, Proposal, Reply, Verdict
from copilot.core.run import Run
from copilot.detection import Examiner
from copilot.engine.engine import Engine, Output
from copilot.engine.inputs import Input
from copilot.engine.made_files import WAIT_SECONDS
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.guard.scope import ProjectScope
from copilot.recording.asciicast import Cast, CastHeader
from copilot.replay.driver import CastPlayer, Piece
from copilot.screen import TerminalScreen

LINE = "─" * 80
DOTS = "╌" * 80
ROWS = (
    LINE,
    " Bash command",
    " Clean up",
    DOTS,
    " rm a.txt",
    DOTS,
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. No",
)
SCREEN = "\r\n".join((*ROWS, "", " Esc to cancel"))
SCOPE = ProjectScope("/srv/p", "/home/me", resolve=str, is_file=lambda _: False)


class Saving(CastPlayer):
    """Answers each checkpoint at once with what the program has made; never, if `late` is None."""

    created: tuple[str, ...] = ()
    late: float | None = 0.0
    restored: tuple[str, ...] = ()
    """What an undo puts back right after."""

    def _answers(self, output: Output, at: float) -> Iterator[Input]:
        yield from super()._answers(output, at)
        if isinstance(output, fx.TakeCheckpoint) and self.late is not None:
            created = self.created if output.moment is CheckpointMoment.WAITS else ()
            yield ev.CheckpointTaken(
                at=at,
                number=1,
                moment=output.moment,
                author=output.moment.author,
                before=output.before,
                created=created,
            )
            if self.restored:
                yield ev.FilesRestored(at=at, number=2, before=1, paths=self.restored)


def decisions(
    created: tuple[str, ...], late: float | None = 0.0, restored: tuple[str, ...] = ()
) -> list[tuple[float, Decision]]:
    profile = load_profile("claude")
    run = Run(profile=profile, autonomy=Autonomy.FULL, checkpoints=True)
    reader = ScreenReader(TerminalScreen(80, 24), Examiner(profile))
    engine = Engine(run, reader, RiskAssessor(SCOPE))
    pieces = [Piece(0.1, b"\x1b[?25l" + SCREEN.encode()), Piece(8.0)]
    yes = Proposal(Reply(choice="Yes"))
    player = Saving(Cast(CastHeader(80, 24), ()), engine, pieces, lambda _: yes)
    player.created, player.late, player.restored = created, late, restored
    return [(run.now, step.decision) for step in player.outputs(8.0) if isinstance(step, fx.RecordDecision)]


@pytest.mark.row("CP-84")
def test_only_what_the_run_made_may_go_by_itself() -> None:
    assert decisions(("a.txt",))[0][1].verdict is Verdict.SEND
    assert decisions(("b.txt",))[0][1].verdict is Verdict.HOLD


def test_what_an_undo_put_back_is_not_the_runs_own() -> None:
    assert decisions(("a.txt",), restored=("a.txt",))[0][1].verdict is Verdict.HOLD
    assert decisions(("a.txt",), restored=("b.txt",))[0][1].verdict is Verdict.SEND


def test_a_checkpoint_that_never_comes_is_not_waited_for_longer() -> None:
    at, decision = decisions(("a.txt",), late=None)[0]
    assert decision.verdict is Verdict.HOLD
    assert WAIT_SECONDS <= at < 8.0
