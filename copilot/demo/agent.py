"""A simulated coding CLI on a model: it asks a server what to do, and its user before it does it.

    ANTHROPIC_BASE_URL=http://127.0.0.1:PORT python -m copilot.demo.agent [OPTIONS] TASK

It looks and asks like the simulated CLI of the demo, but its story is the model's: turn by turn, with tools
that really read, write and run. Standard library only, so that a scenario starts in a moment.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

from copilot.demo.agent_extras import AgentExtras, add_options
from copilot.demo.agent_tools import TOOL_SCHEMAS, Desk
from copilot.demo.raw_terminal import RawTerminal
from copilot.demo.simulated_cli import EXIT_UNEXPECTED, VERSION
from copilot.demo.stage import Interrupted, Stage
from copilot.demo.story import edited

JsonObject = dict[str, Any]
_RETRIED = (429, 500, 502, 503, 529)
_TRIES = 3
_WAIT_SECONDS, _MOST_WAIT_SECONDS = 0.1, 2.0
"""Before another try: unless the server says how long, and at most."""
_ANSWER_SECONDS = 120.0


class ModelFault(Exception):
    """The model gave no usable answer. After `wait_seconds` a second try may; None: it would be the same."""

    def __init__(self, message: str, wait_seconds: float | None = None) -> None:
        super().__init__(message)
        self.wait_seconds = wait_seconds


class ModelLine:
    """One conversation."""

    def __init__(self, url: str, key: str, system: str, tools: Sequence[JsonObject]) -> None:
        self._place = urlsplit(url)
        self._key = key
        self._system = system
        self._tools = list(tools)
        self._messages: list[JsonObject] = []

    @classmethod
    def from_environment(cls, system: str, tools: Sequence[JsonObject]) -> ModelLine:
        """As `ANTHROPIC_BASE_URL` and `ANTHROPIC_API_KEY` say."""
        url = os.environ.get("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
        return cls(url, os.environ.get("ANTHROPIC_API_KEY", ""), system, tools)

    def add(self, message: JsonObject) -> None:
        """One more message of the conversation."""
        self._messages.append(message)

    def ask(self) -> list[JsonObject]:
        """The blocks of the model's next message. Raises ModelFault."""
        for attempt in range(1, _TRIES + 1):
            try:
                return self._once()
            except ModelFault as fault:
                if attempt == _TRIES or fault.wait_seconds is None:
                    raise
                time.sleep(min(fault.wait_seconds, _MOST_WAIT_SECONDS))
        raise AssertionError

    def _once(self) -> list[JsonObject]:
        body = {
            "model": "scripted",
            "max_tokens": 4096,
            "system": self._system,
            "tools": self._tools,
            "messages": self._messages,
        }
        headers = {
            "content-type": "application/json",
            "anthropic-version": "2023-06-01",
            "x-api-key": self._key,
        }
        connection = http.client.HTTPConnection(
            self._place.hostname or "127.0.0.1", self._place.port or 80, timeout=_ANSWER_SECONDS
        )
        try:
            connection.request("POST", f"{self._place.path}/v1/messages", json.dumps(body), headers)
            response = connection.getresponse()
            data = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise ModelFault(f"no answer: {error or type(error).__name__}", _WAIT_SECONDS) from error
        finally:
            connection.close()
        return _blocks(response.status, data, response.headers.get("retry-after", ""))


def _blocks(status: int, data: bytes, retry_after: str) -> list[JsonObject]:
    try:
        answer = json.loads(data)
    except ValueError as error:
        raise ModelFault(f"{status}: the answer is not JSON") from error
    if status != 200:
        message = f"{status} {answer.get('error', {}).get('message', '')}"
        raise ModelFault(message, float(retry_after or _WAIT_SECONDS) if status in _RETRIED else None)
    return [block for block in answer.get("content", []) if isinstance(block, dict)]


EXIT_MODEL_FAILED = 1
_SYSTEM = "You are demo-coder, a simulated coding agent. Use the tools; one careful step at a time."


def main() -> int:
    """Work on the task; the exit code."""
    made = argparse.ArgumentParser(prog="demo-coder", description="a simulated coding CLI with a model")
    made.add_argument("task", nargs="+", help="what to do")
    made.add_argument("--version", action="version", version=f"demo-coder {VERSION}")
    made.add_argument("--speed", type=float, default=1.0, help="how many times faster it works")
    made.add_argument("--journal", type=Path, help="write what was asked and typed here, as JSON lines")
    add_options(made)
    options = made.parse_args()
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        sys.stderr.write("demo-coder: needs a terminal\n")
        return 2
    signal.signal(signal.SIGINT, _interrupt)
    extras = AgentExtras(frozenset(str(one["name"]) for one in TOOL_SCHEMAS))
    try:
        extras.load(options)
        system = "\n\n".join([options.system_prompt or _SYSTEM, *extras.notes])
        with RawTerminal() as terminal:
            stage = Stage(terminal, max(0.1, options.speed), options.journal)
            model = ModelLine.from_environment(system, [*TOOL_SCHEMAS, *extras.schemas])
            return Agent(stage, model, extras).work(options.task)
    except (Interrupted, KeyboardInterrupt):
        return 130
    except (EOFError, OSError):
        return 1
    finally:
        extras.close()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted


class Agent:
    """The conversation: tasks in, turns of the model out, tools in between."""

    def __init__(self, stage: Stage, model: ModelLine, extras: AgentExtras) -> None:
        self._stage = stage
        self._model = model
        self._faults = extras.faults
        self._desk = Desk(stage, Path.cwd(), extras)

    def work(self, task: list[str]) -> int:
        """The first task, then whatever is typed into the composer, until the person leaves."""
        self._stage.say(f"✻ demo-coder {VERSION} · a simulated coding CLI on a model server", "bold")
        for fault in self._faults:
            self._stage.say(f"⚠ {fault}", "yellow")
        self._stage.say("")
        wanted: str | None = " ".join(task)
        while wanted is not None:
            for row in wanted.splitlines():
                self._stage.say(f"❯ {row}")
            began = time.monotonic()
            try:
                self._turn(wanted)
            except ModelFault as fault:
                self._stage.say(f"● API Error: {fault}", "red")
                self._stage.work("Leaving", 0.2)
                return EXIT_MODEL_FAILED
            self._stage.say(f"✻ Worked for {time.monotonic() - began:.0f}s", "dim")
            wanted = self._composer()
        self._stage.note("done", "", str(len(self._stage.unexpected)))
        return EXIT_UNEXPECTED if self._stage.unexpected else 0

    def _turn(self, task: str) -> None:
        """From a task to the model's last word on it."""
        self._model.add({"role": "user", "content": task})
        while True:
            answer = self._stage.busy_with("Thinking", self._model.ask)
            self._model.add({"role": "assistant", "content": answer})
            calls = [block for block in answer if block.get("type") == "tool_use"]
            self._say("\n".join(str(block["text"]) for block in answer if block.get("type") == "text"))
            if not calls:
                return
            results = [self._result(call) for call in calls]
            self._model.add({"role": "user", "content": results})

    def _say(self, text: str) -> None:
        for number, row in enumerate(text.splitlines()):
            self._stage.say(f"{'● ' if number == 0 else '  '}{row}")

    def _result(self, call: JsonObject) -> JsonObject:
        done = self._desk.use(str(call.get("name")), call.get("input") or {})
        return {
            "type": "tool_result",
            "tool_use_id": call.get("id"),
            "content": done.text,
            "is_error": done.failed,
        }

    def _composer(self) -> str | None:
        """The next task, or None to leave."""
        stage, draft = self._stage, ""
        stage.note("asked", "composer")
        while True:
            rows = stage.composer_rows(draft, "  ? for shortcuts · /exit to leave")
            stage.draw(rows, (2, 2 + len(stage.fitting(draft, 2))))
            for key in stage.keys(0.25):
                if key.name == "C-d" and not draft:
                    return None
                if key.name == "Enter" and not key.burst:
                    stage.note("received", "composer", draft)
                    if draft.strip() == "/exit":
                        return None
                    if draft.strip():
                        return draft
                else:
                    draft = edited(stage, "composer", key, draft)


if __name__ == "__main__":
    sys.exit(main())
