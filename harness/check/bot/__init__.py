"""One bot under test: its process, its introduction, and how talking to it can fail."""
