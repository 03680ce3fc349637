"""Screens of the cockpit, one file each; their stylesheets are in `styles/`."""
