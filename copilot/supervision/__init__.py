"""Programs whose whole tree ends: a small supervisor process, our side of it, and who runs below whom."""
