"""The scoreboard's parts: labels and how they are compared, ways to feed a recording, scores, tables."""
