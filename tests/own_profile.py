"""Profiles that the person keeps: they go before ours."""

from __future__ import annotations

from pathlib import Path

from copilot.config.paths import user_profiles


def own_profile(name: str, text: str) -> Path:
    folder = user_profiles()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path
