"""The pure core: what can happen, what follows from it, and why. No clock, file, socket or terminal."""
