"""The run's own git repository: made, and git run on it, so that nothing of the project's git takes part.

git never sees the project: no work tree, no index. It gets an environment made from nothing, and the settings
of its own folder only, so no configuration, attribute, filter or hook of the user or of the project is read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from copilot.checkpoints.checkpoint import CheckpointError
from copilot.checkpoints.records import check_folder, read_record
from copilot.plain_files import real_path
from copilot.private_files import FOLDER_MODE, write_private

NO_GIT = "git is not installed; install it, or start with --checkpoints off"
_CONFIG = """\
[core]
\trepositoryformatversion = 1
\tbare = true
\tfilemode = true
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tfsmonitor = false
\tuntrackedCache = false
\tlogAllRefUpdates = false
\tsharedRepository = 0600
\tprotectHFS = false
\tprotectNTFS = false
\tprecomposeUnicode = false
\tbigFileThreshold = 8m
\tcompression = 1
\tfsync = committed
[extensions]
\tobjectFormat = sha256
[pack]
\tcompression = 1
[gc]
\tauto = 0
[maintenance]
\tauto = false
[fastimport]
\tunpackLimit = 0
[merge]
\tconflictStyle = merge
"""
_ATTRIBUTES = "* -text -filter -ident -eol -working-tree-encoding !diff !merge\n"
_FOLDERS = ("", "info", "objects", "objects/info", "objects/pack", "refs", "refs/heads")
_NEVER = (
    "commondir",
    "config.worktree",
    "info/grafts",
    "objects/info/alternates",
    "objects/info/http-alternates",
    "shallow",
)
"""Files by which git would read another folder than ours; copilot makes none of them."""
_OVER_CONFIG = {"core.hooksPath": os.devnull, "core.attributesFile": os.devnull, "core.fsmonitor": "false"}
"""Said to git besides, since the file may be changed after it is checked."""
_TIMEOUT_SECONDS = 60.0


def find_git(project: Path) -> str:
    """git in the absolute folders of PATH outside the project, which could bring its own.

    Raises CheckpointError if there is none.
    """
    found = shutil.which("git", path=path_outside(project))
    if found is None:
        raise CheckpointError(NO_GIT)
    return found


def path_outside(project: Path) -> str:
    """PATH without the folders that lie in the project, and without relative ones."""
    folders = [Path(one) for one in os.environ.get("PATH", os.defpath).split(os.pathsep)]
    root = real_path(project)
    outside = [one for one in folders if one.is_absolute() and not real_path(one).is_relative_to(root)]
    return os.pathsep.join(str(one) for one in outside)


class Repository:
    """A bare repository in a folder of ours."""

    def __init__(self, folder: Path, git: str, path: str) -> None:
        """`path` is the PATH that git itself gets."""
        self.folder = folder
        self._git = git
        self._environment = {
            "PATH": path,
            "LC_ALL": "C",
            "HOME": str(folder / "no-home"),
            "XDG_CONFIG_HOME": str(folder / "no-home"),
            "GIT_DIR": str(folder),
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_CONFIG_COUNT": str(len(_OVER_CONFIG)),
        }
        for at, (key, value) in enumerate(_OVER_CONFIG.items()):
            self._environment.update({f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value})

    def make(self) -> None:
        """Make the repository. Raises CheckpointError."""
        for name in _FOLDERS:
            (self.folder / name).mkdir(mode=FOLDER_MODE, exist_ok=True)
        write_private(self.folder / "HEAD", "ref: refs/heads/none\n")
        write_private(self.folder / "config", _CONFIG)
        write_private(self.folder / "info/attributes", _ATTRIBUTES)
        if self.run(["rev-parse", "--is-bare-repository"]).strip() != b"true":
            raise CheckpointError("git does not take the run's own repository; install git 2.31 or newer")

    def run(self, arguments: Sequence[str], *, codes: Sequence[int] = (0,), stdin: bytes = b"") -> bytes:
        """What git prints. Raises CheckpointError if it ends in another code or takes over a minute."""
        return self.ended(arguments, codes=codes, stdin=stdin)[1]

    def ended(
        self, arguments: Sequence[str], *, codes: Sequence[int] = (0,), stdin: bytes = b""
    ) -> tuple[int, bytes]:
        """The exit code and what git prints; raises as `run`."""
        self._check()
        try:
            done = subprocess.run(
                [self._git, *arguments],
                input=stdin,
                capture_output=True,
                cwd=self.folder,
                env=self._environment,
                umask=0o077,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise CheckpointError(
                f"git {arguments[0]} took longer than {_TIMEOUT_SECONDS:g} s; try again"
            ) from None
        except OSError as error:
            raise CheckpointError(f"git cannot be run: {error.strerror}") from None
        if done.returncode not in codes:
            raise CheckpointError(f"git {arguments[0]} failed: {first_line(done.stderr)}")
        return done.returncode, done.stdout

    def start(self, arguments: Sequence[str], *, errors: int, lock: int = -1) -> subprocess.Popen[bytes]:
        """git with pipes for its input and output. `lock` stays open in it: it is held until git ends too."""
        self._check()
        try:
            return subprocess.Popen(
                [self._git, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=self.folder,
                env=self._environment,
                umask=0o077,
                pass_fds=() if lock < 0 else (lock,),
                process_group=0,
            )
        except OSError as error:
            raise CheckpointError(f"git cannot be run: {error.strerror}") from None

    def _check(self) -> None:
        """Raise CheckpointError if the repository is not as it was made: git would do what it says."""
        try:
            for name in _FOLDERS:
                check_folder(self.folder / name)
            for name, text in (("config", _CONFIG), ("info/attributes", _ATTRIBUTES)):
                if read_record(self.folder / name) != text.encode("ascii"):
                    raise OSError(0, f"{name} is not as copilot wrote it")
            if found := next((name for name in _NEVER if os.path.lexists(self.folder / name)), ""):
                raise OSError(0, f"{found} is none of copilot's")
        except OSError as error:
            raise CheckpointError(f"{self.folder}: is not used: {error.strerror or error}") from None

    def used_bytes(self) -> int:
        """What its objects take on the disk."""
        with os.scandir(self.folder / "objects/pack") as found:
            return sum(one.stat(follow_symlinks=False).st_size for one in found)

    def clean(self) -> None:
        """Remove what a killed git left. Only while nobody else writes."""
        left = [*self.folder.glob("objects/pack/tmp_*"), *self.folder.glob("refs/**/*.lock")]
        for path in [*left, *self.folder.glob("fast_import_crash_*")]:
            path.unlink(missing_ok=True)


def ended_after(process: subprocess.Popen[bytes], seconds: float) -> threading.Timer:
    """A timer, started, that ends a git which does not go on: who waits for its pipes then gets an error."""
    timer = threading.Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    return timer


def first_line(text: bytes) -> str:
    """The first line that git said, or that it said nothing."""
    lines = text.decode("utf-8", "replace").strip().splitlines()
    return lines[0][:200] if lines else "it said nothing"
