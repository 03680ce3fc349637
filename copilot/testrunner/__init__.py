"""The MCP front end: one tool, `run_test`, for any coding CLI; and the entries that make a CLI use it."""
