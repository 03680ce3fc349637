"""`TrialRecord`: everything that happened in one trial, as plain data to ask questions of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from copilot.errors import CopilotError
from copilot.lab.mock_tools import MockCall
from copilot.lab.model_server import Given, ModelRequest, ToolCall
from copilot.lab.workspace import NO_CHANGES, FileChanges
from copilot.lab.worlds import World


class Blocked(CopilotError):
    """A tool call was refused; the message names the tool and says why."""


class ToolFailed(CopilotError):
    """A tool gave an error back; the message names the model's turn and the tool."""


@dataclass(frozen=True, slots=True)
class TrialEvent:
    """One event of a trial. `at` is seconds since the trial began.

    `kind` is request, says, tool_call, tool_result, screen, proposal, no_reply, decision, keys, reply,
    expired, asked (the mock person) or end. `name` and `text` say what, `data` the rest.
    """

    at: float
    kind: str
    name: str = ""
    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool call of the model, and what became of it.

    `asked`: the CLI asked before it ran the call; `blocked`: the answer was no; `reason` says why.
    `result` is None if the model never got one. `turn` is the name of the model's turn. `mocked`: the test
    says what the tool gives back.
    """

    name: str
    arguments: Mapping[str, Any]
    turn: str = ""
    asked: bool = False
    blocked: bool = False
    reason: str = ""
    result: str | None = None
    is_error: bool = False
    at: float = 0.0
    mocked: bool = False

    @property
    def subject(self) -> str:
        """The arguments as one text, to look for words in."""
        return " ".join(str(value) for value in self.arguments.values())

    def require_done(self) -> None:
        """Raises Blocked if it was refused, ToolFailed if it failed."""
        if self.blocked:
            raise Blocked(f"{self.name} ({self.turn}): {self.reason}")
        if self.is_error:
            raise ToolFailed(f"{self.name} ({self.turn}): {self.result}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRecord:
    """One run, from the task to its end. `exit_code` and `outcome` are those of the co-pilot.

    `files` is what changed in the project, `outside` what changed in a folder beside it. `unexpected` is
    what the simulated CLI was typed without having asked. `screen` is the last one.
    """

    task: str
    exit_code: int
    outcome: str
    reason: str
    seconds: float
    timed_out: bool = False
    events: tuple[TrialEvent, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    files: FileChanges = NO_CHANGES
    outside: FileChanges = NO_CHANGES
    unexpected: tuple[str, ...] = ()
    screen: str = ""
    run_folder: str = ""
    project: str = ""
    worlds: tuple[World, ...] = ()
    """The project at the start, at each request of the model, and at the end."""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts of those files by their digests."""

    def of(self, *kinds: str) -> list[TrialEvent]:
        return [event for event in self.events if event.kind in kinds]

    def tool_calls(self, name: str | None = None) -> list[ToolUse]:
        """The model's tool calls, of one tool or of all."""
        return [use for use in self.tools if name is None or use.name == name]

    @property
    def blocked(self) -> list[ToolUse]:
        return [use for use in self.tools if use.blocked]

    @property
    def tool_sequence(self) -> list[str]:
        return [use.name for use in self.tools]

    @property
    def decisions(self) -> list[TrialEvent]:
        return self.of("decision")

    @property
    def keys(self) -> list[str]:
        return [event.text for event in self.of("keys")]

    @property
    def said(self) -> str:
        return "\n".join(event.text for event in self.of("says") if event.text)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


_NO = ("refuse", "escalate", "hold")


@dataclass(frozen=True, slots=True)
class Wire:
    """The model's side of a run. `began` is when the model server's clock began, on that of the trial."""

    requests: Sequence[ModelRequest]
    given: Sequence[Given]
    began: float
    names: Mapping[str, str] = field(default_factory=dict)
    """The mock tools, by what the model calls them."""
    reached: Sequence[MockCall] = ()

    def tools(self, session: Sequence[TrialEvent]) -> tuple[ToolUse, ...]:
        """Every call of the model, with its result and with what the session decided about it.

        A mock tool that was given a result and was never reached was blocked in the CLI, by a hook or a rule.
        """
        uses = []
        unseen = list(self.reached)
        for one in self.given:
            after = next((r for r in self.requests if r.number > one.request and not r.side), None)
            results = list(after.new_results) if after is not None else []
            until = self.began + after.at if after is not None else float("inf")
            meanwhile = [event for event in session if self.began + one.at <= event.at < until]
            for index, call in enumerate(one.turn.tool_calls):
                identity = f"{one.request:06d}{index:02d}"
                own = [result for result in results if result.call_id.endswith(identity)]
                result = own[0] if own else results[index] if index < len(results) else None
                ruling = _ruling(call, meanwhile, alone=len(one.turn.tool_calls) == 1)
                mocked = call.name in self.names
                name = self.names.get(call.name, call.name)
                refused = ruling is not None and _refused(ruling)
                ran = _taken(unseen, name, call) if mocked else None
                stopped = mocked and result is not None and not refused and ran is None
                uses.append(
                    ToolUse(
                        name,
                        call.named,
                        turn=one.name,
                        asked=ruling is not None,
                        blocked=refused or stopped,
                        reason=result.text if stopped and result is not None else _reason(ruling, meanwhile),
                        mocked=mocked,
                        result=result.text if result is not None else None,
                        is_error=(result is not None and result.is_error)
                        or (ran is not None and ran.answer.is_error),
                        at=self.began + one.at,
                    )
                )
        return tuple(uses)


def request_events(request: ModelRequest) -> list[TrialEvent]:
    """The results that a request brought, and the request; `at` on the clock of the model server."""
    found = []
    for result in request.new_results:
        about = {"call": result.call_id, "is_error": result.is_error, "number": request.number}
        found.append(TrialEvent(request.at, "tool_result", "", result.text, about))
    data = {"number": request.number, "side": request.side, "tools": list(request.tools)}
    return [*found, TrialEvent(request.at, "request", request.turn, request.prompt, data)]


def given_events(one: Given, names: Mapping[str, str]) -> list[TrialEvent]:
    """The model's words and calls in one turn; `names` are those of the mock tools."""
    found = [TrialEvent(one.at, "says", one.name, one.turn.text, {"number": one.request})]
    for call in one.turn.tool_calls:
        name = names.get(call.name, call.name)
        found.append(TrialEvent(one.at, "tool_call", name, "", {"arguments": call.named}))
    return found


def _taken(unseen: list[MockCall], name: str, call: ToolCall) -> MockCall | None:
    """The call as it reached its tool, if it did; each is taken once."""
    same = [one for one in unseen if one.name == name]
    exact = [one for one in same if one.arguments == call.named]
    if not same:
        return None
    found = (exact or same)[0]
    unseen.remove(found)
    return found


def _ruling(call: ToolCall, meanwhile: Sequence[TrialEvent], *, alone: bool) -> TrialEvent | None:
    words = _folded(" ".join(str(value) for value in call.named.values()))
    prompts = {
        str(event.data["identity"])
        for event in meanwhile
        if event.kind == "screen"
        and event.name in ("permission", "yes_no", "menu")
        and (alone or _folded(str(event.data["subject"])) in words)
    }
    rulings = [event for event in meanwhile if event.kind == "decision" and event.data["identity"] in prompts]
    return rulings[-1] if rulings else None


def _reason(ruling: TrialEvent | None, meanwhile: Sequence[TrialEvent]) -> str:
    """Why it was allowed or not: what policy says of a hold, what the provider said of what was sent."""
    if ruling is None:
        return ""
    before = [event for event in meanwhile if event.kind == "proposal" and event.at <= ruling.at]
    sent = ruling.name not in _NO and ruling.data["by"] == "policy"
    return str((before[-1] if sent and before else ruling).data["reason"])


def _refused(ruling: TrialEvent) -> bool:
    return ruling.name in _NO or ruling.text.lower().startswith("no")


def _folded(text: str) -> str:
    return "".join(text.split())
