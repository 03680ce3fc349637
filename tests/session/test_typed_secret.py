"""A password that the person types is known from its Enter on, wherever it shows afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core.reply import Proposal, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.session.secrets import TypedSecret
from tests.session.live import FakeProvider, ended, python_settings, running

PASSWORD = "Tr0ub4dor"
CHATTY = """
import getpass
secret = getpass.getpass("Password for ada: ")
print("logged in with " + secret, flush=True)
print("in colours: " + secret[:3] + "\\x1b[1m" + secret[3:] + "\\x1b[0m", flush=True)
input(f"Enter a name for {secret}: ")
print("done with " + secret)
"""


def _learned(*chunks: bytes, hidden: bool = True) -> list[str]:
    learned: list[str] = []
    secret = TypedSecret(learned.append)
    for chunk in chunks:
        secret.typed(chunk, hidden)
    return learned


@pytest.mark.parametrize(
    ("chunks", "line"),
    [
        ((b"hunter2\r",), "hunter2"),
        ((b"hun", b"ter2", b"\n"), "hunter2"),
        ((b"hunterr\x7f2\r",), "hunter2"),
        ((b"wrong\x15hunter2\r",), "hunter2"),
        ((b"wrong\x03", b"hunter2\r"), "hunter2"),
        ((b"\x1b[200~hunter2\x1b[201~", b"\r"), "hunter2"),
        ((b"hun\x1b[D\x1bOCter2\r",), "hunter2"),
        (("pässwört\r".encode()[:2], "pässwört\r".encode()[2:]), "pässwört"),
    ],
)
def test_a_hidden_line_is_known_at_its_enter(chunks: tuple[bytes, ...], line: str) -> None:
    assert _learned(*chunks) == [line]


def test_what_is_shown_while_it_is_typed_is_no_secret() -> None:
    assert _learned(b"git status\r", hidden=False) == []
    learned: list[str] = []
    secret = TypedSecret(learned.append)
    secret.typed(b"ls", hidden=False)
    secret.typed(b"hunter2\r", hidden=True)
    assert learned == ["hunter2"]


def test_an_endless_line_is_cut() -> None:
    assert [len(line) for line in _learned(b"ab" * 50_000, b"\r")] == [1024]


@pytest.mark.invariant(8)
@pytest.mark.parametrize("at_once", [True, False], ids=["pasted at once", "key by key"])
async def test_a_password_that_the_program_prints_later_is_in_no_artifact_and_no_request(
    tmp_path: Path, at_once: bool
) -> None:
    run_folder = tmp_path / "run"
    settings = python_settings(CHATTY, tmp_path, columns=100)
    provider = FakeProvider([Proposal(Reply(text="ada"))])
    async with running(settings, provider) as watched:
        await watched.until(lambda: "Password for ada:" in watched.screen_text(), "the prompt")
        if not at_once:
            await watched.state(RunState.HELD)
            assert watched.live.run.detection.kind is ScreenKind.PASSWORD
        for chunk in [PASSWORD.encode()] if at_once else [char.encode() for char in PASSWORD]:
            watched.live.type_bytes(chunk)
        watched.live.type_bytes(b"\r")
        await watched.until(lambda: bool(provider.requests), "a request")
        assert PASSWORD in watched.screen_text(), "the person sees the terminal as it is"
        assert PASSWORD not in repr(provider.requests)
        watched.live.type_bytes(b"ada\r")
        await ended(watched)
    files = [path for path in run_folder.rglob("*") if path.is_file()]
    assert any(b"logged in with [secret:" in path.read_bytes() for path in files)
    for path in files:
        assert PASSWORD.encode() not in path.read_bytes(), path
