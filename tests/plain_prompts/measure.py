"""A plain program under the real command: what was seen of its prompt, and which line it got."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.core.screen_kinds import PROMPT_KINDS
from tests.front_door import copilot
from tests.plain_prompts.programs import Language
from tests.plain_prompts.shapes import Shape

_KINDS = {kind.value for kind in PROMPT_KINDS}


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one shape in one language. `skipped` is why it was not tried."""

    language: str
    shape: str
    kind: str = ""
    options: tuple[str, ...] = ()
    answer: str | None = None
    code: int = 0
    last: str = ""
    skipped: str = ""

    def verdict(self, shape: Shape) -> str:
        """`taken`, `held` (nothing was typed), or what went wrong."""
        if self.skipped:
            return "skipped"
        if self.answer is None:
            return "held" if self.code == 3 else f"no answer, exit {self.code}"
        wrong = [
            *([f"kind {self.kind}"] if self.kind != shape.kind else []),
            *([f"options {', '.join(self.options)}"] if self.options != shape.options else []),
            *([f"got {self.answer!r}"] if self.answer != shape.typed else []),
            *([f"exit {self.code}"] if self.code else []),
        ]
        return "; ".join(wrong) or "taken"


def measured(language: Language, shape: Shape, folder: Path) -> Cell:
    """The run of one program at level full, its replies from a playbook."""
    why = language.missing()
    if why:
        return Cell(language.name, shape.name, skipped=why)
    project = folder / "project"
    project.mkdir(parents=True)
    words = [shape.prints, "spin"] if shape.spins else [shape.prints]
    child = language.command(folder, words)
    playbook = folder / "replies.yml"
    playbook.write_text(f"order: any\nreplies:\n  - {{{shape.reply}, times: any, optional: true}}\n", "utf-8")
    options: list[str | Path] = ["--headless", "--json", "--autonomy", "full", "--timeout", "25s"]
    options += ["--provider", "playbook", "--playbook", playbook, "--log", folder / "run"]
    done = copilot(*options, "--", *child, cwd=project, environment={"HOME": str(folder)})
    answer = project / "answer"
    prompt = _first_prompt(folder / "run" / "transcript.jsonl")
    return Cell(
        language.name,
        shape.name,
        str(prompt.get("kind", "")),
        tuple(str(option["label"]) for option in prompt.get("options", ())),
        answer.read_text("utf-8") if answer.exists() else None,
        done.code,
        done.last,
    )


def _first_prompt(transcript: Path) -> dict[str, Any]:
    """The first prompt that settled, else the last screen."""
    records = [json.loads(line) for line in transcript.read_text("utf-8").splitlines()]
    settled = [one["data"]["detection"] for one in records if one["type"] == "event.ScreenSettled"]
    asked = [one for one in settled if one["kind"] in _KINDS]
    return next(iter([*asked, *settled[::-1]]), {})
