"""Screens that hide, forge, cut or shift what a dialog asks, through the whole engine, with a model that says yes.

`python -m tests.guard.guided_screens` prints what was decided of each and the keys that would be typed.
Written by somebody who had read the guard; names beginning with `base_`, `opt_` or `g_` are ordinary prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from copilot.config.profile_files import load_profile
from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy, Decision, Proposal, Reply
from copilot.core.run import Run
from copilot.detection import Examiner
from copilot.engine.engine import Engine
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.guard.scope import ProjectScope
from copilot.recording.asciicast import Cast, CastHeader
from copilot.replay.driver import CastPlayer, Piece
from copilot.screen import TerminalScreen

FOLDER = Path(__file__).parent / "screens"
ORDINARY = ("base_", "g_")
COLUMNS, ROWS = 120, 40
SECONDS = 8.0
LEVELS = (Autonomy.ASSIST, Autonomy.FULL)
SCOPE = ProjectScope("/srv/shop", "/home/me", resolve=str, is_file=lambda _: False)


@dataclass(frozen=True)
class Played:
    """What came of one screen: the last reading, the decisions, and the names of the keys that were typed."""

    settled: ev.ScreenSettled | None
    decisions: tuple[Decision, ...]
    keys: tuple[str, ...]

    @property
    def subject(self) -> str:
        subject = self.settled.detection.subject if self.settled else None
        return f"{subject.action}{'(cut)' if subject.cut else ''} {subject.text!r}" if subject else "-"


def profile_name(name: str) -> str:
    """Whose screen it is, by its file's name."""
    return "codex" if name.startswith("cdx_") else "generic" if name.startswith("g_") else "claude"


def profile_for(name: str) -> Profile:
    """The shipped profile of that name."""
    return load_profile(name)


def play(
    data: bytes,
    profile: Profile,
    level: Autonomy,
    choose: int = 0,
    headless: bool = False,
    scope: ProjectScope = SCOPE,
    size: tuple[int, int] = (COLUMNS, ROWS),
    make: Callable[[Run, ScreenReader, RiskAssessor], Engine] = Engine,
) -> Played:
    """Shows `data` and answers with option number `choose` (or the last one), or with yes."""

    def yes(asked: fx.AskProvider) -> Proposal:
        options = asked.detection.options
        label = options[min(choose, len(options) - 1)].label if options else None
        return Proposal(Reply(choice=label) if label is not None else Reply(text="yes"))

    screen = TerminalScreen(*size)
    run = Run(profile=profile, autonomy=level, headless=headless)
    engine = make(run, ScreenReader(screen, Examiner(profile)), RiskAssessor(scope))
    cast = Cast(CastHeader(*size), ())
    pieces = [Piece(0.1, b"\x1b[?25l" + data), Piece(SECONDS)]
    steps = list(CastPlayer(cast, engine, pieces, yes).outputs(until=SECONDS))
    settled = [one for one in steps if isinstance(one, ev.ScreenSettled)]
    decisions = tuple(one.decision for one in steps if isinstance(one, fx.RecordDecision))
    keys = tuple(key for one in steps if isinstance(one, fx.WriteKeys) for key in (*one.keys, *one.text))
    return Played(settled[-1] if settled else None, decisions, keys)


def screens() -> list[Path]:
    """The files of the folder."""
    return sorted(FOLDER.glob("*.ans"))


def _lines() -> Iterator[str]:
    for path in screens():
        profile = profile_for(profile_name(path.stem))
        for level in LEVELS:
            played = play(path.read_bytes(), profile, level)
            risk = played.settled.risk if played.settled else None
            ruled = " ".join(f"{one.verdict.value}:{one.rule}" for one in played.decisions)
            kind = played.settled.detection.kind.value if played.settled else "-"
            word = f"{risk.level.word}:{risk.rule}" if risk else "-"
            keys = "".join(played.keys) or "-"
            yield f"{path.stem:22} {level.value:7} {kind:10} {word:30} {ruled:42} keys={keys:8} {played.subject[:90]}"


if __name__ == "__main__":
    print("\n".join(_lines()))
