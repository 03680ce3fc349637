"""Detectors: a `ScreenSnapshot` and a profile in, a `Detection` with its evidence out."""
