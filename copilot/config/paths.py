"""Where the user's settings and profiles are, and where a project's settings are."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from copilot.errors import InputError
from copilot.resources import config_folder

CONFIG_FILE = "config.toml"
PROJECT_FILE = Path(".copilot") / CONFIG_FILE


def user_file() -> Path:
    """The user's settings file."""
    return config_folder() / CONFIG_FILE


def user_profiles() -> Path:
    """The folder whose profiles override the built-in ones."""
    return config_folder() / "profiles"


def project_file(folder: Path) -> Path | None:
    """The settings file of the project that `folder` lies in.

    Looked for in `folder` and upwards to the root of its git repository; outside a repository in `folder`
    alone, so that a file in a shared parent such as /tmp never counts. Raises InputError where it cannot be
    seen whether there is one.
    """
    root = project_root(folder)
    parents = [parent for parent in (folder, *folder.parents) if parent.is_relative_to(root)]
    candidates = (parent / PROJECT_FILE for parent in parents)
    return next((candidate for candidate in candidates if exists_or_broken_link(candidate)), None)


def exists_or_broken_link(path: Path) -> bool:
    """Whether `path` exists, if only as a broken link. Raises InputError where its folder is unreadable."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        said = (error.strerror or "error").lower()
        raise InputError(f"{path}: cannot be read: {said}; make its folder readable") from None
    except ValueError:
        return False
    return True


def check_home(environment: Mapping[str, str]) -> None:
    """Raises InputError where the home folder is none: `~` would be the root of the disk, or any folder.

    Without HOME the system's own list of users counts, as everywhere.
    """
    home = environment.get("HOME")
    if home is None:
        try:
            home = str(Path.home())
        except RuntimeError:
            raise InputError("HOME is not set, and this user has no home folder; set HOME to one") from None
    if not home.startswith("/"):
        said = "is empty" if not home else f"is {home!r}, which is no absolute path"
        raise InputError(f"HOME {said}; set it to your home folder, or unset it")


def project_root(folder: Path) -> Path:
    """The root of the git repository that `folder` lies in, or `folder` itself outside of one."""
    return next((parent for parent in (folder, *folder.parents) if _is_there(parent / ".git")), folder)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def writable_problem(folder: Path) -> str | None:
    """Why nothing could be written below `folder` (which need not exist yet), or None if it could.

    A file is written and removed, since permissions do not reveal `/proc` or a read-only mount.
    """
    place = folder
    try:
        while not exists_or_broken_link(place) and place != place.parent:
            place = place.parent
        if not place.is_dir():
            return f"{place} is not a folder"
        if place == folder:
            with tempfile.TemporaryFile(dir=place) as file:
                file.write(b"?")
        else:
            Path(tempfile.mkdtemp(prefix=".copilot-", dir=place)).rmdir()
    except PermissionError:
        return f"no write permission for {place}"
    except InputError as error:
        return str(error)
    except OSError as error:
        return f"nothing can be written in {place}: {(error.strerror or 'error').lower()}"
    return None
