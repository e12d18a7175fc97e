"""The files of a run: CSV, JSON, SGF, transcripts."""
