"""What went wrong with a call, in one line for the person. Every way a call can fail ends here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from copilot.core.reply import Usage
from copilot.errors import ProviderError
from copilot.prompting.answer import one_sentence

_LONGEST_MESSAGE = 200


class UnusableReply(ProviderError):
    """A provider answered, and the answer cannot be used. It was paid for all the same: `usage`."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Whom a call goes to, as far as a message names it. `key` is taken out of whatever a server says."""

    provider: str
    model: str
    host: str
    key_variable: str
    key: str

    def safe(self, message: str) -> str:
        """A server's words on one line, printable, bounded, and without our key."""
        if len(self.key) >= 8:
            message = message.replace(self.key, "[key]")
        return one_sentence(message, _LONGEST_MESSAGE)

    def error(self, reason: str) -> ProviderError:
        """`reason` under the provider's name."""
        return ProviderError(f"{self.provider}: {reason}")


def status_reason(endpoint: Endpoint, status: int, message: str, wait: str | None) -> str:
    """What an HTTP status means for the person, with the server's own words."""
    said = endpoint.safe(message)
    words = f" ({said})" if said else ""
    waiting = f"; it asks to wait {endpoint.safe(wait)} s" if wait else ""
    fixed = {
        401: f"the key in {endpoint.key_variable} is not accepted (HTTP 401)",
        402: f"the account has no credit (HTTP 402){words}",
        403: f"this key may not use {endpoint.model} (HTTP 403){words}",
        404: f"{endpoint.host} does not know the model {endpoint.model!r} or this address (HTTP 404)",
        413: f"the prompt is too long for {endpoint.model} (HTTP 413)",
        429: f"the rate limit is reached (HTTP 429){waiting}{words}",
        529: f"the service is overloaded (HTTP 529){waiting}",
    }
    if status in fixed:
        return fixed[status]
    if 300 <= status < 400:
        return f"{endpoint.host} redirects elsewhere (HTTP {status}), which is not followed; set the base URL"
    if status >= 500:
        return f"the service fails (HTTP {status}){waiting}{words}"
    if "context" in said.lower() and ("length" in said.lower() or "window" in said.lower()):
        return f"the prompt is too long for {endpoint.model} (HTTP {status}){words}"
    return f"the request was refused (HTTP {status}){words}"


_STREAM_ERRORS: Mapping[str, int] = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "api_error": 500,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "timeout_error": 504,
}


def error_in_body(body: object) -> tuple[int | None, str]:
    """Status and message of an error object, in an answer or within a stream."""
    fields = body
    if isinstance(fields, Mapping) and isinstance(fields.get("error"), Mapping):
        fields = fields["error"]
    if not isinstance(fields, Mapping):
        return None, str(body) if isinstance(body, str) else ""
    kind, message = fields.get("type"), fields.get("message")
    status = _STREAM_ERRORS.get(kind) if isinstance(kind, str) else None
    return status, message if isinstance(message, str) else ""


def timeout_reason(endpoint: Endpoint, seconds: float, last_status: int | None, wait: str | None) -> str:
    """What our own deadline says, with the last thing that the server said."""
    reason = f"no whole answer within {seconds:g} s"
    if last_status is None:
        return f"{reason} from {endpoint.host}"
    if last_status >= 400:
        return f"{reason}; last: {status_reason(endpoint, last_status, '', wait)}"
    return f"{reason}; {endpoint.host} began to answer and stalled"
