"""`game.legal.*`: the moves of genmove.

The checks of `game_rules` ask for moves in games of which some are lost: an engine that passes or resigns
there shows no move. In a close game it has no reason to.
"""

from __future__ import annotations

from harness.commands.generated_moves import ColumnsPastJ, LegalInCloseGames, StoneOfColour
from harness.suite.statement import must

CHECKS = (
    must("game.legal.genmove", "In a close game, genmove answers a legal move, a pass or a resignation.",
         LegalInCloseGames(), clause="complete-games",
         hint="choose among the moves that play would accept"),
    must("game.legal.colour", "genmove places a stone of the colour that it names, also out of turn.",
         StoneOfColour(), clause="complete-games",
         hint="take the colour from the command, not from whose turn it is",
         kills="genmove-ignores-colour"),
    must("game.legal.columns", "On 13x13, the stone of genmove stands on the point that its answer names.",
         ColumnsPastJ(), clause="gtp",
         hint="name the columns in answers as play reads them: A to Z without I",
         kills="genmove-columns-past-j"),
)  # fmt: skip
