"""What a call cost, from a price list that is in the wheel of genai-prices. Unknown is None, never 0."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass

_log = logging.getLogger("copilot.providers.prices")


@dataclass(frozen=True, slots=True)
class PriceList:
    """Whose prices hold: `provider` and `flavor` as genai-prices names them.

    `api_url` is set for a base URL that the user chose: then only a provider known under that URL has
    prices, for a model's name says nothing about what a stranger takes for it.
    """

    provider: str
    flavor: str
    api_url: str | None = None

    def knows(self, model: str) -> bool:
        """Whether a call's cost can be known before the call."""
        return self.cost_of_tokens(model, 1, 1) is not None

    def cost_of_tokens(self, model: str, sent: int, got: int) -> float | None:
        """The cost of a call of so many tokens, or None if it is not known."""
        # Services name the same counts in one of two ways; each flavor reads its own names.
        anthropic = {"input_tokens": sent, "output_tokens": got}
        openai = {"prompt_tokens": sent, "completion_tokens": got, "total_tokens": sent + got}
        return self.cost_usd(model, {**anthropic, **openai})

    def cost_usd(self, model: str, usage: Mapping[str, object]) -> float | None:
        """The cost of one call by the usage that the provider reported, or None if it is not known."""
        try:
            prices = importlib.import_module("genai_prices")
            data = {"model": model, "usage": dict(usage)}
            if self.api_url is None:
                found = prices.extract_usage(data, provider_id=self.provider, api_flavor=self.flavor)
            else:
                found = prices.extract_usage(data, provider_api_url=self.api_url, api_flavor=self.flavor)
            return float(found.calc_price().total_price)
        except LookupError:
            return None
        except Exception as problem:  # whatever a server reports as usage, the reply itself is still good
            _log.info("no price for %s: %s", model, type(problem).__name__)
            return None
