"""Stand-ins for the ports."""
