"""The choice of a move: playouts, their all-moves-as-first table, the candidate with the best rate."""

from refbot.search.dynamic_komi import DynamicKomi, UnknownModeError
from refbot.search.search import Search, SearchResult
