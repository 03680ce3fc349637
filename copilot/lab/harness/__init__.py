"""A coding CLI under the co-pilot, on a scripted model, in folders of its own, and what happened."""
