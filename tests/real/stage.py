"""A stage for one real CLI: its project, its HOME, its scripted model, all in a temporary folder."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from copilot.lab.model_server import ModelServer, Playbook, load_playbook
from tests.real.conftest import programs_of
from tests.real.processes import end, gone_within
from tests.real.recipes import PROJECT_FILES, PROTECTED, RECIPES, Recipe, make_project

_END_SECONDS = 5.0
_LONG = "a-folder-with-a-name-so-long-that/paths-below-it-wrap-on-narrow-screens"
PLAYBOOKS = Path(__file__).parent / "playbooks"


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that a run needs. `folder` is ours to fill."""

    folder: Path
    project: Path
    recipe: Recipe
    model: ModelServer

    def assert_files(self) -> None:
        """The agent's file is there, and what it wanted to delete is untouched."""
        assert (self.project / "hello.py").read_text() == "print('hello')\n"
        self.assert_protected()

    def assert_protected(self) -> None:
        assert (self.project / PROTECTED).read_text() == PROJECT_FILES[PROTECTED]
        assert (self.project / "app.py").read_text() == PROJECT_FILES["app.py"]


@contextmanager
def stage(
    name: str,
    folder: Path,
    *,
    asks: Collection[str] = (),
    playbook: Playbook | None = None,
    lenient: bool = False,
    deep: bool = False,
    programs: Path | None = None,
) -> Iterator[Stage]:
    """A stage for the CLI of this name; `asks` are the start-up dialogs that come up (`trust`, `api_key`).

    `programs` is a folder for PATH with another version of it than the pinned one.
    With `deep` the project's path is too long for a line of 80 columns.

    Leaving without an exception checks the model's playbook, unless `lenient`, and always that no process
    of the run is left.
    """
    programs = programs or programs_of(name)
    book = playbook or load_playbook(PLAYBOOKS / f"{name}.yaml")
    with ExitStack() as stack:
        # pytest's own folders are so deep that the paths in them already wrap.
        short = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="p-")))
        project = make_project(folder / _LONG if deep else short)
        model = stack.enter_context(ModelServer(book, cwd=project, check_at_exit=not lenient))
        recipe = RECIPES[name](folder, project, programs, model.url, asks)
        try:
            yield Stage(folder, project, recipe, model)
        finally:
            left = gone_within(recipe.home, _END_SECONDS)
            end(left)
        assert not left, f"left running: {left}"
