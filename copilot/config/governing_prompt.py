"""The governing prompt as given: a file's path, or the text itself, and never the one taken for the other."""

from __future__ import annotations

import re
from pathlib import Path

from copilot.config.layers import read_text
from copilot.config.values import PROVIDERS
from copilot.errors import InputError

_SUFFIX = re.compile(r"\.[a-z][a-z0-9]{0,9}", re.IGNORECASE | re.ASCII)
_WRITE_WORDS = "write the instruction as a sentence of words"


def governing_prompt(value: str, folder: Path, named: str = "--prompt") -> str:
    """The text of the prompt that `value` gives: the content of the file of that name, else `value` itself.

    Relative names start at `folder`; `named` is where `value` was given. Raises InputError where `value`
    reads like a path and no such file exists, for typing a path to a model as if it were an instruction helps
    nobody; for the name of a provider, which is another option's; and for an empty file.
    """
    file = _existing(value, folder, named)
    if file is not None:
        text = read_text(file, "the governing prompt").strip()
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
        return path if path.exists() else None
    except (OSError, RuntimeError):
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
