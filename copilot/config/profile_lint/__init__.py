"""`copilot profiles check`: what is wrong with a profile beyond its types. Pure but for reading the file."""
