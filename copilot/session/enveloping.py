"""The child's start, in its envelope if one is wanted: what it does before the session has begun waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from copilot.core.profile_outline import ProfileOutline
from copilot.core.settings import RunSettings
from copilot.envelope.run import RunEnvelope, make_envelope
from copilot.pty.programs import resolve_program
from copilot.pty.pty_child import PtyChild
from copilot.session.live import LiveSession


class _Waiting:
    """Calls kept until `release`: the child may write, and end, while its envelope is being opened."""

    def __init__(self) -> None:
        self._kept: list[Callable[[], None]] | None = []

    def call(self, function: Callable[..., None], *given: object) -> None:
        """Call it now, or when the session has begun."""
        if self._kept is None:
            function(*given)
        else:
            self._kept.append(lambda: function(*given))

    def release(self) -> None:
        """The session has begun."""
        kept, self._kept = self._kept or [], None
        for one in kept:
            one()


class EnvelopedStart:
    """Starts the child; `release` once the session has begun, `close` with the run."""

    def __init__(self, session: LiveSession) -> None:
        self._session = session
        self._waiting = _Waiting()
        self._envelope: RunEnvelope | None = None

    async def start(
        self,
        settings: RunSettings,
        profile: ProfileOutline,
        argv: Sequence[str],
        environment: Mapping[str, str],
    ) -> PtyChild:
        """The program in its terminal. Raises InputError, and then nothing of it is left."""
        program = resolve_program(argv[0], folder=settings.cwd, environment=environment)
        folder = Path(self._session.view.run_folder)
        envelope = make_envelope(settings, profile, environment, program, folder, self._session.tell_envelope)
        self._envelope = envelope
        wrote, exited = self._session.child_wrote, self._session.child_exited
        pty = await PtyChild.start(
            argv,
            cwd=settings.cwd,
            environment=environment if envelope is None else envelope.environment,
            columns=settings.columns,
            lines=settings.lines,
            on_output=lambda data: self._waiting.call(wrote, data),
            on_exit=lambda status: self._waiting.call(exited, status),
            on_write_failed=self._session.write_failed,
            launcher=() if envelope is None else envelope.launcher,
        )
        if envelope is not None:
            try:
                pty.is_inside((await envelope.started()).pid)
            except BaseException:
                await pty.end(0)
                await envelope.close()
                raise
        return pty

    def release(self) -> None:
        """The session has begun: what waited is delivered."""
        self._waiting.release()

    async def close(self) -> None:
        """The child has ended."""
        if self._envelope is not None:
            await self._envelope.close()
