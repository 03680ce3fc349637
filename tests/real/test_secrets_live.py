"""A real Claude Code that prints secrets: none leaves by the model's requests, the run folder or a report."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.lab.model_server import Pace, Playbook, ToolCall, Turn
from copilot.recording.asciicast import OUTPUT
from copilot.screen import TerminalScreen
from tests.providers.server import OpenAIWords, ScriptedServer, Words, base_url, both
from tests.real.run import COPILOT, HeadlessRun, RunFolder, run_headless
from tests.real.stage import Stage, stage
from tests.redaction_corpus.lines import fill

pytestmark = [pytest.mark.real_cli("claude"), pytest.mark.timeout(300)]
OFF = Path(__file__).parent / "redaction_off"
COLUMNS, LINES = 80, 30
TASK = "Show how we deploy, and run the tests."
KEY_LINES = [fill("{B64}", f"live-{number}") for number in range(6)]
PLANTED = {
    "env": fill("{A18}q", "live-env"),
    "dotenv": fill("{A20}", "live-dotenv"),
    "github": fill("ghp_{A36}", "live"),
    "github-wrapped": fill("ghp_{A36}", "live-wrapped"),
    "openai": fill("sk-proj-{A48}", "live"),
    "openai-in-a-command": fill("sk-proj-{A48}", "live-command"),
    "aws": fill("{B40}", "live-aws"),
    **{f"key {number}": line for number, line in enumerate(KEY_LINES)},
}
LONG_NAME = "GITHUB_TOKEN_FOR_THE_DEPLOYMENT_OF_THE_SHOP_ON_THE_STAGING"
"""With its value longer than a row of the CLI's, which breaks it in the middle of the value."""
PRINTS = f"""\
import os, unittest
class Deploy(unittest.TestCase):
    def test_deploy(self):
        token = open("token.txt").read().strip()
        print(f"in colours \\x1b[1m{{token[:12]}}\\x1b[31m{{token[12:]}}\\x1b[0m", flush=True)
        print("{LONG_NAME}=" + open("wrapped.txt").read().strip(), flush=True)
        print("the environment has " + os.environ["DEPLOY_SECRET"], flush=True)
"""
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x1f]"
)
_BETWEEN_ROWS = re.compile(r"[\s│┃┊╎|⎿]+")


def key_file() -> str:
    return "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *KEY_LINES, "-----END RSA PRIVATE KEY-----"])


def story() -> Playbook:
    """It reads the files, tells what is in them, has a program print, edits, and puts a key into a command."""
    run = {"description": "Run a command"}
    told = f"DEPLOY_PASSWORD={PLANTED['dotenv']}\nopenai key {PLANTED['openai']}\n\n{key_file()}"
    aws = f"aws_secret_access_key = {PLANTED['aws']}\n"
    call = f"curl -H 'Authorization: Bearer {PLANTED['openai-in-a-command']}' https://example.invalid/"
    return Playbook(
        (
            Turn(
                "I look.",
                tuple(
                    ToolCall("Read", {"file_path": f"{{{{cwd}}}}/{one}"}) for one in (".env", "deploy.pem")
                ),
            ),
            Turn(
                f"It is:\n\n```\n{told}\n```\n",
                (ToolCall("Bash", {"command": "python3 -m unittest", **run}),),
            ),
            Turn(
                "I write it down.",
                (ToolCall("Write", {"file_path": "{{cwd}}/deploy.ini", "content": aws}),),
                name="tested",
            ),
            Turn("I try it.", (ToolCall("Bash", {"command": call, **run}),)),
            Turn("Done."),
        ),
        min_tools=3,
        pace=Pace(first_delay_seconds=0.4, chunk_characters=12, chunk_delay_seconds=0.02),
    )


def plant(on: Stage) -> dict[str, str]:
    """The files with secrets in the project; what the environment has more."""
    for name, text in (
        (".env", f"DEPLOY_PASSWORD={PLANTED['dotenv']}\n"),
        ("deploy.pem", key_file()),
        ("token.txt", PLANTED["github"]),
        ("wrapped.txt", PLANTED["github-wrapped"]),
        ("test_deploy.py", PRINTS),
    ):
        (on.project / name).write_text(text, "utf-8")
    return {"DEPLOY_SECRET": PLANTED["env"]}


def doors(run: RunFolder, server: ScriptedServer, told: str) -> dict[str, list[str]]:
    """Everything that left: by its name, as it is and in the forms in which a reader can have it."""
    files = {
        str(path.relative_to(run.path)): path.read_text("utf-8", "replace")
        for path in sorted(run.path.rglob("*"))
        if path.is_file()
    }
    requests = {f"request {number}": one.raw.decode() for number, one in enumerate(server.received)}
    output = "".join(event.data for event in run.cast.events if event.code == OUTPUT)
    markdown = subprocess.run(
        [COPILOT, "report", run.path, "--markdown", "-o", run.path.parent / "report.md"],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": ""},
    )
    more = {
        "the cast's output": output,
        "the cast's screens": "\n".join(screens(run)),
        "told": told,
        "report --markdown": (run.path.parent / "report.md").read_text("utf-8") + markdown.stdout.decode(),
    }
    return {name: list(forms(text)) for name, text in (files | requests | more).items()}


def screens(run: RunFolder) -> Iterator[str]:
    screen = TerminalScreen(COLUMNS, LINES)
    before = ""
    for event in run.cast.events:
        if event.code == OUTPUT:
            screen.feed(event.data.encode())
            shown = "\n".join(screen.snapshot().lines)
            if shown != before:
                yield shown
            before = shown


def forms(text: str) -> Iterator[str]:
    """As it is, without escapes, and with rows joined."""
    plain = _ESCAPES.sub("", text)
    unquoted = re.sub(r"\\u001b\[[0-?]*[ -/]*[@-~]|\\[nr]", "", text)
    yield from (text, plain, _BETWEEN_ROWS.sub("", plain), _BETWEEN_ROWS.sub("", unquoted))


def leaks(secret: str, text: str) -> bool:
    """Whether eight characters in a row of the secret's last two thirds are in there."""
    tail = secret[len(secret) // 3 :]
    return any(tail[begin : begin + 8] in text for begin in range(len(tail) - 7))


def leaking(found: dict[str, list[str]]) -> set[tuple[str, str]]:
    return {
        (door, name)
        for door, texts in found.items()
        for name, secret in PLANTED.items()
        if any(leaks(secret, text) for text in texts)
    }


async def run_of(
    words: Words, folder: Path, reason: str = "", **environment: str
) -> tuple[HeadlessRun, ScriptedServer]:
    """The whole run; the co-pilot's model says yes to everything."""
    fields = {"choice": "Yes", "text": None, "reason": reason, "confidence": 1, "needs_human": False}
    server = ScriptedServer(words.stream(json.dumps(fields)))
    with stage("claude", folder, playbook=story()) as short:
        on = replace(short, recipe=replace(short.recipe, arguments=("--verbose",)))
        environment |= plant(on) | {
            f"{words.name.upper()}_API_KEY": on.recipe.environment["ANTHROPIC_API_KEY"]
        }
        async with server.running():
            url = base_url(words, server.url)
            options = ["--autonomy", "full", "--provider", words.name, "--model", "test-model"]
            options += ["--base-url", url, "--columns", str(COLUMNS), "--lines", str(LINES)]
            run = await asyncio.to_thread(
                run_headless,
                on,
                *options,
                "--timeout",
                "150s",
                task=TASK,
                seconds=200.0,
                environment=environment,
            )
        (tested,) = [one for one in on.model.main_requests if one.turn == "tested"]
        shown = tested.tool_result.replace("\x1b[31m", "")
        assert all(PLANTED[name] in shown for name in ("github", "github-wrapped", "env"))
    return run, server


@pytest.mark.row("CP-54", "CP-55")
@pytest.mark.invariant(8)
@both
async def test_no_secret_that_claude_shows_leaves_by_any_door(tmp_path: Path, words: Words) -> None:
    reason = f"it showed {PLANTED['github']} and {PLANTED['env']}"  # which it must not have seen
    run, server = await run_of(words, tmp_path, reason)
    assert run.exit_code == 0
    found = doors(run.folder, server, f"{run.output}\n{run.errors}")
    assert leaking(found) == set()
    seen = ["request 0", "request 1", "transcript.jsonl", "session.cast", "report.html", "report --markdown"]
    seen += [name for name in found if name.startswith(("raw/", "prompts/step-01/req"))]
    assert len(seen) > 7
    assert [door for door in seen if "[secret:" not in found[door][0]] == []
    assert "manifest.json" in found


async def test_with_redaction_off_each_door_is_seen_to_leak(tmp_path: Path) -> None:
    """The same look finds what would leak, and every planted secret was really shown."""
    run, server = await run_of(OpenAIWords(), tmp_path, PYTHONPATH=str(OFF))
    found = leaking(doors(run.folder, server, f"{run.output}\n{run.errors}"))
    assert {name for door, name in found if door == "the cast's screens"} == set(PLANTED)
    wanted = {
        "request 0",
        "request 1",
        "transcript.jsonl",
        "session.cast",
        "report.html",
        "report --markdown",
    }
    wanted |= {"the cast's output", "the cast's screens", "raw/output-0001.log"}
    assert wanted <= {door for door, _ in found}
