"""What no unattended run should ever do, whatever allows it: the only source of `forbidden` beside `rules/`.

These checks look at the unwrapped argument list, also where words are known only at run time; a harmless
command that merely mentions such words (`grep "rm -rf /"`) is never touched, because text is no argument.
"""

from __future__ import annotations

import itertools

import re2

from copilot.guard.arguments import Arg
from copilot.guard.budget import PLACE
from copilot.guard.rule_files import Finding, Scene, forbidden
from copilot.guard.scope import is_whole

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "csh", "tcsh", "pwsh"})
INTERPRETER = re2.compile(
    r"(?:python|pypy)[0-9.]*|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|luajit|Rscript|R|julia|osascript|tclsh"
    r"|expect|groovy|irb|ghci|racket|guile|gawk|mawk|nawk|elixir|erl|sqlite3|psql|mysql|at|batch|eval|source|\."
)
FETCHERS = frozenset(
    {
        "curl",
        "wget",
        "aria2c",
        "http",
        "https",
        "xh",
        "fetch",
        "nc",
        "ncat",
        "netcat",
        "lynx",
        "socat",
        "ftp",
        "scp",
        "ssh",
        "telnet",
    }
)
SENDERS = FETCHERS | {
    "sftp",
    "rsync",
    "mail",
    "mutt",
    "sendmail",
    "rclone",
    "tftp",
    "lftp",
    "openssl",
    "dig",
    "nslookup",
    "host",
    "ping",
    "aws",
    "gsutil",
    "gh",
    "croc",
}
_REMOVERS = frozenset({"rm", "shred", "srm", "wipe", "unlink", "rmdir", "trash", "trash-put", "mv"})
_ALL_OPERANDS_WRITTEN = _REMOVERS | {"tee", "touch", "truncate", "mkdir"}
_LAST_OPERAND_WRITTEN = frozenset({"cp", "ln", "install", "rsync", "scp"})
_KEY_OPTIONS = frozenset({"-i", "--key", "--cert", "-E", "--cacert", "--private-key", "--keyfile", "-F"})
_SHARED_BRANCH = re2.compile(
    r"(?:refs/heads/)?(?:main|master|trunk|develop|development|prod|production|stable|HEAD|gh-pages|release.*)"
)
_BEGINS = r"(?:^|[;&|\n({]\s*)(?:sudo\s+)?"
_UNREADABLE = (
    (
        re2.compile(r"(?i)(?:curl|wget|fetch)\b[^\n;]*\|\s*(?:sudo\s+)?(?:\S*/)?(?:ba|z|da|k|fi)?sh\b"),
        "runs a script from the network",
    ),
    (
        re2.compile(_BEGINS + r"rm\s+(?:-\S+\s+)*(?:/|~|/\*|~/\*?|\$HOME|\$\{HOME\}|\.|\*)(?:\s|$)"),
        "removes a whole folder",
    ),
    (re2.compile(_BEGINS + r"(?:mkfs\.?\w*|wipefs)\s"), "works on disks"),
    (re2.compile(r"/dev/(?:tcp|udp)/"), "opens a network connection from the shell"),
)
_DUMPS = {("env",), ("printenv",), ("set",), ("export",), ("export", "-p"), ("declare", "-p")}
_FUNCTION = re2.compile(r"([^\s(){};|&]+)\(\)\{")


def never(args: list[Arg], scene: Scene) -> list[Finding]:
    """The forbidden findings of one unwrapped command."""
    found: list[Finding] = []
    name = args[0].shown
    operands = [arg for arg in args[1:] if not arg.shown.startswith("-")]
    found += _removal(name, args, operands, scene)
    found += _writes(name, operands, scene)
    found += _changes(name, args, operands, scene)
    if name == "dd":
        targets = [Arg(arg.shown[3:]) for arg in operands if arg.shown.startswith("of=")]
        found += [one for target in targets for one in written(target, scene)]
    recursive = name in ("chmod", "chown", "chgrp") and _has(args, "R", "--recursive")
    if recursive and any(_whole(arg, scene) and not _is_project(arg, scene) for arg in operands[1:]):
        found.append(forbidden(f"changes the rights of a whole system ({name} -R)", "never.rights"))
    if any("/dev/tcp/" in arg.shown or "/dev/udp/" in arg.shown for arg in args) and name in SHELLS:
        found.append(forbidden("opens a network connection from the shell", "never.reverse-shell"))
    if name in ("nc", "ncat", "netcat", "socat") and any(
        "exec" in arg.shown.lower() or arg.shown in ("-e", "-c") for arg in args
    ):
        found.append(forbidden("gives a shell to the network", "never.reverse-shell"))
    if name in ("kill", "pkill", "killall") and any(
        arg.shown in ("-1", "1", "init", "systemd") for arg in args[-1:]
    ):
        found.append(forbidden("ends every process or the first one", "never.kill"))
    runs_input = name in SHELLS or bool(INTERPRETER.fullmatch(name))
    if runs_input and (scene.fetched or any(_fetches(command) for command in scene.upstream)):
        found.append(forbidden("runs a script from the network", "never.fetch-and-run"))
    if name == "git":
        found += _git(args)
    return found


def written(target: Arg, scene: Scene) -> list[Finding]:
    """Forbidden if writing this path changes what other tools trust, or a device."""
    if target.text is None:
        return []
    for place in scene.places(target.text):
        if place.path.startswith("/dev/") and not place.inside:
            return [forbidden(f"writes to the device {target.text}", "never.device")]
        if place.protected and not place.path.endswith(".lock"):
            return [forbidden(f"changes {target.text}, which other tools trust", "never.protected")]
    return []


def sends_secrets(commands: list[tuple[list[Arg], Scene]]) -> list[Finding]:
    """Forbidden if one command line both reads a secret and talks to the network."""
    if not any(args and args[0].shown.rpartition("/")[2] in SENDERS for args, _ in commands):
        return []
    for args, scene in commands:
        if tuple(arg.shown for arg in args) in _DUMPS:
            return [forbidden("reads the environment and uses the network", "never.exfiltrate")]
        for before, arg in itertools.pairwise([Arg(""), *args]):
            text = _named_file(before, arg, args[0].shown in SENDERS)
            if _names_file(text) and any(place.secret for place in scene.places(text)):
                return [forbidden(f"reads {text} and uses the network", "never.exfiltrate")]
    return []


_BARE_SECRETS = re2.compile(r"(?:id_[a-z0-9]+|credentials|secrets?|shadow|environ)")


def _names_file(text: str) -> bool:
    """Whether a word is like the name of a file: the verbs of cloud tools (`auth token`) are none."""
    return bool(text) and ("." in text or "/" in text or bool(_BARE_SECRETS.fullmatch(text)))


def _named_file(before: Arg, arg: Arg, sender: bool) -> str:
    """The file that a word names (`x`, `@x`, `file=@x`), or "" if it only says which key to sign in with."""
    if "@" in arg.shown:
        return arg.shown.partition("@")[2]
    return "" if sender and before.shown in _KEY_OPTIONS else arg.shown.lstrip("<")


def never_in_text(text: str) -> list[Finding]:
    """Forbidden shapes in a text that could not be parsed, and fork bombs."""
    found = [forbidden(reason, "never.text") for pattern, reason in _UNREADABLE if pattern.search(text)]
    return found + fork_bomb(text)


def fork_bomb(text: str) -> list[Finding]:
    """A function that pipes into itself."""
    squeezed = "".join(text.split())
    for match in _FUNCTION.finditer(squeezed):
        name = match.group(1).removeprefix("function")
        body = squeezed[match.end() : match.end() + 200]
        if f"{name}|{name}" in body or f"{name}&{name}" in body:
            return [forbidden("starts itself without end", "never.fork-bomb")]
    return []


def _removal(name: str, args: list[Arg], operands: list[Arg], scene: Scene) -> list[Finding]:
    recursive = name != "rm" or _has(args, "rR", "--recursive")
    if name not in _REMOVERS or name in ("unlink", "rmdir") or not recursive:
        return []
    removed = operands[:-1] if name == "mv" else operands
    for arg in removed:
        if _whole(arg, scene):
            return [forbidden(f"removes {arg.shown}: a home, the project or a system folder", "never.remove")]
    return []


def _writes(name: str, operands: list[Arg], scene: Scene) -> list[Finding]:
    targets = (
        operands if name in _ALL_OPERANDS_WRITTEN else operands[-1:] if name in _LAST_OPERAND_WRITTEN else []
    )
    return [one for arg in targets for one in written(arg, scene)][:1]


def _changes(name: str, args: list[Arg], operands: list[Arg], scene: Scene) -> list[Finding]:
    """Editing in place, and rights: both change the file that they name."""
    in_place = name in ("sed", "gsed", "perl") and _has(args, "i", "--in-place")
    if in_place or name in ("chmod", "chown", "chgrp", "chattr"):
        return [one for arg in operands[1:] for one in written(arg, scene)][:1]
    return []


def _whole(arg: Arg, scene: Scene) -> bool:
    if arg.text is None:
        return arg.raw.strip('"').startswith(("$HOME", "${HOME}")) and "/" not in arg.raw.strip('"/*')
    scene.budget.spend(PLACE * len(scene.folders))
    return any(is_whole(scene.scope, arg.text, folder) for folder in scene.folders)


def _is_project(arg: Arg, scene: Scene) -> bool:
    return any(place.relative == "." for place in scene.places(arg.shown)) and not scene.scope.too_wide


def _has(args: list[Arg], letters: str, long: str) -> bool:
    for arg in args[1:]:
        text = arg.shown
        if text.startswith("--"):
            if len(text) > 3 and long.startswith(text):
                return True
        elif text.startswith("-") and any(letter in text for letter in letters):
            return True
    return False


def _fetches(command: tuple[Arg, ...]) -> bool:
    return any(arg.shown.rpartition("/")[2] in FETCHERS for arg in command[:8])


def _git(args: list[Arg]) -> list[Finding]:
    words = [arg.shown for arg in args[1:]]
    if words[:1] != ["push"]:
        return []
    options = [word for word in words[1:] if word.startswith("-")]
    refs = [word for word in words[1:] if not word.startswith("-")][1:]
    forced = any(
        one.startswith(("--force", "--forc")) or (not one.startswith("--") and "f" in one) for one in options
    )
    deletes = any(one.startswith("--del") or one == "-d" for one in options)
    for ref in refs:
        target = ref.lstrip("+").rpartition(":")[2]
        if (forced or deletes or ref.startswith(("+", ":"))) and _SHARED_BRANCH.fullmatch(target):
            return [forbidden(f"rewrites or deletes the shared branch {target}", "never.force-push")]
    if any(one.startswith("--mir") for one in options) or (forced and not refs):
        return [forbidden("rewrites history that others have", "never.force-push")]
    return []
