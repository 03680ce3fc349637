"""The engine: from bytes to settled, judged prompts. No IO and no clock: time and facts come in as data."""
