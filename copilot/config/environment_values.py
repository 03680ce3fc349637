"""Settings from the environment, read by pydantic-settings."""

from __future__ import annotations

from pydantic_settings import BaseSettings, SettingsConfigDict

from copilot.config.values import ENVIRONMENT_PREFIX, Values


class EnvironmentValues(BaseSettings, Values):
    """The same, read from `COPILOT_*`. Other variables of that prefix are GitHub's and are left alone."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, env_ignore_empty=True, enable_decoding=False
    )
