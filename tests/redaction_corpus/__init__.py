"""Texts for measuring redaction: clean ones, and ones with made-up secrets, by class; `lines.py` has single lines.

`clean.txt` and `secrets.txt` are what the rules were written against; `held_clean.txt` and `held_secrets.txt` were
written afterwards and are only measured. `python -m tests.redaction_corpus.measure` prints a table per class.
"""
