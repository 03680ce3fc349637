"""The registry of providers: who may write replies. Options, settings, keys and words derive from it.

Each is implemented in `copilot/providers/<name>_provider.py`, which is loaded when a run uses it
(`providers/create.py` says what such a module has).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_MODEL = "the model"


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """One provider. `noun` is what a person reads for whoever wrote the replies."""

    name: str
    noun: str = _MODEL
    offline: bool = False
    key_variables: tuple[str, ...] = ()
    """Environment variables that may hold its key, best first."""


_ENTRIES = (
    ProviderEntry("anthropic", key_variables=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")),
    ProviderEntry("openai", key_variables=("OPENAI_API_KEY",)),
    ProviderEntry("rules", "the rules", offline=True),
    ProviderEntry("playbook", "the playbook", offline=True),
)

PROVIDERS = tuple(entry.name for entry in _ENTRIES)
MODEL_PROVIDERS = tuple(entry.name for entry in _ENTRIES if not entry.offline)
KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    entry.name: entry.key_variables for entry in _ENTRIES if entry.key_variables
}
"""For each provider that needs a key the variables that may hold it, best first."""
_OFFLINE = {entry.name: entry.noun for entry in _ENTRIES if entry.offline}


def asks_a_model(provider: str) -> bool:
    """Whether replies of this provider come from a model."""
    return provider not in _OFFLINE


def what_it_saw(provider: str) -> str:
    """The heading over what the provider was given."""
    return f"what {_OFFLINE.get(provider, _MODEL)} saw"


def drafted_by(provider: str) -> str:
    """Who wrote the replies of a run in which no model did."""
    return "offline rules" if provider == "rules" else f"the {provider}"
