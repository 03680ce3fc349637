"""Profiles from TOML files: found by name, validated, errors in one line with file, key and the nearest key.

A file in the user's folder takes the place of the built-in one of the same name. `extends = "generic"` with
`extends_rules = ["generic.dialog.*"]` takes over rules of another profile, below one's own.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from copilot import documents
from copilot.config.paths import user_profiles
from copilot.core.profile_outline import ProfileOutline
from copilot.core.reply import Autonomy
from copilot.errors import InputError, suggestion
from copilot.plain_files import KIB, read_text
from copilot.resources import data_folder

if TYPE_CHECKING:
    from copilot.core.profile import Profile
    from copilot.core.screen_rules import Rule


SCHEMA_VERSION = 1
FALLBACK = "generic"
MOST_BYTES = 512 * KIB
"""Ten times the largest that is built in."""
_ESCAPED = re.compile(r"\\(u|U0000)00[2-7]")
"""How TOML may spell a plain character of a program's name otherwise."""
_RENAMED = {"not": "not_"}
_WANTED = {
    "string": "a text, in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list, in [ ]",
    "tuple": "a list, in [ ]",
    "dict": "a table of keys",
    "mapping": "a table of keys",
    "dataclass": "a table of keys",
    "enum": f"one of: {', '.join(Autonomy)}",
}
"""By the first word of pydantic's name for a fault. The only enum of a profile is its level."""


def profile_paths() -> dict[str, Path]:
    """The file of each profile, by name; the user's own before the built-in ones."""
    paths: dict[str, Path] = {}
    for folder in (data_folder("profiles"), user_profiles()):
        if folder.is_dir():
            paths.update({path.stem: path for path in sorted(folder.glob("*.toml"))})
    return paths


def list_profiles() -> list[Profile]:
    """All profiles, by name. Raises InputError for the first bad file."""
    return [load_profile(name) for name in sorted(profile_paths())]


def load_profile(name: str) -> Profile:
    """The profile of that name, or of that file if `name` ends with `.toml`.

    Raises InputError if there is none (with the nearest name), or if its file is bad.
    """
    return read_profile(_path_of(name))


def outline(name: str) -> ProfileOutline:
    """What settings need of the same, its types checked. All else is only looked at when it is loaded.

    It needs nothing of screens and detectors, which take a while to import. Raises InputError.
    """
    path = _path_of(name)
    asked = {field.name for field in dataclasses.fields(ProfileOutline)}
    data = {key: value for key, value in _of_our_version(path).items() if key in asked}
    outlined: ProfileOutline = _parsed(_adapter(ProfileOutline), data, str(path))
    return outlined


def _path_of(name: str) -> Path:
    if name.endswith(".toml"):
        return Path(name)
    paths = profile_paths()
    if name not in paths:
        hint = suggestion(name, sorted(paths), "there are:")
        raise InputError(f"profile: no profile named {name!r}; {hint}")
    return paths[name]


def profile_for_command(argv: tuple[str, ...] | list[str]) -> Profile:
    """The profile whose program names hold the command's name, else `generic`."""
    return load_profile(name_for_program(Path(argv[0]).name if argv else ""))


def name_for_program(program: str) -> str:
    """The name of the profile whose program names hold `program`, else `generic`."""
    for name, path in profile_paths().items():
        if program == name or program in _program_names(path, _changed_at(path), program):
            return name
    return FALLBACK


def _changed_at(path: Path) -> int:
    """Tells one state of a file from the next; 0 for one that cannot be looked at."""
    try:
        return path.stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


@lru_cache(maxsize=64)
def _program_names(path: Path, changed: int, program: str) -> tuple[str, ...]:
    """The names in a file, without validating the rest: a bad file must not break other CLIs.

    A file without `program` in it is not parsed: all files take a tenth of the start.
    """
    try:
        text = read_text(path, MOST_BYTES)
        if not (f'"{program}"' in text or f"'{program}'" in text or _ESCAPED.search(text)):
            return ()
        data = documents.parse_toml(text, str(path))
        names = data.get("launch", {}).get("names", [])
        return tuple(name for name in names if isinstance(name, str))
    except (InputError, AttributeError, TypeError):
        return ()


def read_profile(path: Path) -> Profile:
    """The profile in one file. Raises InputError: one line with the file, the key and the fix."""
    return _cached(path, _changed_at(path))


@lru_cache(maxsize=32)
def _cached(path: Path, changed: int) -> Profile:
    from copilot.config.profile_faults import check_profile

    profile, _ = assemble(path)
    check_profile(profile, str(path))
    return profile


def assemble(path: Path) -> tuple[Profile, frozenset[str]]:
    """The profile in one file with the rules it takes over, and the ids of its own rules.

    Its types are right, its words and patterns are not looked at yet. Raises InputError for the first fault.
    """
    data = _of_our_version(path)
    taken_over = _base_rules(path, data)
    profile = parse_profile(data, str(path))
    own = frozenset(rule.id for rule in profile.screen.rules)
    if taken_over:
        rules = (*profile.screen.rules, *(rule for rule in taken_over if rule.id not in own))
        profile = dataclasses.replace(profile, screen=dataclasses.replace(profile.screen, rules=rules))
    return profile, own


def _of_our_version(path: Path) -> dict[str, Any]:
    """A copy of its tables: a start needs them for the settings and for the profile."""
    return dict(_read_once(path, _changed_at(path)))


@lru_cache(maxsize=8)
def _read_once(path: Path, changed: int) -> dict[str, Any]:
    data = read_toml(path)
    version = data.get("schema_version", SCHEMA_VERSION)
    if version != SCHEMA_VERSION:
        raise InputError(
            f"{path}: schema_version: {version!r} is not {SCHEMA_VERSION}, the one this program reads"
        )
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """The plain data of a TOML file. Raises InputError."""
    return documents.read_toml(path, MOST_BYTES)


def _base_rules(path: Path, data: dict[str, Any]) -> tuple[Rule, ...]:
    name = data.pop("extends", "")
    wanted = data.pop("extends_rules", ["*"])
    if not name:
        return ()
    if not isinstance(name, str) or not isinstance(wanted, list):
        raise InputError(f"{path}: extends: give the name of a profile, and extends_rules as a list")
    if name == path.stem:
        raise InputError(f"{path}: extends: a profile cannot extend itself")
    _check_circle(path, name)
    base = load_profile(name)
    # Examples are screens as that profile reads them; here other forms and rules come first.
    return tuple(
        dataclasses.replace(rule, examples=())
        for rule in base.screen.rules
        if any(fnmatchcase(rule.id, str(glob)) for glob in wanted)
    )


def _check_circle(path: Path, name: str) -> None:
    """Raises InputError where profiles extend each other in a circle."""
    seen: list[str] = []
    following: Any = name
    while isinstance(following, str) and following:
        if following in seen:
            raise InputError(f"{path}: extends: {' extends '.join([*seen, following])}; cut the circle")
        seen.append(following)
        following = read_toml(_path_of(following)).get("extends")


def parse_profile(data: dict[str, Any], where: str) -> Profile:
    """A profile from plain data. Raises InputError naming `where`, the key and the nearest right key."""
    from copilot.core.profile import Profile

    profile: Profile = _parsed(_adapter(Profile), data, where)
    return profile


def _parsed(adapter: TypeAdapter[Any], data: dict[str, Any], where: str) -> Any:
    try:
        return adapter.validate_python(_renamed(data))
    except ValidationError as error:
        raise InputError(f"{where}: {_explained(error.errors()[0], data)}") from None


def type_faults(data: dict[str, Any]) -> list[str]:
    """Every key that is not known, missing, or of a wrong type, as `key: what is wrong`."""
    from copilot.core.profile import Profile

    try:
        _adapter(Profile).validate_python(_renamed(data))
    except ValidationError as error:
        return [_explained(detail, data) for detail in error.errors()]
    return []


@lru_cache(maxsize=2)
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    forbid_extra_keys(kind, set())
    return TypeAdapter(kind)


def forbid_extra_keys(kind: type, seen: set[type]) -> None:
    """Mark a dataclass and those within it: keys that no field has are errors, not noise."""
    if kind in seen:
        return
    seen.add(kind)
    kind.__pydantic_config__ = ConfigDict(extra="forbid", strict=False)  # type: ignore[attr-defined]
    for hint in typing.get_type_hints(kind).values():
        for part in _parts(hint):
            if dataclasses.is_dataclass(part):
                forbid_extra_keys(typing.cast(type, part), seen)


def _parts(hint: Any) -> list[Any]:
    inner = typing.get_args(hint)
    if not inner:
        return [hint]
    if isinstance(hint, types.UnionType | types.GenericAlias) or typing.get_origin(hint):
        return [part for argument in inner for part in _parts(argument)]
    return [hint]


def _renamed(data: Any) -> Any:
    """The data with keys that Python reserves under their field names (`not`)."""
    if isinstance(data, dict):
        return {_RENAMED.get(key, key): _renamed(value) for key, value in data.items()}
    return [_renamed(value) for value in data] if isinstance(data, list) else data


def _explained(first: ErrorDetails, data: dict[str, Any]) -> str:
    path = _path(first["loc"], data)
    if first["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        key = "not" if first["loc"][-1] == "not_" else str(first["loc"][-1])
        hint = suggestion(key, _fields_at(first["loc"][:-1]), "it takes")
        return f"{path}: there is no such key; {hint}"
    if first["type"] in ("missing", "missing_argument"):
        return f"{path}: this key is required"
    return f"{path}: {_wanted(first)} (found {first['input']!r:.60})"


def _wanted(fault: ErrorDetails) -> str:
    """What a key takes, by the kind of its fault: `string_type`, `int_parsing`, `tuple_type`."""
    return f"must be {_WANTED.get(fault['type'].split('_')[0], 'of another kind')}"


def _path(location: tuple[int | str, ...], data: Any) -> str:
    """A dotted path as in the file; rules are named by their id."""
    words: list[str] = []
    here = data
    for part in location:
        word = "not" if part == "not_" else str(part)
        here = _inside(here, word if isinstance(part, str) else part)
        if isinstance(part, int) and words:
            name = here.get("id") if isinstance(here, dict) else None
            words[-1] += f"[{name or part}]"
        else:
            words.append(word)
    return ".".join(words)


def _inside(here: Any, part: int | str) -> Any:
    try:
        return here[part]
    except (KeyError, IndexError, TypeError):
        return None


def _fields_at(location: tuple[int | str, ...]) -> list[str]:
    from copilot.core.profile import Profile

    kind: Any = Profile
    for part in location:
        if isinstance(part, int) or not dataclasses.is_dataclass(kind):
            continue
        hint = typing.get_type_hints(kind).get(part)
        inner = [piece for piece in _parts(hint) if dataclasses.is_dataclass(piece)]
        kind = inner[0] if inner else None
    if not dataclasses.is_dataclass(kind):
        return []
    return ["not" if field.name == "not_" else field.name for field in dataclasses.fields(kind)]


class InstalledProfiles:
    """A `ProfileRegistry` over the profile files."""

    load = staticmethod(load_profile)
    name_for = staticmethod(name_for_program)


class OutlinedProfiles:
    """Their outlines: for a run whose profile is loaded and checked in full before its program starts."""

    load = staticmethod(outline)
    name_for = staticmethod(name_for_program)
