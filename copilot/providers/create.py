"""`create_provider`: the provider that writes the replies of a run, as the settings name it.

The default is `rules`, which is offline, even if a key is set: environments hold keys for other programs
(docs/decisions/2026-11-21-provider-default.md).
"""

from __future__ import annotations

import difflib
import importlib
import ipaddress
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, cast
from urllib.parse import urlsplit

from copilot.core.provider_registry import KEY_VARIABLES, PROVIDERS, asks_a_model, drafted_by
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.providers.model_provider import Provider

if TYPE_CHECKING:
    from copilot.providers.faults import Endpoint
    from copilot.providers.model_provider import ModelCaller

_log = logging.getLogger("copilot.providers")

_NO_KEY = "not-needed"
OFFLINE = "offline rules; no data leaves this machine"


class _OfflineModule(Protocol):
    """`copilot.providers.<name>_provider` of a provider that asks no model."""

    def create(self, settings: RunSettings, say: Callable[[str], None]) -> Provider: ...


class _ModelModule(Protocol):
    """`copilot.providers.<name>_provider` of a provider that asks a model."""

    OFFICIAL_URL: str
    URL_VARIABLE: str
    """The environment variable of its SDK for another base URL."""
    DEFAULT_MODEL: str

    def create_caller(self, endpoint: Endpoint, base_url: str) -> ModelCaller: ...


def create_provider(
    settings: RunSettings, environment: Mapping[str, str], say: Callable[[str], None] = _log.warning
) -> Provider:
    """The provider that `settings` name; its SDK is imported later.

    `say` receives warnings for the person. Raises InputError for an unknown provider, a missing key or model,
    an invalid base URL, an unreadable directive or playbook, or a cost limit for a model of unknown price.
    """
    name = known_provider(settings.provider)
    if asks_a_model(name):
        return _model_provider(name, settings, environment, say)
    module = cast("_OfflineModule", _module(name))
    return module.create(settings, say)


def known_provider(provider: str) -> str:
    """`provider`. Raises InputError if there is no provider of that name."""
    if provider not in PROVIDERS:
        close = difflib.get_close_matches(provider, PROVIDERS, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InputError(
            f"--provider: invalid choice {provider!r} (choose from {', '.join(PROVIDERS)}){hint}"
        )
    return provider


def describe_provider(settings: RunSettings, environment: Mapping[str, str]) -> str:
    """One line for the person: who writes replies and whether anything leaves this machine."""
    asked = asks_a_model(known_provider(settings.provider))
    model = [f"model {settings.model}"] if settings.model and not asked else []
    unused = [*model, *unused_keys(settings, environment).values()]
    note = f" ({' and '.join(unused)} set but not used: choose with --provider)" if unused else ""
    return f"replies come from {describe_writer(settings, environment)}{note}"


def unused_keys(settings: RunSettings, environment: Mapping[str, str]) -> dict[str, str]:
    """With the offline rules: each provider whose key is set, and the variable that holds it."""
    if known_provider(settings.provider) != "rules":
        return {}
    variables = {name: _key_variable(name) for name in KEY_VARIABLES}
    return {name: variable for name, variable in variables.items() if environment.get(variable)}


def describe_writer(settings: RunSettings, environment: Mapping[str, str]) -> str:
    """The provider, and the host that receives terminal text. Raises InputError."""
    name = known_provider(settings.provider)
    if name == "playbook":
        return f"the playbook {settings.playbook}; no data leaves this machine"
    if not asks_a_model(name):
        return f"{drafted_by(name)}; no data leaves this machine"
    url = _base_url(name, settings, environment)
    host = urlsplit(url).hostname or url
    where = "on this machine" if _is_loopback(host) else "on the network"
    what = "terminal text and project status go" if settings.upload else "terminal text goes"
    return f"{name} ({_model(name, settings, url)}); {what}, redacted, to {host} {where}"


def _module(name: str) -> object:
    return importlib.import_module(f"copilot.providers.{name}_provider")


def _model_module(name: str) -> _ModelModule:
    return cast("_ModelModule", _module(name))


def _key_variable(name: str) -> str:
    return KEY_VARIABLES[name][0]


def _model_provider(
    name: str, settings: RunSettings, environment: Mapping[str, str], say: Callable[[str], None]
) -> Provider:
    from copilot.providers.faults import Endpoint
    from copilot.providers.model_provider import ModelProvider
    from copilot.providers.tokens import token_counter

    url = _base_url(name, settings, environment)
    key = _key(name, url, environment)
    model = _model(name, settings, url)
    host = urlsplit(url).netloc
    if key != _NO_KEY and url.startswith("http://") and not _is_loopback(urlsplit(url).hostname or ""):
        say(f"{name}: the key in {_key_variable(name)} and the prompts go to {host} without encryption")
    endpoint = Endpoint(name, model, host, _key_variable(name), key)
    caller = _model_module(name).create_caller(endpoint, url)
    if settings.max_cost_usd is not None and not caller.prices.knows(model):
        raise InputError(
            f"--max-cost: the price of {model} at {host} is not known, so this limit could not be kept; "
            "leave it out (in a settings file: max_cost), and limit the run with --max-steps and --timeout"
        )
    counter = token_counter(name, model, environment)
    return ModelProvider(caller, counter, settings.reply_deadline_seconds, say)


def _base_url(name: str, settings: RunSettings, environment: Mapping[str, str]) -> str:
    url = (settings.base_url or environment.get(_model_module(name).URL_VARIABLE) or "").strip().rstrip("/")
    if not url:
        return _model_module(name).OFFICIAL_URL
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        raise InputError(f"--base-url {url!r} is not a URL; write http://HOST:PORT/v1") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InputError(f"--base-url {url!r} is not a URL; write http://HOST:PORT/v1")
    if parts.username or parts.password or parts.query:
        raise InputError(f"--base-url: put the key into {_key_variable(name)}, not into the URL")
    return url


def _key(name: str, url: str, environment: Mapping[str, str]) -> str:
    variable = _key_variable(name)
    key = environment.get(variable, "").strip()
    if key:
        if not key.isascii() or not key.isprintable() or " " in key:
            raise InputError(f"{variable} holds characters that no key has; set it again")
        return key
    if url != _model_module(name).OFFICIAL_URL:
        return _NO_KEY
    raise InputError(f"--provider {name} needs a key: export {variable}=… (or use --provider rules, offline)")


def _model(name: str, settings: RunSettings, url: str) -> str:
    if settings.model:
        return settings.model
    module = _model_module(name)
    if url != module.OFFICIAL_URL:
        raise InputError(f"--provider {name} at {url}: name the model with --model")
    return module.DEFAULT_MODEL


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
