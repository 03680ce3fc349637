"""The same program in bare tmux, in our emulated screen, and in the cockpit: driven alike, compared cell by cell.

`python -m tests.real.side_by_side [PROGRAM…] [--pictures FOLDER]` shows a table; with `--pictures` every
moment is kept as SVG, else only those that differ.

Where a program's screen never shows the same twice (clocks, processes, models), its bytes are recorded on a
pty while it is driven, and then played in all three.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tests.real import replayed
from tests.real.cells import Picture
from tests.real.compare import Difference, emulated_differences, painted_differences
from tests.real.draw_picture import svg
from tests.real.stands import BareStand, CockpitStand, EmulatedStand, Stand

COLUMNS, LINES = 120, 40
_S = TypeVar("_S", bound=Stand)
_PATIENCE_SECONDS = 8.0
_START_SECONDS = 30.0
_QUIET_SECONDS = 0.4
_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Step:
    """What is done, and what is then on the screen: `sees` is looked for in each."""

    name: str
    do: Callable[[Stand], None]
    sees: str = ""
    gone: str = ""
    starts: bool = False
    settle_seconds: float = _QUIET_SECONDS


@dataclass(frozen=True, slots=True)
class Scene:
    """A program, and what is done with it. Sizes in its steps are those of the cockpit's window."""

    name: str
    command: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]
    steps: tuple[Step, ...]
    replayed: bool = False


@dataclass
class Result:
    """How it went at one moment: the pictures and what differed."""

    step: str
    bare: Picture
    emulated: Picture
    cockpit: Picture
    whole: Picture
    emulated_differs: list[Difference] = field(default_factory=list)
    cockpit_differs: list[Difference] = field(default_factory=list)

    @property
    def pictures(self) -> tuple[Picture, Picture, Picture]:
        return self.bare, self.emulated, self.cockpit

    @property
    def same(self) -> bool:
        """Whether all three show the same."""
        return not (self.emulated_differs or self.cockpit_differs)

    def compare(self) -> None:
        self.emulated_differs = emulated_differences(self.bare, self.emulated)
        self.cockpit_differs = painted_differences(self.bare, self.cockpit, self.emulated.cursor_shape)

    def save(self, folder: Path, scene: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        pictures = {"tmux": self.bare, "emulated": self.emulated, "cockpit": self.whole}
        for name, picture in pictures.items():
            (folder / f"{scene}-{self.step}-{name}.svg").write_text(svg(picture), encoding="utf-8")

    def report(self, scene: str) -> str:
        """What differed, the first cells of each."""
        lines = []
        for where, found in (("emulated", self.emulated_differs), ("cockpit", self.cockpit_differs)):
            if found:
                lines.append(f"{scene}, {self.step}: {len(found)} cells differ ({where})")
                lines += [f"  {difference}" for difference in found[:6]]
        return "\n".join(lines)


def run(scene: Scene, folder: Path) -> Iterator[Result]:
    """Drive the program in all three; a result for each step. `folder` must be empty."""
    pictures = None
    if scene.replayed:
        scene, pictures = record(scene, folder)
    with ExitStack() as stack:

        def enter(kind: Callable[..., _S]) -> _S:
            stand = kind(scene.command, scene.cwd, scene.environment, COLUMNS, LINES)
            stack.enter_context(stand)
            return stand

        bare, cockpit = enter(BareStand), enter(CockpitStand)
        emulated = enter(EmulatedStand) if pictures is None else None
        if pictures is not None:
            for stand in (bare, cockpit):
                _wait_for(Step("ready", lambda stand: None, replayed.READY.decode()), stand)
        for number, step in enumerate(scene.steps):
            yield _step(step, bare, cockpit, emulated or _Still((pictures or [])[number]))


class _Still:
    """A picture that was taken before, in the place of a terminal."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def picture(self) -> Picture:
        return self._picture


def _step(step: Step, bare: BareStand, cockpit: CockpitStand, emulated: EmulatedStand | _Still) -> Result:
    for stand in (bare, cockpit, emulated):
        if not isinstance(stand, _Still):
            step.do(stand)
    deadline = time.monotonic() + (_START_SECONDS if step.starts else _PATIENCE_SECONDS)
    result, since = None, 0.0
    while True:
        whole = cockpit.whole()
        new = Result(step.name, bare.picture(), emulated.picture(), cockpit.part_of(whole), whole)
        now = time.monotonic()
        if result is None or new.pictures != result.pictures:
            result, since = new, now
            result.compare()
        quiet = now - since >= step.settle_seconds and _shows(step, result.bare)
        if (quiet and result.same) or now > deadline:
            return result
        time.sleep(_LOOK_SECONDS)


def _shows(step: Step, picture: Picture) -> bool:
    text = picture.text
    return re.search(step.sees, text, re.MULTILINE) is not None and not (
        step.gone and re.search(step.gone, text, re.MULTILINE)
    )


def record(scene: Scene, folder: Path) -> tuple[Scene, list[Picture]]:
    """Drive the program on a pty, and keep its bytes in `folder`: the scene that plays them, and what we saw."""
    pictures, steps = [], []
    with EmulatedStand(scene.command, scene.cwd, scene.environment, COLUMNS, LINES) as stand:
        for number, step in enumerate(scene.steps):
            stand.resized = None
            step.do(stand)
            _wait_for(step, stand)
            pictures.append(stand.part(folder / str(number)))
            steps.append(Step(step.name, _play(stand.resized)))
    command = (sys.executable, replayed.__file__, str(folder))
    return Scene(scene.name, command, scene.cwd, scene.environment, tuple(steps)), pictures


def _wait_for(step: Step, stand: Stand) -> None:
    deadline = time.monotonic() + 6 * _PATIENCE_SECONDS
    while not _shows(step, stand.picture()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited for {step.sees!r}; the screen is:\n{stand.picture().text}")
        time.sleep(_LOOK_SECONDS)
    time.sleep(step.settle_seconds)


def _play(size: tuple[int, int] | None) -> Callable[[Stand], None]:
    def play(stand: Stand) -> None:
        if size is not None:
            stand.resize(*size)
            time.sleep(1.0)
        stand.type("Z")

    return play


def main(arguments: Sequence[str]) -> int:
    """A table of what was compared; 1 if anything differed."""
    from tests.real import side_by_side_programs as programs
    from tests.real.side_by_side_steps import Absent

    parser = argparse.ArgumentParser(prog="side_by_side")
    parser.add_argument("programs", nargs="*", help=f"of {' '.join(programs.ALL)}")
    parser.add_argument("--pictures", type=Path, help="keep the pictures of every moment here")
    options = parser.parse_args(arguments)
    failed = 0
    for name in options.programs or programs.ALL:
        with (
            tempfile.TemporaryDirectory(prefix="side-", ignore_cleanup_errors=True) as folder,
            ExitStack() as stack,
        ):
            try:
                scene = programs.scene(name, Path(folder), stack)
            except Absent as reason:
                print(f"{name:12} skipped: {reason}")
                continue
            pieces = Path(folder) / "pieces"
            pieces.mkdir()
            for result in run(scene, pieces):
                verdict = "same" if result.same else "DIFFERS"
                print(
                    f"{name:12} {result.step:28} {result.bare.columns}x{len(result.bare.rows)} {verdict}",
                    flush=True,
                )
                failed += not result.same
                if options.pictures:
                    result.save(options.pictures, name)
                if not result.same:
                    print(result.report(name), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
