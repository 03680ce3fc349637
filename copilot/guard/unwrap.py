"""Programs that only start another one: `sudo -u x`, `env A=1`, `timeout -k 2 5s`, `nice`, `xargs` …

Each has its own option grammar. After an unknown option the inner command cannot be located, so it is held.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.guard.arguments import Arg


@dataclass(frozen=True, slots=True)
class Wrapper:
    """`flags` take no value, `values` take the next word; `operands` words precede the command."""

    flags: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    operands: int = 0
    assigns: bool = False
    raises: str = ""
    """Why any command behind this wrapper is at least high; empty if it is not."""


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The inner command and the assignments before it. `problem` says why it could not be located."""

    args: list[Arg]
    assignments: list[Arg]
    raises: str = ""
    problem: str = ""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_AROUND = "runs the command in a way that is not judged"
_OTHER_USER = "runs with the rights of another user"
WRAPPERS: dict[str, Wrapper] = {
    "sudo": Wrapper(
        _set("-n -E -H -S -b -k -K -A -P --preserve-env --set-home --non-interactive"),
        _set("-u -g -h -p -C -r -t -T -U -D --user --group --prompt --chdir"),
        assigns=True,
        raises=_OTHER_USER,
    ),
    "doas": Wrapper(_set("-n -L"), _set("-u -C -a"), raises=_OTHER_USER),
    "pkexec": Wrapper(_set("--disable-internal-agent"), _set("--user"), raises=_OTHER_USER),
    "env": Wrapper(_set("-i - -0 -v --ignore-environment"), assigns=True),
    "timeout": Wrapper(_set("--foreground --preserve-status -v"), _set("-k -s --kill-after --signal"), 1),
    "gtimeout": Wrapper(_set("--foreground --preserve-status -v"), _set("-k -s"), 1),
    "nice": Wrapper(frozenset(), _set("-n --adjustment")),
    "ionice": Wrapper(_set("-t"), _set("-c -n")),
    "nohup": Wrapper(raises="goes on after the run and writes nohup.out, wherever a link of that name leads"),
    "setsid": Wrapper(_set("-w -c -f --wait --fork --ctty"), raises="goes on after the command"),
    "time": Wrapper(_set("-p -v -l")),
    "command": Wrapper(_set("-p")),
    "builtin": Wrapper(),
    "exec": Wrapper(_set("-c -l"), _set("-a")),
    "stdbuf": Wrapper(frozenset(), _set("-i -o -e --input --output --error")),
    "unbuffer": Wrapper(_set("-p")),
    "caffeinate": Wrapper(_set("-d -i -m -s -u")),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "chronic": Wrapper(),
    "gnice": Wrapper(frozenset(), _set("-n --adjustment")),
    "gstdbuf": Wrapper(frozenset(), _set("-i -o -e")),
    "taskset": Wrapper(_set("-a -c --all-tasks --cpu-list"), operands=1, raises=_AROUND),
    "chrt": Wrapper(_set("-b -f -i -o -r -R"), operands=1, raises=_AROUND),
    "numactl": Wrapper(_set("-l"), _set("-N -m -C -i"), raises=_AROUND),
    "strace": Wrapper(_set("-f -ff -q -qq -c -t -tt -T -v -y"), _set("-e -o -s -p -u -E"), raises=_AROUND),
    "ltrace": Wrapper(_set("-f -c -S -t"), _set("-e -o -s -u"), raises=_AROUND),
    "flock": Wrapper(
        _set("-n -x -s -e -u -o -F --nonblock --shared --exclusive"), _set("-w -E"), 1, raises=_AROUND
    ),
    "chroot": Wrapper(frozenset(), _set("--userspec --groups"), 1, raises="runs in another root folder"),
    "unshare": Wrapper(
        _set("-r -m -u -i -n -p -f -U -C -T --map-root-user --fork --pid --net --mount --user"),
        raises="runs in namespaces of its own",
    ),
    "nsenter": Wrapper(_set("-a -m -u -i -n -p -U"), _set("-t"), raises="runs in namespaces of another"),
    "setpriv": Wrapper(_set("--no-new-privs --clear-groups"), _set("--reuid --regid"), raises=_OTHER_USER),
    "systemd-run": Wrapper(
        _set("--user --scope --wait --pty -t -q -d -G"),
        _set("-p -u --unit -E --uid"),
        raises="runs as a service",
    ),
    "firejail": Wrapper(_set("--noprofile --quiet"), raises=_AROUND),
    "dbus-run-session": Wrapper(raises=_AROUND),
    "xvfb-run": Wrapper(_set("-a"), _set("-s -n"), raises=_AROUND),
    "rlwrap": Wrapper(raises=_AROUND),
    "entr": Wrapper(_set("-c -d -n -p -r -s -z"), raises="runs again and again"),
    "doppler": Wrapper(operands=1, raises=_AROUND),
    "xargs": Wrapper(
        _set("-0 -r -t -x --null --no-run-if-empty --verbose -o --replace --max-lines"),
        _set("-I -n -P -L -s -E --max-args --max-procs"),
    ),
}


def unwrap(args: list[Arg]) -> Unwrapped | None:
    """The command behind a wrapper; None if the first word is no wrapper."""
    wrapper = WRAPPERS.get(args[0].shown)
    if wrapper is None or (args[0].shown == "command" and args[1:2] and args[1].shown in ("-v", "-V")):
        return None
    index, assignments = 1, []
    while index < len(args):
        arg = args[index]
        if arg.text is None:
            return Unwrapped([], [], wrapper.raises, f"{arg.raw!r} is known only when it runs")
        if arg.text == "--":
            index += 1
            break
        if arg.text.startswith("-") and (len(arg.text) > 1 or "-" in wrapper.flags):
            step = _option_length(arg.text, wrapper)
            if not step:
                return Unwrapped([], [], wrapper.raises, f"{args[0].shown} with {arg.text}")
            index += step
        elif wrapper.assigns and "=" in arg.text:
            assignments.append(arg)
            index += 1
        else:
            break
    return Unwrapped(args[index + wrapper.operands :], assignments, wrapper.raises)


def _option_length(text: str, wrapper: Wrapper) -> int:
    """How many words the option takes, with its value; 0 for an unknown option."""
    name, equals, _ = text.partition("=")
    if text in wrapper.flags:
        return 1
    if name in wrapper.values:
        return 1 if equals else 2
    if text.startswith("--"):
        return 0
    for position, letter in enumerate(text[1:], 1):
        if f"-{letter}" in wrapper.values:
            return 2 if position + 1 == len(text) else 1
        if f"-{letter}" not in wrapper.flags:
            return 1 if wrapper is WRAPPERS["nice"] and text[1:].isdigit() else 0
    return 1
