"""`ModelServer`: a scripted model on 127.0.0.1 that speaks the vendors' protocols.

A real coding CLI that is pointed at it runs offline, without a key, and the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from copilot.lab.model_server.conversation import ModelRequest
from copilot.lab.model_server.http import Answer, HttpRequest
from copilot.lab.model_server.playbook_file import load_playbook
from copilot.lab.model_server.script import PlaybookError, Script
from copilot.lab.model_server.service import Answered, Given, OtherRequest, Service
from copilot.lab.model_server.serving import Serving
from copilot.lab.model_server.turns import Playbook, Turn, playbook


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
