"""A run with a plan: of the core alone, and as the folder that it would have left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from copilot.core import events as ev
from copilot.core.plan import Plan, PlanCommand, PlanPrompt, PlanStep
from tests.fakes.plan_world import Copilot, World, copilot
from tests.recording.test_run_folder import begin


def command(text: str) -> PlanCommand:
    return PlanCommand(text, ("sh", "-c", text))


PLAN = Plan(
    "Greeting <b>",
    (
        PlanStep(name="Look", tasks=(command("ls"),)),
        PlanStep(
            name="Say", tasks=(PlanPrompt("Greet them"),), checks=(command("test -f `a` <i>"),), returns=1
        ),
        PlanStep(name="Bye", tasks=(PlanPrompt("Say farewell"),)),
    ),
)
CHECK = PLAN.steps[1].checks[0].text


def done(fails: int = 1) -> Copilot:
    """The plan, done in a world in which the check fails so often."""
    run = copilot(PLAN, World(fails={CHECK: fails}))
    run.live()
    return run


def recorded(run: Copilot, folder: Path) -> Path:
    """The folder of this run; each record is a second after the one before."""
    recorder = begin(folder)
    for at, step in enumerate(run.records):
        if isinstance(step, ev.Event):
            recorder.event(replace(step, at=float(at)))
        else:
            recorder.effect(step, float(at))
    recorder.close()
    return folder
