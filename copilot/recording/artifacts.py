"""The registry of artifacts: what a run leaves in its folder, and the name of each.

`run_place.py` says where run folders are, `run_folder.py` writes what is in one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

MANIFEST_NAME = "manifest.json"
TRANSCRIPT_NAME = "transcript.jsonl"
TORN_SUFFIX = ".torn"
"""Behind the name of the transcript: the tail that a repair cut off."""
CAST_NAME = "session.cast"
LOCK_NAME = "lock"
REPORT_NAME = "report.html"
PROPOSALS_NAME = "proposals.json"
CHANGES_NAME = "changes.diff"
VERDICTS_NAME = "verdicts.jsonl"
PROMPTS_FOLDER = "prompts"
COMMANDS_FOLDER = "commands"
CHECKPOINTS_FOLDER = "checkpoints"
LOOKS_FOLDER = "looks"
RAW_FOLDER = "raw"
UNKNOWN_FOLDER = "unknown"

ARTIFACTS: Mapping[str, str] = {
    MANIFEST_NAME: "ids, versions, profile, limits, outcome",
    TRANSCRIPT_NAME: "one event a line, flushed line by line",
    TRANSCRIPT_NAME + TORN_SUFFIX: "a torn line that was cut off",
    CAST_NAME: "the terminal as an asciicast",
    f"{PROMPTS_FOLDER}/step-NN/": "each exact prompt and reply",
    f"{PROMPTS_FOLDER}/governing-NN.txt": "each governing prompt that was written during the run",
    f"{RAW_FOLDER}/": "the child's output, rotating",
    f"{UNKNOWN_FOLDER}/": "screens that were not understood, their evidence, and what a person said they are",
    f"{COMMANDS_FOLDER}/": "the output of a plan's commands, `NNN.log`",
    f"{CHECKPOINTS_FOLDER}/": "the project's files before each reply, as they are, for `copilot undo`",
    f"{LOOKS_FOLDER}/": "what the guard saw on the disk for its verdicts, `NNN.json`",
    CHANGES_NAME: "what changed in the project",
    REPORT_NAME: "the run on one page",
    PROPOSALS_NAME: "what `copilot proposals apply` did, operation by operation",
    VERDICTS_NAME: "what a reviewer said of its prompts",
    LOCK_NAME: "who writes",
}
"""The registry of what a run leaves behind. The table of `docs/architecture.md` is made from it."""
ENTRIES = frozenset(path.partition("/")[0] for path in ARTIFACTS)
"""A folder that holds anything else is somebody's, or has something of somebody's in it."""
_HALF_WRITTEN = re.compile(rf"\.({re.escape(MANIFEST_NAME)}|{re.escape(REPORT_NAME)})\.[0-9]+\.new")


def is_entry(name: str) -> bool:
    """Whether a run folder of ours can hold this, also what a killed copilot left half written."""
    return name in ENTRIES or _HALF_WRITTEN.fullmatch(name) is not None


def command_log(ticket: int) -> str:
    """Where the output of a plan's command is, below the run folder; commands count from 1."""
    return f"{COMMANDS_FOLDER}/{ticket:03d}.log"


def looks_file(number: int) -> str:
    """Where the looks of a `DiskLooked` are, below the run folder; they count from 1."""
    return f"{LOOKS_FOLDER}/{number:03d}.json"
