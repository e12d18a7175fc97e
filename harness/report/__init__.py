"""Reports for people and programs: records in, text out. Never starts an engine."""
