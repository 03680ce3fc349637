"""OpenAI, and every server that speaks its chat protocol, through the `openai` SDK, imported on first use.

Chat completions, not the newer responses interface: it is what ollama, llama.cpp, vLLM and LM Studio speak.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from copilot.core.reply import ReplyRequest
from copilot.prompting.system_prompt import ANSWER_SCHEMA
from copilot.providers.faults import Endpoint
from copilot.providers.model_provider import MAX_ANSWER_CHARACTERS, ModelReply
from copilot.providers.prices import PriceList
from copilot.providers.sdk_caller import SdkCaller, count_of
from copilot.providers.transport import MAX_RETRIES

OFFICIAL_URL = "https://api.openai.com/v1"
URL_VARIABLE = "OPENAI_BASE_URL"
DEFAULT_MODEL = "gpt-5.4-mini"
MAX_TOKENS = 4_096
_STOPS = {"stop": "end", "length": "length", "content_filter": "refusal"}


class OpenAICaller(SdkCaller):
    """OpenAI itself, or a server at another base URL."""

    sdk_name = "openai"

    def make_client(self, sdk: Any, http_client: Any, timeout: Any) -> Any:
        """The client."""
        return sdk.AsyncOpenAI(
            api_key=self.endpoint.key,
            base_url=self.base_url,
            timeout=timeout,
            max_retries=MAX_RETRIES,
            http_client=http_client,
        )

    async def stream(
        self, client: Any, request: ReplyRequest, on_text: Callable[[str], None], *, structured: bool
    ) -> ModelReply:
        """One streamed call."""
        gathered = _Gathered()
        arguments = self._arguments(request, structured=structured)
        async with await client.chat.completions.create(**arguments) as stream:
            async for chunk in stream:
                piece = gathered.take(chunk)
                if gathered.size > MAX_ANSWER_CHARACTERS:
                    raise self.endpoint.error("the answer has no end")
                if piece:
                    on_text(piece)
        return gathered.reply()

    def _arguments(self, request: ReplyRequest, *, structured: bool) -> dict[str, object]:
        """The request body; constant parts come first, since the service caches by prefix."""
        limit = "max_completion_tokens" if self.base_url == OFFICIAL_URL else "max_tokens"
        arguments: dict[str, object] = {
            "model": self.endpoint.model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            limit: MAX_TOKENS,
        }
        if structured:
            schema = {"name": "reply", "strict": True, "schema": ANSWER_SCHEMA}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        return arguments


def create_caller(endpoint: Endpoint, base_url: str) -> OpenAICaller:
    prices = PriceList("openai", "chat", None if base_url == OFFICIAL_URL else base_url)
    return OpenAICaller(endpoint, base_url, prices)


class _Gathered:
    """The pieces of a stream put together."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._refusal: list[str] = []
        self._finish: str | None = None
        self._usage: Mapping[str, object] = {}
        self.size = 0

    def take(self, chunk: Any) -> str:
        """One chunk; returns the text in it."""
        if chunk.usage is not None:
            self._usage = chunk.usage.model_dump(exclude_none=True)
        text = ""
        for choice in (chunk.choices or [])[:1]:
            text = (choice.delta.content or "") if choice.delta else ""
            refusal = getattr(choice.delta, "refusal", None) or ""
            self._finish = choice.finish_reason or self._finish
            self._refusal.append(refusal)
            self.size += len(text) + len(refusal)
        self._pieces.append(text)
        return text

    def reply(self) -> ModelReply:
        """The whole answer, or what there was of it."""
        refusal = "".join(self._refusal)
        stop = "refusal" if refusal else _STOPS.get(self._finish or "", "cut")
        details = self._usage.get("prompt_tokens_details")
        cached = count_of(details, "cached_tokens") if isinstance(details, Mapping) else 0
        return ModelReply(
            text=refusal or "".join(self._pieces),
            stop=stop,
            usage=self._usage or None,
            input_tokens=count_of(self._usage, "prompt_tokens"),
            output_tokens=count_of(self._usage, "completion_tokens"),
            cached_tokens=cached,
        )
