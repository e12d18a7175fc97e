"""The config of a match: the file, its openings, and the test whether this machine can play it."""
