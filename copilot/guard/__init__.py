"""The guard: the risk of what a reply would do, and what the user has granted."""
