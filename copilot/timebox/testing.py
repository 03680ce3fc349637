"""`run_test`: one call of the test runner, from its parameters to its result; it always returns."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from copilot.errors import CopilotError
from copilot.guard.text import safe_text
from copilot.plain_files import open_plain
from copilot.private_files import FOLDER_MODE, open_private, replace_atomically, write_all
from copilot.redaction.redact import Redactor
from copilot.timebox.box import Boxed, find, inside, run
from copilot.timebox.counts import Counts, from_junit, from_text
from copilot.timebox.important import important_blocks, last_bytes, tail_lines
from copilot.timebox.limits import Limits
from copilot.timebox.output_log import OutputLog, iso_time
from copilot.timebox.pipes import Stream
from copilot.timebox.request import TestRequest, parse_request
from copilot.timebox.summary import Artifacts, Status, Summary, TestResult, excerpt_of, reason_of, status_of

# Where the reports of test runs are: one marked folder per run, and old ones of our own place are
# removed.
#
# Removed is only what this module made: below our own place in the project, in a folder with our mark in
# which its own name is written, that no run holds. The files are removed by their names and then the empty
# folder, so a file of anybody else keeps its folder alive. In a `report_dir` that a caller named nothing
# is ever removed.


OWN_PLACE = ".cache/copilot/reports"
KEPT = 5
RAW_LOG, SUMMARY_MD, SUMMARY_JSON = "raw.log", "summary.md", "summary.json"
MARK = ".copilot-report"
_OURS = (RAW_LOG, SUMMARY_MD, SUMMARY_JSON, MARK)
_MARK_TEXT = "A report of copilot run-test. Copilot removes this folder when it is old: "


@dataclass(slots=True)
class ReportFolder:
    """The folder of one run. It is locked while the run lasts."""

    path: Path
    _lock: int

    @property
    def raw_log(self) -> Path:
        """The log."""
        return self.path / RAW_LOG

    @property
    def summary_md(self) -> Path:
        """The summary for people."""
        return self.path / SUMMARY_MD

    @property
    def summary_json(self) -> Path:
        """The summary for programs."""
        return self.path / SUMMARY_JSON

    def release(self) -> None:
        """The run is over."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def discard(self) -> None:
        """Nothing was run: take the folder away again."""
        self.release()
        _remove(self.path)


def new_report_folder(root: Path, report_dir: str | None, at: float) -> ReportFolder:
    """A new folder below `report_dir` (relative to `root`), or below our own place.

    In our own place old reports are removed, but for the newest. Raises OSError, InputError.
    """
    base = root / inside(report_dir or OWN_PLACE, root, "report_dir")
    base.mkdir(parents=True, exist_ok=True)
    if report_dir is None:
        _keep_out_of_git(base.parent)
    folder = base / f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(at))}-{secrets.token_hex(4)}"
    folder.mkdir(mode=FOLDER_MODE)
    descriptor = open_private(folder / MARK, os.O_RDWR | os.O_EXCL)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    write_all(descriptor, f"{_MARK_TEXT}{folder.name}\n".encode())
    if report_dir is None:
        remove_old(base)
    return ReportFolder(folder, descriptor)


def remove_old(base: Path, kept: int = KEPT) -> list[Path]:
    """Remove all marked reports below our own place but the `kept` newest and those in use; which ones."""
    removed = []
    with contextlib.suppress(OSError):
        marked = sorted((one for one in base.iterdir() if _is_marked(one)), key=_age)
        for folder in marked[: max(0, len(marked) - kept)]:
            if _remove(folder):
                removed.append(folder)
    return removed


def _is_marked(folder: Path) -> bool:
    """Whether this is a folder that we made, under the name that it has now."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    try:
        descriptor = open_plain(folder / MARK, follow=False)
    except OSError:
        return False
    try:
        text = os.read(descriptor, 1_000).decode("utf-8", "replace")
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return text == f"{_MARK_TEXT}{folder.name}\n"


def _age(folder: Path) -> tuple[float, str]:
    try:
        return (folder / MARK).lstat().st_mtime, folder.name
    except OSError:
        return 0.0, folder.name


def _remove(folder: Path) -> bool:
    """Remove our files of this folder and, if it is empty then, the folder. False if it is in use."""
    try:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        names = os.listdir(here)  # noqa: PTH208  (of the very folder that was opened)
        if not all(_is_ours(name) for name in names) or not _free(here):
            return False
        for name in sorted(names, key=MARK.__eq__):
            os.unlink(name, dir_fd=here)
        folder.rmdir()
        return True
    except OSError:
        return False
    finally:
        os.close(here)


def _is_ours(name: str) -> bool:
    """Whether we write a file of this name, or one that becomes it (`private_files.replace_atomically`)."""
    return name in _OURS or (name.startswith(".summary.") and name.endswith(".new"))


def _free(folder: int) -> bool:
    """Whether no run holds the mark of this folder."""
    mark = os.open(MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(mark)


def _keep_out_of_git(place: Path) -> None:
    """Reports are not for commits; the rule lies in our own place, not in the user's file."""
    with contextlib.suppress(OSError):
        descriptor = open_private(place / ".gitignore", os.O_WRONLY | os.O_EXCL)
        try:
            write_all(descriptor, b"*\n")
        finally:
            os.close(descriptor)


GRACE_SECONDS = 2.0


@dataclass(slots=True)
class Progress:
    """How far a run is: for progress reports to a client."""

    started_at: float = 0.0
    received: int = 0
    """Bytes of output so far."""


async def run_test(
    given: Mapping[str, object],
    roots: Sequence[Path],
    redactor: Redactor,
    *,
    environment: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> TestResult:
    """Run the tests that the parameters ask for, in one of `roots` (resolved folders).

    Never raises for what the parameters, the tests or the disk do: that is status `error`, with no
    artifacts if nothing was started. A cancelled task ends the tests, keeps their log, and then is cancelled.
    """
    try:
        request = parse_request(given, roots)
        surroundings = _environment(os.environ if environment is None else environment, request)
        argv = (request.runner.program(request.root, surroundings), *request.arguments)
        find(argv, folder=str(request.root), environment=surroundings)
        folder = new_report_folder(request.root, request.report_dir, time.time())
    except CopilotError as error:
        return _refused(str(error), redactor)
    except OSError as error:
        return _refused(f"report_dir: cannot be used: {error.strerror or error}", redactor)
    try:
        return await _Run(request, argv, surroundings, redactor, folder, progress or Progress()).go()
    finally:
        folder.release()


@dataclass(slots=True)
class _Run:
    """A run that has its folder."""

    _request: TestRequest
    _argv: tuple[str, ...]
    _environment: dict[str, str]
    _redactor: Redactor
    _folder: ReportFolder
    _progress: Progress
    _scratch: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="copilot-run-test-")))
    _started: float = field(default_factory=time.monotonic)

    async def go(self) -> TestResult:
        """Run, then write the reports, whatever happened."""
        try:
            log = OutputLog(self._folder.raw_log, self._redactor)
        except OSError as error:
            self._folder.discard()
            return _refused(f"report_dir: cannot be written to: {error.strerror}", self._redactor)
        try:
            boxed = await self._boxed(log)
        except CopilotError as error:
            log.close()
            if log.received == 0:
                self._folder.discard()
                return _refused(str(error), self._redactor)
            return self._broken_off(log, str(error))
        except BaseException as error:
            log.close()
            self._broken_off(log, "cancelled" if isinstance(error, asyncio.CancelledError) else str(error))
            raise
        finally:
            junit = from_junit(self._scratch / "junit.xml")
            shutil.rmtree(self._scratch, ignore_errors=True)
        return await asyncio.to_thread(self._finished, log, boxed, junit)

    async def _boxed(self, log: OutputLog) -> Boxed:
        request = self._request
        extra = request.runner.junit(str(self._scratch / "junit.xml")) if request.runner.junit else ()
        self._progress.started_at = self._started

        def take(stream: Stream, data: bytes) -> None:
            self._progress.received += len(data)
            log.take(stream, data)

        return await run(
            (self._argv[0], *_with(extra, self._argv[1:], request.runner.name)),
            Limits(request.hard_seconds, request.silence_seconds, GRACE_SECONDS),
            folder=str(request.root),
            environment=self._environment,
            on_output=take,
        )

    def _finished(self, log: OutputLog, boxed: Boxed, junit: Counts | None) -> TestResult:
        log.close()
        request = self._request
        status = status_of(boxed)
        counts = junit or from_text(request.runner.name, log.tail())
        reason = reason_of(boxed, request.runner, request.hard_seconds, request.silence_seconds, counts)
        code = boxed.exit_code if boxed.exit_code is not None and boxed.exit_code >= 0 else None
        result = TestResult(status, code, round(boxed.seconds * 1000), error_message=reason)
        return self._reported(log, replace(result, counts=counts, leaked=boxed.leaked))

    def _broken_off(self, log: OutputLog, why: str) -> TestResult:
        milliseconds = round((time.monotonic() - self._started) * 1000)
        why = self._redactor.redact(why).text
        return self._reported(log, TestResult(Status.ERROR, None, milliseconds, error_message=why))

    def _reported(self, log: OutputLog, result: TestResult) -> TestResult:
        """The result with its excerpt and paths, after the summaries are on the disk."""
        text = safe_text(last_bytes(log.tail(), self._request.max_output_bytes))
        excerpts = tuple(important_blocks(text.split("\n")))
        tail = tuple(tail_lines(text))
        folder = self._folder
        faults = [log.fault] if log.fault else []
        result = replace(
            result,
            report_dir=str(folder.path),
            artifacts=Artifacts(str(folder.raw_log), str(folder.summary_md), str(folder.summary_json)),
            excerpt=excerpt_of(excerpts, tail, result.status),
        )
        summary = Summary(
            result=_with_report_faults(result, faults),
            command=self._clean(Path(self._argv[0]).name),
            args=tuple(self._clean(word) for word in self._argv[1:]),
            excerpts=excerpts,
            tail_lines=tail,
            generated_at=iso_time(time.time()),
            output_bytes=log.received,
            left_out_bytes=log.left_out,
        )
        try:
            replace_atomically(folder.summary_md, summary.as_markdown())
            replace_atomically(folder.summary_json, summary.as_json())
        except OSError as error:
            faults.append(error)
        return _with_report_faults(result, faults)

    def _clean(self, text: str) -> str:
        return safe_text(self._redactor.without_secrets(text))


def _with_report_faults(result: TestResult, faults: Sequence[OSError]) -> TestResult:
    """The result with what went wrong with its reports; the status of the tests stays."""
    if not faults:
        return result
    why = f"the report is incomplete: {faults[-1].strerror or faults[-1]}"
    return replace(result, error_message="; ".join(filter(None, (result.error_message, why))))


def _refused(why: str, redactor: Redactor) -> TestResult:
    return TestResult(Status.ERROR, error_message=safe_text(redactor.redact(why).text))


def _with(extra: tuple[str, ...], arguments: tuple[str, ...], runner: str) -> tuple[str, ...]:
    """The arguments with those for a JUnit file, placed where the runner takes options."""
    if not extra:
        return arguments
    # A subcommand or `--test` comes first, targets last.
    first = 1 if runner in ("vitest", "node") else 0
    return (*arguments[:first], *extra, *arguments[first:])


def _environment(base: Mapping[str, str], request: TestRequest) -> dict[str, str]:
    """Ours without our own settings, and without a terminal: nothing is asked, nothing is drawn."""
    kept = {name: value for name, value in base.items() if not name.startswith("COPILOT_")}
    return kept | {"TERM": "dumb"} | dict(request.runner.environment)
