"""Agents that are good at everything but one thing, each run for real, and the table of who caught whom."""
