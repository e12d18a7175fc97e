"""The names of the commands that print an analysis."""

from __future__ import annotations

ENDLESS = ("lz-analyze", "kata-analyze", "analyze", "cgos-analyze")
"""Commands whose answer goes on until the next line."""

GENMOVES = ("lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze", "cgos-genmove_analyze")
"""Commands that generate a move. The last line of their answer names it, after the lines of analysis."""

SEARCH = ("kata-search_analyze",)
"""Commands that search and name a move without making it."""
