"""The driver of a live run: owns the tasks and the clock, feeds events, carries out effects."""
