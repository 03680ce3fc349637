"""The child process in its pseudo-terminal: start, read, write, resize, stop."""
