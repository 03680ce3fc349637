"""The names of what a run folder can hold, in one place: writers, readers and who deletes agree on them."""

from __future__ import annotations

import re

MANIFEST_NAME = "manifest.json"
TRANSCRIPT_NAME = "transcript.jsonl"
TORN_SUFFIX = ".torn"
"""Behind the name of the transcript: the tail that a repair cut off."""
CAST_NAME = "session.cast"
LOCK_NAME = "lock"
REPORT_NAME = "report.html"
CHANGES_NAME = "changes.diff"
VERDICTS_NAME = "verdicts.jsonl"
PROMPTS_FOLDER = "prompts"
COMMANDS_FOLDER = "commands"
RAW_FOLDER = "raw"
UNKNOWN_FOLDER = "unknown"

ENTRIES = frozenset(
    {
        *(MANIFEST_NAME, TRANSCRIPT_NAME, TRANSCRIPT_NAME + TORN_SUFFIX, CAST_NAME, LOCK_NAME, REPORT_NAME),
        *(CHANGES_NAME, VERDICTS_NAME, PROMPTS_FOLDER, COMMANDS_FOLDER, RAW_FOLDER, UNKNOWN_FOLDER),
    }
)
"""A folder that holds anything else is somebody's, or has something of somebody's in it."""
_HALF_WRITTEN = re.compile(rf"\.({re.escape(MANIFEST_NAME)}|{re.escape(REPORT_NAME)})\.[0-9]+\.new")


def is_entry(name: str) -> bool:
    """Whether a run folder of ours can hold this, also what a killed copilot left half written."""
    return name in ENTRIES or _HALF_WRITTEN.fullmatch(name) is not None


def command_log(ticket: int) -> str:
    """Where the output of a plan's command is, below the run folder; commands count from 1."""
    return f"{COMMANDS_FOLDER}/{ticket:03d}.log"
