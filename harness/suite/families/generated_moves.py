"""`game.legal.*`: moves of genmove, by checks that an engine may answer with a pass or a resignation.

The checks of `game_rules` hold a reference bot to its choice of moves, some of them in games that are lost.
An engine that resigns or passes there is seen here, in games that it may win.
"""

from __future__ import annotations

from harness.commands.generated_moves import LegalInCloseGames, StoneOfColour
from harness.suite.statement import must

CHECKS = (
    must("game.legal.genmove", "In a close game, genmove answers a legal move, a pass or a resignation.",
         LegalInCloseGames(), clause="complete-games",
         hint="choose among the moves that play would accept"),
    must("game.legal.colour", "genmove places a stone of the colour that it names, also out of turn.",
         StoneOfColour(), clause="complete-games",
         hint="take the colour from the command, not from whose turn it is",
         kills="genmove-ignores-colour"),
)  # fmt: skip
