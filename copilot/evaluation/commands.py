"""The commands of this room. `cli.py` adds them to the program."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import click

from copilot.errors import EXIT_FAILED, InputError
from copilot.evaluation.model_server.conversation import ModelRequest
from copilot.evaluation.model_server.script import PlaybookError
from copilot.evaluation.model_server.server import ModelServer
from copilot.safety.redact import Redactor


@click.command("model-server")
@click.option("--playbook", required=True, type=click.Path(path_type=Path), help="The scripted turns (YAML).")
@click.option(
    "--port", default=0, type=click.IntRange(0, 65535), help="Port on 127.0.0.1 (default: a free one)."
)
@click.option(
    "--log", type=click.Path(path_type=Path), help="Append each request, redacted, to this file (JSON lines)."
)
@click.option(
    "--cwd", default=".", type=click.Path(path_type=Path), help="What {{cwd}} in the playbook stands for."
)
def model_server_command(playbook: Path, port: int, log: Path | None, cwd: Path) -> None:
    """Serve a scripted model to any coding CLI, offline and without a key, until Ctrl-C.

    Speaks Anthropic Messages, OpenAI Responses, OpenAI chat/completions and Gemini. Ends with exit code 1
    when the run did not go by the playbook.
    """
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with _opened(log) as file:
        try:
            server = ModelServer(
                playbook, port=port, cwd=cwd.resolve(), check_at_exit=False, on_request=_reporter(file)
            )
            with server:
                click.echo(_usage(server))
                while not ended.wait(0.2):
                    pass
        except OSError as error:
            raise InputError(f"port {port} on 127.0.0.1: {error.strerror}; choose another --port") from error
    _summary(server)


def _opened(log: Path | None) -> AbstractContextManager[IO[str] | None]:
    if log is None:
        return nullcontext()
    try:
        return log.open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise InputError(f"--log {log}: cannot be written: {error.strerror}") from error


def _reporter(file: IO[str] | None) -> Callable[[ModelRequest], None]:
    redactor = Redactor()

    def redacted(value: Any) -> Any:
        if isinstance(value, str):
            return redactor.redact(value).text
        if isinstance(value, dict):
            return {key: redacted(item) for key, item in value.items()}
        return [redacted(item) for item in value] if isinstance(value, (list, tuple)) else value

    def report(request: ModelRequest) -> None:
        answer = request.turn or ("canned" if request.side else "no turn")
        click.echo(f"{request.at:8.2f} s  {request.number:>4}  {request.protocol:<9}  {answer}")
        if file is not None:
            file.write(json.dumps(redacted(asdict(request)), ensure_ascii=False) + "\n")

    return report


def _usage(server: ModelServer) -> str:
    return "\n".join(
        (
            f"listening on {server.url}",
            f"  Claude Code   ANTHROPIC_BASE_URL={server.url} ANTHROPIC_API_KEY=sk-fake",
            f'  Codex         model_providers.local.base_url = "{server.url}/v1", wire_api = "responses"',
            f"  Gemini CLI    GOOGLE_GEMINI_BASE_URL={server.url} GEMINI_API_KEY=sk-fake",
            f"  OpenAI        OPENAI_BASE_URL={server.url}/v1 OPENAI_API_KEY=sk-fake",
        )
    )


def _summary(server: ModelServer) -> None:
    try:
        server.check()
    except PlaybookError as error:
        click.echo(str(error), err=True)
        raise SystemExit(EXIT_FAILED) from error
    click.echo(f"{len(server.requests)} requests, all by the playbook")
