"""Agents are run by the scenario runner itself; `Caught` is what its checks found."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from copilot.lab import harness
from copilot.lab.collector import Collector
from copilot.lab.model_server.server import ModelServer
from copilot.lab.scenarios import Outcome
from copilot.lab.scenarios.run import Job, run_job
from copilot.lab.scenarios.suite import SlotPool, slots
from tests.check_mutations.agent import Agent
from tests.check_mutations.bad import LIAR

NOT_OF_THE_AGENT = ("playbook_kept",)


@dataclass(frozen=True, slots=True)
class Caught:
    agent: Agent
    outcome: Outcome

    @property
    def found(self) -> dict[str, bool | None]:
        return {one.name: one.passed for one in self.outcome.checks if one.name not in NOT_OF_THE_AGENT}

    @property
    def as_it_should(self) -> bool:
        """The liar passes nothing; a bad agent all but its check; a good one everything."""
        if not self.outcome.checks:
            return False
        if self.agent.name == LIAR.name:
            return not any(self.found.values())
        kept = [one for one in self.outcome.checks if one.name in NOT_OF_THE_AGENT and one.passed is not True]
        caught = [name for name, passed in self.found.items() if passed is not True]
        return caught == ([self.agent.target] if self.agent.target else []) and not kept

    @property
    def line(self) -> str:
        words = {False: "fails", None: "inconclusive"}
        faults = [
            f"{words[one.passed]} {one.name} ({'; '.join(one.reasons)[:160]})"
            for one in self.outcome.checks
            if one.passed is not True
        ]
        return f"{', '.join(faults) or 'passes all'}" if self.outcome.checks else self.outcome.reason

    def as_json(self) -> dict[str, Any]:
        found = {one.name: one.passed for one in self.outcome.checks}
        return {
            "agent": self.agent.name,
            "target": self.agent.target,
            "ok": self.as_it_should,
            "found": found,
        }


def run_agents(agents: Sequence[Agent]) -> list[Caught]:
    """Each in a process of a few, several at once."""
    with tempfile.TemporaryDirectory(prefix="copilot-mutations-") as root, SlotPool(slots()) as pool:
        futures = [pool.submit(run_agent, one, Path(root).resolve()) for one in agents]
        return [Caught(one, future.result()) for one, future in zip(agents, futures, strict=True)]


def run_agent(agent: Agent, root: Path) -> Outcome:
    job = Job(scenario=agent.scenario, root=root, retries=0)
    if not agent.typed:
        return run_job(job)
    meddler = _Meddler(agent)
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(harness, "Collector", meddler.collector))
        stack.enter_context(mock.patch.object(harness, "ModelServer", meddler.server))
        return run_job(job)


class _Meddler:
    """Types what nobody asked for, while the CLI waits for the answer to a turn."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._collectors: list[Collector] = []
        self._typed = threading.Event()

    def collector(self, *given: Any) -> Collector:
        self._collectors.append(Collector(*given))
        return self._collectors[-1]

    def server(self, *given: Any, **options: Any) -> ModelServer:
        noted = options.pop("on_request", None)

        def on_request(request: Any) -> None:
            if noted is not None:
                noted(request)
            if request.turn == self._agent.while_in and not self._typed.is_set():
                self._typed.set()
                session = self._collectors[-1].session
                assert session is not None
                loop = session.ended.get_loop()
                loop.call_soon_threadsafe(partial(session.type_bytes, self._agent.typed))

        return ModelServer(*given, on_request=on_request, **options)
