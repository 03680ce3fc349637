"""What went over the wire to the model, as events and tool uses; refusals are found in the session's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from copilot.lab.harness.record import ToolUse, TrialEvent
from copilot.lab.model_server import Given, ModelRequest, ToolCall

_NO = ("refuse", "escalate", "hold")


@dataclass(frozen=True, slots=True)
class Wire:
    """The model's side of a run. `began` is when its times count from, on the clock of the events."""

    requests: Sequence[ModelRequest]
    given: Sequence[Given]
    began: float

    def events(self) -> list[TrialEvent]:
        """Requests, the model's words, calls and results, each at its time."""
        found: list[TrialEvent] = []
        for request in self.requests:
            at = self.began + request.at
            data = {"number": request.number, "side": request.side, "tools": list(request.tools)}
            for result in request.new_results:
                about = {"call": result.call_id, "is_error": result.is_error, "number": request.number}
                found.append(TrialEvent(at, "tool_result", "", result.text, about))
            found.append(TrialEvent(at, "request", request.turn, request.prompt, data))
        for one in self.given:
            at = self.began + one.at
            found.append(TrialEvent(at, "says", one.name, one.turn.text, {"number": one.request}))
            for call in one.turn.tool_calls:
                found.append(TrialEvent(at, "tool_call", call.name, "", {"arguments": _arguments(call)}))
        return found

    def tools(self, session: Sequence[TrialEvent]) -> tuple[ToolUse, ...]:
        """Every call of the model, with its result and with what the session decided about it."""
        uses = []
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
                uses.append(
                    ToolUse(
                        call.name,
                        _arguments(call),
                        turn=one.name,
                        asked=ruling is not None,
                        blocked=ruling is not None and _refused(ruling),
                        reason=_reason(ruling, meanwhile),
                        result=result.text if result is not None else None,
                        is_error=result is not None and result.is_error,
                        at=self.began + one.at,
                    )
                )
        return tuple(uses)


def _arguments(call: ToolCall) -> dict[str, object]:
    return {"input": call.input} if call.input is not None else dict(call.arguments)


def _ruling(call: ToolCall, meanwhile: Sequence[TrialEvent], *, alone: bool) -> TrialEvent | None:
    """The last decision on the prompt that this call brought up."""
    words = _folded(" ".join(str(value) for value in _arguments(call).values()))
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
