"""What a project's own settings file may do: narrow a run, never widen it.

The file lies in the repository under work, so whoever wrote the repository wrote it. It may lower the
autonomy level and the limits and choose the careful side of a switch. Everything else (who writes replies,
where text is sent, what is allowed, how screens are read) counts only with `--trust`, which says that this
folder is trusted. See `docs/decisions/2026-11-21-project-file-narrows.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from copilot.core.decision import Autonomy

_LEVELS = tuple(Autonomy)
_LOWER_IS_NARROWER = ("max_steps", "timeout", "max_cost", "reply_deadline")
_TRUE_IS_NARROWER = ("dry_run", "no_upload")
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
    if key == "autonomy":
        return _LEVELS.index(value) <= _LEVELS.index(without)
    if key in _LOWER_IS_NARROWER:
        return without is None or value <= without
    if key in _TRUE_IS_NARROWER:
        return value is True
    return bool(value == without)
