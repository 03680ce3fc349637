"""The envelope: what the kernel lets the CLI, and all that it starts, do."""
