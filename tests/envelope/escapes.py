# ruff: noqa: PTH100, PTH101, PTH104, PTH106, PTH118, PTH120, PTH208, PTH211
"""Attempts to get out, by a real process inside the envelope; each in a process of its own.

Run inside, in the project: reads `facts.json` (what is outside), writes `told.json`: `done`, or why not.
Standard library only, and the bare system calls: they are what is tried. With names as arguments only those are made.
"""

from __future__ import annotations

import ctypes
import fcntl
import functools
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(_HERE, "facts.json")) as _file:
    FACTS: dict[str, Any] = json.load(_file)
HOME = FACTS["home"]
ATTEMPTS: dict[str, Callable[[], object]] = {}


def attempt(function: Callable[[], object]) -> Callable[[], object]:
    ATTEMPTS[function.__name__] = function
    return function


def write(path: str) -> None:
    with open(path, "a") as file:
        file.write("planted")


def read(path: str) -> None:
    with open(path) as file:
        if "secret" not in file.read():
            raise OSError("it is empty")


def open_only(path: str, flags: int) -> None:
    os.close(os.open(path, flags))


def shell(command: str) -> None:
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=20)
    if done.returncode:
        raise OSError(done.stderr.strip()[-200:] or f"exit {done.returncode}")


def system_call(name: str, *arguments: Any) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def numbered_call(number: int, *arguments: Any) -> None:
    system_call("syscall", number, *arguments)


def reach(family: int, address: Any, kind: int = socket.SOCK_STREAM) -> None:
    with socket.socket(family, kind) as one:
        one.settimeout(3)
        one.connect(address)
        if kind == socket.SOCK_DGRAM:
            one.send(b"x")


# -- files: writing ----------------------------------------------------------------------------------

_WRITES = {
    "write_home": "~/planted",
    "write_shell_start": "~/.bashrc",
    "write_other_folder": "~/other/file",
    "write_by_dots": "~/project/../other/file",
    "write_by_proc_root": "/proc/self/root{~}/other/file",
    "write_by_proc_cwd": "/proc/self/cwd/../other/file",
    "write_ssh": "~/.ssh/authorized_keys",
    "write_run_folder": "~/runs/transcript",
    "write_git_hook": "~/project/.git/hooks/pre-commit",
    "write_git_config": "~/project/.git/config",
    "write_ci": "~/project/.github/workflows/ci.yml",
    "write_new_ci": "~/project/.github/workflows/new.yml",
    "write_instructions": "~/project/CLAUDE.md",
    "write_permissions": "~/.tool/settings",
    "write_user_unit": "~/planted.service",
}
for _name, _path in _WRITES.items():
    _real = (
        _path.replace("{~}", HOME).replace("~", HOME, 1) if "{~}" not in _path else _path.replace("{~}", HOME)
    )
    ATTEMPTS[_name] = functools.partial(write, _real)

# Of the machine itself nothing is really changed, were an attempt to succeed: what is opened is not written.

_OPENED = {
    "open_sysctl": "/proc/sys/kernel/core_pattern",
    "open_sysrq": "/proc/sysrq-trigger",
    "open_passwd": "/etc/passwd",
    "open_kernel_log": "/dev/kmsg",
}
for _name, _path in _OPENED.items():
    ATTEMPTS[_name] = functools.partial(open_only, _path, os.O_WRONLY)
_FILLED = {
    "cron": "/var/spool",
    "system_cron": "/etc/cron.d",
    "loader_settings": "/etc",
    "path_folder": "/usr/local/bin",
}
for _name, _path in _FILLED.items():
    ATTEMPTS[_name] = functools.partial(open_only, _path, os.O_TMPFILE | os.O_WRONLY)


@attempt
def write_by_link() -> None:
    os.symlink(f"{HOME}/other/file", f"{HOME}/project/link")
    write(f"{HOME}/project/link")


@attempt
def write_by_hard_link() -> None:
    os.link(f"{HOME}/other/file", f"{HOME}/project/hard")


@attempt
def rename_out() -> None:
    write(f"{HOME}/project/moved")
    os.rename(f"{HOME}/project/moved", f"{HOME}/other/moved")


@attempt
def rename_over_instructions() -> None:
    write(f"{HOME}/project/new.md")
    os.rename(f"{HOME}/project/new.md", f"{HOME}/project/CLAUDE.md")


@attempt
def move_git_aside() -> None:
    os.rename(f"{HOME}/project/.git", f"{HOME}/project/git-old")


@attempt
def move_ci_aside() -> None:
    os.rename(f"{HOME}/project/.github", f"{HOME}/project/old")


@attempt
def move_project_aside() -> None:
    os.rename(f"{HOME}/project", f"{HOME}/old")


@attempt
def remove_hooks() -> None:
    os.rmdir(f"{HOME}/project/.git/hooks")


@attempt
def git_remote_add() -> None:
    shell(f"git -C {HOME}/project remote add x https://example.invalid/x")


@attempt
def git_hooks_path() -> None:
    shell(f"git -C {HOME}/project config core.hooksPath /tmp/hooks")


@attempt
def git_global_config() -> None:
    shell("git config --global core.hooksPath /tmp/hooks")


# -- files: reading ----------------------------------------------------------------------------------

_READS = {
    "read_ssh": "~/.ssh/id",
    "read_aws": "~/.aws/credentials",
    "read_other_cli": "~/.codex/auth.json",
    "read_netrc": "~/.netrc",
    "read_run_folder": "~/runs/transcript",
    "read_by_dots": "~/project/../.ssh/id",
    "read_by_proc_root": "/proc/self/root{~}/.ssh/id",
    "read_by_parent_root": "/proc/1/root{~}/.ssh/id",
}
for _name, _path in _READS.items():
    _real = _path.replace("{~}", HOME) if "{~}" in _path else _path.replace("~", HOME, 1)
    ATTEMPTS[_name] = functools.partial(read, _real)


@attempt
def read_by_link() -> None:
    os.symlink(f"{HOME}/.ssh/id", f"{HOME}/project/key")
    read(f"{HOME}/project/key")


@attempt
def read_by_hard_link() -> None:
    os.link(f"{HOME}/.ssh/id", f"{HOME}/project/key2")
    read(f"{HOME}/project/key2")


@attempt
def read_after_chmod() -> None:
    os.chmod(f"{HOME}/.ssh", 0o755)
    read(f"{HOME}/.ssh/id")


@attempt
def read_outer_temporary() -> None:
    read(FACTS["temporary"])


@attempt
def read_disk_device() -> None:
    with open(FACTS["device"], "rb") as file:
        file.read(512)


# -- mounts and namespaces ---------------------------------------------------------------------------


@attempt
def unmount_secret() -> None:
    system_call("umount2", f"{HOME}/.ssh".encode(), 2)


@attempt
def remount_writable() -> None:
    system_call("mount", None, b"/", None, 32 | 4096, None)


@attempt
def unmount_in_new_namespace() -> None:
    shell(f"unshare -Urm sh -c 'umount {HOME}/.ssh && cat {HOME}/.ssh/id'")


@attempt
def remount_in_new_namespace() -> None:
    shell(f"unshare -Urm sh -c 'mount -o remount,rw,bind {HOME} && echo x > {HOME}/other/file'")


@attempt
def hooks_in_new_namespace() -> None:
    hooks = f"{HOME}/project/.git/hooks"
    shell(f"unshare -Urm sh -c 'mount -o remount,rw,bind {hooks} && echo x > {hooks}/pre-commit'")


@attempt
def change_root() -> None:
    os.chroot("/tmp")


@attempt
def enter_outer_namespace() -> None:
    with open("/proc/1/ns/mnt") as file:
        system_call("setns", file.fileno(), 0)
    read(f"{HOME}/.ssh/id")


# -- processes ---------------------------------------------------------------------------------------


@attempt
def see_outer_process() -> None:
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with open(f"/proc/{name}/environ", "rb") as file:
                if FACTS["mark"].encode() in file.read():
                    return
    raise OSError("no such process")


@attempt
def signal_outer_process() -> None:
    os.kill(FACTS["pid"], signal.SIGTERM)
    with open(f"/proc/{FACTS['pid']}/comm") as file:
        if "sleep" not in file.read():
            raise OSError("another process")


@attempt
def signal_everybody() -> None:
    os.kill(FACTS["pid"], 0)


@attempt
def trace_outer_process() -> None:
    system_call("ptrace", 16, FACTS["pid"], 0, 0)


@attempt
def read_outer_memory() -> None:
    with open(f"/proc/{FACTS['pid']}/mem", "rb") as file:
        file.read(1)


@attempt
def type_into_terminal() -> None:
    for letter in b"y\r":
        fcntl.ioctl(0, termios.TIOCSTI, struct.pack("B", letter))


@attempt
def type_into_terminal_64() -> None:
    system_call("ioctl", 0, ctypes.c_ulong(0x100005412), b"y")


@attempt
def become_root() -> None:
    shell("sudo -n true || su -c true nobody </dev/null")


@attempt
def gain_rights_by_setuid() -> None:
    with open("/proc/self/status") as file:
        if "NoNewPrivs:\t1" in file.read():
            raise OSError("no new privileges")


@attempt
def read_key_ring() -> None:
    numbered_call(250, 0, -4, 0, 0, 0)


@attempt
def shared_memory() -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if library.shmget(FACTS["shared_memory"], 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "no such segment")


# -- sockets and network -----------------------------------------------------------------------------


@attempt
def socket_in_home() -> None:
    reach(socket.AF_UNIX, FACTS["home_socket"])


@attempt
def socket_in_temporary() -> None:
    reach(socket.AF_UNIX, FACTS["temporary_socket"])


@attempt
def abstract_socket() -> None:
    reach(socket.AF_UNIX, "\0" + FACTS["abstract"])


@attempt
def docker_socket() -> None:
    reach(socket.AF_UNIX, "/var/run/docker.sock")


@attempt
def session_bus() -> None:
    reach(socket.AF_UNIX, f"/run/user/{os.getuid()}/bus")


@attempt
def system_bus() -> None:
    reach(socket.AF_UNIX, "/run/dbus/system_bus_socket")


@attempt
def ssh_agent() -> None:
    reach(socket.AF_UNIX, os.environ["SSH_AUTH_SOCK"])


@attempt
def other_local_service() -> None:
    reach(socket.AF_INET, ("127.0.0.1", FACTS["port"]))


@attempt
def address_by_number() -> None:
    reach(socket.AF_INET, ("192.0.2.1", 80), socket.SOCK_DGRAM)


@attempt
def names() -> None:
    reach(socket.AF_INET, ("192.0.2.53", 53), socket.SOCK_DGRAM)


@attempt
def address_of_version_6() -> None:
    reach(socket.AF_INET6, ("2001:db8::1", 80), socket.SOCK_DGRAM)


@attempt
def local_version_6() -> None:
    reach(socket.AF_INET6, ("::1", FACTS["port6"]))


@attempt
def raw_socket() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close()


@attempt
def packet_socket() -> None:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()


@attempt
def firewall() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one.fileno(), 0x8914, struct.pack("16sh", b"lo", 0x49) + bytes(22))


def result_of(function: Callable[[], object]) -> str:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            function()
            words = "done"
        except Exception as problem:
            words = f"{type(problem).__name__}: {problem}"
        os.write(writing, words.encode()[:300])
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        words = file.read().decode()
    os.waitpid(pid, 0)
    return words or "killed"


if __name__ == "__main__":
    results = {name: result_of(ATTEMPTS[name]) for name in sys.argv[1:] or ATTEMPTS}
    with open(os.path.join(_HERE, "told.json"), "w") as told:
        json.dump(results, told)
    if not sys.argv[1:] and os.fork() == 0:
        os.setsid()
        os.execvp("sleep", ["sleep", FACTS["daemon"]])
    sys.exit(0)
