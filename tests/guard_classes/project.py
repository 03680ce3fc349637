"""The project in which the members and the everyday commands are judged: a shop with everything that leads astray.

Sources, tests, scripts and build files in a git repository; committed programs with the names of readers; ignored
`node_modules` and `.venv`; links out of it; secrets; a bare repository inside; file names that are options; what the
classes need besides: a second text file, folders that tools load from, make targets that delete.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

RISKY_TARGETS = [
    "deploy",
    "publish",
    "release",
    "erase",
    "wipe",
    "ship",
    "upload",
    "destroy",
    "terraform-apply",
    "format-disk",
    "drop-db",
]

TEXTS = {
    "README.md": "# shop\n",
    "src/app.py": "print(1)\n",
    "src/util.py": "X = 1\n",
    "tests/test_app.py": "def test_a():\n    pass\n",
    "docs/a.txt": "a\n",
    "data.txt": "a[$(touch${IFS}pwned)]\n",
    "list.txt": "one\n",
    "config/settings.yml": "debug: true\n",
    "config/secrets.yml": "token: made-up-value\nAPI_KEY: made-up-value=\n",
    ".env": "API_KEY=made-up-value-of-a-test\ntoken=made-up-value\n",
    ".gitignore": "node_modules/\n.venv/\n.env\nbuild/\n",
    "package.json": '{"name": "shop", "version": "1.0.0", "scripts": {"test": "node t.js", "build": "tsc", "lint": "eslint ."}}\n',
    "package-lock.json": '{"name": "shop", "lockfileVersion": 3, "packages": {}}\n',
    "t.js": "process.exit(0)\n",
    "pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\n",
    "uv.lock": "version = 1\n",
    "Makefile": "test:\n\ttrue\nlint:\n\ttrue\nbuild:\n\ttrue\nteardown:\n\trm -rf /srv/shop\n"
    + "".join(f"{name}:\n\trm -rf /srv/shop\n" for name in RISKY_TARGETS),
    "tox.ini": "[testenv:py311]\ncommands = pytest\n[testenv:publish]\ncommands = twine upload dist/*\n",
    "scripts/wipe.py": "import shutil\nshutil.rmtree('data')\n",
    "scripts/wipe.js": "require('fs').rmSync('data', {recursive: true})\n",
    "scripts/wipe.ts": "import {rmSync} from 'fs'; rmSync('data', {recursive: true})\n",
    "build/out.txt": "x\n",
    "--pre=sh": "",
    "-Osh": "",
    ".github/workflows/ci.yml": "on: push\n",
    ".claude/commands/test.md": "Run the tests.\n",
    ".husky/_/.keep": "",
    ".vscode/.keep": "",
    "tests/home/.gitconfig": "[core]\n\tfsmonitor = ./x.sh\n",
}
PROGRAMS = [
    "vendor/bin/cat",
    "vendor/bin/grep",
    "tools/venv/bin/ls",
    "docs/x/.venv/bin/head",
    "bin/ls",
    "node_modules/.bin/eslint",
    ".venv/bin/pytest",
]
LINKS = {"docs/notes.txt": "/etc/passwd", "docs/etcdir": "/etc"}


def make_project(folder: Path) -> Path:
    """Makes the project in `folder`, with a neighbour `other` beside it; gives the folder back.

    Raises CalledProcessError when git does not work.
    """
    for name, text in TEXTS.items():
        _write(folder / name, text)
    for name in PROGRAMS:
        _write(folder / name, "#!/bin/sh\nexit 0\n").chmod(0o755)
    for name, target in LINKS.items():
        (folder / name).symlink_to(target)
    _write(folder.parent / "other" / "notes.txt", "not of this project\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "init", "-q", "--bare", str(folder / "docs/fixture")], check=True)
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "add", "-f", "docs/x/.venv"], check=True)
    subprocess.run([*git, "commit", "-qm", "start"], check=True)
    return folder


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
