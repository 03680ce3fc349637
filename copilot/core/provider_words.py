"""Who wrote a reply, in words: offline rules and a playbook are no model, and are not to be called one."""

from __future__ import annotations

_NO_MODEL = {"rules": "the rules", "playbook": "the playbook"}


def asks_a_model(provider: str) -> bool:
    """Whether replies of this provider come from a model."""
    return provider not in _NO_MODEL


def what_it_saw(provider: str) -> str:
    """The heading over what the provider was given."""
    return f"what {_NO_MODEL.get(provider, 'the model')} saw"


def drafted_by(provider: str) -> str:
    """Who wrote the replies of a run in which no model did."""
    return "offline rules" if provider == "rules" else f"the {provider}"
