"""Commands that always return: hard and silence limits around one argv, and the test runs built on that."""
