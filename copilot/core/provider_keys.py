"""Which environment variables hold a key of a model provider, and which of them a program is not given.

A key opens an account that is paid by use, and every program that is started inherits all of them. So a
coding CLI gets those that its profile names (`[launch] keys`), any other program none, unless `pass_keys`
says more. Keys of other services (git hosts, clouds, package registries) stay: the work needs those.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from copilot.core.provider_registry import KEY_VARIABLES

ALL = "all"
"""Instead of names: every key."""


@dataclass(frozen=True, slots=True)
class KeyFamily:
    """Variables that hold keys of one kind of provider, and why they count.

    `words` are parts of a name that mean nothing else: any variable with one of them counts if it is a
    key by its name (`MY_OPENAI_KEY_2`). `names` are whole names, where the word alone has other meanings.
    """

    reason: str
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


FAMILIES = (
    KeyFamily(
        "makers of models: the key pays for each call",
        words=(
            *("ANTHROPIC", "CLAUDE", "OPENAI", "GEMINI", "MISTRAL", "CODESTRAL", "DEEPSEEK", "XAI", "GROK"),
            *(
                "COHERE",
                "PERPLEXITY",
                "PPLX",
                "MOONSHOT",
                "ZHIPU",
                "ZHIPUAI",
                "BIGMODEL",
                "DASHSCOPE",
                "QWEN",
            ),
            *("BAILIAN", "MINIMAX", "HUNYUAN", "QIANFAN", "STEPFUN", "DOUBAO", "AI21", "WATSONX", "VOYAGEAI"),
        ),
        names=(
            *("GOOGLE_API_KEY", "GOOGLE_AI_API_KEY", "GOOGLE_GENAI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"),
            *("CO_API_KEY", "KIMI_API_KEY", "ZAI_API_KEY", "Z_AI_API_KEY", "GLM_API_KEY", "ARK_API_KEY"),
            *("VOYAGE_API_KEY", "JINA_API_KEY", "UPSTAGE_API_KEY", "INCEPTION_API_KEY", "REKA_API_KEY"),
        ),
    ),
    KeyFamily(
        "hosts of models and gateways to them: one key pays for the models of many makers",
        words=(
            *("OPENROUTER", "GROQ", "LITELLM", "HUGGINGFACE", "HUGGINGFACEHUB", "CEREBRAS", "SAMBANOVA"),
            *("DEEPINFRA", "FIREWORKSAI", "TOGETHERAI", "NEBIUS", "NOVITA", "SILICONFLOW", "MODELSCOPE"),
            *("BASETEN", "OLLAMA", "LMSTUDIO", "ANYSCALE", "HYPERBOLIC", "REQUESTY", "PORTKEY", "LLM"),
        ),
        names=(
            *("HF_TOKEN", "HF_API_KEY", "HF_API_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGING_FACE_TOKEN"),
            *("TOGETHER_API_KEY", "FIREWORKS_API_KEY", "REPLICATE_API_TOKEN", "REPLICATE_API_KEY"),
            *("NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY", "AWS_BEARER_TOKEN_BEDROCK", "AZURE_API_KEY"),
            *("AZURE_AI_API_KEY", "AZURE_INFERENCE_KEY", "AI_GATEWAY_API_KEY", "CHUTES_API_KEY"),
            *("VENICE_API_KEY", "SYNTHETIC_API_KEY", "HELICONE_API_KEY", "POE_API_KEY", "AI_API_KEY"),
        ),
    ),
    KeyFamily(
        "coding CLIs: the key is a subscription, or speaks for the person",
        names=(
            *("CODEX_API_KEY", "CURSOR_API_KEY", "OPENCODE_API_KEY", "AMP_API_KEY", "FACTORY_API_KEY"),
            *("AUGMENT_API_TOKEN", "AUGMENT_SESSION_AUTH", "WINDSURF_API_KEY", "GOOSE_PROVIDER__API_KEY"),
        ),
    ),
    KeyFamily(
        "headers of each request to a model: a gateway's key is among them",
        names=("ANTHROPIC_CUSTOM_HEADERS", "OPENAI_EXTRA_HEADERS", "GEMINI_CLI_CUSTOM_HEADERS"),
    ),
)

_WORDS = frozenset(word for family in FAMILIES for word in family.words)
_NAMES = frozenset(name for family in FAMILIES for name in family.names).union(*KEY_VARIABLES.values())
_KEY_WORDS = frozenset(
    {"KEY", "KEYS", "APIKEY", "APIKEYS", "TOKEN", "SECRET", "CREDENTIAL", "CREDENTIALS", "BEARER", "JWT"}
)
_ABOUT_A_KEY = frozenset({"FILE", "PATH", "DIR", "URL", "HELPER", "NAME", "ID", "DESCRIPTOR", "TTL", "LIMIT"})
"""What follows `KEY` in the name of a variable that says something of a key and holds none."""
_LEAST_LENGTH = 16
"""So long a value is no word that two variables have in common by chance."""


def is_provider_key(name: str) -> bool:
    """Whether a variable of this name holds a key of a model provider. Upper and lower case are the same."""
    folded = name.upper()
    words = set(folded.split("_"))
    by_word = words & _WORDS and words & _KEY_WORDS and not words & _ABOUT_A_KEY
    return bool(by_word) or folded in _NAMES


def kept_back(
    environment: Mapping[str, str], own: Collection[str] = (), passed: Collection[str] = ()
) -> tuple[str, ...]:
    """The variables of `environment` that a program is not given, in alphabetical order.

    `own` and `passed` name the keys that it is given; `all` stands for every one. A variable whose value
    holds a key that is kept back is kept back too, whatever its name.
    """
    given = {*own, *passed}
    if ALL in given:
        return ()
    keys = {name for name in environment if name not in given and is_provider_key(name)}
    values = {environment[name] for name in keys if len(environment[name]) >= _LEAST_LENGTH}
    holding = {
        name
        for name, value in environment.items()
        if name not in given and any(secret in value for secret in values)
    }
    return tuple(sorted(name for name in keys | holding if environment[name]))


def without_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` for a program of ours that asks no model."""
    kept = set(kept_back(environment))
    return {name: value for name, value in environment.items() if name not in kept}
