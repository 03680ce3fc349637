"""Several lines go where a hint asks for them, as one block, and Ctrl-D behind it if the hint says so."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.front_door import copilot

BLOCK = "First line\n\nlast line"
CHILD = """
import pathlib, sys
print("Describe the change:")
pathlib.Path("text").write_text(sys.stdin.read() if sys.argv[1] == "all" else sys.stdin.readline())
"""
PASTING = """
import os, pathlib, sys, termios, tty
sys.stdout.write("\\x1b[?2004hDescribe the change: ")
sys.stdout.flush()
tty.setcbreak(0)
got = b""
while not got.endswith(b"\\x1b[201~\\n"):
    for byte in os.read(0, 1000):
        got = got[:-1] if byte == 127 else got + bytes([byte])
    text = got.decode().replace("\\x1b[200~", "").replace("\\x1b[201~", "")
    sys.stdout.write("\\x1b[HDescribe the change: " + text.replace("\\n", "\\r\\n") + "\\x1b[J")
    sys.stdout.flush()
pathlib.Path("text").write_bytes(got)
"""


def run(folder: Path, child: str, hint: str, *arguments: str) -> tuple[str, int, str]:
    """What the child got, the exit code, and the last line."""
    (folder / "child.py").write_text(child, "utf-8")
    detectors = {"awaitingInput": [f"^Describe the change:{hint}"]}
    (folder / "detectors.json").write_text(json.dumps(detectors), "utf-8")
    reply = {"order": "any", "replies": [{"question": {"contains": "Describe"}, "text": BLOCK}]}
    (folder / "replies.yml").write_text(json.dumps(reply), "utf-8")
    words: list[str | Path] = ["--headless", "--autonomy", "full", "--provider", "playbook"]
    words += ["--playbook", folder / "replies.yml", "--detectors", folder / "detectors.json"]
    words += ["--log", folder / "run", "--", sys.executable, "child.py", *arguments]
    done = copilot(*words, cwd=folder, environment={"HOME": str(folder)})
    text = folder / "text"
    return text.read_text("utf-8") if text.exists() else "", done.code, done.last


@pytest.mark.row("CP-62", "CP-92")
def test_a_block_goes_to_a_program_that_reads_to_the_end_and_ctrl_d_ends_it(tmp_path: Path) -> None:
    got, code, last = run(tmp_path, CHILD, " <<BEGIN MULTILINE>> <<END CTRL-D>>", "all")
    assert (got, code) == (f"{BLOCK}\n", 0), last


@pytest.mark.row("CP-62", "CP-92")
def test_a_block_is_one_paste_where_the_program_takes_pastes(tmp_path: Path) -> None:
    got, code, last = run(tmp_path, PASTING, " <<BEGIN MULTILINE>> ... <<END>>")
    assert (got, code) == (f"\x1b[200~{BLOCK}\x1b[201~\n", 0), last


@pytest.mark.row("CP-62")
@pytest.mark.parametrize("hint", ["", " <<BEGIN MULTILINE>> <<END>>"])
def test_no_block_is_typed_where_none_is_asked_for_or_no_paste_is_taken(tmp_path: Path, hint: str) -> None:
    got, code, last = run(tmp_path, CHILD, hint, "line")
    assert (got, code) == ("", 3), last
    assert "several lines" in last


@pytest.mark.row("CP-92")
def test_a_step_of_a_plan_types_its_block_and_ctrl_d(tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(
        'import pathlib, sys\nprint("> ", end="", flush=True)\n'
        'pathlib.Path("text").write_text(sys.stdin.read())\nprint("kept")\nprint("> ", end="", flush=True)\n'
        "open('/dev/tty').readline()\n",
        "utf-8",
    )
    lines = "".join(
        f"      {line}\n" for line in ["<<BEGIN MULTILINE>>", *BLOCK.split("\n"), "<<END CTRL-D>>"]
    )
    plan = f'name: block\nsteps:\n  - name: one\n    send: |\n{lines}    ends: {{shows: "^kept"}}\n'
    (tmp_path / "plan.yml").write_text(plan, "utf-8")
    words: list[str | Path] = ["--headless", "--autonomy", "full", "--plan", tmp_path / "plan.yml"]
    words += ["--log", tmp_path / "run", "--", sys.executable, "child.py"]
    done = copilot(*words, cwd=tmp_path, environment={"HOME": str(tmp_path)})
    assert done.code == 0, done.last
    assert (tmp_path / "text").read_text("utf-8") == f"{BLOCK}\n"
