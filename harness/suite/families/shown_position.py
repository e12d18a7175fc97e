"""`gtp.shown.*`: showboard, list_stones and similar commands show the position and change nothing.

The draft leaves the form of a board to the engine. So a text of showboard is compared only with other texts
of the same engine, and a difference is a SHOULD.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability, Requirements
from harness.check.procedures.dialogue import NEW, dialogue
from harness.check.procedures.shown_boards import BoardShown, ListedStones, SameBoard, ShownWhole
from harness.suite import statement

must = partial(statement.must, clause="gtp-position")
should = partial(statement.should, clause="gtp-position")

WHOLE = Requirements(abilities=frozenset({Ability.SHOWS_WHOLE_BOARDS}))
LIST_STONES = Requirements(optional_commands=("list_stones",))
GAME = NEW + "play b C3\nplay w E5\n"

CHECKS = (
    must("gtp.shown.whole", "showboard prints the whole board in one answer, without an empty line inside.",
         ShownWhole(),
         hint="an empty line ends an answer: print none inside the board, and print the board after the =",
         kills="showboard-empty-line"),
    must("gtp.shown.keeps", "showboard changes nothing: every stone stays, and no stone is added.",
         dialogue(GAME + "showboard -> *\nplay b E5 -> ?\nplay w C3 -> ?\nplay b D4 -> ="),
         requires=Requirements(optional_commands=("showboard",)),
         hint="draw the board from a copy", kills="showboard-undoes"),
    should("gtp.shown.moves", "showboard answers with a board that shows the stones.",
           BoardShown(), requires=WHOLE,
           hint="answer with the board itself; stderr is not seen by a controller",
           kills="shown-board-late", tolerates="showboard-counts"),
    should("gtp.shown.same", "showboard shows the same board for the same moves, whatever was played before.",
           SameBoard(refused=False), requires=WHOLE,
           hint="draw the board that the rules use, which clear_board empties",
           kills="shown-board-survives-clear", tolerates="showboard-counts"),
    should("gtp.shown.refused", "showboard shows the same board after a refused move as before it.",
           SameBoard(refused=True), requires=WHOLE,
           hint="judge a move before you change the board that is shown",
           kills="shown-board-keeps-refused", tolerates="showboard-counts"),
    must("gtp.shown.list-stones", "list_stones lists the stones of a colour, each of them once.",
         ListedStones(),
         hint="list the points of the present board that hold a stone of this colour",
         kills="list-stones-keeps-captured shown-board-late shown-board-survives-clear "
               "shown-board-keeps-refused"),
    must("gtp.shown.list-colour", "list_stones refuses a word that is no colour.",
         dialogue(GAME + "list_stones x -> ?\n{known} -> = {answer}"), requires=LIST_STONES,
         hint="read the colour as play does", kills="list-stones-any-colour"),
)  # fmt: skip
