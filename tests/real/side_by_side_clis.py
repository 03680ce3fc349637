"""The coding CLIs side by side: each runs offline against the scripted model, once, and its bytes are played."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from copilot.lab.model_server import ModelServer, load_playbook
from tests.real.install import BY_NAME, NotInstallable, installed
from tests.real.processes import end, with_home
from tests.real.recipes import RECIPES, make_project
from tests.real.side_by_side import Scene, Step
from tests.real.side_by_side_steps import ROUND, WHEEL_UP, Absent, keys, look, resize, text, wheel

_ANSWER = """\
pace: {first_delay_seconds: 0.2, chunk_characters: 30, chunk_delay_seconds: 0.01}
turns:
  - name: answer
    when: Tell me
    text: |-
      ## A heading with **bold**, *italic* and `code`

      1. größer, 漢字, 한국어, 🎉 👍 ✅ ❌
      2. a list that goes on

      | word | number |
      | --- | ---: |
      | 一 | 1 |
      | two | 2 |

      ```python
      def total(values: list[int]) -> int:
          return sum(values)  # “quoted”
      ```

      > That is all of it.
"""
_READY = {"claude": "❯", "codex": "›", "opencode": "Ask anything", "copilot": "fake-model"}
NAMES = tuple(_READY)


def scene(name: str, folder: Path, stack: ExitStack) -> Scene:
    """The scene of this CLI, its files in `folder`. Raises Absent."""
    try:
        programs = installed(BY_NAME[name])
    except NotInstallable as reason:
        raise Absent(str(reason)) from reason
    project = make_project(folder)
    book = folder / "answer.yaml"
    book.write_text(_ANSWER, encoding="utf-8")
    model = stack.enter_context(ModelServer(load_playbook(book), cwd=project, check_at_exit=False))
    recipe = RECIPES[name](folder, project, programs, model.url, ())
    stack.callback(lambda: end(with_home(recipe.home)))
    program = shutil.which(recipe.command[0], path=recipe.environment["PATH"]) or recipe.command[0]
    command = (program, *recipe.command[1:])
    return Scene(name, command, project, recipe.environment, tuple(_steps(name)), replayed=True)


def _steps(name: str) -> Sequence[Step]:
    return [
        look("ready", sees=_READY[name], seconds=3.0),
        text("typed", "Tell me: größer, 漢字, 👍", sees="Tell me: größer, 漢字"),
        keys("answered", "Enter", sees="That is all of it"),
        look("at-rest", sees="That is all of it", seconds=2.0),
        wheel("wheel", WHEEL_UP, 2),
        *resize(*ROUND),
        text("slash", "/", sees=r"^.*/\w+"),
        keys("chosen", "Down", "Down"),
        keys("left-menu", "Escape"),
    ]
