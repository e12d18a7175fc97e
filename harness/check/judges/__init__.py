"""Judges of searches: pure functions from a series of searches to a judgement."""
