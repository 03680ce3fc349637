"""Settings from the environment, read by pydantic-settings."""

from __future__ import annotations

from pydantic_settings import BaseSettings, SettingsConfigDict

from copilot.config.values import ENVIRONMENT_PREFIX, Values


class EnvironmentValues(BaseSettings, Values):
    """`Values` from `COPILOT_*`. Unknown variables of that prefix are ignored: GitHub's CLI reads them."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, env_ignore_empty=True, enable_decoding=False
    )
