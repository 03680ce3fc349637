"""Tests of `copilot/pty`."""
