"""The command `copilot model-server`."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import IO, cast

import click

from copilot.errors import EXIT_FAILED, InputError
from copilot.lab.model_server.http import Serving
from copilot.lab.model_server.relay import RecordingProxy, Replay
from copilot.lab.model_server.requests import ModelRequest, with_texts
from copilot.lab.model_server.script import PlaybookError
from copilot.lab.model_server.server import ModelServer
from copilot.redaction.redact import Redactor

PATH = click.Path(path_type=Path)


@click.command("model-server")
@click.option("--playbook", type=PATH, metavar="FILE", help="The scripted turns (YAML or Python).")
@click.option("--record", type=PATH, metavar="DIR", help="Pass on to --upstream; keep all in this folder.")
@click.option("--upstream", metavar="URL", help="With --record: the real model's base URL.")
@click.option("--replay", type=PATH, metavar="DIR", help="Say again what was recorded in this folder.")
@click.option(
    "--port",
    default=0,
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Port on 127.0.0.1 (default: a free one).",
)
@click.option(
    "--log", type=PATH, metavar="FILE", help="Append each request, redacted, to this file (JSON lines)."
)
@click.option("--cwd", default=".", type=PATH, metavar="DIR", help="The value of {{cwd}} in the playbook.")
def model_server_command(
    playbook: Path | None,
    record: Path | None,
    upstream: str | None,
    replay: Path | None,
    port: int,
    log: Path | None,
    cwd: Path,
) -> None:
    """Serve a scripted model to any coding CLI, offline and without a key, until Ctrl-C.

    Speaks Anthropic Messages, OpenAI Responses, OpenAI chat/completions and Gemini. Ends with exit code 1
    when the run did not go by the playbook, or was not as recorded.

    \b
    A playbook is YAML, one turn for each request:
      turns:
        - when: Create hello.py        # the prompt must contain this
          text: I'll create it.
          tool_calls:
            - name: Write
              arguments: {file_path: "{{cwd}}/hello.py", content: "print(1)\\n"}
        - text: Done.

    All keys, and how each CLI is pointed here: docs/model-server.md of the source.
    """
    if sum(one is not None for one in (playbook, record, replay)) != 1:
        raise click.UsageError("give one of --playbook, --record (with --upstream) and --replay")
    if (record is None) != (upstream is None):
        raise click.UsageError("--record and --upstream go together")
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    where = cwd.resolve()
    with _opened(log) as file:
        server: ModelServer | Replay | RecordingProxy
        if playbook is not None:
            server = ModelServer(playbook, port=port, cwd=where, on_request=_reporter(file))
        elif replay is not None:
            server = Replay(replay, cwd=where, port=port)
        else:
            server = RecordingProxy(cast("Path", record), cast("str", upstream), cwd=where, port=port)
        _serve(server, ended)


def _serve(server: ModelServer | Replay | RecordingProxy, ended: threading.Event) -> None:
    """Until Ctrl-C, and then whether it went as it should."""
    try:
        with server:
            click.echo(_usage(server))
            while not ended.wait(0.2):
                pass
    except OSError as error:
        raise InputError(
            f"port {server.port} on 127.0.0.1: {error.strerror}; choose another --port"
        ) from error
    except PlaybookError as error:
        click.echo(str(error), err=True)
        raise SystemExit(EXIT_FAILED) from error
    click.echo(server.summary())


def _opened(log: Path | None) -> AbstractContextManager[IO[str] | None]:
    if log is None:
        return nullcontext()
    try:
        return log.open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise InputError(f"--log {log}: cannot be written: {error.strerror}") from error


def _reporter(file: IO[str] | None) -> Callable[[ModelRequest], None]:
    redactor = Redactor()

    def report(request: ModelRequest) -> None:
        answer = request.turn or ("canned" if request.side else "no turn")
        click.echo(f"{request.at:8.2f} s  {request.number:>4}  {request.protocol:<9}  {answer}")
        if file is not None:
            redacted = with_texts(asdict(request), lambda text: redactor.redact(text).text)
            file.write(json.dumps(redacted, ensure_ascii=False) + "\n")

    return report


def _usage(server: Serving) -> str:
    return "\n".join(
        (
            f"listening on {server.url}",
            f"  Claude Code   ANTHROPIC_BASE_URL={server.url} ANTHROPIC_API_KEY=sk-fake"
            " CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1",
            f'  Codex         model_providers.local.base_url = "{server.url}/v1", wire_api = "responses"',
            f"  Gemini CLI    GOOGLE_GEMINI_BASE_URL={server.url} GEMINI_API_KEY=sk-fake",
            f"  OpenAI        OPENAI_BASE_URL={server.url}/v1 OPENAI_API_KEY=sk-fake",
        )
    )
