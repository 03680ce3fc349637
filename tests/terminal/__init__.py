"""Tests of `copilot/terminal`."""
