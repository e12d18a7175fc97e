"""`gtp.kept.*`: what commands leave as it was, seen by commands of GTP alone.

A refused command or a query changes nothing, clear_board leaves nothing of a game, and only the command komi
changes the komi. `gtp.refused.*` and `gtp.asked.*` need the private commands ref-nodes and ref-score, and
see more: the number of moves of the game, from which a playout counts up to the move cap.
`KeptState` and `ScoredKomi` explain their arguments.
"""

from __future__ import annotations

from dataclasses import replace

from harness.check.model import Ability
from harness.check.procedures.conversation import as_lines
from harness.check.procedures.refused_commands import WRONG_GENMOVES, WRONG_KOMIS, WRONG_SIZES
from harness.commands.kept_games import AGAIN_LOOK, GAME, NEW_LOOK, SettledKo
from harness.commands.kept_komi import ScoredKomi
from harness.commands.kept_state import KeptState
from harness.suite.statement import having, must, relying_on

SCORED = having("final_score")

EARLIER_GAME = as_lines(*(f"play {move.format(size=5, near=4)}" for move in GAME), "clear_board")
"""A game whose moves are on any board from 5x5 on, and the clear_board that ends it."""

CHECKS = (
    must("gtp.kept.play", "After a refused move, the engine shows and accepts what it did before.",
         KeptState(as_lines("play w B1", "play w A1", "play b B2", "play w A{size}", "play b Z99",
                            "play x E6", "play b resign", "play b", "play")),
         hint="judge a move before you change the board, the ko, the turn or the history",
         requires=relying_on(Ability.REFUSES_WITHOUT_A_MOVE),
         kills="refused-ko-takes-stone", tolerates="showboard-with-notes"),
    must("gtp.kept.genmove", "After a refused genmove, the engine shows and accepts what it did before.",
         KeptState(WRONG_GENMOVES),
         hint="read the colour before you search or play", kills="refused-genmove-passes"),
    must("gtp.kept.komi", "After a refused komi, the komi and the game are as they were.",
         KeptState(WRONG_KOMIS, scored=True),
         hint="read the number first, and set it only once it is read", kills="refused-komi-is-zero"),
    must("gtp.kept.boardsize", "After a refused size, the size, the board and the game are as they were.",
         KeptState(WRONG_SIZES, scored=True, other_size=True),
         hint="look at the size before the board is changed", kills="refused-size-clears-board"),
    must("gtp.kept.unknown", "After an unknown command, the engine shows and accepts what it did before.",
         KeptState(as_lines("no_such_command", "playfoo b E6", "PLAY b E6", "undoo", "clear_boards",
                            "komis 0")),
         hint="look up the whole name before you execute anything", kills="unknown-command-clears"),
    must("gtp.kept.undo", "An undo that is refused at the start of a game changes nothing.",
         KeptState(as_lines("undo", "undo"), at_start=True),
         hint="look for a move to take back before the history is changed",
         kills="refused-undo-loses-move"),
    must("gtp.kept.queries", "Queries, and a komi equal to the present one, leave the game as it is.",
         KeptState(as_lines("name", "version", "protocol_version", "known_command play", "list_commands",
                            "komi {komi}"), refused=False, asks=True),
         hint="a query changes no state, and komi changes the komi only: no ko, turn or history",
         requires=relying_on(Ability.KOMI_CLEARS_NOTHING),
         kills="komi-forgets-boards", tolerates="showboard-with-notes"),
    must("gtp.kept.score", "final_score and final_status_list leave ko and history of the game as they are.",
         KeptState(as_lines("final_score", "final_status_list alive", "final_status_list dead"),
                   (SettledKo(),), refused=False),
         requires=replace(SCORED, abilities=frozenset({Ability.SCORES_AND_GOES_ON})), clause="gtp-score",
         hint="score a copy of the game, or take back every move that you made to score it",
         kills="final-score-leaves-passes"),
    must("gtp.kept.clear", "After clear_board, nothing of the game before is left: no stone, ko or move.",
         KeptState(EARLIER_GAME, (NEW_LOOK, AGAIN_LOOK), refused=False, together=True),
         hint="clear_board begins a new game: no stones, no ko, no history, nothing to undo",
         kills="clear-keeps-undo"),
    must("gtp.kept.komi-in-force", "final_score counts with the komi that was set in this game.",
         ScoredKomi((("new", 3.5), ("new", 5.5), ("new", 7.5))), requires=SCORED,
         clause="komi", hint="use the komi that was set last, with its sign",
         kills="final-score-without-komi komi-first-only komi-one-game-late"),
    must("gtp.kept.clear-komi", "final_score counts with a komi that was set before clear_board.",
         ScoredKomi((("cleared", 3.5), ("cleared", 5.5), ("cleared", 7.5))),
         requires=replace(SCORED, abilities=frozenset({Ability.SCORES_ITS_KOMI})),
         clause="komi", hint="clear_board clears the board; komi stays until the next komi",
         kills="clear-resets-komi"),
    must("gtp.kept.searched-komi", "Komi stays as it was set, also after searches.",
         ScoredKomi((("cleared", 3.5), ("searched", 3.5), ("searched", 5.5))),
         requires=replace(SCORED, abilities=frozenset({Ability.SCORES_ITS_KOMI, Ability.CLEARS_NO_KOMI})),
         clause="komi", hint="keep komi exactly as the komi command sets it; no search or move changes it",
         kills="komi-drifts"),
)  # fmt: skip
