"""The cockpit in a browser: served to this machine alone, behind a token."""
