"""A real CLI deletes a folder by an approved command and rewrites a file; `copilot undo` brings all back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from copilot.lab.model_server import Playbook, ToolCall, Turn
from tests.real.run import COPILOT, run_headless
from tests.real.scenes import DELETE, PACE
from tests.real.stage import Stage, stage
from tests.real.tools import TOOLS

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(300)]
SECONDS = 200.0
REWRITTEN = "raise SystemExit('rewritten')\n"
MINE = "\nA line of the person.\n"
YES = """\
order: any
replies:
  - kind: permission
    choice: {matches: "^Yes($|, proceed)"}
    times: any
"""


def turns(name: str) -> tuple[Turn, ...]:
    """The file is read first where the CLI wants that, then rewritten; the folder is deleted."""
    app = "{{cwd}}/app.py"
    if name == "claude":
        edits = [
            Turn("I read it.", (ToolCall("Read", {"file_path": app}),), name="read"),
            Turn(
                "I rewrite it.",
                (ToolCall("Write", {"file_path": app, "content": REWRITTEN}),),
                name="write",
            ),
        ]
    else:
        patch = f"*** Begin Patch\n*** Delete File: app.py\n*** Add File: new.py\n+{REWRITTEN}*** End Patch\n"
        edits = [Turn("I rewrite it.", (ToolCall("apply_patch", input=patch),), name="write")]
    return (
        *edits,
        Turn("I clean up.", (TOOLS[name].run(DELETE),), name="delete"),
        Turn("All is done.", name="done"),
    )


def undo(on: Stage, *options: str) -> str:
    done = subprocess.run(
        [str(COPILOT), "undo", str(on.folder / "runs"), *options],
        cwd=on.project,
        env=dict(on.recipe.environment),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_all_that_a_cli_changed_is_brought_back_and_the_persons_edit_stays(name: str, tmp_path: Path) -> None:
    book = Playbook(turns(name), min_tools=3, pace=PACE)
    with stage(name, tmp_path, playbook=book) as on:
        before = picture(on.project)
        replies = on.folder / "replies.yaml"
        replies.write_text(YES)
        options = ["--autonomy", "full", "--provider", "playbook", "--playbook", str(replies)]
        options += ["--allow", f"shell:{DELETE}", "--allow", "edit:app.py", "--timeout", "150s"]
        run = run_headless(on, *options, task="Rewrite app.py, then clean up.", seconds=SECONDS)
        assert run.exit_code == 0, run.output
        assert not (on.project / "build").exists()
        assert picture(on.project)["app.py" if name == "claude" else "new.py"] == REWRITTEN
        with (on.project / "README.md").open("a") as readme:
            readme.write(MINE)
        shown = undo(on, "--dry-run")
        assert "app.py" in shown and "build/" in shown
        assert not (on.project / "build").exists(), "a dry run changes nothing"
        undo(on)
        assert picture(on.project) == {**before, "README.md": before["README.md"] + MINE}
        listed = undo(on, "--list")
        assert "start of the run" in listed and DELETE in listed, listed


def picture(project: Path) -> dict[str, str]:
    """Each file of the project with its text, without git's own."""
    files = (path for path in project.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(project)): path.read_text() for path in files}
