"""Claude through the `anthropic` SDK, imported on the first call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from copilot.core.reply import ReplyRequest
from copilot.prompting.request import GOVERNING_PART
from copilot.prompting.system_prompt import ANSWER_SCHEMA
from copilot.providers.faults import Endpoint
from copilot.providers.model_provider import MAX_ANSWER_CHARACTERS, ModelReply
from copilot.providers.prices import PriceList
from copilot.providers.sdk_caller import SdkCaller, count_of
from copilot.providers.transport import MAX_RETRIES

OFFICIAL_URL = "https://api.anthropic.com"
URL_VARIABLE = "ANTHROPIC_BASE_URL"
DEFAULT_MODEL = "claude-haiku-5-5"
MAX_TOKENS = 4_096
CACHE_LEAST_TOKENS = 1_024
"""Below this the service caches nothing, so nothing is marked."""
_STOPS = {"end_turn": "end", "stop_sequence": "end", "refusal": "refusal", "max_tokens": "length"}


class AnthropicCaller(SdkCaller):
    """Claude, or a gateway that speaks its protocol."""

    sdk_name = "anthropic"

    def make_client(self, sdk: Any, http_client: Any, timeout: Any) -> Any:
        """The client; tracing off, for it would carry the prompt to wherever traces go."""
        return sdk.AsyncAnthropic(
            api_key=self.endpoint.key,
            base_url=self.base_url,
            timeout=timeout,
            max_retries=MAX_RETRIES,
            http_client=http_client,
            open_telemetry=False,
        )

    async def stream(
        self, client: Any, request: ReplyRequest, on_text: Callable[[str], None], *, structured: bool
    ) -> ModelReply:
        """One streamed call."""
        size = 0
        arguments = message_arguments(request, self.endpoint.model, structured=structured)
        async with client.messages.stream(**arguments) as stream:
            async for event in stream:
                if event.type == "text":
                    size += len(event.text)
                    if size > MAX_ANSWER_CHARACTERS:
                        raise self.endpoint.error("the answer has no end")
                    on_text(event.text)
            message = await stream.get_final_message()
        return _reply(message)


def create_caller(endpoint: Endpoint, base_url: str) -> AnthropicCaller:
    prices = PriceList("anthropic", "default", None if base_url == OFFICIAL_URL else base_url)
    return AnthropicCaller(endpoint, base_url, prices)


def message_arguments(request: ReplyRequest, model: str, *, structured: bool) -> dict[str, object]:
    """What is sent: what stays the same first (system, governing prompt), marked for caching if long."""
    system: dict[str, object] = {"type": "text", "text": request.system}
    first, rest = request.parts[0].text if request.parts else "", request.user
    content: list[dict[str, object]] = []
    if len(request.parts) > 1 and request.parts[0].name == GOVERNING_PART:
        content.append({"type": "text", "text": first + "\n\n"})
        rest = request.user[len(first) + 2 :]
    content.append({"type": "text", "text": rest})
    stable = len(request.system.encode()) // 4 + (request.parts[0].tokens if len(content) > 1 else 0)
    if stable >= CACHE_LEAST_TOKENS:
        (content[0] if len(content) > 1 else system)["cache_control"] = {"type": "ephemeral"}
    arguments: dict[str, object] = {
        "model": model,
        "max_tokens": MAX_TOKENS,
        "system": [system],
        "messages": [{"role": "user", "content": content}],
    }
    if structured:
        arguments["output_config"] = {"format": {"type": "json_schema", "schema": ANSWER_SCHEMA}}
    return arguments


def _reply(message: Any) -> ModelReply:
    """What came; without a stop reason the stream ended before the answer did."""
    text = "".join(block.text for block in message.content if block.type == "text")
    stop = _STOPS.get(message.stop_reason or "", "cut")
    usage: Mapping[str, object] = message.usage.model_dump(exclude_none=True) if message.usage else {}
    read, written = count_of(usage, "cache_read_input_tokens"), count_of(usage, "cache_creation_input_tokens")
    return ModelReply(
        text=text,
        stop=stop,
        usage=usage or None,
        input_tokens=count_of(usage, "input_tokens") + read + written,
        output_tokens=count_of(usage, "output_tokens"),
        cached_tokens=read,
    )
