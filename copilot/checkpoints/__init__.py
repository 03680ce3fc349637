"""Checkpoints of the project before each reply, and the way back to them.

Public: `copilot.checkpoints.store` (taking and listing) and `copilot.checkpoints.undo` (planning and
applying). All of it blocks: call it in a worker thread, never on the event loop.
"""
