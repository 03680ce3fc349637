"""`ModelServer`: a scripted model on 127.0.0.1 that speaks the vendors' protocols.

A real coding CLI that is pointed at it runs offline, without a key, and the same every time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from copilot.lab.model_server.answering import give, side_answer
from copilot.lab.model_server.http import BadRequest, Connection, HttpRequest, Serving
from copilot.lab.model_server.playbook_file import load_playbook
from copilot.lab.model_server.protocols import ModelProtocol, Task, estimate
from copilot.lab.model_server.protocols.anthropic_messages import AnthropicMessages
from copilot.lab.model_server.protocols.gemini import Gemini
from copilot.lab.model_server.protocols.openai import OpenAiChat, OpenAiResponses
from copilot.lab.model_server.requests import ModelRequest
from copilot.lab.model_server.script import NoTurn, PlaybookError, Script
from copilot.lab.model_server.turns import HttpError, Playbook, Turn, playbook

_PROTOCOLS: tuple[ModelProtocol, ...] = (AnthropicMessages(), OpenAiResponses(), OpenAiChat(), Gemini())
_KEPT_HEADERS = ("user-agent", "anthropic-version", "anthropic-beta", "content-encoding")


@dataclass(frozen=True, slots=True)
class OtherRequest:
    """An HTTP request that is none to a model: a model list, telemetry, a probe."""

    at: float
    method: str
    path: str
    status: int


@dataclass(frozen=True, slots=True)
class Given:
    """A turn as it was given to the main conversation, its late values filled in. `at` as in the requests.

    `began_at` and `ended_at` are wall time (UTC): from the arrival of the request to the end of its answer
    the CLI was at work, whatever its screen showed.
    """

    request: int
    name: str
    turn: Turn
    at: float
    began_at: datetime
    ended_at: datetime


class ModelServer(Serving):
    """A scripted model server on a loopback port.

    `script` is a playbook, the path of one, or its turns. `cwd` replaces `{{cwd}}` in it. `with
    ModelServer(...)` serves from a thread of its own, `async with` from the running loop. Leaving the block
    without an exception calls `check()`, unless `check_at_exit` is False. `on_request` is called on the
    server's loop with each model request, before it is answered, `on_given` with each turn that was given;
    what they raise is a fault of the run.
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
        on_given: Callable[[Given], None] | None = None,
    ) -> None:
        super().__init__(port)
        book = read_script(script)
        if min_tools is not None:
            book = replace(book, min_tools=min_tools)
        self._script = Script(book, str(cwd))
        self._check_at_exit = check_at_exit
        self._on_request = on_request
        self._on_given = on_given
        self._changed = threading.Condition()
        """Guards the three logs, which any thread may read."""
        self._requests: list[ModelRequest] = []
        self._others: list[OtherRequest] = []
        self._given: list[Given] = []
        self.started_at = time.monotonic()
        """When the times of requests began to count, on this machine's monotonic clock."""

    @property
    def requests(self) -> list[ModelRequest]:
        """The model requests so far, oldest first, with parsed bodies."""
        with self._changed:
            return list(self._requests)

    @property
    def main_requests(self) -> list[ModelRequest]:
        """The requests of the main conversation: side requests of the CLI are left out."""
        return [request for request in self.requests if not request.side]

    @property
    def given(self) -> list[Given]:
        with self._changed:
            return list(self._given)

    @property
    def other_requests(self) -> list[OtherRequest]:
        with self._changed:
            return list(self._others)

    def wait_for(self, condition: Callable[[Sequence[ModelRequest]], bool], seconds: float) -> None:
        """Wait until the requests so far meet `condition`. Raises TimeoutError, naming the last request.

        For the thread of a test; in a coroutine use `asyncio.to_thread`.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: condition(self._requests), seconds):
                last = self._requests[-1].prompt[:200] if self._requests else "none"
                raise TimeoutError(
                    f"after {seconds} s the last of {len(self._requests)} requests is {last!r}"
                )

    def wait_for_turn(self, name: str, seconds: float) -> None:
        """Wait until the turn of this name was asked for. Raises TimeoutError."""
        self.wait_for(lambda requests: any(request.turn == name for request in requests), seconds)

    def problems(self) -> list[str]:
        """Everything that did not go by the playbook so far, and every fault of the server itself."""
        return [*self._script.failures, *self.faults]

    def unused(self) -> list[str]:
        return self._script.unused()

    def check(self) -> None:
        """Raises PlaybookError that lists mismatches, unmet expectations, unused turns and server faults."""
        lines = [*self.problems(), *self.unused()]
        if lines:
            listed = "\n".join(f"- {line}" for line in lines)
            raise PlaybookError(f"the run did not go by its playbook:\n{listed}")

    def summary(self) -> str:
        return f"{len(self.requests)} requests, all by the playbook"

    def check_at_exit(self) -> None:
        if self._check_at_exit:
            self.check()

    async def start(self) -> None:
        await super().start()
        self.started_at = time.monotonic()

    async def handle(self, http: HttpRequest, answer: Connection) -> None:
        protocol, task = _route(http.path)
        if http.method != "POST" or protocol is None:
            await self._handle_other(http, answer)
            return
        body = http.json()
        if not isinstance(body, dict):
            raise BadRequest(400, "the body is not a JSON object")
        kept = {name: http.headers[name] for name in _KEPT_HEADERS if name in http.headers}
        number = len(self._requests) + 1
        request = replace(protocol.read(http, body), number=number, at=self._now(), headers=kept)
        if task is Task.COUNT:
            self._note_other(http, 200)
            await answer.send_json(protocol.count(estimate(request)))
            return
        request, turn = self._turn_for(request)
        with self._changed:
            self._requests.append(request)
            self._changed.notify_all()
        if self._on_request is not None:
            self._on_request(request)
        began_at = datetime.now(UTC)
        try:
            await give(turn, request, protocol, answer)
        finally:
            self._note_given(request, turn, began_at)

    def _turn_for(self, request: ModelRequest) -> tuple[ModelRequest, Turn]:
        book = self._script.playbook
        if self._script.is_side(request):
            return replace(request, side=True), side_answer(request, book.side_text)
        try:
            name, turn = self._script.take(request)
        except NoTurn as error:
            return request, Turn(error=HttpError(400, f"scripted model: {error}"))
        return replace(request, turn=name), turn if turn.pace is not None else replace(turn, pace=book.pace)

    async def _handle_other(self, http: HttpRequest, answer: Connection) -> None:
        known = http.method == "HEAD" or http.path.endswith("/models")
        self._note_other(http, 200 if known else 404)
        if known:
            await answer.send_json({"object": "list", "data": [], "models": []})
        else:
            error = {"type": "not_found_error", "message": "not scripted"}
            await answer.send_json({"type": "error", "error": error}, 404)

    def _note_other(self, http: HttpRequest, status: int) -> None:
        with self._changed:
            self._others.append(OtherRequest(self._now(), http.method, http.path, status))

    def _note_given(self, request: ModelRequest, turn: Turn, began_at: datetime) -> None:
        if not request.side:
            given = Given(request.number, request.turn, turn, self._now(), began_at, datetime.now(UTC))
            with self._changed:
                self._given.append(given)
                self._changed.notify_all()
            if self._on_given is not None:
                self._on_given(given)

    def _now(self) -> float:
        return time.monotonic() - self.started_at


def read_script(script: Playbook | Path | str | Sequence[Turn | str]) -> Playbook:
    """A playbook, the file of one, or its turns. Raises InputError for a file that is none."""
    if isinstance(script, Playbook):
        return script
    if isinstance(script, (str, Path)):
        return load_playbook(Path(script))
    return playbook(*script)


def _route(path: str) -> tuple[ModelProtocol | None, Task | None]:
    for protocol in _PROTOCOLS:
        if (task := protocol.task(path)) is not None:
            return protocol, task
    return None, None
