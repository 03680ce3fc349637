"""Widgets of the cockpit, one file each."""
