"""The driver of recorded runs: the same events through the same core."""
