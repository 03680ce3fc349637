"""Providers that write replies, each imported on use."""
