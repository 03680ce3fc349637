"""Change proposals: what an agent may ask for and answer as data, and how it is put into a folder."""
