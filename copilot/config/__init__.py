"""Settings and profiles from files and environment, validated, as frozen dataclasses."""
