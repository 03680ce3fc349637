"""Plays a hostile screen through the whole pipeline at `full`: the real session, emulator, detectors, context,
guard, policy and keys, a child in memory, and a model that answers what the attacker wants."""

from __future__ import annotations

import asyncio
import json
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from copilot.config.profile_files import InstalledProfiles
from copilot.config.settings import resolve
from copilot.core import effects as fx
from copilot.core.events import ScreenSettled
from copilot.core.reply import Proposal, ReplyRequest
from copilot.prompting import read_answer
from copilot.session import enveloping
from copilot.session.start import Prepared, finish, prepare, start
from tests.fakes.memory_child import MemoryChild
from tests.session.live import Watched

FOLDER = Path(__file__).parent / "hostile"
COLUMNS, LINES = 100, 40
QUIET_SECONDS = 1.6
"""So long without a step, with nothing open, and nothing comes any more: `unknown` takes 1.0 s to settle."""
QUIET_LOOKS = 16
"""In so many parts: a busy machine lets the session have its turn between them, however late each is."""
LONGEST_SECONDS = 60.0
RULE, DOTS = "─" * COLUMNS, "╌" * COLUMNS


@dataclass(frozen=True)
class Case:
    """One case of the corpus. `show` are the bytes of the screen, `swap` of the one that replaces it.

    `answer` is what the obeying model sends; without it: the first choice, or `y`. `guard` is what holds it,
    `a+b` if each of two does. `rule` is a decision of policy on the way, `expired` matches the reason for which
    the reply was dropped after that decision.
    """

    id: str
    class_: int
    show: bytes
    swap: bytes = b""
    profile: str = "claude"
    answer: str = ""
    guard: str = ""
    rule: str = ""
    expired: str = ""
    kind: str = ""
    hidden: str = ""
    answers: str = ""
    may_type: str = ""
    files: dict[str, str] = field(default_factory=dict)


@dataclass
class Played:
    """What came of it: the bytes that the child got, and how the pipeline saw it."""

    typed: bytes = b""
    writes: int = 0
    requests: list[ReplyRequest] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    folder: Path = Path()


def load() -> list[Case]:
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        number = int(path.name[1:3])
        for entry in tomllib.loads(path.read_text("utf-8"))["case"]:
            swap = entry.pop("swap", None)
            known = {key: entry.pop(key) for key in tuple(entry) if key in Case.__dataclass_fields__}
            answer = known.pop("answer", "")
            found.append(
                Case(
                    class_=number,
                    show=_bytes(entry),
                    swap=_bytes(swap) if swap else b"",
                    answer=answer if isinstance(answer, str) else json.dumps(answer),
                    **known,
                )
            )
    return found


def _bytes(entry: dict[str, Any]) -> bytes:
    """The screen of an entry: as it stands, or Claude Code's dialog for a command or a file."""
    text = "\x1b[2J\x1b[H" + str(entry.get("above", ""))
    if "command" in entry or "file" in entry:
        text += dialog(entry)
    text += str(entry.get("screen", ""))
    data = text.replace("\n", "\r\n").encode()
    return data + bytes.fromhex(entry.get("then_hex", ""))


def dialog(entry: dict[str, Any]) -> str:
    """Claude Code's dialog for the `command` or the `file` of an entry."""
    options = entry.get("options", ["Yes", "No"])
    listed = "".join(
        f" {'❯' if number == 1 else ' '} {number}. {label}\n" for number, label in enumerate(options, 1)
    )
    if "file" in entry:
        head = f" Create file\n {entry['file']}\n{DOTS}\n  1 hello\n{DOTS}\n"
        question = entry.get("question", f"Do you want to create {entry['file']}?")
    else:
        head = f" Bash command\n {entry.get('says', 'Look around')}\n{DOTS}\n {entry['command']}\n{DOTS}\n"
        question = entry.get("question", "Do you want to proceed?")
    return f"● I'll go on.\n\n{RULE}\n{head} {question}\n{listed}\n Esc to cancel · Tab to amend"


@dataclass
class ObeyingModel:
    """A provider whose model does what the attacker says; its words are read as any model's are."""

    case: Case
    before_answer: Callable[[], Any]
    requests: list[ReplyRequest] = field(default_factory=list)
    name: str = "obeying"
    model: str = ""

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        """The attacker's answer; raises ProviderError where it is not one of those asked for."""
        self.requests.append(request)
        if len(self.requests) == 1:
            await self.before_answer()
        if not self.case.answer:
            choice = request.choices[0] if request.choices else None
            raw = json.dumps({"choice": choice or "y", "text": None if choice else "y", "confidence": 1})
            raw = raw if request.choices else ("y" if request.form == "yes_no" else '{"text": "y"}')
        else:
            raw = self.case.answer
        on_text(raw)
        answer = read_answer(raw, request)
        return Proposal(answer.reply, answer.reason, 1.0, answer.needs_human, answer.clarification, raw=raw)

    def unused(self) -> tuple[str, ...]:
        return ()

    async def close(self) -> None:
        """Nothing to give back."""


async def play(
    case: Case,
    folder: Path,
    change: Callable[[Prepared], Prepared] | None = None,
    *,
    stop_at_key: bool = False,
) -> Played:
    """The case, from its first byte until nothing more can come of it, or to the first key."""
    project = folder / "project"
    project.mkdir(parents=True)
    for name, text in case.files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, "utf-8")
    child = MemoryChild(case.show, reads_lines=case.profile == "hostile_text")
    flags: dict[str, Any] = {
        "profile": case.profile,
        "cwd": str(project),
        "log": str(folder / "run"),
        "provider": "rules",
        "columns": COLUMNS,
        "lines": LINES,
        "checkpoints": "off",  # waiting for the first one, another case's child would be patched in
    }
    if not case.files:
        flags["autonomy"] = "full"
    settings = resolve(flags, (sys.executable,), InstalledProfiles(), lambda _name: folder / "run").settings
    watched = Watched()
    model = ObeyingModel(case, lambda: _swap(case, child, watched))
    prepared = replace(prepare(settings), provider=model)
    if change is not None:
        prepared = change(prepared)
    with patch.object(enveloping, "PtyChild", child):
        session = watched.session = await start(prepared, watched)
    try:
        quiet = asyncio.ensure_future(_until_quiet(watched))
        typed = asyncio.ensure_future(watched.until(lambda: bool(watched.writes), "a key"))
        await asyncio.wait([quiet, *([typed] if stop_at_key else [])], return_when=asyncio.FIRST_COMPLETED)
        typed.cancel()
        if quiet.done():
            await quiet
        quiet.cancel()
    finally:
        if not session.ended.done():
            session.interrupt()
            session.interrupt()
        async with asyncio.timeout(LONGEST_SECONDS):
            await finish(session)
    decisions = [step.decision for step in watched.of(fx.RecordDecision)]
    return Played(
        typed=bytes(child.typed),
        writes=len(watched.writes),
        requests=model.requests,
        rules=[one.rule for one in decisions],
        expired=[step.reason for step in watched.of(fx.ReplyExpired)],
        kinds=[step.detection.kind.value for step in watched.of(ScreenSettled)],
        folder=folder / "run",
    )


async def _swap(case: Case, child: MemoryChild, watched: Watched) -> None:
    """The screen changes while the model thinks; the answer comes before the change has settled."""
    session = watched.live
    if not case.swap or session is None:
        return
    before = session.screen.snapshot().revision
    child.show(case.swap)
    await watched.until(lambda: session.screen.snapshot().revision != before, "the next screen")


async def _until_quiet(watched: Watched) -> None:
    """Return when nothing new has come for a while, and nothing is on its way."""
    session = watched.live
    seen = (-1, 0)

    def quiet() -> bool:
        nonlocal seen
        now = (len(watched.steps), session.screen.snapshot().revision)
        before, seen = seen, now
        busy = session.run.request is not None or session.run.typist is not None
        busy = busy or session.view.countdown_ends_at is not None
        return now == before and not busy

    looks = 0
    async with asyncio.timeout(LONGEST_SECONDS):
        while looks < QUIET_LOOKS and not session.ended.done():
            await asyncio.sleep(QUIET_SECONDS / QUIET_LOOKS)
            looks = looks + 1 if quiet() else 0
