"""Matches between engines: config, games, runs, their store, the judges, the audit."""
