"""The run folder: transcript, cast, prompts, raw output. Readers stand beside writers."""
