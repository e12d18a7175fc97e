"""`gtp.refused.*` and `gtp.asked.*`: a command that is refused, or that only asks, changes nothing.

Not even what only a search shows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.model import Check, Level
from harness.check.positions import DAME, settled
from harness.check.procedures.late_probes import CAP, late
from harness.check.procedures.probe import Probe
from harness.check.procedures.refused_commands import NothingChanged, NumbersKept

must = partial(Check, clause="gtp", level=Level.MUST)

COUNTED = replace(late(CAP - 3), id="refused-late")
"""Three moves are left to the cap: a move that is counted too often makes playouts shorter."""

KO = Probe("refused-ko", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"),))
"""Black may not take back at E5 in the first move of a playout: without the ban, playouts last longer."""

HISTORY = Probe(
    "refused-history", settled("D5", "E6 E4"), "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass"))
)
"""Only the history of the game keeps Black from E5: a bot that forgot it plays there instead of passing."""

BLACK_WINS = Probe("refused-won", DAME[1], "b", 8.5)
WHITE_WINS = Probe("refused-lost", DAME[1], "b", 9.5)
"""Half a point of komi decides: a larger komi, or none at all, shows in the one, a smaller in the other."""

EVERYWHERE = (COUNTED, KO, HISTORY, BLACK_WINS, WHITE_WINS)


def _lines(*commands: str) -> tuple[bytes, ...]:
    return tuple(f"{command}\n".encode("ascii") for command in commands)


CHECKS = (
    must(
        id="gtp.refused.play",
        title="A refused move leaves stones, ko, side to move and number of moves as they are.",
        procedure=NothingChanged(
            _lines(
                "play w B1",
                "play b B1",
                "play b J9",
                "play w A9",
                "play b Z99",
                "play b A10",
                "play x E9",
                "play b resign",
                "play b",
                "play",
            ),
            (COUNTED, KO, HISTORY, BLACK_WINS),
        ),
        hint="judge a move before anything is changed or noted: move number, ko point, side to move, history",
        kills=("illegal-move-passes", "refused-move-lifts-ko", "refused-move-counts"),
    ),
    must(
        id="gtp.refused.genmove",
        title="A refused genmove changes nothing.",
        procedure=NothingChanged(_lines("genmove x", "genmove"), (COUNTED, KO, HISTORY)),
        hint="read the colour before anything is searched or played",
        kills=("refused-genmove-passes",),
    ),
    must(
        id="gtp.refused.komi",
        title="A refused komi leaves the komi and the game as they are.",
        procedure=NothingChanged(
            _lines("komi abc", "komi", "komi nan", "komi inf", "komi 1e999", "komi 7,5"),
            (BLACK_WINS, WHITE_WINS, HISTORY, COUNTED),
        ),
        hint="read the number first, and set it only once it is read",
        kills=("refused-komi-is-zero",),
    ),
    must(
        id="gtp.refused.boardsize",
        title="A refused size leaves the size, the board and the game as they are.",
        procedure=NothingChanged(
            _lines("boardsize 1000", "boardsize abc", "boardsize 0", "boardsize"), EVERYWHERE
        ),
        hint="look at the size before the board is changed",
        kills=("refused-size-clears-board",),
    ),
    must(
        id="gtp.refused.unknown",
        title="An unknown command changes nothing.",
        procedure=NothingChanged(
            _lines("no_such_command", "playfoo b E9", "PLAY b E9", "undoo", "clear_boards", "komis 0"),
            EVERYWHERE,
        ),
        hint="look the whole name up before anything is done",
        kills=("unknown-command-clears",),
    ),
    must(
        id="gtp.refused.undo",
        title="An undo that is refused at the start of a game changes nothing.",
        procedure=NothingChanged(_lines("undo", "undo"), EVERYWHERE, at_start=True),
        hint="look for a move to take back before the move number or the history is changed",
        kills=("refused-undo-uncounts",),
    ),
    must(
        id="gtp.asked.game",
        title="Commands that only ask, and the komi set once more, leave the game as it is.",
        procedure=NothingChanged(
            _lines(
                "name",
                "version",
                "protocol_version",
                "known_command play",
                "list_commands",
                "ref-nodes",
                "ref-score",
                "komi {komi}",
            ),
            (COUNTED, KO, HISTORY, BLACK_WINS),
            refused=False,
        ),
        hint="answer a question from what is there, and let komi set the komi alone: no ko, turn or history",
        kills=("komi-lifts-ko",),
    ),
    must(
        id="gtp.refused.search",
        title="Refused commands leave ref-nodes and ref-score as they are.",
        procedure=NumbersKept(
            _lines(
                "no_such_command",
                "play x A1",
                "play b Z99",
                "play b",
                "komi abc",
                "komi",
                "boardsize 1000",
                "boardsize",
                "genmove x",
                "genmove",
            )
        ),
        hint="set the numbers of a search when a search begins, nowhere else",
        kills=("refusal-forgets-search", "refused-genmove-forgets-search"),
    ),
)
