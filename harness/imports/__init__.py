"""Reads the settings of other match programs, and writes a match config with the same meaning."""
