"""From flags, environment, files and profile to one `RunSettings`: the strongest source wins.

flag > environment `COPILOT_*` > project file > user file > profile > default.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from copilot.config import paths
from copilot.config.credentials import holds_key, key_present
from copilot.config.layers import (
    LARGEST_FILE,
    Layer,
    absolute_paths,
    as_option,
    environment_layer,
    file_layer,
    flags_layer,
)
from copilot.config.trust_question import WideningFile, remembered
from copilot.config.values import ENVELOPES, KEYS, NETWORKS
from copilot.core.profile_outline import ProfileOutline
from copilot.core.provider_keys import ALL
from copilot.core.provider_registry import KEY_VARIABLES, PROVIDERS
from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.plain_files import is_folder, read_text, real_path

_SUFFIX = re.compile(r"\.[a-z][a-z0-9]{0,9}", re.IGNORECASE | re.ASCII)
_WRITE_WORDS = "write the instruction as a sentence of words"


def governing_prompt(value: str, folder: Path, named: str = "--prompt") -> str:
    """The text of the prompt that `value` gives: the content of the file of that name, else `value` itself.

    Relative names start at `folder`; `named` is where `value` was given. Raises InputError where `value`
    reads like a path and no such file exists, since a model cannot use a path as an instruction; for the name
    of a provider, which belongs to `--provider`; and for an empty file.
    """
    file = _existing(value, folder, named)
    if file is not None:
        text = read_text(file, LARGEST_FILE).strip()
        if not text:
            raise InputError(f"{file}: the governing prompt is empty; write it, or leave {named} out")
        return text
    word = value.strip()
    if _reads_like_path(word):
        raise InputError(f"{named}: no file {value!r}; correct the path, or {_WRITE_WORDS}")
    if near := _file_of_that_stem(word, folder):
        raise InputError(f"{named}: no file {value!r}; did you mean {near!r}? Else {_WRITE_WORDS}")
    if word in PROVIDERS:
        raise InputError(f"{named}: {word!r} is a provider, as in --provider {word}; here {_WRITE_WORDS}")
    return word


def _existing(value: str, folder: Path, named: str) -> Path | None:
    if not value.strip() or "\n" in value or "\0" in value:
        return None
    try:
        path = folder / Path(value.strip()).expanduser()
        if path.is_dir():
            raise InputError(f"{named}: {value!r} is a folder; name the file in it")
        return path if paths.exists_or_broken_link(path) else None
    except (OSError, RuntimeError, ValueError):
        return None


def _reads_like_path(text: str) -> bool:
    """One word with a slash, a leading tilde or the ending of a file."""
    if not _is_word(text):
        return False
    return "/" in text or text.startswith("~") or _SUFFIX.fullmatch(Path(text).suffix) is not None


def _file_of_that_stem(text: str, folder: Path) -> str:
    """`rules.md` for the word `rules`, if there is such a file; else nothing."""
    if not _is_word(text):
        return ""
    try:
        names = sorted(path.name for path in folder.iterdir() if path.stem == text and path.is_file())
    except OSError:
        return ""
    return names[0] if names else ""


def _is_word(text: str) -> bool:
    return bool(text) and not any(character.isspace() for character in text)


# What a project's own settings file may do: narrow a run, never widen it.
#
# The file lies in the repository under work, so whoever wrote the repository wrote it. It may lower the
# autonomy level and the limits and choose the careful side of a switch. Everything else (who writes
# replies, where text is sent, what is allowed, how screens are read) counts only with `--trust`, which
# says that this folder is trusted. See `docs/decisions/2026-11-21-project-file-narrows.md`.


_LEVELS = tuple(Autonomy)
_LOWER_IS_NARROWER = ("max_steps", "timeout", "max_cost", "reply_deadline")
_TRUE_IS_NARROWER = ("dry_run", "no_upload")
_FEWER_IS_NARROWER = ("pass_keys", "envelope_write", "envelope_read", "envelope_hosts")
_WIDEST_FIRST = {"autonomy": _LEVELS[::-1], "envelope": ENVELOPES, "network": NETWORKS}
_HARMLESS = ("columns", "lines")


def narrowed(wished: Mapping[str, Any], without: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The part of a project's settings that narrows a run, and the keys that are left out.

    `without` are the settings that would hold if the project had no file (user file, profile, default).
    """
    kept = {key: value for key, value in wished.items() if _narrows(key, value, without.get(key))}
    return kept, tuple(key for key in wished if key not in kept)


def _narrows(key: str, value: Any, without: Any) -> bool:
    if key in _HARMLESS:
        return True
    if key in _WIDEST_FIRST:
        words = _WIDEST_FIRST[key]
        return words.index(value) >= words.index(without)
    if key in _LOWER_IS_NARROWER:
        return without is None or value <= without
    if key in _TRUE_IS_NARROWER:
        return value is True
    if key in _FEWER_IS_NARROWER:
        return ALL in without or set(value) <= set(without)
    return bool(value == without)


_IGNORED = (
    f"{paths.PROJECT_FILE} of this project would widen {{keys}}: ignored "
    "(it may only narrow, unless you trust this folder with --trust)"
)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ProfileRegistry(Protocol):
    """Where profiles come from."""

    def load(self, name: str) -> ProfileOutline:
        """The profile of that name. Raises InputError with the nearest name."""

    def name_for(self, program: str) -> str:
        """The name of the profile that knows a program of this name, else `generic`."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The settings of a run, its profile, and what a person should read before it starts."""

    settings: RunSettings
    profile: ProfileOutline
    notes: tuple[str, ...] = ()
    level_from: str = ""
    """What gave the level of autonomy, as a person names it."""


def resolve(
    flags: Mapping[str, Any],
    child: tuple[str, ...],
    registry: ProfileRegistry,
    new_run_folder: Callable[[str], Path],
    trusts: Callable[[WideningFile], bool] = remembered,
) -> Resolved:
    """The settings of one run. Raises InputError: one line with the source, the key and the fix.

    `new_run_folder` names the folder of a run of the profile of that name, if `--log` names none. `trusts`
    says whether a project's file that would widen the run may.
    """
    _refuse_keys(flags)
    strong = [flags_layer(flags), environment_layer()]
    folder = _working_folder(strong)
    trust = bool(_pick(strong, "trust", False))
    user, project = _files(folder)
    notes: tuple[str, ...] = ()
    if not trust and project.given:
        careful = _profile(child, [*strong, user], registry)
        kept, widening = _narrow_project(project, [user, _defaults(careful, folder)])
        # What an option or the environment gives is theirs to give, whatever the file wants.
        ignored = tuple(key for key in widening if not any(key in layer.given for layer in strong))
        headless = bool(_pick(strong, "headless", False))
        if ignored and not trusts(WideningFile(_path_of(folder), project.given, ignored, headless)):
            project, notes = kept, (_IGNORED.format(keys=", ".join(ignored)),)
        elif not ignored:
            project = kept
    # What is left of the project's file names a profile only if it is trusted, or it is the one anyway.
    profile = _profile(child, [*strong, project, user], registry)
    run_folder = Layer("default", {"log": str(new_run_folder(profile.name))}, folder)
    layers = [absolute_paths(one) for one in (*strong, project, user, _defaults(profile, folder), run_folder)]
    settings = _settings(layers, child or profile.launch.command, profile.name, folder)
    notes = (*notes, *_warnings(settings, layers))
    return Resolved(settings, profile, notes, _named(layers, "autonomy"))


def _defaults(profile: ProfileOutline, folder: Path) -> Layer:
    given = {"autonomy": profile.limits.level}
    return Layer("profile", given, folder, lambda key: f"the profile {profile.name}")


def _path_of(folder: Path) -> Path:
    return paths.project_file(folder) or folder / paths.PROJECT_FILE


def _pick(layers: list[Layer], key: str, default: Any) -> Any:
    return next((layer.given[key] for layer in layers if key in layer.given), default)


def _named(layers: list[Layer], key: str) -> str:
    """The key as the source that counts names it, so that a fault names the place to fix."""
    return next((layer.named(key) for layer in layers if key in layer.given), as_option(key))


def _refuse_keys(flags: Mapping[str, Any]) -> None:
    for name, value in flags.items():
        if holds_key(str(value)):
            option = name.replace("_", "-")
            raise InputError(
                f"--{option} holds what looks like an API key, which every user of this machine could read; "
                "set ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment instead"
            )


def _working_folder(strong: list[Layer]) -> Path:
    given = Path(_pick(strong, "cwd", os.curdir)).expanduser()
    if not is_folder(given):
        where = _named(strong, "cwd")
        raise InputError(f"{where}: {str(given)!r} is not a folder; create it or correct the path")
    return given.resolve()


def _files(folder: Path) -> tuple[Layer, Layer]:
    """The user's file and the project's."""
    user_path = paths.user_file()
    project_path = paths.project_file(folder)
    user = file_layer(user_path, "user file", user_path.parent)
    if project_path is None or real_path(project_path) == real_path(user_path):
        return user, Layer("project file", {}, folder)
    return user, file_layer(project_path, "project file", project_path.parent.parent)


def _profile(child: tuple[str, ...], layers: list[Layer], registry: ProfileRegistry) -> ProfileOutline:
    name = _pick(layers, "profile", None)
    if name is None:
        name = registry.name_for(Path(child[0]).name) if child else "generic"
    return registry.load(name)


def _narrow_project(project: Layer, weaker: list[Layer]) -> tuple[Layer, tuple[str, ...]]:
    """What of the project's file narrows the run, and the other keys."""
    without = {key: _pick(weaker, key, _default(key)) for key in project.given}
    kept, ignored = narrowed(project.given, without)
    return Layer(project.source, kept, project.folder), ignored


_RENAMED = {
    "timeout": "timeout_seconds",
    "max_cost": "max_cost_usd",
    "reply_deadline": "reply_deadline_seconds",
    "second_opinion_deadline": "second_opinion_deadline_seconds",
}
_FIELDS = RunSettings.__dataclass_fields__
_NOT_PLAIN = ("profile", "autonomy", "provider", "cwd", "checkpoints")
"""Keys that are not taken over as they are."""
_PLAIN = {
    key: field for key in KEYS if (field := _RENAMED.get(key, key)) in _FIELDS and key not in _NOT_PLAIN
}
"""The field of `RunSettings` for each key whose value goes there as it is; the default is the field's."""


def _default(key: str) -> Any:
    """What holds for `key` when no source gives it."""
    return _FIELDS[_PLAIN[key]].default if key in _PLAIN else None


def _settings(layers: list[Layer], child: tuple[str, ...], profile: str, folder: Path) -> RunSettings:
    plain = {
        field: _pick(layers, key, None)
        for key, field in _PLAIN.items()
        if any(key in layer.given for layer in layers)
    }
    settings = RunSettings(
        **plain,
        child=child,
        profile=profile,
        autonomy=Autonomy(_pick(layers, "autonomy", Autonomy.SUGGEST)),
        cwd=str(folder),
        log_folder=_pick(layers, "log", ""),
        governing_prompt=_prompt(layers),
        provider=_provider(layers),
        upload=not _pick(layers, "no_upload", False),
        checkpoints=_pick(layers, "checkpoints", "on") == "on",
    )
    _check(settings, lambda key: _named(layers, key))
    return settings


def _prompt(layers: list[Layer]) -> str:
    given = next((layer for layer in layers if "prompt" in layer.given), None)
    return governing_prompt(given.given["prompt"], given.folder, given.named("prompt")) if given else ""


def _provider(layers: list[Layer]) -> str:
    implied = "playbook" if _pick(layers, "playbook", None) else "rules"
    return str(_pick(layers, "provider", implied))


def _check(settings: RunSettings, named: Callable[[str], str]) -> None:
    """What only shows when all sources are put together. Raises InputError."""
    for key, path in (
        ("plan", settings.plan),
        ("playbook", settings.playbook),
        ("detectors", settings.detectors),
    ):
        if path is not None and not paths.exists_or_broken_link(Path(path)):
            raise InputError(f"{named(key)}: no file {path}; correct the path")
    problem = paths.writable_problem(Path(settings.log_folder))
    if problem:
        raise InputError(f"{named('log')}: {problem}; name another folder with --log DIR")
    if settings.provider == "playbook" and settings.playbook is None:
        raise InputError(f"{named('provider')}: playbook needs its script; add --playbook FILE")
    variables = KEY_VARIABLES.get(settings.provider, ())
    if variables and settings.base_url is None and not key_present(settings.provider, os.environ):
        raise InputError(
            f"{named('provider')}: {settings.provider} needs a key; set {variables[0]} in the environment, "
            "or use --provider rules, which works offline"
        )
    if settings.network != "all" and settings.envelope == "off":
        raise InputError(f"{named('network')}: {settings.network} needs --envelope project; add it")
    if settings.json_lines and not settings.headless:
        raise InputError(f"{named('json_lines')} goes with --headless; add --headless")
    if settings.headless and not settings.child and settings.resume is None:
        raise InputError(
            "--headless needs a CLI to run; name it after --, like: copilot --headless -- claude"
        )


def _warnings(settings: RunSettings, layers: list[Layer]) -> tuple[str, ...]:
    notes = []
    address = urlsplit(settings.base_url or "")
    if address.scheme == "http" and address.hostname not in _LOOPBACK:
        where = _named(layers, "base_url")
        notes.append(f"{where}: {settings.base_url} is not encrypted: terminal text is sent in the clear")
    return tuple(notes)
