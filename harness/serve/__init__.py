"""Server of a live page of the runs below a folder."""
