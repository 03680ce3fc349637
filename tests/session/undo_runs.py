"""A run with real checkpoints of a small project, as a live session would leave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from copilot.checkpoints.checkpoint import Checkpoint, Moment
from copilot.checkpoints.store import CheckpointStore
from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection, Subject
from copilot.core.plan import Plan, PlanPrompt, PlanStep
from copilot.core.reply import Autonomy, Decision, Reply, Verdict
from copilot.core.risk import NO_RISK, Risk
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.recording.run_folder import RunFolder

PLAN = Plan(
    "plan", tuple(PlanStep(name=name, tasks=(PlanPrompt(f"Do {name}"),)) for name in ("one", "two", "three"))
)


def recorder(folder: Path, project: Path) -> RunFolder:
    settings = RunSettings(
        child=("claude",),
        profile="claude",
        autonomy=Autonomy.FULL,
        cwd=str(project),
        log_folder=str(folder),
        plan="plan.yml",
    )
    return RunFolder(settings, redact=lambda text: text, on_failed=_fail)


def _fail(reason: str) -> None:
    raise AssertionError(reason)


@dataclass
class Recording:
    """Writes the records and takes the checkpoints of one run."""

    folder: Path
    project: Path
    at: float = 0.0
    decisions: int = 0
    files: dict[str, str] = field(default_factory=lambda: {"a.txt": "one\ntwo\nthree\n"})

    def __post_init__(self) -> None:
        self.project.mkdir(exist_ok=True)
        for name, text in self.files.items():
            (self.project / name).write_text(text)
        self.run = recorder(self.folder, self.project)
        self.store = CheckpointStore.make(self.folder, self.project)
        self.run.event(ev.Started(at=0.0))
        self.keep(CheckpointMoment.START)

    def keep(self, moment: CheckpointMoment, text: str = "") -> Checkpoint:
        before = self.decisions + (moment is not CheckpointMoment.REPLY)
        taken = self.store.take(moment.author, Moment(moment.value, self.at, before, text))
        changes = taken.changes
        self.run.event(
            ev.CheckpointTaken(
                at=self.at,
                number=taken.number,
                moment=moment,
                author=taken.author,
                before=before,
                created=changes.created,
                changed=changes.changed,
                removed=changes.removed,
            )
        )
        self.at += 1.0
        return taken

    def prompt(
        self,
        reply: Reply,
        *,
        asked: Detection | None = None,
        risk: Risk = NO_RISK,
        verdict: Verdict = Verdict.SEND,
        outcome: str = "taken",
    ) -> None:
        """A prompt, a checkpoint and its reply; then the program is at work."""
        detection = asked or Detection(ScreenKind.IDLE, identity=f"i.{self.decisions}")
        self.run.event(ev.ScreenSettled(at=self.at, detection=detection, risk=risk))
        self.decisions += 1
        decided = Decision(self.decisions, verdict, detection.identity, reply, "so", "policy.full", risk)
        self.run.effect(fx.RecordDecision(decided), self.at)
        self.keep(CheckpointMoment.REPLY, str(reply))
        self.run.effect(fx.WriteKeys(self.decisions, text=str(reply)), self.at)
        self.run.effect(fx.ReplyTaken(self.decisions, outcome), self.at)

    def moved(self, step: int, part: str, state: str, text: str = "", decision: int = 0) -> None:
        digest = PLAN.steps[step - 1].digest if step else ""
        self.run.effect(fx.PlanMoved(step, part, state, text, decision, f"{step}/3", digest), self.at)

    def plan_step(self, step: int, files: dict[str, str | None], *, ends: bool = True) -> None:
        """A step of the plan: its prompt is typed, the program changes files, and its turn ends."""
        self.moved(step, "", "began")
        text = f"Do {PLAN.steps[step - 1].name}"
        self.moved(step, "send 1", "typing", text, self.decisions + 1)
        self.prompt(Reply(text=text))
        self.moved(step, "send 1", "sent")
        change(self.project, files)
        if ends:
            self.keep(CheckpointMoment.TURN)
            self.moved(step, "send 1", "done")
            self.moved(step, "", "done")

    def close_as_person(self) -> None:
        """What changed last is the person's."""
        self.keep(CheckpointMoment.REPLY, "Bye")
        self.close()

    def close(self) -> None:
        self.keep(CheckpointMoment.END)
        self.store.close()
        self.run.close()


def change(project: Path, files: dict[str, str | None]) -> None:
    """Write these files; None removes one."""
    for name, text in files.items():
        if text is None:
            (project / name).unlink()
        else:
            (project / name).parent.mkdir(exist_ok=True)
            (project / name).write_text(text)


def contents(project: Path) -> dict[str, str]:
    """All files of a project."""
    return {str(path.relative_to(project)): path.read_text() for path in project.rglob("*") if path.is_file()}


def shell(command: str, identity: str) -> Detection:
    """A permission to run a command."""
    return Detection(ScreenKind.PERMISSION, "Run it?", subject=Subject("shell", command), identity=identity)


def three_steps(folder: Path, project: Path, steps: Sequence[int] = (1, 2, 3)) -> Recording:
    """A plan of three steps, each of which makes a file and adds a line to `log.txt`."""
    made = Recording(folder, project)
    made.moved(0, "", "began", "plan")
    log = ""
    for step in steps:
        log += f"step {step}\n"
        made.plan_step(step, {f"made{step}.txt": "x\n", "log.txt": log})
    return made
