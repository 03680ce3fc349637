"""`copilot doctor`: what is installed, what is missing, and what to do about it. A front end; it changes nothing."""
