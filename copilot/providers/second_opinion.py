"""The provider of the second opinion: a model of its own, or the run's, with a deadline of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from copilot.core.provider_registry import MODEL_PROVIDERS
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.providers.create import create_provider, describe_provider, known_provider
from copilot.providers.model_provider import Provider

_OURS = {
    "--provider": "second_opinion_provider",
    "--model": "second_opinion_model",
    "--base-url": "second_opinion_base_url",
}


def create_second_opinion(
    settings: RunSettings, environment: Mapping[str, str], say: Callable[[str], None]
) -> Provider | None:
    """The provider that is asked before anything is sent by itself; None if none is wanted.

    Raises InputError, with the key and the fix, like `create_provider`.
    """
    if settings.second_opinion != "model":
        return None
    asked = _settings_of(settings)
    try:
        provider = create_provider(asked, environment, say)
        described = describe_provider(asked, environment)
    except InputError as problem:
        raise InputError(_in_our_words(str(problem))) from None
    say(
        described.replace("replies come", "a second opinion comes", 1).replace(
            "terminal text goes", "each action and your governing prompt go", 1
        )
    )
    return provider


def _settings_of(settings: RunSettings) -> RunSettings:
    """The same run as seen by the second model: what is not given is the run's own."""
    own = known_provider(settings.provider)
    name = settings.second_opinion_provider or own
    if name not in MODEL_PROVIDERS:
        models = " or ".join(MODEL_PROVIDERS)
        raise InputError(f"second_opinion: {own!r} can give none; set second_opinion_provider to {models}")
    same = name == own
    return replace(
        settings,
        provider=name,
        model=settings.second_opinion_model or (settings.model if same else ""),
        base_url=settings.second_opinion_base_url or (settings.base_url if same else None),
        reply_deadline_seconds=settings.second_opinion_deadline_seconds,
        upload=False,
    )


def _in_our_words(message: str) -> str:
    for option, key in _OURS.items():
        message = message.replace(option, key)
    return message.replace(" (or use second_opinion_provider rules, offline)", "")
