"""The review of a run: its terminal at any moment, a timeline, and beside it what was seen and decided."""
