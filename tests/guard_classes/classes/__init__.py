"""The classes: one module per family, each with the grammars that make their members."""
