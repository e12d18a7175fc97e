"""Verdicts on the stored games of a run. Nothing here changes a store."""
