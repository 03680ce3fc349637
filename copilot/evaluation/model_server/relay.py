"""`RecordingProxy` stands between a CLI and a real model and keeps what is said; `Replay` says it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2

from copilot.errors import InputError
from copilot.evaluation.model_server.coalesce import coalesced
from copilot.evaluation.model_server.http import Answer, BadRequest, HttpRequest
from copilot.evaluation.model_server.recorded import Exchange, Keeper, canonical, differences, load_exchanges
from copilot.evaluation.model_server.script import PlaybookError
from copilot.evaluation.model_server.serving import Serving
from copilot.safety.redact import Redactor

_NOT_PASSED_ON = frozenset({"host", "content-length", "connection", "accept-encoding", "transfer-encoding"})
_SECONDS = 600.0
_CWD = "{{cwd}}"


class RecordingProxy(Serving):
    """Passes every request on to `upstream`, its answer back as it comes; keeps both in `folder`, redacted.

    `cwd` is written as `{{cwd}}`. Keys are passed on and never written. The folder must be new or empty.
    """

    def __init__(self, folder: Path, upstream: str, *, cwd: Path | str = "", port: int = 0) -> None:
        super().__init__(port)
        if not upstream.startswith(("http://", "https://")):
            raise InputError(f"--upstream {upstream!r}: must be a URL that begins with http:// or https://")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--record {folder}: cannot be made: {error.strerror}") from error
        if any(folder.iterdir()):
            raise InputError(f"--record {folder}: is not empty; give a new folder")
        self.exchanges = 0
        self._upstream = upstream.rstrip("/")
        self._keeper = Keeper(folder, {str(cwd): _CWD})

    async def handle(self, http: HttpRequest, answer: Answer) -> None:
        """Pass it on. Raises ClientGone, and BadRequest where upstream cannot be reached."""
        self.exchanges += 1
        number = self.exchanges
        url = f"{self._upstream}{http.path}{'?' + http.query if http.query else ''}"
        headers = {name: value for name, value in http.headers.items() if name not in _NOT_PASSED_ON}
        headers["accept-encoding"] = "identity"
        whole = bytearray()
        try:
            async with (
                httpx2.AsyncClient(timeout=_SECONDS, trust_env=False) as client,
                client.stream(http.method, url, headers=headers, content=http.raw_body) as response,
            ):
                kind = response.headers.get("content-type", "application/json")
                await answer.start_stream(kind, response.status_code)
                async for data in response.aiter_bytes():
                    whole += data
                    await answer.send(data)
                await answer.end_stream()
        except httpx2.HTTPError as error:
            raise BadRequest(502, f"upstream cannot be reached: {error or type(error).__name__}") from error
        body = _body(http)
        text = whole.decode("utf-8", "replace")
        text = coalesced(text) if "event-stream" in kind else text
        self._keeper.keep(Exchange(number, http.method, http.path, body, response.status_code, kind, text))


class Replay(Serving):
    """Answers from recorded exchanges, each once. A request that differs from its record is a failure.

    Which record answers: the first unused one of this method and path whose request is the same but for
    volatile parts; else the first unused of that path, with the differences told.
    """

    def __init__(self, folder: Path, *, cwd: Path | str = "", port: int = 0) -> None:
        super().__init__(port)
        self._left = load_exchanges(folder)
        self._cwd = str(cwd)
        self._redactor = Redactor()
        self.failures: list[str] = []
        self.replayed = 0

    async def handle(self, http: HttpRequest, answer: Answer) -> None:
        """Say again what was said. Raises ClientGone and BadRequest."""
        asked = canonical(self._as_kept(_body(http)))
        fitting = [one for one in self._left if (one.method, one.path) == (http.method, http.path)]
        same = [one for one in fitting if canonical(one.request) == asked]
        if not fitting:
            self.failures.append(f"{http.method} {http.path}: no recorded exchange is left for it")
            raise BadRequest(400, f"replay: {self.failures[-1]}")
        chosen = (same or fitting)[0]
        if not same:
            lines = differences(canonical(chosen.request), asked)
            self.failures += [f"exchange {chosen.number}: {line}" for line in lines[:5]]
        self._left.remove(chosen)
        self.replayed += 1
        text = chosen.answer.replace(_CWD, self._cwd) if self._cwd else chosen.answer
        await answer.start_stream(chosen.content_type, chosen.status)
        await answer.send(text.encode("utf-8", "surrogatepass"))
        await answer.end_stream()

    def problems(self) -> list[str]:
        """Everything that went otherwise than recorded."""
        left = [f"exchange {one.number}: {one.method} {one.path} never came" for one in self._left]
        return [*self.failures, *self.faults, *left]

    def check_at_exit(self) -> None:
        """Raises PlaybookError if the run was another one."""
        if lines := self.problems():
            raise PlaybookError("the run was not as recorded:\n" + "\n".join(f"- {line}" for line in lines))

    def _as_kept(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._redactor.redact(value.replace(self._cwd, _CWD) if self._cwd else value).text
        if isinstance(value, Mapping):
            return {key: self._as_kept(one) for key, one in value.items()}
        return [self._as_kept(one) for one in value] if isinstance(value, list) else value


def _body(http: HttpRequest) -> Any:
    try:
        return http.json()
    except BadRequest:
        return http.raw_body.decode("utf-8", "replace")
