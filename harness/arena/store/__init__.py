"""The store of a run: one SQLite file, the only truth about the games."""
