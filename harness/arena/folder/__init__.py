"""The folder of a run: its lock, its files, and the match that is played into it."""
