"""`RunSettings`: everything a run was asked to be, after flags, environment, files and profile are merged."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.decision import Autonomy


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Settings of one run. `governing_prompt` is its text; paths are absolute.

    `allow` are the user's rules (`--allow`), `trust` accepts the trust dialog of the launch folder.
    """

    child: tuple[str, ...]
    profile: str
    autonomy: Autonomy
    cwd: str
    log_folder: str
    governing_prompt: str = ""
    plan: str | None = None
    provider: str = "rules"
    model: str = ""
    base_url: str | None = None
    playbook: str | None = None
    max_steps: int = 50
    timeout_seconds: float | None = None
    max_cost_usd: float | None = None
    reply_deadline_seconds: float = 60.0
    second_opinion: str = "off"
    """`model`: another model is asked before anything is sent by itself, and can only hold it."""
    second_opinion_provider: str = ""
    second_opinion_model: str = ""
    second_opinion_base_url: str | None = None
    second_opinion_deadline_seconds: float = 20.0
    dry_run: bool = False
    upload: bool = True
    allow: tuple[str, ...] = ()
    trust: bool = False
    resume: str | None = None
    detectors: str | None = None
    headless: bool = False
    json_lines: bool = False
    columns: int = 120
    lines: int = 40
