"""One Go position and one Go game: legality, ko, positional superko, scoring."""

from refbot.rules.errors import (
    MAX_SIZE,
    MIN_SIZE,
    IllegalMoveError,
    NothingToUndoError,
    UnacceptableSizeError,
)
from refbot.rules.game import Game, Move
from refbot.rules.position import BLACK, EMPTY, NO_POINT, WHITE, Position
