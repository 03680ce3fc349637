"""Redaction: takes secrets out of text before it leaves the process."""
