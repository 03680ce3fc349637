"""The run folder: transcript, cast, prompts, raw output. Readers and writers are side by side."""
