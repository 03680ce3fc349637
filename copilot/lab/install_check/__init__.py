"""Does the built package work where nothing else of ours is: `copilot verify-install`."""
