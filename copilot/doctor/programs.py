"""Programs: the tools beside us, the coding CLIs with their versions, the two commands `copilot`."""

from __future__ import annotations

from collections.abc import Iterator

from copilot.core.profile import Profile
from copilot.doctor.finding import Finding, Health
from copilot.safety.shell_process import shfmt_program, shfmt_tree
from copilot.safety.shell_tree import ShellProblem
from copilot.terminal.program_version import version_of
from copilot.terminal.programs import find_program, find_programs

_TOOLS = {
    "git": "context for replies (branch, changed files)",
    "node": "coding CLIs that are installed from npm",
    "npm": "coding CLIs that are installed from npm",
    "tmux": "our own tests in a real terminal",
}
_PROBE = "echo ok > /dev/null"
"""A redirection: what the second parser is asked about in earnest."""
_DEMO = "demo"
"""Its program is a part of this package and never on PATH."""


def tools() -> Iterator[Finding]:
    """Programs that help but are not needed."""
    for name, use in _TOOLS.items():
        path = find_program(name)
        if path is None:
            yield Finding("tools", name, Health.MISSING, f"not on PATH; used for {use}", f"install {name}")
        else:
            option = "-V" if name == "tmux" else "--version"
            yield Finding(
                "tools", name, Health.OK, f"{version_of(path, (option,)) or 'version unknown'}, {path}"
            )


def coding_clis(profiles: list[Profile]) -> Iterator[Finding]:
    """Each coding CLI that a profile knows: found or not, and whether its version was measured."""
    for profile in profiles:
        found = [(name, path) for name in profile.launch.names if (path := find_program(name)) is not None]
        yield from (_cli(profile, name, path) for name, path in found)
        if profile.launch.names and not found and profile.name != _DEMO:
            yield Finding(
                "CLIs", profile.launch.names[0], Health.MISSING, f"not on PATH (profile {profile.name})"
            )


def _cli(profile: Profile, name: str, path: str) -> Finding:
    version = version_of(path, profile.launch.version_arguments)
    known = profile.launch.verified_versions
    said = f"{version or 'version unknown'}, {path}, profile {profile.name}"
    if profile.unverified or not known:
        return Finding("CLIs", name, Health.INFO, f"{said} (the profile was not measured on a real one)")
    if version not in known:
        return Finding("CLIs", name, Health.INFO, f"{said} (measured on {', '.join(known)})")
    return Finding("CLIs", name, Health.OK, said)


def two_copilots() -> Iterator[Finding]:
    """Which commands named `copilot` there are: ours, and GitHub's CLI of the same name."""
    found = list(find_programs("copilot"))
    ours = [one.path for one in found if one.ours]
    theirs = [one.path for one in found if not one.ours]
    if not found:
        yield Finding("copilot", "copilot", Health.INFO, "no command of this name is on PATH")
        return
    if ours:
        yield Finding("copilot", "ours", Health.OK, f"{ours[0]} (also as copilot-terminal)")
    if theirs:
        said = f"{theirs[0]}: another program, most likely GitHub's CLI; copilot -- copilot runs it"
        yield Finding("copilot", "theirs", Health.INFO, said)
    if theirs and not found[0].ours:
        yield Finding(
            "copilot",
            "order",
            Health.WARNING,
            "typing copilot starts the other program, for it stands first on PATH",
            "type copilot-terminal for ours",
        )


def second_parser() -> Iterator[Finding]:
    """Whether the second shell parser answers; without it every command that is not plain words is held."""
    try:
        shfmt_tree(_PROBE)
    except ShellProblem as problem:
        said = f"{problem}; whatever is more than plain words is held"
        yield Finding("tools", "shfmt", Health.WARNING, said, "install copilot-terminal again")
    else:
        yield Finding("tools", "shfmt", Health.OK, f"confirms what our own parser reads, {shfmt_program()}")
