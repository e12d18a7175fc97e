"""The choice of a move: playouts, all-moves-as-first, the best rate."""

from refbot.search.search import Search, SearchResult

__all__ = ["Search", "SearchResult"]
