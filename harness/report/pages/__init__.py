"""Pages of the documentation that are written from the code."""
