"""One bot under test: its process, its profile, and how talking to it can fail."""
