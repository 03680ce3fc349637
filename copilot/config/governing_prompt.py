"""The governing prompt as given: a file's path, or the text itself, and never the one taken for the other."""

from __future__ import annotations

from pathlib import Path

from copilot.config.layers import read_text
from copilot.errors import InputError

_TEXT_SUFFIXES = frozenset({".md", ".markdown", ".txt", ".text", ".rst", ".prompt"})


def governing_prompt(value: str, folder: Path) -> str:
    """The text of the prompt that `value` gives: the content of the file of that name, else `value` itself.

    Relative names start at `folder`. Raises InputError where `value` reads like a path and no such file
    exists, for typing a path to a model as if it were an instruction helps nobody, and for an empty file.
    """
    named = _existing(value, folder)
    if named is not None:
        text = read_text(named, "the governing prompt").strip()
        if not text:
            raise InputError(f"{named}: the governing prompt is empty; write it, or leave --prompt out")
        return text
    if _reads_like_path(value):
        raise InputError(
            f"--prompt: no file {value!r}; correct the path, or write the instruction as a sentence of words"
        )
    return value.strip()


def _existing(value: str, folder: Path) -> Path | None:
    if not value.strip() or "\n" in value or "\0" in value:
        return None
    try:
        path = folder / Path(value.strip()).expanduser()
        if path.is_dir():
            raise InputError(f"--prompt: {value!r} is a folder; name the file in it")
        return path if path.exists() else None
    except (OSError, RuntimeError):
        return None


def _reads_like_path(value: str) -> bool:
    """One word with a slash, a leading tilde or the ending of a text file."""
    word = value.strip()
    if not word or any(character.isspace() for character in word):
        return False
    return "/" in word or word.startswith("~") or Path(word).suffix.lower() in _TEXT_SUFFIXES
