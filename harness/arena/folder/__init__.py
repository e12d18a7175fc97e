"""The folder of a run: its lock, its files, and who keeps them up to date."""
