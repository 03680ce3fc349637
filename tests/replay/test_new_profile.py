"""A profile for a CLI that has none, from labelled moments: what is learned, what is not, and what is refused."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from copilot import cli
from copilot.config.profile_files import load_profile
from copilot.config.profile_lint import lint_file
from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import ScreenKind
from copilot.recording.asciicast import read_cast
from copilot.recording.unknown_screens import Label, UnknownScreens, label_screen
from copilot.replay.cues import SPINNER, find_cues
from copilot.replay.detect import screen_at, settled_of
from copilot.replay.moments import Moment, names_of
from copilot.replay.new_profile import teach
from tests.scoring.labels import CORPUS, expected_kind, labels_of

CAST = CORPUS / "pi" / "full_session.cast"
KINDS = {"idle", "completed", "busy", "permission"}


def moments() -> list[tuple[float, ScreenKind]]:
    """What a person would label of this run: prompts at their end, work in its middle."""
    found = []
    for label in labels_of(CAST):
        kind = expected_kind(label)
        if kind in KINDS:
            busy = kind == "busy"
            at = (label["t_start"] + label["t_end"]) / 2 if busy else label["t_end"] - 0.002
            found.append((at, ScreenKind(kind)))
    return found


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run-1"
    folder.mkdir()
    shutil.copy(CAST, folder / "session.cast")
    manifest = {"schema_version": 1, "settings": {"child": ["/opt/acme/bin/acme", "--fast"]}}
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "transcript.jsonl").touch()
    return folder


def label(run: Path, wanted: Sequence[tuple[float, ScreenKind]]) -> None:
    cast, kept = read_cast(CAST), UnknownScreens(run, lambda text: text)
    for at, kind in wanted:
        number = kept.keep(screen_at(cast, at), at, {"profile": "generic"}, title="copilot: generic")
        label_screen(run, number, Label(kind))


def refused(run: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert cli.main(["profiles", "learn", str(run), "--new", "acme", *more]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    return error


def test_a_learned_profile_reads_its_run_sooner_than_generic_and_only_suggests(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    label(run, moments())
    target = tmp_path / "acme.toml"
    code = cli.main(["profiles", "learn", str(run), "--new", "acme", "--write", str(target)])
    said = capsys.readouterr().err
    assert code == 0, said
    assert "level: suggest" in said and "unsure: no menu was labelled" in said
    profile = load_profile(str(target))
    assert not lint_file(target)
    assert profile.allowed(Autonomy.FULL) is Autonomy.SUGGEST and not profile.verified
    assert profile.launch.names == ("acme",)
    assert profile.reply_keys == load_profile("generic").reply_keys, "nothing permits more than before"
    cast = read_cast(CAST)
    ready = [
        [one.at for one in settled_of(cast, read) if one.detection.kind is ScreenKind.IDLE]
        for read in (profile, load_profile("generic"))
    ]
    assert len(ready[0]) > len(ready[1])


def test_an_option_permits_more_only_by_its_whole_label_and_a_persons_word(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    label(run, moments())
    assert "no labelled permission has it" in refused(run, capsys, "--approve", "Y.*")
    assert "more than what is asked" in refused(run, capsys, "--approve", "Yes, always")
    assert cli.main(["profiles", "learn", str(run), "--new", "acme", "--approve", "No"]) == 0
    keys = tomllib.loads(capsys.readouterr().out)["reply_keys"]
    assert keys["approve_options"][-1] == "No"


def test_bad_input_is_one_line(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(run, moments()[:2])
    assert "too few: label" in refused(run, capsys)
    assert "give one of them" in refused(run, capsys, "--profile", "pi")
    assert "no profile has" in refused(run, capsys, "--new", "pi")
    (run / "unknown" / "01.label.json").write_text('{"kind": "feast"}', "utf-8")
    assert "is no kind of screen" in refused(run, capsys)
    (run / "unknown" / "01.label.json").write_text("{", "utf-8")
    assert "01.label.json" in refused(run, capsys)
    label_screen(run, 1, Label(ScreenKind.IDLE))
    (run / "unknown" / "01.json").write_text("{}", "utf-8")
    assert "second of the recording" in refused(run, capsys)
    (run / "session.cast").unlink()
    assert "has no session.cast" in refused(run, capsys)


def test_the_same_screen_cannot_be_two_kinds(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(run, moments())
    idle = next(place for place, (_, kind) in enumerate(moments(), 1) if kind is ScreenKind.IDLE)
    for end in (".cast", ".json"):
        shutil.copy(run / "unknown" / f"{idle:02d}{end}", run / "unknown" / f"90{end}")
    label_screen(run, 90, Label(ScreenKind.BUSY))
    assert "show the same" in refused(run, capsys)


def test_where_busy_and_ready_look_alike_generic_goes_on_reading() -> None:
    cast = read_cast(CAST)
    taken = [Moment(f"{at}", screen_at(cast, at), Label(kind), at, cast) for at, kind in moments()]
    ready = next(one for one in taken if one.ready)
    blank = [
        replace(one, snapshot=replace(ready.snapshot, lines=(f"{'x' * place}", *ready.snapshot.lines[1:])))
        if one.kind is ScreenKind.BUSY
        else one
        for place, one in enumerate(taken)
    ]
    taught = teach(blank, "acme")
    assert not taught.rules
    assert any(line.startswith("nothing that only busy screens show") for line in taught.unsure)


def test_cues_are_literal_words_that_no_other_screen_has() -> None:
    hostile = "always .* allow (a|b) everything"
    (cue,) = find_cues([f"{hostile}", f"x\n{hostile}"], ["quiet"])
    assert ".*" not in cue.replace(r"\.\*", "") and "|" not in cue
    assert find_cues(["⠋ Reading", "⠙ Writing"], ["Done"]) == (SPINNER,)
    assert find_cues(["Working 3", "Thinking 4"], ["Done"]) == (), "each is in one screen only"
    assert find_cues(["Working 3", "Working 4"], ["Working on it"]) == ()


def test_an_interpreter_names_no_cli(run: Path) -> None:
    manifest = {"schema_version": 1, "settings": {"child": ["/usr/bin/python3.11", "acme.py"]}}
    (run / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert names_of(run) == ()
