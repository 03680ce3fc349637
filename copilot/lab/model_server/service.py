"""`Service`: answers HTTP requests by a script, and keeps a log of them. It lives in one event loop."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from copilot.lab.model_server.answering import give, side_answer
from copilot.lab.model_server.conversation import ModelRequest
from copilot.lab.model_server.http import Answer, BadRequest, HttpRequest
from copilot.lab.model_server.protocols import ALL, ModelProtocol, Task
from copilot.lab.model_server.protocols.base import estimate
from copilot.lab.model_server.script import NoTurn, Script
from copilot.lab.model_server.turns import HttpError, JsonObject, Turn

_KEPT_HEADERS = ("user-agent", "anthropic-version", "anthropic-beta", "content-encoding")


@dataclass(frozen=True, slots=True)
class OtherRequest:
    """An HTTP request that is none to a model: a model list, telemetry, a probe."""

    at: float
    method: str
    path: str
    status: int


@dataclass(frozen=True, slots=True)
class Answered:
    """From the arrival of a request of the main conversation to the end of its answer, in wall time (UTC)."""

    request: int
    began_at: datetime
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Given:
    """A turn as it was given to the main conversation, its late values filled in. `at` as in the requests."""

    request: int
    name: str
    turn: Turn
    at: float


class Service:
    """Routes requests to protocols and turns. `changed` guards the logs, which any thread may read."""

    def __init__(self, script: Script, on_request: Callable[[ModelRequest], None] | None) -> None:
        self.script = script
        self.changed = threading.Condition()
        self.requests: list[ModelRequest] = []
        self.others: list[OtherRequest] = []
        self.answered: list[Answered] = []
        self.given: list[Given] = []
        self.faults: list[str] = []
        self._on_request = on_request
        self.started_at = time.monotonic()

    def start_clock(self) -> None:
        """From now on the times of requests count."""
        self.started_at = time.monotonic()

    def note_fault(self, error: BaseException) -> None:
        """Keep an exception that nobody else would see."""
        lines = "".join(traceback.format_exception(error)).strip()
        self.faults.append(f"fault of the model server: {lines}")

    async def handle(self, http: HttpRequest, answer: Answer) -> None:
        """Answer one HTTP request. Raises ClientGone and BadRequest."""
        protocol, task = _route(http.path)
        if http.method != "POST" or protocol is None:
            await self._handle_other(http, answer)
            return
        body = http.json()
        if not isinstance(body, dict):
            raise BadRequest(400, "the body is not a JSON object")
        request = self._numbered(protocol, http, body)
        if task is Task.COUNT:
            self._note_other(http, 200)
            await answer.send_json(protocol.count(estimate(request)))
            return
        request, turn = self._turn_for(request)
        with self.changed:
            self.requests.append(request)
            self.changed.notify_all()
        if self._on_request is not None:
            self._on_request(request)
        began_at = datetime.now(UTC)
        try:
            await give(turn, request, protocol, answer)
        finally:
            self._note_answered(request, began_at, turn)

    def _turn_for(self, request: ModelRequest) -> tuple[ModelRequest, Turn]:
        if self.script.is_side(request):
            return replace(request, side=True), side_answer(request, self.script.playbook.side_text)
        try:
            name, turn = self.script.take(request)
        except NoTurn as error:
            return request, Turn(error=HttpError(400, f"scripted model: {error}"))
        if turn.pace is None:
            turn = replace(turn, pace=self.script.playbook.pace)
        return replace(request, turn=name), turn

    def _numbered(self, protocol: ModelProtocol, http: HttpRequest, body: JsonObject) -> ModelRequest:
        sent = protocol.read(http, body)
        return ModelRequest(
            number=len(self.requests) + 1,
            at=self._now(),
            protocol=protocol.name,
            path=http.path,
            model=sent.model,
            stream=sent.stream,
            messages=sent.messages,
            tools=sent.tools,
            body=body,
            response_schema=sent.response_schema,
            headers={name: http.headers[name] for name in _KEPT_HEADERS if name in http.headers},
        )

    async def _handle_other(self, http: HttpRequest, answer: Answer) -> None:
        status = 200 if http.method == "HEAD" or http.path.endswith("/models") else 404
        self._note_other(http, status)
        if status == 404:
            error = {"type": "not_found_error", "message": "not scripted"}
            await answer.send_json({"type": "error", "error": error}, 404)
        else:
            await answer.send_json({"object": "list", "data": [], "models": []})

    def _note_other(self, http: HttpRequest, status: int) -> None:
        with self.changed:
            self.others.append(OtherRequest(self._now(), http.method, http.path, status))

    def _note_answered(self, request: ModelRequest, began_at: datetime, turn: Turn) -> None:
        if request.side:
            return
        with self.changed:
            self.given.append(Given(request.number, request.turn, turn, self._now()))
            self.answered.append(Answered(request.number, began_at, datetime.now(UTC)))

    def _now(self) -> float:
        return time.monotonic() - self.started_at


def _route(path: str) -> tuple[ModelProtocol | None, Task | None]:
    for protocol in ALL:
        task = protocol.task(path)
        if task is not None:
            return protocol, task
    return None, None
