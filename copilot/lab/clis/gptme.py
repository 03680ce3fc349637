"""gptme offline: variables for the provider. It reads its calls from the model's text.

Tried with 0.35.1; no profile yet.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis.base import Recipe, base_environment


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "gptme-home"
    home.mkdir(parents=True)
    environment = {
        **base_environment(home, programs),
        "OPENAI_API_KEY": "sk-fake",
        "OPENAI_BASE_URL": f"{url}/v1",
        "GPTME_NO_LOCAL_DISCOVERY": "1",
    }
    return Recipe("gptme", home, project, environment, ("-m", "local/fake-model"))
