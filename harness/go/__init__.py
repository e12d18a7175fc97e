"""The referee's implementation of the rules of Go. It shares no code about rules with the reference bot.

Both read SGF files with `refbot.sgf`, which knows no rules.

Points are (row, column) from the lower left corner, None is a pass, colours are "b" and "w".
"""

from harness.go.diagram import diagram
from harness.go.equal_games import canonical_moves
from harness.go.errors import BoardError, GoError, IllegalMoveError, Reason, SgfError
from harness.go.geometry import (
    COLUMN_LETTERS,
    MAX_SIZE,
    Colour,
    Point,
    Symmetry,
    all_points,
    diagonals,
    neighbours,
    opponent,
    symmetries,
)
from harness.go.handicap import FEWEST_HANDICAP, MOST_HANDICAP, handicap_points, most_handicap
from harness.go.position import Move, Position
from harness.go.randomgame import random_game
from harness.go.rules import REFERENCE, Counting, Ko, Rules
from harness.go.sgf import SgfGame, play_record, read_sgf, read_sgf_games, result_text
