"""Local-only mode: `rules`, `playbook` and counting open no socket, and load neither SDK."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys, json
seen = []
def audit(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.bind", "socket.sendto"):
        seen.append([event, repr(arguments[1:])])
sys.addaudithook(audit)
import copilot.providers.create
early = [name for name in ("anthropic", "openai", "httpx2", "tiktoken", "bpe_openai", "genai_prices", "ruamel") if name in sys.modules]
import asyncio, pathlib
from copilot.providers.create import create_provider
from copilot.providers.tokens import token_counter
from tests.prompting.make import detection, request
from tests.providers.test_create import BASE
from dataclasses import replace
async def run(folder):
    made = request(detection("permission", "Proceed?", "Yes", "No", subject="npm test"), "Be careful.", output="hello " * 500)
    book = pathlib.Path(folder, "book.yml"); book.write_text("replies: [{choice: 'No'}]")
    answers = []
    for settings in (BASE, replace(BASE, provider="playbook", playbook=str(book))):
        provider = create_provider(settings, {})
        answers.append(str((await provider.propose(made, lambda text: None)).reply))
        await provider.close()
    loaded = [name for name in ("anthropic", "openai", "httpx2") if name in sys.modules]
    for name, model in (("openai", "gpt-5"), ("openai", "gpt-4"), ("openai", "llama3"), ("anthropic", "claude-haiku-5-5")):
        assert token_counter(name, model, {"TIKTOKEN_CACHE_DIR": folder})("hello world") > 0
    from copilot.providers.prices import PriceList
    PriceList("openai", "chat").cost_usd("gpt-5", {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11})
    return answers, loaded
answers, loaded = asyncio.run(run(sys.argv[1]))
print(json.dumps({"answers": answers, "early": early, "loaded": loaded, "sockets": seen}))
"""


def _alone() -> tuple[str, ...]:
    """What starts a command in a network namespace of its own; nothing where that is not permitted."""
    alone = ("unshare", "--user", "--net")
    try:
        subprocess.run([*alone, "true"], check=True, capture_output=True, timeout=200)
    except (OSError, subprocess.SubprocessError):
        return ()
    return alone


@pytest.mark.row("CP-81", "CP-48")
def test_offline_providers_and_counting_open_no_socket(tmp_path: Path) -> None:
    """And need no network: where the system permits it, they have none."""
    command = [*_alone(), sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=True)
    told = json.loads(done.stdout)
    assert told == {"answers": ["Yes", "No"], "early": [], "loaded": [], "sockets": []}
    assert done.stderr == "", "RE2 and others must not write to the terminal"
