"""Textual's drivers with our own way to read keys and to place text, whatever the host's terminal is."""

from __future__ import annotations

import codecs
import contextlib
import os
import select
from collections.abc import Iterable

from textual._parser import ParseError
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from copilot.tui.host_input import KeyParser
from copilot.tui.host_output import placed

_IDLE_SECONDS = 0.1
"""As long as Textual's own: how late the end of the application is seen."""
_MARGIN_SECONDS = 0.002
_BLOCK = 4096


class HostDriver(LinuxDriver):
    """For a terminal."""

    def write(self, data: str) -> None:
        """Write, with the place told where terminals disagree."""
        super().write(placed(data))

    def run_input_thread(self) -> None:
        """Read until the application ends."""
        parser = KeyParser(self._debug)
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        pause = _IDLE_SECONDS
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], pause)
            # First what was waited for: a key that comes late is a key of its own.
            self._tell(parser.tick())
            pause = _IDLE_SECONDS
            if not ready:
                continue
            data = os.read(self.fileno, _BLOCK)
            if not data:
                self.exit_event.wait(_IDLE_SECONDS)
                continue
            self._tell(parser.feed(decode(data)))
            pause = parser.escape_seconds + _MARGIN_SECONDS
        with contextlib.suppress(EOFError, ParseError):
            parser.end()

    def _tell(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)


def host_driver(driver: type[Driver]) -> type[Driver]:
    """The driver to use where Textual would use this one."""
    if driver is LinuxDriver:
        return HostDriver
    if driver.__module__ == "textual.drivers.web_driver":
        from copilot.tui.web_driver import HostWebDriver

        return HostWebDriver
    return driver
