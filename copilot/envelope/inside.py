"""The first program inside: takes the terminal, opens what the proxy listens on, becomes the CLI.

Standard library only, run from a file in memory: nothing of copilot need be visible inside. Its arguments are
`LINE SCREEN ITSELF OPTIONS PROGRAM ARGV0 ARGUMENTS...`: the socket to copilot, the terminal for errors, its
own file, and what else is to be done.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import struct
import sys
import termios

_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_RESTRICT_SELF = 446
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3
_SCOPES_SINCE = 6
"""The version of Landlock's interface that has scopes (Linux 6.12)."""


def main() -> None:
    """Returns never."""
    line, screen, itself = map(int, sys.argv[1:4])
    options, program, argv = json.loads(sys.argv[4]), sys.argv[5], sys.argv[6:]
    control = socket.socket(fileno=line)
    os.setsid()
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    listening = [_listening(port) for port in options["ports"]]
    scoped = _scope()
    words = json.dumps({"ready": True, "scoped": scoped}).encode() + b"\n"
    descriptors = [one.fileno() for one in listening]
    socket.send_fds(control, [words], descriptors)
    environment = dict(os.environ)
    if options["no_ctype"]:
        environment.pop("LC_CTYPE", None)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_DFL)
        except (OSError, ValueError):
            continue
    os.dup2(screen, 2)
    os.closerange(3, max(line, screen, itself, *descriptors, 10) + 1)
    try:
        os.execve(program, argv, environment)
    except OSError as error:
        sys.stderr.write(f"copilot: {program}: cannot be started inside the envelope: {error.strerror}\n")
        sys.stderr.flush()
        os._exit(127)


def _listening(port: int) -> socket.socket:
    """A socket of this network that copilot will answer, from outside."""
    one = socket.socket(socket.AF_INET)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", port))
    one.listen(64)
    return one


def _scope() -> bool:
    """Cut off abstract sockets that were made outside, where the kernel can; mounts stay possible."""
    import ctypes

    call = ctypes.CDLL(None, use_errno=True).syscall
    if call(_LANDLOCK_CREATE_RULESET, None, 0, 1) < _SCOPES_SINCE:
        return False
    attributes = struct.pack("QQQ", 0, 0, _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    rules = call(_LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return False
    kept = call(_LANDLOCK_RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return bool(kept)


if __name__ == "__main__":
    main()
