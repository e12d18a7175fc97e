"""Comparison of several bots without a reference."""
