"""copilot: a terminal co-pilot that answers an interactive coding CLI under your governing prompt."""

__version__ = "0.1.0"
