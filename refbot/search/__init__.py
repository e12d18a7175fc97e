"""The choice of a move: playouts, all-moves-as-first, the best rate."""

from refbot.search.dynamic_komi import DynamicKomi, UnknownModeError
from refbot.search.search import Search, SearchResult
