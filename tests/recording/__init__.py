"""Tests of `copilot/recording`."""
