"""Plans: ordered steps and how each is verified."""
