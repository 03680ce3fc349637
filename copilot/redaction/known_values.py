"""Which values are secret because of their name: environment, `.env` and netrc.

The strongest layer of redaction: a registered value is replaced wherever it shows, whatever it looks like.
Reading the files and the environment is the caller's; these functions only say what counts.
"""

from __future__ import annotations

import base64
import itertools
import json
import urllib.parse
from collections.abc import Mapping

import re2

MIN_LENGTH = 8
MIN_TYPED_LENGTH = 4
"""From here on what is typed at a prompt for a secret counts; below `MIN_LENGTH` as a whole word only."""
_SECRET_NAME = re2.compile(
    r"(?i)(pass(?:word|wd|phrase|code)?$|_pw$|pwd$|^pgpass|passw|secret|token|credential|api_?key|_key$|^key$"
    r"|_auth$|auth_?key|private|_pat$|_dsn$|webhook|cookie|conn(?:ection)?_?str|_jwt$|bearer)"
)
_PLAIN_NAME = re2.compile(
    r"(?i)(public|_file$|_path$|_dir$|_sock$|_socket$|_helper$|_command$|_name$|_id$|_type$|_url$|^pwd$|^oldpwd$"
    r"|token_?(?:count|limit|ttl)|max_?tokens?|askpass)"
)
_PASSWORD_AT_END = re2.compile(r"(?i)(?:passw(?:or)?d|passphrase|secret)$")
_USERINFO = re2.compile(r"^[A-Za-z][A-Za-z0-9+.\-]*://[^/\s:@]*:([^/\s]+)@[^@]*$")
_COMMON = frozenset(
    {
        *("password", "changeme", "production", "development", "undefined", "localhost", "disabled"),
        *("required", "anonymous", "username", "administrator", "postgres", "postgresql", "database"),
        *("mysecret", "testtest", "passw0rd"),
    }
)


def secret_values(mapping: Mapping[str, str]) -> dict[str, str]:
    """The entries of an environment whose values must never leave, by name.

    A value counts if its name looks secret (and not like the name of a file or an id), or if it is a URL
    with a password in it: then only the password counts. Short values and common words never count,
    because replacing them would garble everything.
    """
    found: dict[str, str] = {}
    for name, value in mapping.items():
        url = _USERINFO.search(value)
        if url:
            value = urllib.parse.unquote(url.group(1))
        elif not _is_secret_name(name):
            continue
        if _is_distinct(value):
            found[name] = value
    return found


def _is_secret_name(name: str) -> bool:
    if _PLAIN_NAME.search(name) and not _PASSWORD_AT_END.search(name):
        return False
    return _SECRET_NAME.search(name) is not None


def parse_env_file(text: str) -> dict[str, str]:
    """The NAME=value lines of a `.env` file; `export`, quotes and trailing comments are understood."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or name.startswith("#"):
            continue
        if value[:1] in ("'", '"') and value.find(value[0], 1) > 0:
            value = value[1 : value.find(value[0], 1)]
        else:
            value = value.split(" #", 1)[0].rstrip()
        values[name] = value
    return values


def parse_netrc(text: str) -> dict[str, str]:
    """The passwords and account words of a netrc file, by `HOST password`."""
    words: list[str] = []
    for line in text.splitlines():
        words += [] if line.lstrip().startswith("#") else line.split()
    values: dict[str, str] = {}
    host = "default"
    for key, word in itertools.pairwise(words):
        if key == "machine":
            host = word
        elif key in ("password", "account"):
            values[f"{host} {key}"] = word
    return values


def spelled(value: str) -> set[str]:
    """The forms under which a value shows: as it is, URL-quoted, in JSON, and inside base64."""
    forms = {
        value,
        urllib.parse.quote(value, safe=""),
        urllib.parse.quote_plus(value),
        json.dumps(value)[1:-1],
    }
    data = value.encode("utf-8", "surrogatepass")
    for shift in range(3):
        # What surrounds the value changes the first and last characters of its base64, so they are left
        # out: three bytes make four characters, a partial group is not stable.
        encoded = base64.b64encode(b"\0" * shift + data).decode("ascii")
        stable = encoded[(0, 2, 3)[shift] :].rstrip("=")
        if (shift + len(data)) % 3:
            stable = stable[:-1]
        if len(stable) >= MIN_LENGTH:
            forms |= {stable, stable.replace("+", "-").replace("/", "_")}
    return {form for form in forms if len(form) >= MIN_LENGTH}


def is_typed_secret(value: str) -> bool:
    """Whether what was typed at a prompt for a secret is worth a search: not `y`, not a common word."""
    return len(value) >= MIN_TYPED_LENGTH and value.casefold() not in _COMMON and len(set(value)) > 1


def _is_distinct(value: str) -> bool:
    if len(value) < MIN_LENGTH or value.casefold() in _COMMON or len(set(value)) < 4:
        return False
    return not value.startswith(("/", "./", "~/")) or " " in value
