"""What is seen and written inside: settings, the profile's table and the disk, as a list of mounts.

The order of the mounts counts, a later one covers an earlier: the whole disk read-only, fresh temporary and
runtime folders, what must be seen of them, what may be written, what of that may not, what is hidden.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from copilot.core.profile_outline import EnvelopeTable
from copilot.envelope import places
from copilot.envelope.work_trees import shared_repository
from copilot.errors import InputError

_SYSTEM = ("/", "/etc", "/usr", "/bin", "/sbin", "/lib", "/var", "/home", "/root", "/opt", "/boot", "/srv")
_LISTENING = 0x10000
"""The flag __SO_ACCEPTCON of /proc/net/unix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a run asks for. `private` are folders of ours that nothing inside may look into."""

    project: Path
    home: Path
    table: EnvelopeTable
    needed: tuple[str, ...] = ()
    """Programs and folders of programs, which must be seen wherever they are."""
    private: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    """What the user lifts: paths that may be written too, protected ones among them."""
    read: tuple[str, ...] = ()
    """What the user lifts: hidden paths that may be read."""


@dataclass(frozen=True, slots=True)
class EnvelopePlan:
    """The paths, resolved, in the order in which they are mounted. `notes` tell what a person should know."""

    project: str
    shown: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    lifted: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def may_write(self, path: str) -> bool:
        """Whether this absolute path, resolved, can be written inside."""
        if any(_is_below(path, place) for place in (*self.hidden, *self.emptied)):
            return False
        if any(_is_below(path, place) for place in self.lifted):
            return True
        if any(_is_below(path, place) for place in self.protected):
            return False
        fresh = (*places.TEMPORARY, *places.RUNTIME, "/dev")
        return any(_is_below(path, place) for place in (*self.writable, *fresh))

    def may_read(self, path: str) -> bool:
        """Whether this absolute path, resolved, can be read inside, as far as the envelope goes."""
        return not any(_is_below(path, place) for place in self.hidden)


def make_plan(wanted: Wanted) -> EnvelopePlan:
    """The mounts for a run. Raises InputError where the project itself leaves nothing to protect."""
    home, project = _real(wanted.home), _real(wanted.project)
    lifted_read = _resolved(wanted.read, home)
    lifted_write = _resolved(wanted.write, home)
    own = _resolved((*wanted.table.logins, *wanted.table.state), home)
    shown = tuple(_shown(wanted, home))
    homes = _unique([home, _real(_passwd_home() or home)])
    secrets = [path for one in homes for path in _existing(one, places.SECRETS)]
    hidden = [*secrets, *_others(homes, own), *_sockets(project, shown)]
    emptied = [path for one in homes for path in _existing(one, places.EMPTIED)]
    _check_lifted(lifted_read, [*hidden, *emptied])
    hidden = [path for path in hidden if path not in lifted_read]
    hidden += [_real(path) for path in wanted.private if os.path.lexists(path)]
    _check_project(project, home, hidden)
    state = [_made(path, home) for path in wanted.table.state]
    caches = [path for path in _resolved(wanted.table.caches, home) if os.path.exists(path)]  # noqa: PTH110
    repository, notes = shared_repository(Path(project))
    roots = [project, *repository]
    protected = [path for root in roots for path in _protected(root)]
    protected += _existing_paths(_resolved(wanted.table.read_only, home))
    kept = _unique(path for path in protected if path not in lifted_write)
    writable = _unique([project, *repository, *filter(None, state), *caches])
    # What is no mount of its own can be replaced by a rename, as git and others write their settings.
    lifted_write = [path for path in lifted_write if not _is_open(path, writable, kept)]
    return EnvelopePlan(
        project=project,
        shown=shown,
        writable=tuple(writable),
        pinned=tuple(path for root in roots for path in _pinned(root)),
        protected=tuple(kept),
        lifted=tuple(lifted_write),
        hidden=tuple(_outermost(hidden)),
        emptied=tuple(path for path in emptied if path not in lifted_read),
        notes=notes,
    )


def _check_project(project: str, home: str, hidden: Sequence[str]) -> None:
    if project in _SYSTEM or _is_below(home, project):
        raise InputError(
            f"--envelope project: {project} is no project: all below it could be written; "
            "start in the folder of the project, or give --cwd"
        )
    for place in hidden:
        if _is_below(project, place):
            raise InputError(
                f"--envelope project: {project} is in {place}, which the envelope hides; "
                "move the project, or use --envelope off"
            )


def _is_open(path: str, writable: Sequence[str], protected: Sequence[str]) -> bool:
    """Whether the path can be written as the mounts are: in a writable place, and in no protected one."""
    inside = any(_is_below(path, place) for place in writable)
    return inside and not any(_is_below(path, place) for place in protected)


def _check_lifted(lifted: Sequence[str], hidden: Sequence[str]) -> None:
    for path in lifted:
        if path not in hidden:
            raise InputError(
                f"envelope_read: {path} is no place that the envelope hides; name a whole one, like ~/.ssh"
            )


def _protected(root: str) -> list[str]:
    """What stays as it is; in a repository's own folder (of a work tree), that of `.git`."""
    if Path(root, ".git").exists() or not Path(root, "objects").is_dir():
        return _existing(root, places.PROTECTED)
    return _existing(root, [name.removeprefix(".git/") for name in places.PROTECTED if name[:5] == ".git/"])


def _pinned(root: str) -> list[str]:
    found = [path for path in _existing(root, places.PINNED) if Path(path).is_dir()]
    return [path for path in found if not Path(root, ".git").is_symlink() or _is_below(path, root)]


def _passwd_home() -> str:
    """The home folder that ssh and others look into, whatever HOME says; empty for a user without one."""
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _others(homes: Sequence[str], own: Sequence[str]) -> list[str]:
    """The keys of coding CLIs that are not this one."""
    found = [path for home in homes for path in _existing(home, places.LOGINS)]
    return [path for path in found if not any(_is_below(path, one) for one in own)]


def _sockets(project: str, shown: Sequence[str]) -> list[str]:
    """Sockets that somebody listens on now, where they could be seen inside and are not the project's."""
    fresh = (*places.TEMPORARY, *places.RUNTIME, "/dev")
    try:
        lines = Path("/proc/net/unix").read_text("utf-8", "replace").splitlines()[1:]
    except OSError:
        return []
    found = []
    for line in lines:
        fields = line.split(None, 7)
        if len(fields) == 8 and fields[7][0] == "/" and int(fields[3], 16) & _LISTENING:
            path = _real(fields[7])
            unseen = any(_is_below(path, one) for one in fresh) and not any(_is_below(path, s) for s in shown)
            if os.path.exists(path) and not unseen and not _is_below(path, project):  # noqa: PTH110
                found.append(path)
    return found


def _shown(wanted: Wanted, home: str) -> Iterator[str]:
    """What must be seen of the folders that are fresh inside."""
    fresh = (*places.TEMPORARY, *places.RUNTIME)
    for path in _unique([home, *map(_real, wanted.needed)]):
        if any(_is_below(path, place) and path != place for place in fresh) and os.path.exists(path):  # noqa: PTH110
            yield path


def _made(path: str, home: str) -> str:
    """A place for the CLI's state: a folder (`~/.name/`) is made if it is not there, a file is not."""
    real = _real(_expanded(path, home))
    if path.endswith("/"):
        try:
            Path(real).mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"--envelope project: {real} cannot be made: {problem.strerror}") from None
    return real if os.path.exists(real) else ""  # noqa: PTH110


def _existing(root: str, names: Sequence[str]) -> list[str]:
    """The places of these names below `root` that are there, resolved."""
    base = Path(root)
    found: list[str] = []
    for name in names:
        paths = sorted(base.glob(name)) if "*" in name else [base / name]
        found += [_real(path) for path in paths if path.exists()]
    return found


def _existing_paths(paths: Sequence[str]) -> list[str]:
    return [path for path in paths if os.path.exists(path)]  # noqa: PTH110


def _resolved(paths: Sequence[str], home: str) -> list[str]:
    return [_real(_expanded(path, home)) for path in paths]


def _expanded(path: str, home: str) -> str:
    return home + path[1:] if path == "~" or path.startswith("~/") else path


def _real(path: str | os.PathLike[str]) -> str:
    return os.path.realpath(path)


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place.rstrip("/") + "/")


def _outermost(paths: Sequence[str]) -> list[str]:
    """Without those that lie in another one."""
    kept: list[str] = []
    for path in sorted(set(paths)):
        if not any(_is_below(path, one) for one in kept):
            kept.append(path)
    return kept


def _unique(paths: Sequence[str] | Iterator[str]) -> list[str]:
    return list(dict.fromkeys(paths))


def inner_environment(environment: Mapping[str, str], proxy_port: int | None) -> dict[str, str]:
    """The CLI's environment inside: no names of sockets that are not there; the proxy, if there is one."""
    kept = {name: value for name, value in environment.items() if name not in places.DROPPED_VARIABLES}
    kept |= {"TMPDIR": places.TEMPORARY[0]}
    if proxy_port is not None:
        address = f"http://127.0.0.1:{proxy_port}"
        names = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy")
        kept |= dict.fromkeys(names, address) | {"NODE_USE_ENV_PROXY": "1"}
        kept |= dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost,::1")
    return kept
