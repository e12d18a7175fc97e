"""`gtp.refused.*` and `gtp.asked.*`: a refused command or a query changes nothing, not even a later search.

In most checks a search follows the commands. It shows the ko, the history, the number of moves and the komi.
`gtp.refused.search` looks at the numbers of the search before the commands. `NothingChanged` and
`NumbersKept` explain their arguments.
"""

from __future__ import annotations

from dataclasses import replace

from harness.check.model import Ability
from harness.check.positions import DAME, settled
from harness.check.procedures.conversation import as_lines
from harness.check.procedures.late_probes import CAP, late
from harness.check.procedures.probe import Probe
from harness.check.procedures.refused_commands import (
    WRONG_GENMOVES,
    WRONG_KOMIS,
    WRONG_SIZES,
    NothingChanged,
    NumbersKept,
)
from harness.suite.statement import must, relying_on

COUNTED = replace(late(CAP - 3), id="refused-late")
"""Three moves are left up to the move cap: a refused move that is counted makes playouts shorter."""

KO = Probe("refused-ko", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"),))
"""In its first move, a playout may not retake the ko at E5. Every playout has 4 moves; without the ban, some
would have 5."""

HISTORY = Probe(
    "refused-history", settled("D5", "E6 E4"), "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass"))
)
"""Only the history of the game keeps Black from E5: a bot that forgot it plays there instead of passing."""

BLACK_WINS = Probe("refused-won", DAME[1], "b", 8.5)
WHITE_WINS = Probe("refused-lost", DAME[1], "b", 9.5)
"""Black leads by 9 points: a komi half a point larger changes the first result, a smaller komi the second."""

EVERYWHERE = (COUNTED, KO, HISTORY, BLACK_WINS, WHITE_WINS)


CHECKS = (
    must("gtp.refused.play",
         "A refused move leaves stones, ko, side to move and number of moves as they are.",
         NothingChanged(as_lines("play w B1", "play b B1", "play b J9", "play w A9", "play b Z99",
                                 "play b A10", "play x E9", "play b E5", "play b resign", "play b", "play"),
                        (COUNTED, KO, HISTORY, BLACK_WINS)),
         hint="judge a move before you change the board, the move number, the ko, the turn or the history",
         requires=relying_on(Ability.REFUSES_WITHOUT_A_MOVE),
         kills="refused-move-lifts-ko refused-move-counts refused-ko-takes-stone"),
    must("gtp.refused.genmove", "A refused genmove changes nothing.",
         NothingChanged(WRONG_GENMOVES, (COUNTED, KO, HISTORY)),
         hint="read the colour before you search or play", kills="refused-genmove-passes"),
    must("gtp.refused.komi", "A refused komi leaves the komi and the game as they are.",
         NothingChanged(WRONG_KOMIS, (BLACK_WINS, WHITE_WINS, HISTORY, COUNTED)),
         hint="read the number first, and set it only once it is read", kills="refused-komi-is-zero"),
    must("gtp.refused.boardsize", "A refused size leaves the size, the board and the game as they are.",
         NothingChanged(WRONG_SIZES, EVERYWHERE),
         hint="look at the size before the board is changed", kills="refused-size-clears-board"),
    must("gtp.refused.unknown", "An unknown command changes nothing.",
         NothingChanged(as_lines("no_such_command", "playfoo b E9", "PLAY b E9", "undoo", "clear_boards",
                                 "komis 0"),
                        EVERYWHERE),
         hint="look up the whole name before you execute anything", kills="unknown-command-clears"),
    must("gtp.refused.undo", "An undo that is refused at the start of a game changes nothing.",
         NothingChanged(as_lines("undo", "undo"), EVERYWHERE, at_start=True),
         hint="look for a move to take back before the move number or the history is changed",
         kills="refused-undo-uncounts"),
    must("gtp.asked.game", "Queries, and a komi equal to the present one, leave the game as it is.",
         NothingChanged(as_lines("name", "version", "protocol_version", "known_command play", "list_commands",
                                 "ref-nodes", "ref-score", "komi {komi}"), (COUNTED, KO, HISTORY, BLACK_WINS),
                        refused=False),
         hint="a query changes no state, and komi changes the komi only: no ko, turn or history",
         requires=relying_on(Ability.KOMI_CLEARS_NOTHING),
         kills="komi-lifts-ko"),
    must("gtp.refused.search", "Refused commands leave ref-nodes and ref-score as they are.",
         NumbersKept(as_lines("no_such_command", "play x A1", "play b Z99", "play b", "komi abc", "komi",
                              "boardsize 1000", "boardsize", "genmove x", "genmove")),
         hint="only a new search may change the numbers of the last one",
         kills="refusal-forgets-search refused-genmove-forgets-search"),
)  # fmt: skip
