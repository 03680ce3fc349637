"""Rules from the labelled unknown screens of one run, each verified, and the profile with them in it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from copilot.config.profile_files import load_profile, profile_paths, read_profile
from copilot.config.profile_lint.lint import lint_file
from copilot.core.profile import Profile
from copilot.core.screen_rules import Rule
from copilot.core.snapshot import ScreenSnapshot
from copilot.errors import InputError
from copilot.private_files import open_private, write_all
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.entries import CAST_NAME
from copilot.recording.unknown_screens import UnknownScreen, unknown_screens
from copilot.replay.detect import screen_at
from copilot.replay.learn.proposal import propose
from copilot.replay.learn.rule_toml import rule_toml
from copilot.replay.learn.verify import false_matches, with_example, with_rule

_NEW_FILE = os.O_WRONLY | os.O_EXCL


@dataclass(frozen=True, slots=True)
class Learned:
    """One labelled screen: the rule made of it, or why there is none."""

    screen: UnknownScreen
    rule: Rule | None
    says: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one run teaches. `profile` is the one that the rules are for, as it is now."""

    profile: Profile
    learned: tuple[Learned, ...] = field(default=())

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that were verified."""
        return tuple(one.rule for one in self.learned if one.rule is not None)

    def toml(self) -> str:
        """The rules with their examples and what was checked, to be read and put into a profile."""
        parts = [f"# {one.says}\n{rule_toml(one.rule)}" for one in self.learned if one.rule is not None]
        return "\n".join(parts)


def learn(run: Path, profile_name: str | None = None) -> Lesson:
    """Propose rules from a run folder. Raises InputError if nothing is labelled or a file cannot be read."""
    kept = unknown_screens(run)
    labelled = [screen for screen in kept if screen.label is not None]
    if not labelled:
        found = f"{len(kept)} unknown screens, none labelled" if kept else "no unknown screens"
        raise InputError(f"{run}: has {found}; in the cockpit the leader and l says what a screen is")
    profile = load_profile(profile_name or str(labelled[0].evidence.get("profile", "generic")))
    recording = read_cast(run / CAST_NAME) if (run / CAST_NAME).is_file() else None
    pictures = {screen.number: _picture(screen) for screen in kept}
    richer = profile
    learned: list[Learned] = []
    for screen in labelled:
        one = _learned(richer, screen, kept, pictures, recording, run)
        learned.append(one)
        if one.rule is not None:
            richer = with_rule(richer, one.rule)
    return Lesson(profile, tuple(learned))


def _picture(screen: UnknownScreen) -> ScreenSnapshot:
    cast = screen.cast()
    return screen_at(cast, cast.duration)


def _learned(
    profile: Profile,
    screen: UnknownScreen,
    kept: list[UnknownScreen],
    pictures: dict[int, ScreenSnapshot],
    recording: Cast | None,
    run: Path,
) -> Learned:
    assert screen.label is not None
    snapshot = pictures[screen.number]
    name = f"unknown screen {screen.number} of {run.name}"
    others = [(pictures[other.number], other.label) for other in kept if other.number != screen.number]
    try:
        proposed = propose(snapshot, screen.label, profile, f"{name}, labelled {screen.label.kind.value}")
        rule = with_example(profile, proposed, snapshot)
    except InputError as problem:
        return Learned(screen, None, f"{name}: no rule: {problem}")
    wrong = list(false_matches(profile, rule, others, recording))
    if wrong:
        return Learned(screen, None, f"{name}: no rule: {'; '.join(wrong)}")
    examples = sum(len(other.examples) for other in profile.screen.rules)
    said = f"{name}. Checked on its example, {examples} examples of other rules, {len(others)} other screens"
    return Learned(screen, rule, said + (" and the run's recording." if recording is not None else "."))


def write_profile(lesson: Lesson, target: Path) -> None:
    """Write the profile with the rules added as a new file, and check it.

    Raises InputError if the file is there already, cannot be written, or would not be a right profile.
    """
    source = profile_paths()[lesson.profile.name]
    text = f"{source.read_text('utf-8').rstrip()}\n\n{lesson.toml()}"
    try:
        descriptor = open_private(target, _NEW_FILE)
    except FileExistsError:
        raise InputError(f"--write {target}: is there already; name a new file") from None
    except OSError as error:
        raise InputError(f"--write {target}: cannot be written ({error.strerror})") from None
    try:
        write_all(descriptor, text.encode())
    finally:
        os.close(descriptor)
    try:
        read_profile(target)
        findings = lint_file(target)
    except InputError:
        target.unlink()
        raise
    if findings:
        raise InputError(f"{target}: was written, but {findings[0].check}: {findings[0]}")
