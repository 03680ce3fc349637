"""What may stand under a name that copilot reads: pipes, devices, gigabytes, nesting, bytes that are no text."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

Make = Callable[[Path], None]
DEEP = 100_000


def _sparse(size: int) -> Make:
    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(size)

    return make


def _bytes(data: bytes) -> Make:
    return lambda path: _written(path, data)


def _written(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _link(target: str) -> Make:
    return lambda path: path.symlink_to(target)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


def _line(path: Path) -> None:
    """A line of 200 MB, which takes no place on the disk."""
    _sparse(200_000_000)(path)
    with path.open("r+b") as file:
        file.write(b'{"a": "')


ANYWHERE: dict[str, Make] = {
    "pipe": lambda path: os.mkfifo(path),
    "zero": _link("/dev/zero"),
    "tty": _link("/dev/tty"),
    "folder": lambda path: path.mkdir(),
    "socket": _socket,
    "sparse": _sparse(2 << 30),
    "line": _line,
    "latin": _bytes(b"# caf\xe9\n"),
    "utf16": _bytes("a = 1\n".encode("utf-16")),
    "nul": _bytes(b"a\0b: 1\n"),
    "loop": lambda path: path.symlink_to(path.name),
    "nowhere": _link("missing"),
}
"""Wrong for every kind of text file."""

_LAUGHS = (
    "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefghi", "bcdefghij", strict=True)
    )
).encode()
_LONG = b"9" * 5_000
TOML: dict[str, Make] = {
    "toml arrays": _bytes(b"a = " + b"[" * DEEP),
    "toml arrays closed": _bytes(b"a = " + b"[" * 300 + b"]" * 300),
    "toml tables": _bytes(b"a = " + b"{a = " * DEEP),
    "toml key": _bytes(b"a." * DEEP + b"a = 1"),
    "toml quoted key": _bytes(b'"." . ' * 30_000 + b"a = 1"),
    "toml header": _bytes(b"[" + b"a." * DEEP + b"a]"),
    "toml number": _bytes(b"a = " + _LONG),
    "toml hex": _bytes(b"a = 0x" + b"f" * DEEP),
}
JSON: dict[str, Make] = {
    "json lists": _bytes(b"[" * DEEP),
    "json lists closed": _bytes(b"[" * 300 + b"]" * 300),
    "json objects": _bytes(b'{"a":' * DEEP),
    "json number": _bytes(b'{"a": ' + _LONG + b"}"),
}
YAML: dict[str, Make] = {
    "yaml lists": _bytes(b"[" * DEEP),
    "yaml lists closed": _bytes(b"a: " + b"[" * 100 + b"]" * 100),
    "yaml mappings": _bytes(b"{a: " * 50_000),
    "yaml dashes": _bytes(b"- " * DEEP),
    "yaml questions": _bytes(b"? " * DEEP),
    "yaml laughs": _bytes(_LAUGHS),
    "yaml itself": _bytes(b"a: &a [*a]\n"),
    "yaml merges": _bytes(b"a: &a {<<: *a}\n"),
    "yaml number": _bytes(b"a: 0x" + b"f" * DEEP),
    "yaml date": _bytes(b"a: 2001-99-99\n"),
    "yaml tag": _bytes(b"a: !!float x\nb: !!timestamp x\n"),
    "yaml key": _bytes(b"? [[a]]\n: b\n"),
}
MANY: dict[str, Make] = {
    "yaml keys": _bytes(b"".join(b"k%d: [a]\n" % number for number in range(20_000))),
    "yaml comments": _bytes(b"#\n" * 128_000),
    "yaml folded": _bytes(b"a: >\n" + b" a\n\n" * 60_000),
    "yaml plain": _bytes(b"a: " + b"a\n " * 80_000),
}
"""As much as a YAML file may hold."""
LINES: dict[str, Make] = {
    "blanks": _bytes(b"a" + b" " * 1_000_000),
    "words": _bytes(b"a " * 500_000),
    "colons": _bytes(b"a:" * 500_000),
    "tabs": _bytes(b"a:\n" + b"\t\n" * 500_000 + b"\t"),
    "newlines": _bytes(b"\n" * 1_000_000),
    "heads": _bytes(b"[testenv:lint]\n" * 60_000),
    "stars": _bytes(b"*" * 1_000_000),
}
"""For patterns that are tried at each place again."""
SECRETS: dict[str, Make] = {
    "keys": _bytes(b"".join(b"KEY%d_SECRET=zzqqzz%09d\n" % (n, n) for n in range(8_000))),
    "quotes": _bytes(b"A_KEY='" + b"'\"" * 100_000),
    "key": _bytes(b"A_KEY=" + b"z" * 200_000),
}
