"""Counting and pricing, without a network."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from copilot.prompting.tokens import estimate_tokens
from copilot.providers.prices import PriceList
from copilot.providers.tokens import encoding_name, token_counter

SAMPLES = {
    "english": "The quick brown fox jumps over the lazy dog. It was the best of times, it was the worst of times. "
    * 20,
    "python": 'def add(first: int, second: int) -> int:\n    """Both together."""\n    return first + second\n\n'
    * 20,
    "german": "Die Würde des Menschen ist unantastbar. Sie zu achten und zu schützen ist Verpflichtung. "
    * 20,
    "japanese": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 20,
    "russian": "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. "
    * 20,
    "tui": "╭──────────────────────────────────╮\n│ Do you want to proceed?          │\n│ ❯ 1. Yes                         │\n╰──────────────────────────────────╯\n"
    * 20,
}


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-5.4-mini", "o200k_base"),
        ("openai/gpt-4o", "o200k_base"),
        ("o3", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("llama3", None),
        ("claude-haiku-5-5", None),
    ],
)
def test_models_and_their_tables(model: str, encoding: str | None) -> None:
    assert encoding_name(model) == encoding


MEASURED = {"english": 1.16, "python": 1.11, "german": 1.24, "japanese": 0.88, "russian": 1.93, "tui": 2.4}
"""Estimate by exact count of o200k. The goal was 1.0 to 1.7: bytes / 3.5 misses it for three of these texts."""


@pytest.mark.parametrize("name", SAMPLES)
def test_the_estimate_against_the_exact_table(name: str) -> None:
    """No worse than measured uncorrected, within 10 % after one report (reference/safety.md f)."""
    pytest.importorskip("bpe_openai")
    exact = token_counter("openai", "gpt-5.4-mini", {"TIKTOKEN_CACHE_DIR": "/nonexistent"})
    assert "bpe-openai" in exact.load()
    text = SAMPLES[name]
    true = exact.uncorrected(text)
    assert abs(estimate_tokens(text) / true - MEASURED[name]) <= 0.02, f"{estimate_tokens(text) / true:.2f}"
    counter = token_counter("anthropic", "m", {})
    half = text[: len(text) // 2]
    counter.learn(half, exact.uncorrected(half))
    assert abs(counter(text) - true) <= true * 0.1


def test_tables_in_tiktokens_own_cache_are_used_if_their_content_is_right(tmp_path: Path) -> None:
    bpe_openai = pytest.importorskip("bpe_openai")
    data = next(Path(bpe_openai.__file__).parent.rglob("o200k_base*.gz"), None)
    if data is None:
        pytest.skip("this bpe-openai carries no table file")
    name = hashlib.sha1(
        b"https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    ).hexdigest()
    (tmp_path / name).write_bytes(gzip.decompress(data.read_bytes()))
    environment = {"TIKTOKEN_CACHE_DIR": str(tmp_path)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
        counter = token_counter("openai", "gpt-5", environment)
        assert counter.load() == "tiktoken (o200k_base)"
        assert counter("hello <|endoftext|> world") > 3
    (tmp_path / name).write_bytes(b"tampered")
    assert "tiktoken" not in token_counter("openai", "gpt-5", environment).load()


def test_the_source_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "copilot.providers.tokens")
    counter = token_counter("anthropic", "claude-haiku-5-5", {})
    for _ in range(3):
        counter("text")
    assert len(caplog.records) == 1 and "an estimate" in caplog.records[0].message


@pytest.mark.parametrize(
    ("prices", "model", "usage"),
    [
        (
            PriceList("anthropic", "default"),
            "claude-haiku-5-5",
            {
                "input_tokens": 1000,
                "output_tokens": 100,
                "cache_read_input_tokens": 5000,
                "cache_creation_input_tokens": 200,
            },
        ),
        (
            PriceList("openai", "chat"),
            "gpt-5.4-mini",
            {
                "prompt_tokens": 6000,
                "completion_tokens": 100,
                "total_tokens": 6100,
                "prompt_tokens_details": {"cached_tokens": 5000},
            },
        ),
    ],
)
def test_known_prices_are_those_of_the_price_list(
    prices: PriceList, model: str, usage: dict[str, object]
) -> None:
    import genai_prices

    if prices.provider == "anthropic":
        parts = genai_prices.Usage(
            input_tokens=6200, output_tokens=100, cache_read_tokens=5000, cache_write_tokens=200
        )
    else:
        parts = genai_prices.Usage(input_tokens=6000, output_tokens=100, cache_read_tokens=5000)
    expected = float(genai_prices.calc_price(parts, model, provider_id=prices.provider).total_price)
    found = prices.cost_usd(model, usage)
    assert found is not None and found == pytest.approx(expected, rel=0.01) and found > 0


def test_unknown_prices_are_unknown_and_never_zero() -> None:
    usage: dict[str, object] = {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}
    assert PriceList("openai", "chat").cost_usd("llama3", usage) is None
    assert PriceList("openai", "chat", "http://127.0.0.1:11434/v1").cost_usd("gpt-5.4-mini", usage) is None
    assert PriceList("openai", "chat").cost_usd("gpt-5.4-mini", {"odd": "usage"}) is None
