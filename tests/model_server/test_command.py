"""`copilot model-server` as a process."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.errors import InputError
from copilot.lab.model_server import ModelServer
from copilot.lab.model_server.command import model_server_command
from tests.model_server.wire import say

START = "from copilot.lab.model_server.command import model_server_command as m; m()"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text("turns: [{text: hello, name: greet}]\n", encoding="utf-8")
    return path


@pytest.fixture
def process(script: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", START, "--playbook", str(script), "--log", str(tmp_path / "log.jsonl")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as started:
        yield started
        started.kill()


def url_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    found = re.search(r"listening on (http://127\.0\.0\.1:\d+)", process.stdout.readline())
    assert found
    return found.group(1)


def test_it_serves_logs_and_ends_with_zero(process: subprocess.Popen[str], tmp_path: Path) -> None:
    secret = "ghp_" + "".join(random.Random(1).choices(string.ascii_letters + string.digits, k=36))
    assert "hello" in say(url_of(process), f"go with {secret}").text
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=200)
    assert process.returncode == 0, output
    assert "anthropic  greet" in output
    assert "1 requests, all by the playbook" in output
    (line,) = (tmp_path / "log.jsonl").read_text().splitlines()
    assert secret not in line
    logged = json.loads(line)
    assert (logged["turn"], logged["path"]) == ("greet", "/v1/messages")
    assert logged["body"]["messages"][0]["content"].startswith("go with [secret:")


def test_unused_turns_end_it_with_one(process: subprocess.Popen[str]) -> None:
    url_of(process)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 1
    assert "- greet: never asked for" in errors


def test_a_taken_port_and_an_unwritable_log_are_told(script: Path) -> None:
    with ModelServer([]) as server:
        arguments = ["--playbook", str(script), "--port", str(server.port)]
        result = CliRunner().invoke(model_server_command, arguments)
        assert isinstance(result.exception, InputError)
        assert f"port {server.port} on 127.0.0.1" in str(result.exception)
    arguments = ["--playbook", str(script), "--log", str(script / "x")]
    result = CliRunner().invoke(model_server_command, arguments)
    assert isinstance(result.exception, InputError)
    assert "--log" in str(result.exception)
