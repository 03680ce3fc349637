"""A plain agent: its one tool is `execute_command`; it does what its model asks for until that only talks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anthropic import Anthropic

from copilot.lab.model_server import ModelServer
from copilot.lab.record import TrialEvent, given_events, request_events
from copilot.lab.scenarios import Scenario
from copilot.lab.scenarios.assets import with_assets
from copilot.lab.scenarios.command_tool import SCHEMA, ToolOutcome
from copilot.lab.workspace import Workspace

COMMAND_AGENT = "commands"
TOOL: Any = {**SCHEMA, "name": "execute_command"}
_MOST_TOKENS = 4096


class CommandAgent:
    """One conversation. Each command that `commands` gives wants its `answer` before the next.

    `events` and `problems` (disagreements with the playbook) are there once the conversation is over.
    """

    def __init__(self, scenario: Scenario, workspace: Workspace) -> None:
        assert scenario.playbook is not None
        self._scenario = scenario
        self._task = with_assets(scenario.task, scenario.assets_folder, workspace.project)
        self._script = scenario.playbook
        self._cwd = workspace.project
        self._outcome = ToolOutcome(False)
        self.events: tuple[TrialEvent, ...] = ()
        self.problems: tuple[str, ...] = ()

    def answer(self, outcome: ToolOutcome) -> None:
        self._outcome = outcome

    def commands(self) -> Iterator[str]:
        """The commands that the model asks for, one after the other."""
        server = ModelServer(self._script, cwd=self._cwd, min_tools=1, check_at_exit=False)
        with server:
            client = Anthropic(base_url=server.url, api_key="sk-fake", max_retries=0)
            yield from self._talk(client)
        events = [one for request in server.requests for one in request_events(request)]
        events += [one for given in server.given for one in given_events(given, {})]
        self.events = tuple(sorted(events, key=lambda event: event.at))
        self.problems = (*server.problems(), *server.unused())

    def _talk(self, client: Anthropic) -> Iterator[str]:
        messages: list[Any] = [{"role": "user", "content": self._task}]
        system = self._scenario.governing_prompt or "Use execute_command, one command at a time."
        for _ in range(self._scenario.max_steps):
            answer = client.messages.create(
                model="scripted", max_tokens=_MOST_TOKENS, system=system, tools=[TOOL], messages=messages
            )
            calls = [block for block in answer.content if block.type == "tool_use"]
            if not calls:
                return
            results = []
            for call in calls:
                given = call.input.get("command", "") if isinstance(call.input, dict) else ""
                yield str(given)
                done = self._outcome
                results.append(
                    {
                        "type": "tool_result",
                        "tool_use_id": call.id,
                        "content": done.logged(),
                        "is_error": not done.success,
                    }
                )
            messages += [
                {"role": "assistant", "content": answer.content},
                {"role": "user", "content": results},
            ]
