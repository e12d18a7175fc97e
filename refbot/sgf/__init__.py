"""Reads game records in SGF, damaged ones too. The package knows the file format but no rule of Go.

Points are (row, column) from the lower left corner, None is a pass, colours are "b" and "w".
"""

from refbot.sgf.files import MAX_BYTES, read_file
from refbot.sgf.game import Colour, Move, Point, SgfError, SgfFileError, SgfGame
from refbot.sgf.reader import MOST_MOVES, SETS_UP_LATE, read_game, read_games
