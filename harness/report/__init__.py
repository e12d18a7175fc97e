"""What people and programs are shown: records in, text out. Never starts an engine."""
