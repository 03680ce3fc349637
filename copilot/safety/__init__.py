"""The guard: redaction, sanitising, and the risk of what a reply would do."""
