"""The MCP front end."""
