"""Which variables are keys of model providers, by family, and which of them a program is given."""

from __future__ import annotations

import pytest

from copilot.core.provider_keys import FAMILIES, is_provider_key, kept_back, without_keys
from copilot.core.provider_registry import KEY_VARIABLES

VALUE = "not-a-key-but-secret-1"
KEYS = [
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"),
    *("OPENAI_API_KEY", "OPENAI_API_KEY_2", "OPENAI_KEY", "OPENAI_ADMIN_KEY", "AZURE_OPENAI_API_KEY"),
    *("MY_TEAM_OPENAI_API_KEY", "NEXT_PUBLIC_OPENAI_API_KEY", "openai_api_key", "OPENAI_APIKEY"),
    *("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY"),
    *("GROQ_API_KEY", "XAI_API_KEY", "MISTRAL_API_KEY", "DEEPSEEK_API_KEY", "HF_TOKEN", "DASHSCOPE_API_KEY"),
    *("AWS_BEARER_TOKEN_BEDROCK", "LITELLM_MASTER_KEY", "LLM_API_KEY", "CURSOR_API_KEY", "CODEX_API_KEY"),
]
NO_KEYS = [
    *(
        "PATH",
        "HOME",
        "SSH_AUTH_SOCK",
        "GITHUB_TOKEN",
        "GH_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    ),
    *("NPM_TOKEN", "STRIPE_API_KEY", "DATABASE_URL", "GOOGLE_MAPS_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"),
    *("OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_ORG_ID", "OPENAI_API_KEY_FILE", "ANTHROPIC_MODEL"),
    *("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CLAUDE_CODE_API_KEY_HELPER_TTL_MS", "MAX_THINKING_TOKENS", "OPENAI"),
    *("KEY", "MONKEY_CLAUDE", "LOCAL_KEY", "COPILOT_PROVIDER_API_KEY"),
]


@pytest.mark.parametrize("name", KEYS)
def test_it_is_a_key_of_a_model_provider(name: str) -> None:
    assert is_provider_key(name)


@pytest.mark.parametrize("name", NO_KEYS)
def test_it_is_none(name: str) -> None:
    assert not is_provider_key(name)


def test_the_keys_of_our_own_providers_are_among_them() -> None:
    assert all(is_provider_key(name) for names in KEY_VARIABLES.values() for name in names)


def test_each_family_says_why_and_each_name_stands_once() -> None:
    assert all(family.reason for family in FAMILIES)
    every = [name for family in FAMILIES for name in (*family.words, *family.names)]
    assert len(every) == len(set(every))
    assert all(name == name.upper() for name in every)


def test_a_program_is_given_its_own_and_those_that_are_passed() -> None:
    environment = {
        "ANTHROPIC_API_KEY": VALUE,
        "OPENAI_API_KEY": VALUE + "2",
        "GROQ_API_KEY": VALUE + "3",
        "PATH": "/bin",
    }
    assert kept_back(environment) == ("ANTHROPIC_API_KEY", "GROQ_API_KEY", "OPENAI_API_KEY")
    assert kept_back(environment, ["OPENAI_API_KEY"]) == ("ANTHROPIC_API_KEY", "GROQ_API_KEY")
    assert kept_back(environment, ["OPENAI_API_KEY"], ["GROQ_API_KEY"]) == ("ANTHROPIC_API_KEY",)
    assert kept_back(environment, ["all"]) == kept_back(environment, [], ["all"]) == ()
    assert without_keys(environment) == {"PATH": "/bin"}


def test_an_empty_variable_is_not_worth_a_word() -> None:
    assert kept_back({"OPENAI_API_KEY": ""}) == ()


def test_the_same_secret_under_another_name_is_kept_back_too() -> None:
    """Else the name that is told would be a false comfort."""
    environment = {"OPENAI_API_KEY": VALUE, "MY_PROXY": VALUE, "ANTHROPIC_API_KEY": VALUE, "MODE": "same"}
    environment["ADDRESS"] = f"https://user:{VALUE}@127.0.0.1/v1"
    assert kept_back(environment, ["ANTHROPIC_API_KEY"]) == ("ADDRESS", "MY_PROXY", "OPENAI_API_KEY")
    assert kept_back({"OPENAI_API_KEY": "same", "MODE": "same"}) == ("OPENAI_API_KEY",), "a word, by chance"
