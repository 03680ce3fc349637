"""Codex offline: a `config.toml` with a provider of our own, and no daemon."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.recipes.base import Recipe, base_environment

_CONFIG = """\
model = "gpt-5.5"
model_provider = "local"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 2
stream_max_retries = 3

[analytics]
enabled = false

[feedback]
enabled = false

[tui]
screen_reader_detection_done = true

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""


def codex(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """Codex. With `trust` in `asks` it asks for trust in the folder, else that is answered before."""
    home = folder / "codex-home"
    (home / ".codex").mkdir(parents=True)
    config = _CONFIG.format(url=url)
    if "trust" not in asks:
        config += f'\n[projects."{project}"]\ntrust_level = "trusted"\n'
    (home / ".codex" / "config.toml").write_text(config)
    environment = {**base_environment(home, programs), "LOCAL_KEY": "sk-fake"}
    return Recipe("codex", home, project, environment, ("--no-daemon",))
