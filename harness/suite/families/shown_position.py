"""`gtp.shown.*`: showboard, list_stones and similar commands show the position and change nothing.

The draft leaves the form of a board to the engine. So the harness compares a board of showboard only with
other boards of the same engine, and what the board shows is only a SHOULD.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.script import NEW
from harness.commands.shown_boards import BoardShown, ListedStones, SameBoard, ShownWhole
from harness.suite import statement
from harness.suite.statement import having, relying_on

must = partial(statement.must, clause="gtp-position")
should = partial(statement.should, clause="gtp-position")

WHOLE = relying_on(Ability.SHOWS_WHOLE_BOARDS)
LIST_STONES = having("list_stones")
GAME = NEW + "play b C3\nplay w E5\n"
CAPTURE = NEW + "play b A2\nplay w A1\nplay b B1\nplay w E5\n"
"""Black's B1 captures White's A1; then White plays E5."""

HISTORY = r"(?i)black pass\s*\n\s*white E5\s*\n\s*black B1\s*\n\s*white A1\s*\n\s*black A2"
"""The answer of move_history after CAPTURE and a pass of Black, as a regular expression."""


CHECKS = (
    must("gtp.shown.whole", "showboard prints the whole board in one answer, without an empty line inside.",
         ShownWhole(),
         hint="an empty line ends an answer: print none inside the board, and print the board after the =",
         kills="showboard-empty-line"),
    must("gtp.shown.keeps", "showboard changes nothing: every stone stays, and no stone is added.",
         dialogue(GAME + "showboard -> *\nplay b E5 -> ?\nplay w C3 -> ?\nplay b D4 -> ="),
         requires=having("showboard"),
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
    must("gtp.shown.color", "color names the stone on a point, or empty.",
         dialogue(CAPTURE + "color A2 -> = ~(?i)black\ncolor E5 -> = ~(?i)white\ncolor A1 -> = ~(?i)empty"),
         requires=having("color"),
         hint="look at the board, from which captured stones are gone", kills="color-of-captured"),
    must("gtp.shown.is-legal", "is_legal answers 1 for an empty point, and 0 for a point with a stone.",
         dialogue(CAPTURE + "is_legal b D4 -> = 1\nis_legal w A2 -> = 0\nis_legal b E5 -> = 0"),
         requires=having("is_legal"),
         hint="answer by the function that play uses", kills="is-legal-anywhere"),
    must("gtp.shown.captures", "captures counts the stones that a colour has captured.",
         dialogue(CAPTURE + "captures black -> = 1\ncaptures white -> = 0"),
         requires=having("captures"),
         hint="count the opponent's stones that left the board", kills="captures-of-other"),
    must("gtp.shown.last-move", "last_move names the colour and the vertex of the last move, also of a pass.",
         dialogue(CAPTURE + "last_move -> = ~(?i)white E5\nplay b pass\nlast_move -> = ~(?i)black pass"),
         requires=having("last_move"),
         hint="answer the last move of the history with its colour, also a pass",
         kills="last-move-skips-passes"),
    must("gtp.shown.move-history", "move_history lists all moves with their colours, the last one first.",
         dialogue(CAPTURE + f"play b pass\nmove_history -> = ~{HISTORY}"),
         requires=having("move_history"),
         hint="print the moves with their colours in reverse order, one a line",
         kills="move-history-first-first"),
)  # fmt: skip
