"""`copilot doctor`: what is installed, what is missing, and what to do. It changes nothing."""
