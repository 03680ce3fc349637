"""The driver for a browser; apart from the other, since only `copilot serve` needs its imports."""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver

from copilot.tui.host_output import placed


class HostWebDriver(WebDriver):
    """For a browser, whose terminal has widths of its own too."""

    def write(self, data: str) -> None:
        """Write, with the place told where terminals disagree."""
        super().write(placed(data))
