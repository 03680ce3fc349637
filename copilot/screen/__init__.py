"""The emulated screen: bytes of the child in, `ScreenSnapshot`, answers and events out. Pure."""

from __future__ import annotations

from copilot.core.snapshot import ScreenSnapshot
from copilot.screen.keys import encode_key, encode_keys, encode_paste
from copilot.screen.screen import TerminalScreen

__all__ = ["ScreenSnapshot", "TerminalScreen", "encode_key", "encode_keys", "encode_paste"]
