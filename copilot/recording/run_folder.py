"""`RunFolder`: the recorder of a live run. Everything is written as it happens, redacted; nothing here
raises.

A decision and the keys that follow it are on the disk before they are acted upon (the intent record). If
the disk is full or redaction fails, the recorder goes into its failed state and says so once: from then on
the run cannot be audited, so whoever drives it must hold.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Proposal, ReplyRequest
from copilot.core.run_end import unrecorded_end
from copilot.core.settings import RunSettings
from copilot.core.snapshot import ScreenSnapshot
from copilot.engine.history import EntryKind, History, HistoryEntry
from copilot.engine.totals import Totals
from copilot.private_files import FOLDER_MODE, write_private
from copilot.recording.artifacts import CHANGES_NAME, PROMPTS_FOLDER
from copilot.recording.asciicast import EXIT, MARKER, RESIZE, CastEvent, CastHeader
from copilot.recording.looks_files import LooksWriter
from copilot.recording.manifest import first_manifest, redacted, write_manifest
from copilot.recording.output_recorder import OutputRecorder, RecordingLimits
from copilot.recording.records import step_type, to_record
from copilot.recording.run_place import RunLock, make_run_folder, unwritable
from copilot.recording.secret_mask import SecretMask
from copilot.recording.transcript import TranscriptWriter, json_text
from copilot.recording.unknown_screens import UnknownScreens

MOST_CHARACTERS = 1_000_000
"""Of a larger difference the beginning is kept."""
_DURABLE = (fx.RecordDecision, fx.WriteKeys, fx.EnterState, fx.EndRun, fx.PlanMoved, fx.RunCommand)


class RunFolder:
    """The folder of one run while it is written. Ends with `close`."""

    def __init__(
        self,
        settings: RunSettings,
        *,
        redact: Callable[[str], str],
        on_failed: Callable[[str], None],
        limits: RecordingLimits | None = None,
        cast_version: int = 2,
        profile_hash: str = "",
        child_version: str = "",
    ) -> None:
        """Begin to record into `settings.log_folder`, which must be new or empty.

        `redact` is applied to every text before it is written. `on_failed` gets one line, once, on the event
        loop if one runs. Raises InputError with the way out if the folder cannot be used.
        """
        self.folder = Path(settings.log_folder)
        self.run_id = self.folder.name
        self.failed = ""
        """Why recording has failed; empty while it works."""
        self.report_failed = ""
        self._redact = redact
        self._on_failed = on_failed
        self._mask = SecretMask()
        self._totals = Totals()
        self._history = History()
        self._output_bytes = 0
        self._output_at = 0.0
        self._transcript_failed = False
        self._closed = False
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self._recorded_unknown: set[int] = set()
        self._cast_title = f"copilot: {settings.profile}"
        make_run_folder(self.folder)
        now = datetime.now(UTC)
        try:
            self._open(settings, now, profile_hash, redact(child_version))
            header = self._cast_header(settings, now)
            self._terminal = OutputRecorder(
                self.folder,
                header,
                redact=redact,
                limits=limits or RecordingLimits(),
                version=cast_version,
                on_failed=self._fail_from_thread,
                each_second=self._sync,
            )
        except OSError as error:
            raise unwritable(self.folder, error) from None

    def _open(self, settings: RunSettings, now: datetime, profile_hash: str, child_version: str) -> None:
        """Lock the folder and begin manifest and transcript. Raises OSError."""
        self._manifest = first_manifest(
            self.run_id,
            settings,
            started_at=_iso(now),
            profile_hash=profile_hash,
            child_version=child_version,
        )
        self._lock = RunLock(self.folder)
        self._manifest["settings"] = redacted(self._manifest["settings"], self._redact)
        write_manifest(self.folder, self._manifest)
        self._transcript = TranscriptWriter(self.folder)
        self._unknown = UnknownScreens(self.folder, self._redact)
        self._looks = LooksWriter(
            self.folder, self._redact, lambda error: self._fail_from_thread(_words(error))
        )

    def _cast_header(self, settings: RunSettings, now: datetime) -> CastHeader:
        return CastHeader(
            settings.columns,
            settings.lines,
            timestamp=int(now.timestamp()),
            title=self._cast_title,
            command=self._redact(" ".join(settings.child)),
            terminal_type="xterm-256color",
        )

    # -- what happens -------------------------------------------------------------------------------

    def output(self, data: bytes, at: float) -> None:
        """Output of the child."""
        self._output_bytes += len(data)
        self._output_at = at
        self._terminal.output(at, data)

    def defer_writes(self) -> None:
        """A person has pressed a key: what need not be recorded at once waits for a moment."""
        self._terminal.defer_writes()

    def resize(self, columns: int, lines: int, at: float) -> None:
        """The terminal's new size."""
        self._terminal.event(CastEvent(at, RESIZE, f"{columns}x{lines}"))
        self.record("resize", at, {"columns": columns, "lines": lines})

    def event(self, event: ev.Event) -> None:
        """An event, before it is handled."""
        event = self._mask.event(event)
        if isinstance(event, ev.DiskLooked):
            event = self._keep_looks(event)
        self._totals.receive(event.at, event)
        self._mark(event, event.at)
        self.record(step_type(event), event.at, to_record(event))
        if isinstance(event, ev.ChildExited):
            self._terminal.event(CastEvent(event.at, EXIT, str(event.status)))

    def effect(self, effect: fx.Effect, at: float) -> None:
        """An effect, before it is carried out. Decisions, keys and states are on the disk when this returns.

        Look at `failed` before keys are typed: a run that cannot be recorded must not be driven on.
        """
        effect = self._mask.effect(effect)
        self._totals.receive(at, effect)
        self._mark(effect, at)
        self.record(step_type(effect), at, to_record(effect), durable=isinstance(effect, _DURABLE))
        if isinstance(effect, fx.EndRun):
            self._write_manifest()

    def record(self, kind: str, at: float, data: dict[str, Any], *, durable: bool = False) -> None:
        """Any other record of the transcript; texts in `data` are redacted."""
        if self._transcript_failed or self._closed:
            return
        try:
            self._record_output()
            state = self._totals.state.value
            self._transcript.append(kind, at, redacted(data, self._redact), state=state, durable=durable)
        except Exception as error:  # nothing may be raised into the session
            self._transcript_failed = True
            self._fail(_words(error))

    def request(self, request: ReplyRequest, series: str = "step") -> None:
        """The prompt exactly as the model gets it, into `prompts/step-NN/` (or another series)."""
        text = f"=== system ===\n{request.system}\n\n=== user ===\n{request.user}\n"
        self._write_prompt(request, series, "request", text, to_record(request))
        if request.warnings:
            data = {"request": request.number, "warnings": list(request.warnings)}
            self.record("warned", self._totals.seconds, data)

    def proposal(self, request: ReplyRequest, proposal: Proposal, series: str = "step") -> None:
        """What the model answered, beside its request."""
        self._write_prompt(request, series, "reply", proposal.raw or str(proposal.reply), to_record(proposal))

    def governing_prompt(self, number: int, text: str) -> tuple[str, str]:
        """Keep a version of the governing prompt, redacted, for the run and for one that resumes it.

        The file's name in the run folder and its SHA-256; both empty if it could not be kept.
        """
        if self._closed or self.failed:
            return "", ""
        name = f"{PROMPTS_FOLDER}/governing-{number:02d}.txt"
        try:
            kept = self._redact(text)
            (self.folder / PROMPTS_FOLDER).mkdir(mode=FOLDER_MODE, exist_ok=True)
            write_private(self.folder / name, kept)
        except Exception as error:  # nothing may be raised into the session
            self._fail(_words(error))
            return "", ""
        self._manifest["governing_prompt_file"] = name
        self._write_manifest()
        return name, hashlib.sha256(kept.encode("utf-8", "replace")).hexdigest()

    def set_child_version(self, version: str) -> None:
        """The child's version, once it is known."""
        self._manifest["versions"]["child"] = self._redact(version)
        self._write_manifest()

    @property
    def commit(self) -> str:
        """The commit of the project when the run began; empty if there is none."""
        return str(self._manifest.get("git_commit") or "")

    def keep_changes(self, diff: str) -> None:
        """What changed in the project during the run, beside its records; nothing if there is nothing."""
        if not diff or self._closed or self.failed:
            return
        try:
            text = self._redact(diff[:MOST_CHARACTERS])
            if len(diff) > MOST_CHARACTERS:
                text += "\n(the rest is left out)\n"
            write_private(self.folder / CHANGES_NAME, text)
        except Exception as error:  # nothing may be raised into the session
            self._fail(_words(error))

    def close(self, end: fx.EndRun | None = None) -> None:
        """The run is over: write what is left and let go of the folder. May be called again."""
        if self._closed:
            return
        if end is not None:
            self._totals.receive(self._totals.seconds, end)
        self._terminal.close()
        self._looks.close()
        self.record("closed", self._totals.seconds, {"recording_failed": self.failed})
        if end is not None and end.exit_code == 0 and self.failed:
            self._totals.receive(self._totals.seconds, unrecorded_end(self.failed))
        self._write_manifest(ended=True)
        self._closed = True
        with contextlib.suppress(OSError):
            self._transcript.close()
        self._lock.release()

    def no_report(self, reason: str) -> None:
        """The page about the run is missing; its records are whole. May be called after `close`."""
        self.report_failed = self._redact(reason)
        self._manifest["report_failed"] = self.report_failed
        with contextlib.suppress(OSError):
            write_manifest(self.folder, self._manifest)

    def unknown_screen(self, snapshot: ScreenSnapshot, at: float, evidence: dict[str, Any]) -> int:
        """Keep a screen that was not understood, once; its number, 0 if it is not kept."""
        if self._closed or self.failed:
            return 0
        try:
            kept = self._unknown.keep(snapshot, at, evidence, title=self._cast_title)
        except Exception as error:  # nothing may be raised into the session
            self._fail(_words(error))
            return 0
        if kept and kept not in self._recorded_unknown:
            self._recorded_unknown.add(kept)
            self.record("unknown", at, {"number": kept, "note": evidence.get("note", "")})
        return kept

    # -- how it is written --------------------------------------------------------------------------

    def _record_output(self) -> None:
        """How much output came since the last record. Its text is in `session.cast`, at the same time."""
        if self._output_bytes:
            data = {"bytes": self._output_bytes}
            self._output_bytes = 0
            state = self._totals.state.value
            self._transcript.append("output", self._output_at, data, state=state, durable=False)

    def _keep_looks(self, looked: ev.DiskLooked) -> ev.DiskLooked:
        """What of it is in the transcript: the rest is in a file of its number."""
        if not self._closed and not self.failed:
            self._looks.keep(looked)
        return replace(looked, cwd="", home="", looks=())

    def _mark(self, step: ev.Event | fx.Effect, at: float) -> None:
        entry = self._history.receive(at, step)
        label = marker_label(entry) if entry is not None else ""
        if label:
            self._terminal.event(CastEvent(at, MARKER, label))

    def _write_prompt(self, request: ReplyRequest, series: str, name: str, text: str, record: Any) -> None:
        if self._closed:
            return
        folder = self.folder / PROMPTS_FOLDER / f"{series}-{request.number:02d}"
        try:
            folder.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
            folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
            write_private(folder / f"{name}.txt", self._redact(text))
            write_private(folder / f"{name}.json", json_text(redacted(record, self._redact), indent=2) + "\n")
        except Exception as error:  # nothing may be raised into the session
            self._fail(_words(error))

    def _write_manifest(self, *, ended: bool = False) -> None:
        if self._closed:
            return
        self._manifest["outcome"] = self._totals.outcome
        self._manifest["summary"] = self._totals.as_object()
        if self.failed:
            self._manifest["recording_failed"] = self.failed
        if ended:
            self._manifest["ended_at"] = _iso(datetime.now(UTC))
        try:
            write_manifest(self.folder, self._manifest)
        except Exception as error:  # nothing may be raised into the session
            self._fail(_words(error))

    def _sync(self) -> None:
        """Called each second from the recorder's thread: what was written is on the disk soon."""
        with contextlib.suppress(OSError, ValueError):
            self._transcript.sync()

    def _fail(self, reason: str) -> None:
        if not self.failed:
            self.failed = reason
            self._on_failed(reason)

    def _fail_from_thread(self, reason: str) -> None:
        if self._loop is None:
            self._fail(reason)
        elif not self.failed:
            self.failed = reason
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._on_failed, reason)


_MARKERS = {
    EntryKind.SEES: "{kind}: {question}",
    EntryKind.PROPOSAL: "proposal: {reply}",
    EntryKind.DECISION: "decision: {verdict}: {reason}",
}


def marker_label(entry: HistoryEntry) -> str:
    """What a player shows at this entry; empty for none."""
    label = _MARKERS.get(entry.kind, "").format(**entry.fields)
    return label.rstrip(": ") if entry.kind is EntryKind.SEES else label


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _words(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"the run cannot be recorded any more: {error.strerror}"
    return f"the run cannot be recorded any more: {type(error).__name__} while writing"
