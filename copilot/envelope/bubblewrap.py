"""bubblewrap: where it is, whether it works here, and its arguments for a plan. See bwrap(1)."""

from __future__ import annotations

import os
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator

from copilot.envelope import places
from copilot.envelope.plan import EnvelopePlan
from copilot.errors import InputError

PROGRAM = "bwrap"
_PROBE_SECONDS = 10.0
_NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
_OF_ROOT = ("/proc/sys", "/proc/sysrq-trigger")
"""What root may write without any capability: bubblewrap leaves it open where it makes a user namespace."""
_OFF = "or leave --envelope out"


def find_bubblewrap() -> str:
    """The path of bwrap. Raises InputError, with the way out, where there is none."""
    if not sys.platform.startswith("linux"):
        raise InputError(f"--envelope project needs Linux: bubblewrap does not run on {sys.platform}; {_OFF}")
    path = shutil.which(PROGRAM)
    if path is None:
        raise InputError(
            f"--envelope project needs bubblewrap, and no {PROGRAM} is on PATH; "
            f"install your distribution's package bubblewrap, {_OFF}"
        )
    return path


def probe() -> str:
    """The version of a bwrap that works here (10 ms). Raises InputError with its own words otherwise."""
    path = find_bubblewrap()
    command = [path, *_NAMESPACES, "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    try:
        done = subprocess.run(
            [*command, path, "--version"], capture_output=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError) as problem:
        raise refusal(str(problem)) from None
    if done.returncode:
        raise refusal(done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace").strip().rpartition(" ")[2]


def refusal(words: str) -> InputError:
    """What a person reads where bubblewrap refused to start."""
    last = next((line for line in reversed(words.splitlines()) if line.strip()), "it gave no reason").strip()
    return InputError(f"--envelope project is not possible here: {last[:300]}; {_hint(last)}{_OFF}")


def _hint(words: str) -> str:
    folded = words.lower()
    if any(word in folded for word in ("namespace", "uid map", "clone", "user_namespaces")):
        return "allow user namespaces for bwrap (sysctl kernel.unprivileged_userns_clone, AppArmor), "
    return ""


def arguments(plan: EnvelopePlan, *, network: bool, nothing: str, empty: str) -> list[str]:
    """The arguments for this plan. `nothing` is an unreadable file, `empty` an empty one."""
    return [
        *_NAMESPACES,
        *(() if network else ("--unshare-net",)),
        *("--die-with-parent", "--cap-drop", "ALL"),
        *("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"),
        *(_three("--ro-bind-try", _OF_ROOT) if os.geteuid() == 0 else ()),
        *_fresh(plan),
        *_three("--bind", plan.writable),
        *_three("--bind", plan.pinned),
        *_three("--ro-bind", plan.protected),
        *_three("--bind", plan.lifted),
        *(word for path in plan.hidden for word in _hide(path, nothing)),
        *(word for path in plan.emptied for word in ("--ro-bind", empty, path)),
        *("--chdir", plan.project),
    ]


def _fresh(plan: EnvelopePlan) -> Iterator[str]:
    for place in (*places.TEMPORARY, *places.RUNTIME):
        if os.path.isdir(place) and not os.path.islink(place):  # noqa: PTH112, PTH114
            yield from ("--perms", "1777" if place in places.TEMPORARY else "0755", "--tmpfs", place)
    for path in places.KEPT_OF_RUNTIME:
        if os.path.isfile(path):  # noqa: PTH113
            yield from ("--ro-bind", path, path)
    yield from _three("--ro-bind", plan.shown)


def _three(option: str, paths: tuple[str, ...]) -> Iterator[str]:
    for path in paths:
        yield from (option, path, path)


def _hide(path: str, nothing: str) -> tuple[str, ...]:
    if os.path.isdir(path):  # noqa: PTH112
        return ("--perms", "0000", "--tmpfs", path, "--remount-ro", path)
    return ("--ro-bind", nothing, path)


_ARCHITECTURES = {
    "x86_64": (0xC000003E, {"ioctl": 16, "add_key": 248, "request_key": 249, "keyctl": 250}),
    "aarch64": (0xC00000B7, {"ioctl": 29, "add_key": 217, "request_key": 218, "keyctl": 219}),
}
_TYPING_IOCTLS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: typing into a terminal, which would answer the CLI's own prompts."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _DENY = 0x7FFF0000, 0x00050000 | 1
"""SECCOMP_RET_ALLOW; SECCOMP_RET_ERRNO with EPERM."""
_NUMBER, _ARCHITECTURE, _SECOND_ARGUMENT = 0, 4, 24
_X32 = 0x40000000


def seccomp_filter() -> bytes:
    """A classic BPF program: no typing into terminals, no kernel key rings, no second system call table.

    Programs of another architecture (32-bit x86 ones) cannot run under it. See seccomp(2).
    """
    number, calls = _ARCHITECTURES.get(platform.machine(), (0, {}))
    if not calls:
        return b""
    keys = [calls["add_key"], calls["request_key"], calls["keyctl"]]
    steps = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, number), (_RETURN, 0, 0, _DENY)]
    steps += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _DENY)]
    for key in keys:
        steps += [(_EQUAL, 0, 1, key), (_RETURN, 0, 0, _DENY)]
    steps += [(_EQUAL, 1, 0, calls["ioctl"]), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _SECOND_ARGUMENT)]
    for request in _TYPING_IOCTLS:
        steps += [(_EQUAL, 0, 1, request), (_RETURN, 0, 0, _DENY)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *step) for step in steps)
