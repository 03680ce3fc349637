"""From `RunSettings` to a running session: everything that can be wrong is found before the child starts."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from copilot.config.detector_overrides import with_overrides
from copilot.config.profile_files import load_profile
from copilot.config.user_rules import rules_for
from copilot.core.effects import EndRun
from copilot.core.plan import turn_end_note
from copilot.core.plan_progress import Carried, PlanProgress
from copilot.core.profile import Profile
from copilot.core.profile_outline import Launch
from copilot.core.provider_keys import kept_back
from copilot.core.run import Run
from copilot.core.run_end import unrecorded_end
from copilot.core.settings import RunLimits, RunSettings
from copilot.detection import Examiner
from copilot.detection.patterns import compiled
from copilot.engine.engine import Engine
from copilot.engine.grants import RunGrants
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.engine.view import SessionView
from copilot.envelope.run import check_envelope
from copilot.errors import CopilotError, InputError
from copilot.guard.grants import Grant
from copilot.guard.rule_files import RuleBook
from copilot.guard.scope import ProjectScope, spellings
from copilot.guard.text import model_text, safe_text
from copilot.prompting import TextGuards, estimate_tokens
from copilot.providers.create import create_provider, describe_provider
from copilot.providers.model_provider import CountsTokens, Provider, TakesNoInstruction
from copilot.providers.permissions import permissions_of
from copilot.providers.second_opinion import create_second_opinion
from copilot.pty.programs import child_environment, resolve_program
from copilot.recording.run_folder import RunFolder
from copilot.recording.transcript import json_text
from copilot.redaction.redact import Redactor
from copilot.screen import TerminalScreen
from copilot.session.asking import Asker, RequestDefaults
from copilot.session.checkpointing import begin_checkpoints
from copilot.session.child import SessionChild, child_version
from copilot.session.enveloping import EnvelopedStart
from copilot.session.front_end import SessionListener
from copilot.session.live import LiveSession
from copilot.session.plan_work import PlanWorker, Workplace
from copilot.session.project_probe import ProjectProbe
from copilot.session.recent_output import RecentOutput, recent_output
from copilot.session.resuming import Earlier, carry_into, check_plan, command_to_continue, read_earlier
from copilot.session.second_opinion import OpinionAsker, OpinionDesk
from copilot.session.secrets import redactor_for

_UNASKED = "started with {words}: {title} works without asking, so copilot is not asked and guards nothing"
_ASKS_NOTHING = "{title} {why}: copilot is not asked about what it does, and guards nothing of it"


def unasked_notes(argv: Sequence[str], launch: Launch, title: str) -> Iterator[str]:
    """What to say before the start; nothing for a CLI that asks. `title` is its name for a person."""
    if launch.asks_nothing:
        yield _ASKS_NOTHING.format(title=title, why=launch.asks_nothing)
    given = " ".join(word for word in argv[1:] if not any(map(str.isspace, word)))  # no task, no script
    for pattern in launch.unasked_arguments:
        match = compiled(pattern).search(given)
        if match is not None:
            yield _UNASKED.format(words=match.group(0).strip(" '\"="), title=title)
            return


SEARCHED_ROWS = 2000
"""How many rows are searched for what a plan waits for, or for what an earlier run may have typed."""
_UNVERIFIED = (
    "profile {name} is unverified: nothing is sent by itself, replies are only suggested; "
    "a copy of it among your own profiles, without `unverified`, changes that"
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that a run needs, checked, before anything is started or written."""

    settings: RunSettings
    profile: Profile
    examiner: Examiner
    provider: Provider
    redactor: Redactor
    grants: tuple[Grant, ...]
    rules: RuleBook
    notes: tuple[str, ...]
    second: Provider | None = None
    """Who gives a second opinion, if one is wanted."""
    progress: PlanProgress | None = None
    """The plan to carry out, and how far an earlier run came with it."""
    earlier: Earlier | None = None
    """The run that this one goes on with."""
    argv: tuple[str, ...] = ()
    """How the child is started: as the settings say, or so that it takes up its conversation."""
    kept_back: tuple[str, ...] = ()
    """The keys of model providers that it is not given, by variable."""


def prepare(settings: RunSettings) -> Prepared:
    """Check and load what the settings name. Raises InputError for whatever is wrong with them."""
    program = settings.child[0] if settings.child else ""
    resolve_program(program, folder=settings.cwd, environment=os.environ)
    profile = load_profile(settings.profile)
    notes = [check_envelope(settings, profile)]
    if settings.detectors is not None:
        profile = with_overrides(profile, settings.detectors, notes.append)
    earlier = read_earlier(settings.resume) if settings.resume is not None else None
    progress, argv = _make_progress(settings, profile, earlier, notes.append), settings.child
    if earlier is not None:
        argv = command_to_continue(settings.child, earlier, profile)
        notes += [*earlier.notes, *earlier.unclear, _resume_note(argv, profile, earlier)]
    if progress is not None and (ends := turn_end_note(progress.plan, profile)):
        notes.append(ends)
    provider = create_provider(settings, os.environ, notes.append)
    notes.append(describe_provider(settings, os.environ))
    second = create_second_opinion(settings, os.environ, notes.append)
    rules, rule_notes = rules_for(Path(settings.cwd))
    notes += rule_notes
    if profile.unverified:
        notes.append(_UNVERIFIED.format(name=profile.name))
    notes += unasked_notes(argv, profile.launch, _name_of(argv, profile))
    return Prepared(
        settings=replace(settings, autonomy=profile.allowed(settings.autonomy)),
        profile=profile,
        examiner=Examiner(profile),
        provider=provider,
        redactor=redactor_for(Path(settings.cwd)),
        grants=tuple(Grant.parse(rule) for rule in settings.allow),
        rules=rules,
        notes=tuple(notes),
        second=second,
        progress=progress,
        earlier=earlier,
        argv=argv,
        kept_back=kept_back(os.environ, profile.launch.keys, settings.pass_keys),
    )


def _make_progress(
    settings: RunSettings, profile: Profile, earlier: Earlier | None, say: Callable[[str], None]
) -> PlanProgress | None:
    """The plan, with what an earlier run did of it. Raises InputError."""
    if settings.plan is None:
        return None
    from copilot.config.plan_files import load_plan

    plan = load_plan(Path(settings.plan), say)
    check_plan(plan, settings, profile)
    return PlanProgress(plan, carry_into(plan, earlier, profile) if earlier is not None else Carried())


def _name_of(argv: tuple[str, ...], profile: Profile) -> str:
    """What a person calls the program: the generic profile has no name for it."""
    return profile.title if profile.launch.names and profile.title else Path(argv[0]).name


def _resume_note(child: tuple[str, ...], profile: Profile, earlier: Earlier) -> str:
    argv, name = " ".join(child), earlier.folder.name
    if not earlier.talked:
        return f"going on with {name}, which had not told the CLI anything: {argv}"
    if not profile.launch.continue_arguments:
        return f"the child of {name} is gone, and {profile.name} cannot take up its conversation: {argv}"
    return f"the child of {name} is gone; its conversation is taken up: {argv}"


async def start(prepared: Prepared, listener: SessionListener) -> LiveSession:
    """Start the child and the session around it. Raises InputError if the program cannot be started."""
    settings, profile = prepared.settings, prepared.profile
    ignored = _ignored_reports()
    screen = TerminalScreen(settings.columns, settings.lines, answer_program_status="status" not in ignored)
    engine = _make_engine(prepared, ScreenReader(screen, prepared.examiner, ignored))
    recorder = RunFolder(
        settings,
        redact=prepared.redactor.without_secrets,
        on_failed=lambda reason: session.recording_failed(reason),
        profile_hash=_hash_of(profile),
    )
    learn_secret = prepared.redactor.learn
    engine.viewing.change(run_folder=str(recorder.folder))
    session = LiveSession(engine, recorder, listener, learn_secret)
    environment = _environment(profile, prepared.kept_back)
    if prepared.kept_back:
        listener.on_note(f"keys kept back: {', '.join(prepared.kept_back)} (--pass-keys)")
    if settings.checkpoints and not settings.dry_run:
        session.checkpoints = await begin_checkpoints(session, settings.cwd, _line_cleaner(prepared))
    opening = session.opening = EnvelopedStart(session)
    try:
        pty = await opening.start(settings, profile, prepared.argv, environment)
    except InputError as problem:
        await session.close()
        recorder.close(EndRun("failed", 2, str(problem)))
        raise
    child = SessionChild(pty, profile)
    session.worker = _make_worker(prepared, session, environment)
    session.start(child, _make_asker(prepared, session), _make_opinions(prepared, session))
    opening.release()
    for note in prepared.notes:
        listener.on_note(note)
    session.start_background_task(_learn_version(prepared, environment, recorder, engine.reader))
    return session


def _ignored_reports() -> frozenset[str]:
    """Reports of the CLI to ignore (for tests), to see how well the other evidence does alone.

    `COPILOT_PROGRAM_STATUS=off` also leaves the child's query for it unanswered.
    """
    switches = {"status": "COPILOT_PROGRAM_STATUS", "title": "COPILOT_TITLES"}
    return frozenset(source for source, name in switches.items() if os.environ.get(name, "") == "off")


def _environment(profile: Profile, back: Collection[str]) -> dict[str, str]:
    """The child's environment: the user's, without what is ours, another terminal's, or kept back."""
    prefixes = profile.launch.keep_environment
    keep = [name for name in os.environ if prefixes and name.startswith(prefixes)]
    given = {name: value for name, value in os.environ.items() if name not in back}
    return {**child_environment(given, keep=keep), **profile.launch.environment}


async def _learn_version(
    prepared: Prepared, environment: Mapping[str, str], recorder: RunFolder, reader: ScreenReader
) -> None:
    settings, launch = prepared.settings, prepared.profile.launch
    program = resolve_program(settings.child[0], folder=settings.cwd, environment=os.environ)
    version = await child_version(program, launch, settings.cwd, environment)
    if version:
        recorder.set_child_version(version)
        reader.learn_version(version)


async def finish(session: LiveSession) -> EndRun:
    """Wait for the end of the run, end what is left, and close the run folder.

    If scripted replies are left over, a run that looks completed fails.
    """
    end = await session.ended
    unused = session.asker.provider.unused() if session.asker is not None else ()
    if unused and end.exit_code == 0:
        end = EndRun("failed", 1, f"not all scripted replies were used: {'; '.join(unused)}")
        session.listener.on_note(end.reason)
    try:
        await session.close()
        await _save_diff(session)
    finally:
        session.recorder.close(end)
        _write_report(session)
    await asyncio.sleep(0)  # notes of the recorder's thread come before the end
    failed = session.recorder.failed
    return unrecorded_end(failed) if failed and end.exit_code == 0 else end


async def _save_diff(session: LiveSession) -> None:
    """What the run changed in its project, for the report."""
    recorder, probe = session.recorder, session.probe
    if isinstance(recorder, RunFolder) and probe is not None and recorder.commit:
        recorder.keep_changes(await probe.changes_since(recorder.commit))


def _write_report(session: LiveSession) -> None:
    """The run on one page, beside its records. The run is complete without it: it can be made later."""
    from copilot.recording.report import write_report
    from copilot.recording.runs import open_run

    try:
        write_report(open_run(session.recorder.folder))
    except (OSError, CopilotError) as problem:
        reason = f"no report could be written: {problem}"
        session.listener.on_note(reason)
        session.recorder.no_report(reason)


def _make_run(prepared: Prepared) -> Run:
    settings = prepared.settings
    folder = Path(settings.cwd)
    limits = RunLimits(
        max_steps=settings.max_steps,
        timeout_seconds=settings.timeout_seconds,
        max_cost_usd=settings.max_cost_usd,
    )
    return Run(
        profile=prepared.profile,
        autonomy=settings.autonomy,
        limits=limits,
        headless=settings.headless,
        trust=settings.trust,
        launch_folders=spellings((str(folder), str(folder.resolve())), str(Path.home())),
        dry_run=settings.dry_run,
        plan=prepared.progress,
        second_opinion=prepared.second is not None,
        program=Path(settings.child[0]).name,
    )


def _line_cleaner(prepared: Prepared) -> Callable[[str], str]:
    """Redacts a line and makes it safe to show."""
    return lambda text: safe_text(prepared.redactor.without_secrets(text))


def _hash_of(profile: Profile) -> str:
    return hashlib.sha256(json_text(asdict(profile)).encode()).hexdigest()


def _first_view(prepared: Prepared) -> SessionView:
    settings = prepared.settings
    return SessionView(
        autonomy=settings.autonomy,
        max_steps=settings.max_steps,
        dry_run=settings.dry_run,
        profile=prepared.profile.name,
        limits=prepared.profile.limits,
        only_suggests=prepared.profile.unverified,
        provider=prepared.provider.name,
        takes_instructions=not isinstance(prepared.provider, TakesNoInstruction),
        model=prepared.provider.model,
        governing_prompt=settings.governing_prompt,
    )


def _make_engine(prepared: Prepared, reader: ScreenReader) -> Engine:
    settings = prepared.settings
    scope = ProjectScope(cwd=settings.cwd, home=str(Path.home()))
    assessor = RiskAssessor(scope, prepared.rules, permissions_of(settings.governing_prompt))
    grants = RunGrants(prepared.grants, time.time())
    return Engine(_make_run(prepared), reader, assessor, grants, _first_view(prepared))


def _make_asker(prepared: Prepared, session: LiveSession) -> Asker:
    settings = prepared.settings
    defaults = RequestDefaults(
        governing_prompt=settings.governing_prompt,
        profile_title=prepared.profile.title or prepared.profile.name,
        upload=settings.upload,
        guards=_make_guards(prepared),
    )
    probe = session.probe = ProjectProbe(Path(settings.cwd), clock=time.monotonic)

    def recent() -> RecentOutput:
        shown = recent_output(session.screen)
        return replace(shown, hidden=shown.hidden + session.reader.invisible.take_count())

    history = prepared.earlier.history if prepared.earlier is not None else ()
    return Asker(prepared.provider, defaults, recent, probe.snapshot, session, history)


def _make_worker(
    prepared: Prepared, session: LiveSession, environment: Mapping[str, str]
) -> PlanWorker | None:
    if prepared.progress is None:
        return None
    place = Workplace(
        folder=prepared.settings.cwd,
        environment=environment,
        redactor=prepared.redactor,
        log_folder=session.recorder.folder,
        recent=lambda: recent_output(session.screen, SEARCHED_ROWS),
        saved=session.saved,
    )
    return PlanWorker(place, session)


def _make_opinions(prepared: Prepared, session: LiveSession) -> OpinionAsker | None:
    if prepared.second is None:
        return None
    goal = prepared.settings.governing_prompt
    return OpinionAsker(prepared.second, goal, _make_guards(prepared), OpinionDesk(session))


def _make_guards(prepared: Prepared) -> TextGuards:
    provider = prepared.provider
    estimate = provider.counter if isinstance(provider, CountsTokens) else estimate_tokens
    return TextGuards(redact=prepared.redactor.redact, model_text=model_text, estimate=estimate)
