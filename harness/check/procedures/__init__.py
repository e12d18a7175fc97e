"""Procedures of checks: dialogues, conversations, searches at probes (positions), a match."""
