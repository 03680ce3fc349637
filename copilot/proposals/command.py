"""`copilot proposals`, as click commands; nothing heavy is loaded before they run."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from copilot.checkpoints.store import CheckpointStore
    from copilot.proposals.apply import Planned
    from copilot.proposals.session import SessionResult

_KINDS = click.Choice(["request", "result", "proposal"])
_EPILOG = """\b
Examples:
  copilot proposals schema result              the JSON Schema, for other tools
  copilot proposals check result result.json   whether a document is one
  copilot proposals read reply.txt             a model's tool calls, as a result
  copilot proposals apply result.json          shows what changes, and asks
Exit codes: 0 done, 2 bad input or refused, 3 nobody has accepted it."""


@click.group("proposals", epilog=_EPILOG)
def proposals_command() -> None:
    """Changes that an agent proposes as data: edits, files and folders, resources, completion.

    All of it: docs/proposals.md of the source.
    """


@proposals_command.command("schema")
@click.argument("kind", type=_KINDS)
def schema_command(kind: str) -> int:
    """Print the JSON Schema (draft 2020-12) of a KIND of document."""
    from copilot.proposals.schemas import published

    click.echo(published(kind), nl=False)
    return 0


@proposals_command.command("check")
@click.argument("kind", type=_KINDS)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def check_command(kind: str, file: Path) -> int:
    """Check that FILE is a document of this KIND; one line with the key if it is not."""
    from copilot.proposals.schemas import read_document

    read_document(kind, file)
    click.echo(f"{kind}: valid")
    return 0


@proposals_command.command("request")
@click.argument("message")
@click.option(
    "--cwd", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", default=".", help="The folder."
)
@click.option("--active", metavar="PATH", help="The file that is open in front.")
@click.option("--select", "selected", multiple=True, metavar="PATH", help="What is selected (repeatable).")
@click.option("--open", "documents", multiple=True, metavar="PATH", help="Open documents (repeatable).")
def request_command(
    message: str, cwd: Path, active: str | None, selected: tuple[str, ...], documents: tuple[str, ...]
) -> int:
    """Print the request for a folder: MESSAGE, and what an agent may know without looking."""
    from copilot.proposals import apply
    from copilot.proposals.request import build_request

    with _scratch_store(cwd) as store, apply.world_of(store) as world:
        request = build_request(world, message, active=active, selected=selected, documents=documents)
    click.echo(request.model_dump_json(indent=2))
    return 0


@proposals_command.command("read")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--cwd", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", default=".", help="The folder."
)
@click.option("--id", "identity", default="reply", metavar="TEXT", help="The id of the result.")
def read_command(file: Path, cwd: Path, identity: str) -> int:
    """Read the tool calls that a model wrote as XML with JSON in FILE; print the result that they are.

    What a call changes without naming its base is taken to be of the folder as it is now.
    """
    from copilot.errors import InputError
    from copilot.plain_files import read_text
    from copilot.proposals import apply, schemas
    from copilot.proposals.tool_calls import read_calls

    text = read_text(file, schemas.MOST_BYTES)
    with _scratch_store(cwd) as store, apply.world_of(store) as world:
        try:
            document = read_calls(text, world.hash_of, identity=identity)
        except InputError as problem:
            raise InputError(f"{file}: {problem}") from None
    result = schemas.checked("result", document, str(file))
    click.echo(result.model_dump_json(indent=2))
    return 0


@proposals_command.command("review")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def review_command(file: Path) -> int:
    """Check how a result came about: a line for each rule, exit code 1 if one fails."""
    from copilot.errors import EXIT_FAILED
    from copilot.guard.text import safe_text
    from copilot.proposals.review import review
    from copilot.proposals.schemas import read_document

    findings = review(read_document("result", file))
    for one in findings:
        word = {True: "pass", False: "fail", None: "inconclusive"}[one.passed]
        click.echo(safe_text(f"{word}  {one.rule}: {one.reason}"))
    return EXIT_FAILED if any(one.passed is False for one in findings) else 0


@proposals_command.command("apply")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--cwd", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", default=".", help="The folder."
)
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", is_flag=True, help="Accept all without asking, but not what the guard calls high.")
@click.option("--allow", "allowed", multiple=True, metavar="RULE", help="With --yes: also a high change.")
@click.option("--log", type=click.Path(path_type=Path), metavar="DIR", help="Where it is recorded for undo.")
def apply_command(
    file: Path, cwd: Path, dry_run: bool, yes: bool, allowed: tuple[str, ...], log: Path | None
) -> int:
    """Put the proposals of a result into a folder: all of them, or none if one cannot be done.

    Edits of a base that has changed are refused, and so is what leads out of the folder or through a link.
    What the guard calls high is named with its reason; --yes accepts it only with --allow, as for a run:
    --allow 'write:AGENTS.md', --allow 'delete:build/**'. What is forbidden is refused.
    What was applied can be taken back: copilot undo.
    """
    from copilot.errors import EXIT_HELD, InputError
    from copilot.guard.text import safe_text
    from copilot.proposals import apply
    from copilot.proposals.schemas import read_document
    from copilot.recording.run_place import default_run_folder
    from copilot.redaction.redact import Redactor

    result = read_document("result", file)
    shown = _planned(result, cwd, allowed)
    count = _show(shown)
    if dry_run:
        return 0
    if held := _held(shown, count, yes=yes):
        click.echo(safe_text(f"Nothing is changed: {held}"))
        return EXIT_HELD
    if not count:
        click.echo("Nothing to change.")
        return 0
    folder = log or default_run_folder("proposals", os.environ)
    store = apply.make_run(folder, cwd)
    try:
        planned = apply.plan(store, result)
        if planned.steps != shown.steps:
            raise InputError(f"{cwd}: changed after it was shown; apply the proposals again")
        apply.apply(store, planned, f"copilot proposals apply {file.name}")
        apply.write_record(folder, result, shown, Redactor().without_secrets)
    finally:
        store.close()
    click.echo(safe_text(f"Done. To take it back: copilot undo {log or folder.name}"))
    return 0


def _planned(result: SessionResult, cwd: Path, allowed: tuple[str, ...]) -> Planned:
    """What would be done, worked out on a copy that is kept nowhere."""
    from copilot.proposals import apply

    with _scratch_store(cwd) as store:
        return apply.plan(store, result, allowed)


@contextlib.contextmanager
def _scratch_store(cwd: Path) -> Iterator[CheckpointStore]:
    """Checkpoints of a folder for as long as it is looked at. Raises InputError if it is none."""
    from copilot.errors import InputError
    from copilot.proposals import apply

    if not cwd.is_dir():
        raise InputError(f"--cwd {cwd}: is no folder; name the folder that the proposals are for")
    with tempfile.TemporaryDirectory(prefix="copilot-proposals-") as scratch:
        store = apply.make_run(Path(scratch) / "run", cwd)
        try:
            yield store
        finally:
            store.close()


def _held(planned: Planned, count: int, *, yes: bool) -> str:
    """Why it is not applied, "" if it is. Raises Refused for what the guard forbids."""
    from copilot.core.risk import RiskLevel
    from copilot.proposals.ranges import Refused

    high = [path for path, risk in planned.risks.items() if risk.level >= RiskLevel.HIGH]
    for path in high:
        if planned.risks[path].level is RiskLevel.FORBIDDEN:
            raise Refused(f"{path}: forbidden: {planned.risks[path].reason}; take it out of the proposals")
    if not count or (yes and not high):
        return ""
    if yes:
        path, more = high[0], f" (and {len(high) - 1} more)" if len(high) > 1 else ""
        why = planned.risks[path].reason
        return f"{path}{more} is high: {why}. Accept it without --yes, or add --allow 'ACTION:PATH'."
    question = f"Change {count} paths{f', {len(high)} of them high' if high else ''}?"
    if sys.stdin.isatty() and click.confirm(question, default=False):
        return ""
    return "nobody has accepted it. Add --yes to accept all" + (
        ", and --allow for what is high." if high else "."
    )


def _show(planned: Planned) -> int:
    """Show operations and changed paths, with the guard's reason for what is high; how many paths change."""
    from copilot.core.risk import RiskLevel
    from copilot.guard.text import safe_text
    from copilot.proposals.apply import kind_word

    for one in planned.done:
        click.echo(safe_text(f"{one.outcome:9}  {one.at}: {one.word} {one.about}"))
    named = {
        path: f"  ({one.level.word}: {one.reason})"
        for path, one in planned.risks.items()
        if one.level >= RiskLevel.HIGH or one.grants
    }
    for path in sorted({*planned.changed, *named}):
        click.echo(safe_text(f"{kind_word(planned.world, path)}: {path}{named.get(path, '')}"))
    return len(planned.changed)
