"""How tests are called: what a runner of tests may be pointed to."""

from __future__ import annotations

import posixpath

import re2

from copilot.guard.families import has_wildcard

_TEST_FOLDER = re2.compile(
    r"(?i)_*(?:tests?|specs?|e2e|unit|integration|testing|testdata|cypress|features)_*|.*[-_.](?:tests?|specs?)"
)
_TEST_FILE = re2.compile(
    r"(?i)tests?[_.-].*|.*[_.-](?:tests?|spec|e2e|cy)(?:\.[a-z0-9]+)?|.*Tests?\.[a-z]+|.*Spec\.[a-z]+|tests?|conftest\.py|.*\.feature"
)


def is_test_name(name: str) -> bool:
    """Whether a file of this name holds tests, by the name alone."""
    return bool(_TEST_FILE.fullmatch(name))


def is_test(path: str) -> bool:
    """Whether a path names tests: a file called so, anything below a folder of tests, or a folder."""
    names = [name for name in posixpath.normpath(path).split("/") if name not in ("", ".")]
    if not names or _TEST_FILE.fullmatch(names[-1]):
        return True
    if has_wildcard(path):
        return any(_TEST_FOLDER.fullmatch(name) for name in names[:-1])
    return "." not in names[-1] or any(_TEST_FOLDER.fullmatch(name) for name in names[:-1])
