"""The files that conform writes for a run or a check: CSV, JSON, SGF, transcripts."""
