"""`RunSettings`: everything a run was asked to be, after flags, environment, files and profile are merged."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.reply import Autonomy


@dataclass(slots=True)
class RunLimits:
    """The limits of a run and what is used of them. Money is US dollars, time is seconds."""

    max_steps: int = 50
    timeout_seconds: float | None = None
    max_cost_usd: float | None = None
    interrupt_seconds: float = 2.0
    """How long a child may take to end after an interrupt before it is ended for it."""
    steps: int = 0
    cost_usd: float | None = 0.0
    """None once a call's price was unknown."""

    def spend(self, cost_usd: float | None) -> None:
        """Add the price of one model call."""
        self.cost_usd = None if cost_usd is None or self.cost_usd is None else self.cost_usd + cost_usd

    def broken(self) -> str:
        """Why nothing more may be asked or typed; empty while all limits hold."""
        if self.steps >= self.max_steps:
            return f"{self.max_steps} replies were typed (--max-steps)"
        if self.max_cost_usd is None:
            return ""
        if self.cost_usd is None:
            return "the price of a model call is unknown, so --max-cost cannot be kept"
        if self.cost_usd >= self.max_cost_usd:
            return f"${self.cost_usd:.4f} of ${self.max_cost_usd:.2f} is spent (--max-cost)"
        return ""


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
    checkpoints: bool = False
    """Whether the project's files are saved before replies, for undo."""
    upload: bool = True
    allow: tuple[str, ...] = ()
    pass_keys: tuple[str, ...] = ()
    """Keys of model providers that the child is given beside its profile's own; `all` for every one."""
    envelope: str = "off"
    """`project`: the kernel lets the child write to its project and state only."""
    network: str = "all"
    """With an envelope: `model-only` or `none`."""
    envelope_write: tuple[str, ...] = ()
    """Paths that may be written inside too."""
    envelope_read: tuple[str, ...] = ()
    """Hidden paths that may be read inside."""
    envelope_hosts: tuple[str, ...] = ()
    """Hosts that may be reached with `model-only` too."""
    trust: bool = False
    resume: str | None = None
    detectors: str | None = None
    headless: bool = False
    json_lines: bool = False
    columns: int = 120
    lines: int = 40
