"""Each kind of file that copilot reads: where it stands, the command that reads it, and what is right then."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.bad_files.hostile import ANYWHERE, JSON, LINES, MANY, SECRETS, TOML, YAML, Make

RUN = Path(__file__).resolve().parents[2] / "snapshots" / "runs" / "demo-full"
SESSION = ("--headless", "--dry-run", "--log", "{home}/log")
TRUE = ("--", "/bin/true")


@dataclass(frozen=True, slots=True)
class Kind:
    """`file` is below `{home}` or `{project}`; so are the words of the command, which is run in the project.

    `fine` are hostile files that are no fault here. `held`: the command ends well and holds what it judges.
    `needs` are other files, and what is in them.
    """

    file: str
    argv: tuple[str, ...]
    forms: Mapping[str, Make] = field(default_factory=dict)
    stdin: bytes = b""
    fine: tuple[str, ...] = ()
    held: bool = False
    code: int = 2
    needs: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    """Hostile files that are not tried."""
    run: bool = False
    """A copy of a recorded run is at `{project}/run`; the file is one of its own."""

    @property
    def hostile(self) -> dict[str, Make]:
        return {name: make for name, make in {**ANYWHERE, **self.forms}.items() if name not in self.without}

    def prepare(self, folder: Path) -> Path:
        """Make home and project; the path of the file."""
        for name in ("home", "project"):
            (folder / name).mkdir(parents=True)
        if self.run:
            shutil.copytree(RUN, folder / "project" / "run")
        for name, text in self.needs.items():
            path = Path(self.filled(name, folder))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.filled(text, folder), encoding="utf-8")
        path = Path(self.filled(self.file, folder))
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.run:
            path.unlink(missing_ok=True)
        return path

    @staticmethod
    def filled(text: str, folder: Path) -> str:
        return text.replace("{home}", str(folder / "home")).replace("{project}", str(folder / "project"))


_CONFIG = "{home}/.config/copilot"
_STATE = "{home}/.local/state/copilot"
_NO_TEXT = ("latin", "utf16", "nul")
_GONE = ("nowhere",)
_SECRETS = (*_NO_TEXT, "folder", *_GONE)
_NPM, _MAKE = b'"npm test"\n', b'"make test"\n'
_SCRIPTED = ("--provider", "playbook", "--playbook", "{project}/x.yaml")

_CAST = '{"version": 2, "width": 80, "height": 24}\n[0.1, "o", "Go on?"]\n'
_SCENARIO = """scenarios:
  - {name: a, commands: [ls], checks: [{exit_code: 0}]}
"""

KINDS: dict[str, Kind] = {
    "user settings": Kind(f"{_CONFIG}/config.toml", (*SESSION, *TRUE), TOML),
    "project settings": Kind("{project}/.copilot/config.toml", (*SESSION, *TRUE), TOML),
    "user rules": Kind(f"{_CONFIG}/rules/x.toml", ("judge",), TOML, b'"ls"\n'),
    "project rules": Kind("{project}/.copilot/rules/x.toml", ("judge",), TOML, b'"ls"\n'),
    "trust": Kind(
        f"{_STATE}/trust.json",
        (*SESSION, *TRUE),
        JSON,
        needs={"{project}/.copilot/config.toml": 'provider = "playbook"\n'},
        without=_GONE,
    ),
    "env": Kind("{project}/.env", ("redact",), SECRETS, b"x\n", fine=(*_SECRETS, *SECRETS)),
    "netrc": Kind(
        "{home}/.netrc", ("redact",), stdin=b"x\n", fine=_SECRETS, environment={"NETRC": "{home}/.netrc"}
    ),
    "env of a session": Kind("{project}/.env.local", (*SESSION, *TRUE), fine=_SECRETS),
    "plan": Kind("{project}/x.yaml", ("plan", "check", "{project}/x.yaml"), {**YAML, **MANY}),
    "plan of a session": Kind("{project}/x.yaml", (*SESSION, "--plan", "{project}/x.yaml", *TRUE), YAML),
    "profile": Kind("{project}/x.toml", ("profiles", "check", "{project}/x.toml"), TOML),
    "profile of a session": Kind(
        "{project}/x.toml", (*SESSION, "--profile", "{project}/x.toml", *TRUE), TOML
    ),
    "user profile": Kind(f"{_CONFIG}/profiles/x.toml", (*SESSION, "--profile", "x", *TRUE), TOML),
    "user profile of another program": Kind(
        f"{_CONFIG}/profiles/x.toml", (*SESSION, *TRUE), TOML, fine=(*ANYWHERE, *TOML)
    ),
    "list of profiles": Kind(f"{_CONFIG}/profiles/x.toml", ("profiles", "list"), TOML),
    "prompt": Kind("{project}/x.md", (*SESSION, "--prompt", "{project}/x.md", *TRUE)),
    "detectors": Kind("{project}/x.json", (*SESSION, "--detectors", "{project}/x.json", *TRUE), JSON),
    "playbook": Kind("{project}/x.yaml", (*SESSION, *_SCRIPTED, *TRUE), YAML),
    "theme": Kind(f"{_CONFIG}/themes/x.toml", (*SESSION, *TRUE), TOML, environment={"COPILOT_THEME": "dark"}),
    "keymap": Kind(
        f"{_CONFIG}/keymap.toml", (*SESSION, *TRUE), TOML, fine=_GONE, environment={"COPILOT_THEME": "dark"}
    ),
    "scenario": Kind("{project}/x.yaml", ("eval", "--list", "{project}/x.yaml"), YAML),
    "scenario in a folder": Kind(
        "{project}/in/x.yaml",
        ("eval", "--list", "{project}/in"),
        without=("folder", "sparse", "line", *_NO_TEXT),
    ),
    "model playbook": Kind("{project}/x.yaml", ("model-server", "--playbook", "{project}/x.yaml"), YAML),
    "model playbook in python": Kind("{project}/x.py", ("model-server", "--playbook", "{project}/x.py")),
    "old report": Kind(
        "{project}/x.json",
        ("eval", "{project}/s.yaml", "--compare", "{project}/x.json"),
        JSON,
        needs={"{project}/s.yaml": _SCENARIO},
    ),
    "cast, detect": Kind("{project}/x.cast", ("detect", "{project}/x.cast"), JSON),
    "cast, explain": Kind("{project}/x.cast", ("explain", "{project}/x.cast", "--at", "1"), JSON),
    "cast, replay": Kind("{project}/x.cast", ("replay", "{project}/x.cast", "--redetect", "--check"), JSON),
    "manifest, report": Kind(
        "{project}/run/manifest.json", ("report", "{project}/run", "--markdown"), JSON, run=True
    ),
    "manifest, undo": Kind(
        "{project}/run/manifest.json", ("undo", "{project}/run", "--list"), JSON, run=True
    ),
    "transcript, report": Kind(
        "{project}/run/transcript.jsonl",
        ("report", "{project}/run", "--markdown"),
        fine=("line", *_NO_TEXT),
        run=True,
    ),
    "transcript, undo": Kind(
        "{project}/run/transcript.jsonl",
        ("undo", "{project}/run", "--list"),
        without=("line", *_NO_TEXT),
        run=True,
    ),
    "evidence, learn": Kind(
        "{project}/run/unknown/01.json",
        ("profiles", "learn", "{project}/run"),
        JSON,
        run=True,
        needs={"{project}/run/unknown/01.cast": _CAST},
    ),
    "label, learn": Kind(
        "{project}/run/unknown/01.label.json",
        ("profiles", "learn", "{project}/run"),
        JSON,
        run=True,
        needs={"{project}/run/unknown/01.cast": _CAST, "{project}/run/unknown/01.json": "{}"},
    ),
    "verdicts": Kind(
        "{project}/run/verdicts.jsonl",
        ("replay", "{project}/run", "--verdicts", "{project}/out"),
        JSON,
        run=True,
        without=_GONE,
    ),
    "runs": Kind(
        "{project}/run/manifest.json", ("runs", "--in", "{project}"), JSON, run=True, fine=(*ANYWHERE, *JSON)
    ),
    "runs, transcript": Kind(
        "{project}/run/transcript.jsonl", ("runs", "--in", "{project}"), run=True, fine=tuple(ANYWHERE)
    ),
    "request, report": Kind(
        "{project}/run/prompts/step-01/request.txt",
        ("report", "{project}/run", "--markdown"),
        run=True,
        fine=tuple(ANYWHERE),
    ),
    "lock": Kind(
        "{project}/run/lock", ("report", "{project}/run", "--markdown"), run=True, fine=tuple(ANYWHERE)
    ),
    "checkpoints, log": Kind(
        "{project}/run/checkpoints/log.jsonl",
        ("undo", "{project}/run", "--list"),
        run=True,
        without=(*_GONE, "utf16"),
        needs={"{project}/run/checkpoints/notes": '{"version": 1, "project": "{project}"}'},
    ),
    "checkpoints, journal": Kind(
        "{project}/run/checkpoints/journal.json",
        ("undo", "{project}/run", "--list"),
        JSON,
        code=1,
        run=True,
        needs={"{project}/run/checkpoints/notes": '{"version": 1, "project": "{project}"}'},
    ),
    "head of git": Kind("{project}/.git/HEAD", (*SESSION, *TRUE), fine=tuple(ANYWHERE)),
    "repository of a session": Kind("{project}/.git", (*SESSION, *TRUE), fine=tuple(ANYWHERE)),
    "repository of a command": Kind(
        "{project}/.git", ("judge",), stdin=b'"git status"\n', fine=tuple(ANYWHERE)
    ),
    "scripts of a session": Kind("{project}/package.json", (*SESSION, *TRUE), JSON, fine=(*ANYWHERE, *JSON)),
    "manifest, resume": Kind(
        "{project}/run/manifest.json", (*SESSION, "--resume", "{project}/run"), JSON, run=True
    ),
    "session.cast, replay": Kind(
        "{project}/run/session.cast", ("replay", "{project}/run", "--redetect", "--check"), JSON, run=True
    ),
    "checkpoints": Kind(
        "{project}/run/checkpoints/notes", ("undo", "{project}/run", "--list"), JSON, run=True
    ),
    "mcp entry in json": Kind(
        "{project}/.mcp.json", ("mcp", "install", "claude", "--write"), JSON, fine=_GONE
    ),
    "mcp entry in toml": Kind(
        "{project}/.codex/config.toml", ("mcp", "install", "codex", "--write"), TOML, fine=_GONE
    ),
    "package.json": Kind("{project}/package.json", ("judge",), JSON, _NPM, held=True, fine=_GONE),
    "composer.json": Kind(
        "{project}/composer.json", ("judge",), JSON, b'"composer test"\n', held=True, fine=_GONE
    ),
    "tox.ini": Kind(
        "{project}/tox.ini",
        ("judge",),
        LINES,
        b'"tox -e lint"\n',
        held=True,
        fine=(*_NO_TEXT, *_GONE, *LINES),
    ),
    "settings of git": Kind(
        "{project}/.git/config",
        ("judge",),
        LINES,
        b'"git remote -v"\n',
        needs={"{project}/.git/HEAD": "ref: refs/heads/main\n"},
        held=True,
        fine=(*_NO_TEXT, *_GONE, *LINES),
    ),
    "ignore file": Kind(
        "{project}/.gitignore", ("judge",), LINES, b'"rg x"\n', held=True, fine=(*_NO_TEXT, *_GONE, *LINES)
    ),
    "makefile": Kind(
        "{project}/Makefile", ("judge",), LINES, _MAKE, held=True, fine=(*_NO_TEXT, *_GONE, *LINES)
    ),
}
