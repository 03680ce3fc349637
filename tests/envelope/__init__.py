"""The envelope: what a real process inside can and cannot do, and what is said where there is none."""
