"""The demo: a simulated coding CLI, and the command that runs the co-pilot on it, offline."""
