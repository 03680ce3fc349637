"""`copilot profiles`: which there are, whether a file is right, whether a CLI has changed, new rules."""
