"""Rule files of the user (`$XDG_CONFIG_HOME/copilot/rules/*.toml`) and of the project (`.copilot/rules/`).

The user's may allow and raise, the project's only raise (`docs/safety.md`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from copilot.config.paths import config_folder, project_root
from copilot.errors import InputError
from copilot.safety.packs_load import RuleBook
from copilot.safety.packs_own import rule_book

RULES = "rules"
PROJECT_RULES = Path(".copilot") / RULES
MAX_BYTES = 256 * 1024


def rules_for(cwd: Path, environment: Mapping[str, str] | None = None) -> tuple[RuleBook, tuple[str, ...]]:
    """The rules by which commands in `cwd` are judged, and notes on what does not count.

    Raises InputError in one line that names the file, the rule, the key and the fix.
    """
    own = _texts(config_folder(environment) / RULES)
    return rule_book(own, _texts(project_root(cwd) / PROJECT_RULES))


def _texts(folder: Path) -> list[tuple[str, str]]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be read ({error.strerror}); make it readable or remove it"
        ) from error
    return [(str(path), _text(path)) for path in paths]


def _text(path: Path) -> str:
    try:
        with path.open("rb") as source:
            data = source.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES // 1024} KiB; split it")
        return data.decode("utf-8")
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); make it readable or remove it"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
