"""The project in which the guided and the everyday commands are judged.

A git repository with committed and ignored programs, links that lead out of it, an embedded bare repository,
secrets, and files whose names are options. Also a program: prints what the guard says of `data/*.jsonl`.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from copilot.core.reply import Autonomy
from copilot.core.risk import Risk
from copilot.guard.command_risk import judge_command, verdict_at
from copilot.guard.scope import ProjectScope

DATA = Path(__file__).parent / "data"
_FILES = {
    "README.md": "# shop\n",
    "src/app.py": "print(1)\n",
    "src/util.py": "X = 1\n",
    "tests/test_app.py": "def test_a():\n    pass\n",
    "docs/a.txt": "a\n",
    "data.txt": "1\n2\n",
    "config/settings.yml": "debug: true\n",
    "config/secrets.yml": "token: made-up\n",
    ".gitignore": "node_modules/\n.venv/\n.env\nbuild/\n",
    ".env": "API_KEY=made-up-value-of-a-test\n",
    "package.json": '{"name": "shop", "version": "1.0.0", "scripts": '
    '{"test": "node t.js", "build": "tsc", "lint": "eslint ."}}\n',
    "package-lock.json": '{"name": "shop", "lockfileVersion": 3, "packages": {}}\n',
    "t.js": "process.exit(0)\n",
    "pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\n",
    "uv.lock": "version = 1\n",
    "Makefile": "test:\n\ttrue\nlint:\n\ttrue\nbuild:\n\ttrue\nteardown:\n\trm -rf /srv/shop\n",
    "tox.ini": "[testenv:py311]\ncommands = pytest\n[testenv:publish]\ncommands = twine upload dist/*\n",
    "scripts/wipe.py": "import shutil\nshutil.rmtree('data')\n",
    "build/out.txt": "x\n",
    "--pre=sh": "",
    "-Osh": "",
}
_PROGRAMS = (
    *("vendor/bin/cat", "vendor/bin/grep", "tools/venv/bin/ls", "docs/x/.venv/bin/head", "bin/ls"),
    *("node_modules/.bin/eslint", ".venv/bin/pytest"),
)


def make_project(folder: Path) -> None:
    """Fills an empty folder."""
    for name in (*_FILES, *_PROGRAMS):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_FILES.get(name, "#!/bin/sh\nexit 0\n"))
        path.chmod(0o644 if name in _FILES else 0o755)
    (folder / "docs/notes.txt").symlink_to("/etc/passwd")
    (folder / "docs/etcdir").symlink_to("/etc")
    for arguments in (
        ["init", "-q"],
        ["init", "-q", "--bare", "docs/fixture"],
        ["add", "-A"],
        ["add", "-f", "docs/x/.venv"],
        ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "start"],
    ):
        subprocess.run(["git", *arguments], cwd=folder, check=True)


def entries(name: str) -> list[dict[str, str]]:
    """The lines of a data file: `command` and `class`."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def allowed(risk: Risk, level: Autonomy) -> bool:
    return verdict_at(risk, level) == "allow"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        make_project(Path(name))
        scope = ProjectScope(name, "/home/me")
        guided = entries("guided.jsonl")
        for level in (Autonomy.ASSIST, Autonomy.FULL):
            passed: Counter[str] = Counter()
            for entry in guided:
                risk = judge_command(entry["command"], scope)
                if allowed(risk, level):
                    passed[entry["class"]] += 1
                    print(level.value, entry["class"], repr(entry["command"]), risk.level.word, risk.reasons)
            print(f"guided at {level.value}: {sum(passed.values())} of {len(guided)} allowed", dict(passed))
        daily = [entry for entry in entries("everyday.jsonl") if entry["class"] == "everyday"]
        held = [
            (entry["command"], risk)
            for entry in daily
            if not allowed(risk := judge_command(entry["command"], scope), Autonomy.FULL)
        ]
        for command, risk in held:
            print("held", repr(command), risk.reasons, risk.rule)
        print(f"everyday at full: {len(daily) - len(held)} of {len(daily)} allowed")


if __name__ == "__main__":
    main()
