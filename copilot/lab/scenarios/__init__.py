"""Scenarios: isolated trials described in YAML, run in parallel, judged by checks, told in reports."""
