"""Who writes the replies, and that nobody is chosen behind the person's back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from copilot.providers.create import create_provider, describe_provider

BASE = RunSettings(child=("x",), profile="generic", autonomy=Autonomy.SUGGEST, cwd="/", log_folder="/tmp")
BOTH = {"ANTHROPIC_API_KEY": "sk-ant-1234567890", "OPENAI_API_KEY": "sk-1234567890"}


def test_the_default_is_offline_even_if_keys_are_set() -> None:
    assert create_provider(BASE, BOTH).name == "rules"
    line = describe_provider(BASE, BOTH)
    assert (
        "no data leaves this machine" in line
        and "ANTHROPIC_API_KEY and OPENAI_API_KEY set but not used" in line
    )
    assert "1234567890" not in line


@pytest.mark.parametrize("provider", ["rules", "playbook"])
def test_a_model_that_is_not_asked_is_told(provider: str) -> None:
    named = replace(BASE, provider=provider, model="foo", playbook="a.yml")
    assert describe_provider(named, {}).endswith(
        "no data leaves this machine (model foo set but not used: choose with --provider)"
    )
    assert describe_provider(replace(named, model=""), {}).endswith("; no data leaves this machine")


def test_no_provider_is_chosen_by_the_keys_that_are_set() -> None:
    with pytest.raises(
        InputError, match="invalid choice 'auto' \\(choose from anthropic, openai, rules, playbook\\)"
    ):
        create_provider(replace(BASE, provider="auto"), BOTH)


@pytest.mark.row("CP-13")
@pytest.mark.parametrize("name", ["anthropic", "openai"])
def test_a_missing_key_is_told_with_the_fix(name: str) -> None:
    for environment in ({}, {f"{name.upper()}_API_KEY": "  "}):
        with pytest.raises(InputError, match=f"export {name.upper()}_API_KEY=.*--provider rules"):
            create_provider(replace(BASE, provider=name), environment)
    with pytest.raises(InputError, match="no key has"):
        create_provider(replace(BASE, provider=name), {f"{name.upper()}_API_KEY": "sk\nnext"})


def test_a_local_server_needs_no_key_but_a_model() -> None:
    local = replace(BASE, provider="openai", base_url="http://127.0.0.1:11434/v1/")
    with pytest.raises(InputError, match="--model"):
        create_provider(local, {})
    provider = create_provider(replace(local, model="llama3"), {})
    assert provider.model == "llama3"
    assert "127.0.0.1 on this machine" in describe_provider(replace(local, model="llama3"), {})


def test_a_limit_of_cost_needs_a_price_that_is_known() -> None:
    limited = replace(BASE, provider="openai", max_cost_usd=1.0)
    assert create_provider(limited, BOTH).name == "openai"
    assert create_provider(replace(limited, provider="anthropic"), BOTH).name == "anthropic"
    local = replace(limited, base_url="http://127.0.0.1:11434/v1", model="llama3")
    for unknown, named in (
        (local, "llama3 at 127.0.0.1:11434"),
        (replace(local, model="gpt-5.4-mini"), "gpt-5.4-mini at 127.0.0.1:11434"),
        (replace(limited, model="no-such-model"), "no-such-model at api.openai.com"),
        (replace(limited, provider="anthropic", model="no-such"), "no-such at api.anthropic.com"),
    ):
        with pytest.raises(InputError, match=f"--max-cost: the price of {named} is not known.*--max-steps"):
            create_provider(unknown, BOTH)
        assert create_provider(replace(unknown, max_cost_usd=None), BOTH)
    assert create_provider(replace(limited, provider="rules"), {}).name == "rules"


def test_what_is_sent_is_told_in_right_words() -> None:
    chosen = replace(BASE, provider="openai", model="m")
    assert "terminal text and project status go, redacted, to api" in describe_provider(chosen, BOTH)
    assert "terminal text goes, redacted, to api" in describe_provider(replace(chosen, upload=False), BOTH)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("127.0.0.1:80", "not a URL"),
        ("ftp://x", "not a URL"),
        ("http://[::1", "not a URL"),
        ("http://x:y", "not a URL"),
        ("https://me:key@host/v1", "not into the URL"),
        ("https://h/v1?key=1", "not into the URL"),
    ],
)
def test_bad_base_urls(url: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        create_provider(replace(BASE, provider="openai", model="m", base_url=url), {})


def test_a_key_that_goes_out_unencrypted_is_told() -> None:
    said: list[str] = []
    create_provider(
        replace(BASE, provider="openai", model="m", base_url="http://10.0.0.5/v1"), BOTH, said.append
    )
    assert len(said) == 1 and "without encryption" in said[0]


def test_unknown_names_directives_and_playbooks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'anthropic'"):
        create_provider(replace(BASE, provider="antropic"), {})
    with pytest.raises(InputError, match="line 1"):
        create_provider(replace(BASE, governing_prompt='when "(": yes'), {})
    with pytest.raises(InputError, match="--playbook FILE"):
        create_provider(replace(BASE, provider="playbook"), {})
    (tmp_path / "p.yml").write_text("replies: [{text: x}]")
    book = replace(BASE, provider="playbook", playbook="p.yml", cwd=str(tmp_path))
    assert create_provider(book, {}).name == "playbook" and "p.yml" in describe_provider(book, {})


def test_the_base_url_variable_of_the_sdk_is_honoured_and_the_flag_wins() -> None:
    environment = {**BOTH, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    chosen = replace(BASE, provider="openai", model="m")
    assert "127.0.0.1" in describe_provider(chosen, environment)
    assert "10.0.0.1" in describe_provider(replace(chosen, base_url="http://10.0.0.1/v1"), environment)
