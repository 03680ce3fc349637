"""Errors that a person sees, each as one line with the exit code it ends in."""

from __future__ import annotations

from collections.abc import Iterable

EXIT_COMPLETED = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_HELD = 3
EXIT_CHILD_CRASHED = 4
EXIT_INTERRUPTED = 130


class CopilotError(Exception):
    """A failure with a one-line message for the person; `exit_code` is what the process ends with."""

    exit_code = EXIT_FAILED


class InputError(CopilotError):
    """Bad usage or input. The message names the file, the key and the fix (exit code 2)."""

    exit_code = EXIT_USAGE


class ProviderError(CopilotError):
    """A provider could not give a usable reply; the message is the reason shown beside the hold."""


def suggestion(word: str, words: Iterable[str], otherwise: str = "there are") -> str:
    """The most similar of the words that are known, as a question; all of them if none is similar."""
    import difflib  # only for a message: the start does not wait for it

    known = list(words)
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"{otherwise} {', '.join(known)}"
