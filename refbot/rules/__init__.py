"""One Go position and one Go game: legality, ko, positional superko, scoring."""

from refbot.rules.game import (
    MAX_SIZE,
    MIN_SIZE,
    Game,
    IllegalMoveError,
    Move,
    NothingToUndoError,
    UnacceptableSizeError,
)
from refbot.rules.position import BLACK, EMPTY, NO_POINT, WHITE, Position
