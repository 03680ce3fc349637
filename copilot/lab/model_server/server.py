"""`Service`: answers HTTP requests by a script, and keeps a log of them. It lives in one event loop."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from copilot.lab.model_server.answering import give, side_answer
from copilot.lab.model_server.http import Answer, BadRequest, HttpRequest, Serving
from copilot.lab.model_server.playbook_file import load_playbook
from copilot.lab.model_server.protocols import ALL, ModelProtocol, Task
from copilot.lab.model_server.protocols.base import estimate
from copilot.lab.model_server.requests import ModelRequest
from copilot.lab.model_server.script import NoTurn, PlaybookError, Script
from copilot.lab.model_server.turns import HttpError, JsonObject, Playbook, Turn, playbook

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


class ModelServer(Serving):
    """A scripted model server on a loopback port.

    `script` is a playbook, the path of one, or its turns. `cwd` stands for `{{cwd}}` in it. `with
    ModelServer(...)` serves from a thread of its own, `async with` from the running loop. Leaving the block
    without an exception calls `check()`, unless `check_at_exit` is False. `on_request` is called on the
    server's loop with each model request, before it is answered; what it raises is a fault of the run.
    """

    def __init__(
        self,
        script: Playbook | Path | str | Sequence[Turn | str],
        *,
        cwd: Path | str = "",
        port: int = 0,
        min_tools: int | None = None,
        check_at_exit: bool = True,
        on_request: Callable[[ModelRequest], None] | None = None,
    ) -> None:
        book = _playbook(script)
        if min_tools is not None:
            book = replace(book, min_tools=min_tools)
        self.playbook = book
        super().__init__(port)
        self._service = Service(Script(book, str(cwd)), on_request)
        self._check_at_exit = check_at_exit

    @property
    def requests(self) -> list[ModelRequest]:
        """The model requests so far, oldest first, with parsed bodies."""
        with self._service.changed:
            return list(self._service.requests)

    @property
    def main_requests(self) -> list[ModelRequest]:
        """The requests of the main conversation: side requests of the CLI are left out."""
        return [request for request in self.requests if not request.side]

    @property
    def answered(self) -> list[Answered]:
        """When the main conversation was answered: then the CLI was at work, whatever its screen showed."""
        with self._service.changed:
            return list(self._service.answered)

    @property
    def given(self) -> list[Given]:
        """The turns as they were given to the main conversation, late values filled in."""
        with self._service.changed:
            return list(self._service.given)

    @property
    def started_at(self) -> float:
        """When the times of requests began to count, on this machine's monotonic clock."""
        return self._service.started_at

    @property
    def other_requests(self) -> list[OtherRequest]:
        """HTTP requests that were none to a model."""
        with self._service.changed:
            return list(self._service.others)

    def wait_for(self, condition: Callable[[Sequence[ModelRequest]], bool], seconds: float) -> None:
        """Wait until the requests so far meet `condition`. Raises TimeoutError, naming the last request.

        For the thread of a test; in a coroutine use `asyncio.to_thread`.
        """
        service = self._service
        with service.changed:
            if not service.changed.wait_for(lambda: condition(service.requests), seconds):
                last = service.requests[-1].prompt[:200] if service.requests else "none"
                count = len(service.requests)
                raise TimeoutError(f"after {seconds} s the last of {count} requests is {last!r}")

    def wait_for_turn(self, name: str, seconds: float) -> None:
        """Wait until the turn of this name was asked for. Raises TimeoutError."""
        self.wait_for(lambda requests: any(request.turn == name for request in requests), seconds)

    def problems(self) -> list[str]:
        """Everything that did not go by the playbook so far, and every fault of the server itself."""
        return [*self._service.script.failures, *self._service.faults]

    def unused(self) -> list[str]:
        """A line for each turn that should have been given and was not."""
        return self._service.script.unused()

    def check(self) -> None:
        """Raises PlaybookError that lists mismatches, unmet expectations, unused turns and server faults."""
        lines = [*self.problems(), *self.unused()]
        if lines:
            listed = "\n".join(f"- {line}" for line in lines)
            raise PlaybookError(f"the run did not go by its playbook:\n{listed}")

    async def handle(self, http: HttpRequest, answer: Answer) -> None:
        """Answer one HTTP request by the playbook."""
        await self._service.handle(http, answer)

    def note_fault(self, error: BaseException) -> None:
        """Among the problems."""
        self._service.note_fault(error)

    def started(self) -> None:
        """The times of requests count from now on."""
        self._service.start_clock()

    def check_at_exit(self) -> None:
        """As was asked for."""
        if self._check_at_exit:
            self.check()


def _playbook(script: Playbook | Path | str | Sequence[Turn | str]) -> Playbook:
    if isinstance(script, Playbook):
        return script
    if isinstance(script, (str, Path)):
        return load_playbook(Path(script))
    return playbook(*script)
