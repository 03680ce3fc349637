"""The application round a replay: wiring, and the work that goes on beside it in threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.worker import Worker, get_current_worker

from copilot.core.events import ScreenSettled
from copilot.core.profile import Profile
from copilot.detection import Examiner
from copilot.engine.review import RunReview
from copilot.errors import InputError
from copilot.recording.asciicast import read_cast
from copilot.replay.driver import CastPlayer, watching
from copilot.replay.find import TextFinder
from copilot.replay.player import KeyframeIndex
from copilot.replay.recorded import readings_review
from copilot.replay.redetect import Change
from copilot.replay.verdicts import VerdictBook
from copilot.resources import data_folder
from copilot.tui.host_app import HostApp
from copilot.tui.replay.model import ReplayModel
from copilot.tui.replay.screen import ReplayScreen
from copilot.tui.themes import BUILT_IN, DARK, AppTheme

AT_ONCE_BYTES = 1_000_000
"""A recording up to this size is gone through before the first frame is shown."""
MOST_DETECTED_BYTES = 12_000_000
"""A recording that is no run is looked through by the detectors up to this size."""
_SHOW_EVERY = 20
_SHEETS = ("base", "dialogs", "replay")


class ReplayApp(HostApp, inherit_bindings=False):
    """Shows one recording. Its result is the exit code."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS_PATH = [data_folder("styles") / f"{name}.tcss" for name in _SHEETS]
    TITLE = "copilot replay"

    def __init__(
        self,
        model: ReplayModel,
        book: VerdictBook,
        *,
        profile: Profile | None = None,
        changes: Sequence[Change] = (),
        theme: AppTheme = DARK,
    ) -> None:
        super().__init__()
        self.model = model
        self.profile = profile
        self._finder: TextFinder | None = None
        run = model.recorded.run
        version = run.child_version if run is not None else ""
        examiner = Examiner(profile, version) if profile is not None else None
        self._review = ReplayScreen(model, book, changes, self._look_for, examiner)
        for one in (*BUILT_IN, theme):
            self.register_theme(one)
        self.theme = theme.name
        index = model.player.index
        if self._bytes <= AT_ONCE_BYTES:
            while index.advance():
                pass

    @property
    def _bytes(self) -> int:
        cast = self.model.recorded.cast
        return cast.lines[len(cast)]

    async def on_mount(self) -> None:
        """Show the recording, and go on reading it in a thread."""
        await self.push_screen(self._review)
        if not self.model.player.index.complete:
            self._beside(self._build_index, "index")
        if self.model.recorded.run is None and self.profile is not None:
            if self._bytes <= MOST_DETECTED_BYTES:
                self._beside(self._detect, "detect")
            else:
                self._review.note("a large recording: copilot detect says what is seen in it")

    def _beside(self, work: Callable[[], None], group: str) -> Worker[None]:
        return self.run_worker(work, group=group, exclusive=True, thread=True, exit_on_error=False)

    def _build_index(self) -> None:
        worker, index = get_current_worker(), self.model.player.index
        steps = 0
        while not worker.is_cancelled and index.advance():
            steps += 1
            if steps % _SHOW_EVERY == 0:
                self.call_from_thread(self._indexed, index)
        if not worker.is_cancelled:
            self.call_from_thread(self._indexed, index)

    def _indexed(self, index: KeyframeIndex) -> None:
        """The index has come further: a moment that was waited for may be there now."""
        if self._review.waits_for_index or index.complete:
            self._review.show_all()
        else:
            self._review.show_bars()

    def _detect(self) -> None:
        """Look through a recording that is not of a run; what is found is shown as it comes."""
        worker = get_current_worker()
        assert self.profile is not None
        try:
            cast = read_cast(self.model.recorded.path)
            player = CastPlayer(cast, watching(cast, self.profile))
        except InputError as problem:
            self.call_from_thread(self._review.note, str(problem))
            return
        settled: list[ScreenSettled] = []
        for one in player.settled():
            if worker.is_cancelled:
                return
            settled.append(one)
            if len(settled) % _SHOW_EVERY == 0:
                self.call_from_thread(
                    self._show_review, readings_review(self.model.recorded.cast, tuple(settled))
                )
        self.call_from_thread(self._show_review, readings_review(self.model.recorded.cast, settled))

    def _show_review(self, review: RunReview) -> None:
        self.model.review = review
        self._review.show_all()

    def _look_for(self, text: str) -> None:
        """Search for `text` beside the review; what an earlier search still finds counts no more."""
        self.workers.cancel_group(self, "find")
        self._finder, self.model.searching = None, bool(text)
        if not text:
            return
        finder = self._finder = TextFinder(
            self.model.recorded.cast, self.model.player.index, text, self.model.at
        )

        def find() -> None:
            worker = get_current_worker()
            steps = 0
            while not worker.is_cancelled and finder.advance():
                steps += 1
                if steps % _SHOW_EVERY == 0:
                    self.call_from_thread(self._found, finder, False)
            if not worker.is_cancelled:
                self.call_from_thread(self._found, finder, True)

        self._beside(find, "find")

    def _found(self, finder: TextFinder, complete: bool) -> None:
        if finder is not self._finder:
            return
        model = self.model
        first = not model.hits
        model.hits, model.searching = list(finder.hits), not complete
        if first and model.hits and not any(abs(at - model.at) < 1e-6 for at in model.hits):
            model.jump_to_hit(True)
        self._review.show_all(jumped=first)
        if complete and not model.hits:
            self._review.note("nothing found")
