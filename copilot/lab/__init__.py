"""Scenarios: isolated trials with scripted models, and checks on what happened."""
