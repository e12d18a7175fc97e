"""One refereed game between two engines."""
