"""`create_provider`: who writes the replies of a run. Nothing is chosen behind the person's back.

The default is `rules`, which sends nothing anywhere, also when a key is set: keys lie in environments for
other programs (docs/decisions/2026-11-21-provider-default.md). `describe_provider` says who writes.
"""

from __future__ import annotations

import difflib
import ipaddress
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from copilot.core.reply_request import asks_a_model
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.providers.model_provider import Provider

_log = logging.getLogger("copilot.providers")

PROVIDERS = ("anthropic", "openai", "rules", "playbook")
KEY_VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_URL_VARIABLES = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}
_NO_KEY = "not-needed"
OFFLINE = "offline rules; nothing is sent anywhere"


def create_provider(
    settings: RunSettings, environment: Mapping[str, str], say: Callable[[str], None] = _log.warning
) -> Provider:
    """The provider that `settings` ask for; SDKs are not imported yet.

    `say` gets lines for the person. Raises InputError, with the fix, for an unknown provider, a missing key
    or model, a base URL that is none, a directive or a playbook that cannot be read, a limit of cost where
    the price is not known.
    """
    name = known_provider(settings.provider)
    if name == "rules":
        from copilot.providers.rules_provider import RulesProvider
        from copilot.providers.unread_lines import unread_note

        if unread := unread_note(settings.governing_prompt):
            say(unread)
        return RulesProvider()
    if name == "playbook":
        return _playbook(settings, say)
    return _model_provider(name, settings, environment, say)


def known_provider(provider: str) -> str:
    """The same name. Raises InputError if it is no provider's."""
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
    told = f" ({' and '.join(unused)} set but not used: choose with --provider)" if unused else ""
    return f"replies come from {describe_writer(settings, environment)}{told}"


def unused_keys(settings: RunSettings, environment: Mapping[str, str]) -> dict[str, str]:
    """Where the offline rules write: the providers whose key is set all the same, with its variable."""
    if known_provider(settings.provider) != "rules":
        return {}
    return {name: variable for name, variable in KEY_VARIABLES.items() if environment.get(variable)}


def describe_writer(settings: RunSettings, environment: Mapping[str, str]) -> str:
    """Who writes the replies, and where what they read goes. Raises InputError."""
    name = known_provider(settings.provider)
    if name == "playbook":
        return f"the playbook {settings.playbook}; nothing is sent anywhere"
    if name == "rules":
        return OFFLINE
    url = _base_url(name, settings, environment)
    host = urlsplit(url).hostname or url
    where = "on this machine" if _is_loopback(host) else "on the network"
    what = "terminal text and project status go" if settings.upload else "terminal text goes"
    return f"{name} ({_model(name, settings, url)}); {what}, redacted, to {host} {where}"


def _playbook(settings: RunSettings, say: Callable[[str], None]) -> Provider:
    from copilot.providers.playbook_file import load_playbook
    from copilot.providers.playbook_provider import PlaybookProvider

    if not settings.playbook:
        raise InputError("--provider playbook needs a file: --playbook FILE")
    path = Path(settings.cwd, settings.playbook)
    return PlaybookProvider(load_playbook(path), say)


def _model_provider(
    name: str, settings: RunSettings, environment: Mapping[str, str], say: Callable[[str], None]
) -> Provider:
    from copilot.providers.faults import Endpoint
    from copilot.providers.model_provider import ModelCaller, ModelProvider
    from copilot.providers.tokens import token_counter

    url = _base_url(name, settings, environment)
    key = _key(name, url, environment)
    model = _model(name, settings, url)
    host = urlsplit(url).netloc
    if key != _NO_KEY and url.startswith("http://") and not _is_loopback(urlsplit(url).hostname or ""):
        say(f"{name}: the key in {KEY_VARIABLES[name]} and the prompts go to {host} without encryption")
    endpoint = Endpoint(name, model, host, KEY_VARIABLES[name], key)
    caller: ModelCaller
    if name == "anthropic":
        from copilot.providers import anthropic_provider

        caller = anthropic_provider.AnthropicCaller(endpoint, url, anthropic_provider.price_list(url))
    else:
        from copilot.providers import openai_provider

        caller = openai_provider.OpenAICaller(endpoint, url, openai_provider.price_list(url))
    if settings.max_cost_usd is not None and not caller.prices.knows(model):
        raise InputError(
            f"--max-cost: the price of {model} at {host} is not known, so this limit could not be kept; "
            "leave it out (in a settings file: max_cost), and limit the run with --max-steps and --timeout"
        )
    counter = token_counter(name, model, environment)
    return ModelProvider(caller, counter, settings.reply_deadline_seconds, say)


def _base_url(name: str, settings: RunSettings, environment: Mapping[str, str]) -> str:
    url = (settings.base_url or environment.get(_URL_VARIABLES[name]) or "").strip().rstrip("/")
    if not url:
        return _official_url(name)
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        raise InputError(f"--base-url {url!r} is no URL; write http://HOST:PORT/v1") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InputError(f"--base-url {url!r} is no URL; write http://HOST:PORT/v1")
    if parts.username or parts.password or parts.query:
        raise InputError(f"--base-url: put the key into {KEY_VARIABLES[name]}, not into the URL")
    return url


def _official_url(name: str) -> str:
    if name == "anthropic":
        from copilot.providers.anthropic_provider import OFFICIAL_URL
    else:
        from copilot.providers.openai_provider import OFFICIAL_URL
    return OFFICIAL_URL


def _key(name: str, url: str, environment: Mapping[str, str]) -> str:
    key = environment.get(KEY_VARIABLES[name], "").strip()
    if key:
        if not key.isascii() or not key.isprintable() or " " in key:
            raise InputError(f"{KEY_VARIABLES[name]} holds characters that no key has; set it again")
        return key
    if url != _official_url(name):
        return _NO_KEY
    raise InputError(
        f"--provider {name} needs a key: export {KEY_VARIABLES[name]}=… (or use --provider rules, offline)"
    )


def _model(name: str, settings: RunSettings, url: str) -> str:
    if settings.model:
        return settings.model
    if url != _official_url(name):
        raise InputError(f"--provider {name} at {url}: name the model with --model")
    if name == "anthropic":
        from copilot.providers.anthropic_provider import DEFAULT_MODEL
    else:
        from copilot.providers.openai_provider import DEFAULT_MODEL
    return DEFAULT_MODEL


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
