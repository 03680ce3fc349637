"""Makes the golden runs in `snapshots/runs/` anew: `python -m tests.replay.make_golden [NAME...]`.

Each is a real run of the whole co-pilot: on the simulated CLI with a person who acts, or dry on a recording of
a real CLI that is played as a child. What belongs to the machine (folders, interpreter) is taken out after.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from copilot.core.reply import Autonomy, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.private_files import replace_atomically
from copilot.recording.transcript import json_text
from tests.replay.golden import GOLDEN
from tests.session.live import Watched, demo_settings, ended, running

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
KEPT = ("manifest.json", "transcript.jsonl", "session.cast", "prompts", "looks")
PROMPT = "Work within this project. Files may be written. Never delete anything."


async def demo_full(log: Path) -> None:
    """The simulated CLI at level full; the deletion is refused by the rules."""
    await _demo(log, Autonomy.FULL, _nobody)


async def demo_person(log: Path) -> None:
    """At level suggest: a person sends, edits, takes over and dismisses."""
    await _demo(log, Autonomy.SUGGEST, _person)


async def _demo(log: Path, level: Autonomy, person: Callable[[Watched], Awaitable[None]]) -> None:
    project = DemoProject.make()
    try:
        settings = demo_settings(project, log, autonomy=level, governing_prompt=PROMPT)
        async with running(settings) as watched:
            await person(watched)
            await ended(watched)
    finally:
        project.remove()


async def _nobody(watched: Watched) -> None:
    """At the end the simulated CLI waits a while for another task, and leaves."""
    session = watched.live
    await watched.until(lambda: session.run.detection.kind is ScreenKind.COMPLETED, "the end")
    session.type_bytes(b"/exit")
    await asyncio.sleep(0.3)
    session.type_bytes(b"\r")


async def _person(watched: Watched) -> None:
    session = watched.live

    async def held(kind: ScreenKind) -> str:
        run = session.run
        await watched.until(
            lambda: run.detection.kind is kind and run.state is RunState.HELD, f"a {kind.value} held"
        )
        await asyncio.sleep(0.5)
        return run.detection.identity

    session.send(Reply(choice="Yes"), identity=await held(ScreenKind.PERMISSION))
    session.send(Reply(choice="Formal"), identity=await held(ScreenKind.MENU))
    session.dismiss(identity=await held(ScreenKind.YES_NO))
    await asyncio.sleep(0.3)
    session.type_bytes(b"n")
    await asyncio.sleep(0.3)
    session.type_bytes(b"\r")
    session.send(Reply(text="Shop"), identity=await held(ScreenKind.TEXT_INPUT))
    await held(ScreenKind.PERMISSION)
    session.type_bytes(b"\x1b")
    await _nobody(watched)


def played(cli: str, name: str, level: Autonomy) -> Callable[[Path], Coroutine[Any, Any, None]]:
    """A recording of a real CLI, played as a child at its own speed, watched dry."""

    async def make(log: Path) -> None:
        cast = CORPUS / cli / f"{name}.cast"
        head = json.loads(cast.open(encoding="utf-8").readline())
        settings = RunSettings(
            child=(sys.executable, str(ROOT / "tests" / "replay" / "play_cast.py"), str(cast)),
            profile=cli,
            autonomy=level,
            cwd=tempfile.gettempdir(),
            log_folder=str(log),
            governing_prompt=PROMPT,
            dry_run=True,
            columns=head["width"],
            lines=head["height"],
        )
        async with running(settings) as watched:
            session = watched.live
            async with asyncio.timeout(120):
                await session.ended

    return make


RUNS: dict[str, Callable[[Path], Coroutine[Any, Any, None]]] = {
    "demo-full": demo_full,
    "demo-person": demo_person,
    "claude-permissions": played("claude", "two_permissions", Autonomy.ASSIST),
    "claude-rm-rf": played("claude", "rm_rf_deny", Autonomy.FULL),
    "claude-question": played("claude", "question_text_80x24", Autonomy.FULL),
}


def tidy(run: Path, name: str) -> None:
    """Keep what a review needs, without what belongs to this machine."""
    for path in run.iterdir():
        if path.name not in KEPT:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    manifest = json.loads((run / "manifest.json").read_text())
    for path in run.glob("looks/*.json"):
        text = path.read_text("utf-8").replace(manifest["settings"]["cwd"], "/home/me/project")
        replace_atomically(path, text.replace(str(Path.home()), "/home/me"))
    manifest["run_id"] = name
    manifest["git_commit"] = None
    manifest["versions"] |= {"interpreter": "python3", "platform": "any"}
    manifest["settings"] |= {
        "child": [Path(word).name for word in manifest["settings"]["child"]],
        "cwd": "/home/me/project",
        "log_folder": f"/home/me/runs/{name}",
    }
    replace_atomically(run / "manifest.json", json_text(manifest, indent=2) + "\n")
    cast = run / "session.cast"
    first, _, rest = cast.read_text("utf-8").partition("\n")
    head = json.loads(first)
    head["command"] = " ".join(manifest["settings"]["child"])
    replace_atomically(cast, f"{json_text(head)}\n{rest}")


def main() -> None:
    for name in sys.argv[1:] or list(RUNS):
        target = GOLDEN / name
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / name
            asyncio.run(RUNS[name](log))
            tidy(log, name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(log, target)
        print(name, sum(path.stat().st_size for path in target.rglob("*") if path.is_file()), "bytes")


if __name__ == "__main__":
    main()
