"""Attacks on the command guard made from grammars, one per class of `data/guided.jsonl`, and everyday commands.

Written without reading the guard: what the classes are is told by the data alone, so a guard that was mended
line by line does not pass here. `python -m tests.guard_classes.measure` runs all of it through `copilot judge`.
"""
