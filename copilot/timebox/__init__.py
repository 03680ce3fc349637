"""Commands that always return: hard and silence limits around one argv."""
