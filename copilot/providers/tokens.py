"""Counting tokens without a network: exact tables where they lie on this machine, else the estimate.

tiktoken downloads its tables when they are missing and knows no offline switch, so it is asked only after
its cache file was found and its hash checked here. The extra `copilot-terminal[tokens]` brings the same
tables in a wheel (bpe-openai). Nothing is imported before the first count, and the choice is logged once.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from copilot.plain_files import MIB, read_plain
from copilot.prompting.tokens import Calibration, estimate_tokens

_log = logging.getLogger("copilot.providers.tokens")

_TABLE_URL = "https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
_TABLE_SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
_MOST_BYTES = 16 * MIB
"""The larger table has 3.6 MB."""
_O200K_MODELS = ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "gpt-6", "o1", "o3", "o4", "chatgpt-", "gpt-oss")
_CL100K_MODELS = ("gpt-4", "gpt-3.5")

Count = Callable[[str], int]


class TokenCounter:
    """Counts for one model; callable, so that it is an estimator. Corrected by what the provider reports."""

    def __init__(self, model: str, load: Callable[[], tuple[Count, str]]) -> None:
        self.model = model
        self._load = load
        self._count: Count | None = None
        self._source = ""
        self._calibration = Calibration()

    def __call__(self, text: str) -> int:
        """Tokens of `text`, corrected. The first call loads the tables (up to half a second)."""
        return self._calibration.scaled(self.model, self.uncorrected(text))

    def uncorrected(self, text: str) -> int:
        """Tokens of `text` by the tables or the estimate alone."""
        if self._count is None:
            self.load()
        assert self._count is not None
        return self._count(text)

    def load(self) -> str:
        """Choose the source now (in a thread, if the loop must not wait) and name it."""
        if self._count is None:
            self._count, self._source = self._load()
            _log.info("tokens for %s are counted by %s", self.model or "this run", self._source)
        return self._source

    def learn(self, text: str, reported: int) -> None:
        """Correct further counts by the tokens that the provider reported for `text`."""
        self._calibration = self._calibration.updated(self.model, self.uncorrected(text), reported)


def token_counter(provider: str, model: str, environment: Mapping[str, str]) -> TokenCounter:
    """The counter for one model; loads nothing yet. Only OpenAI's models have public tables."""
    encoding = encoding_name(model) if provider == "openai" else None
    return TokenCounter(model, lambda: _load_count(encoding, environment))


def encoding_name(model: str) -> str | None:
    """The name of the encoding of an OpenAI model, or None for another vendor's model."""
    bare = model.rpartition("/")[2]
    if bare.startswith(_O200K_MODELS):
        return "o200k_base"
    return "cl100k_base" if bare.startswith(_CL100K_MODELS) else None


def _load_count(encoding: str | None, environment: Mapping[str, str]) -> tuple[Count, str]:
    if encoding is not None:
        if _table_is_cached(encoding, environment) and (count := _from_tiktoken(encoding)):
            return count, f"tiktoken ({encoding})"
        if count := _from_bpe_openai(encoding):
            return count, f"bpe-openai ({encoding})"
    return estimate_tokens, "an estimate (UTF-8 bytes / 3.5), corrected by what the provider reports"


def _table_is_cached(encoding: str, environment: Mapping[str, str]) -> bool:
    """Whether tiktoken will find its table on disk, with the right content: else it would download it."""
    folder = environment.get("TIKTOKEN_CACHE_DIR") or environment.get("DATA_GYM_CACHE_DIR")
    place = Path(folder) if folder else Path(tempfile.gettempdir()) / "data-gym-cache"
    url = _TABLE_URL.format(name=encoding)
    name = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
    try:
        content = read_plain(place / name, _MOST_BYTES)
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == _TABLE_SHA256[encoding]


def _from_tiktoken(encoding: str) -> Count | None:
    try:
        table = importlib.import_module("tiktoken").get_encoding(encoding)
    except Exception as problem:  # a broken install must not end a run: the estimate is good enough
        _log.info("tiktoken cannot be used: %s", type(problem).__name__)
        return None
    return lambda text: len(table.encode_ordinary(text))


def _from_bpe_openai(encoding: str) -> Count | None:
    try:
        table = importlib.import_module("bpe_openai").get_encoding(encoding)
    except Exception as problem:  # the extra is optional, and alpha
        _log.info("bpe-openai cannot be used: %s", type(problem).__name__)
        return None
    return lambda text: len(table.encode_ordinary(text))
