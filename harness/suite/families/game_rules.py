"""`game.*`: the rules of the game, as genmove follows them, and whole games with their scores.

In most checks the bot generates a move where few moves are left: those of `SETTLED`, changed by `settled`.
`harness.suite.families` explains the notation. Violations (such as KOS) are kinds of wrong moves.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

from harness.check.judges.moves import judge_colour, judge_moves
from harness.check.model import Ability, Check, Requirements
from harness.check.play_rules import FORBIDS_CYCLES, FORBIDS_KO
from harness.check.positions import (
    DAME,
    ONE_POINT_EACH,
    ONLY_WHITE_MOVES,
    SENT_TWO,
    WINNING,
    empty,
    settled,
)
from harness.check.procedures.chosen_move import KOS, Violation
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.late_probes import STONES
from harness.check.procedures.probe import Probe
from harness.check.procedures.script import NEW
from harness.check.procedures.search import SearchProcedure
from harness.check.procedures.superko_games import GeneratedBoard, KoForEver
from harness.check.procedures.whole_game import FINAL_SCORE, SIZE, FinalScore, WholeGame
from harness.go import Colour
from harness.suite.statement import must

SIDES: tuple[Colour, Colour] = ("b", "w")
KO_TAKEN = settled("D5", "E6 E4")
"""White may take Black's E5 at D5. Then Black's only move left, at E5, would take the ko back."""
KO_AND_NEUTRAL = settled("D5 E9", "E6 E4")
"""KO_TAKEN, and a neutral point at E9."""
THREE_KOS = settled("D8 D2 E5", white="D5 E9 E7 E6 E4 E3 E1")
"""White may take E8 and E2, Black may take D5; each side may also fill the kos that it holds."""
THREE_KO_CYCLE: tuple[tuple[Colour, str], ...] = (
    ("w", "D8"), ("b", "E5"), ("w", "D2"), ("b", "E8"), ("w", "D5"),
)  # fmt: skip
"""Five of the six captures of the cycle. Black's E2 would bring back the first board, E5 the last but one.

So Black may only fill D8. At komi WINNING Black loses every playout, so no move is better than another.
"""
_STONES_3X3 = (
    "A2 A1 B1 C2 B3 B2 A1 C1 A3 C3 A2 B1 A3 A1 B3 C2 C3 B2 B1 A1 A2 C3 A3 C1 A1 B3 A2 A3 A1 B1 A2 A1"
)
LONG_3X3 = tuple(zip(cycle(SIDES), _STONES_3X3.split(), strict=False))
"""A game of 32 stones on 3x3, Black first. Black's only move left, A2, would bring back the first board.

Found by random play. A history of the last 3 N N = 27 boards has lost the first board. No move of the game
retakes several stones where one stone was just taken: some bots would refuse it as a ko.
"""
PASSES: tuple[tuple[Colour, str], ...] = (("w", "pass"), ("b", "pass")) * 125
"""More passes than the move cap of a playout: a history of 3 N N boards holds no board from before them."""

KO_LATE = Probe(
    "ko-late", KO_AND_NEUTRAL, "b",
    tail=(*PASSES, ("w", "pass"), ("b", "E9"), ("w", "D5"), ("b", "pass"), ("w", "pass")),
)  # fmt: skip
"""Black makes a new board with E9 only after all these passes, and would bring it back with E5."""

TRIES, QUICK_TRIES = 12, 6
"""Searches where all moves are equal, and those under a quick budget.

Computed: a bot that draws a legal or an illegal move draws 12 legal ones by chance once in 4,096 runs, and 6
once in 64 quick runs.
"""

HARMFUL = settled("E9 D2 F1 G2", white="D1 E1")
"""Black's candidates are D2 and E9. Black wins 24 % of all playouts, and 17 % of those in which Black is the
first on D2, the better of the two: a bot that also keeps a record of the pass prefers the pass."""

LOST = Probe("lost", DAME[1], "b", WINNING)
"""Black loses every playout, and has one candidate: E9."""
HISTORY_HINT = "compare the board after the move with every board of the game, whoever was to move"


def _choice(
    name: str,
    title: str,
    probe: Probe,
    allowed: tuple[str, ...],
    own: tuple[Violation, ...],
    *,
    clause: str,
    hint: str,
    kills: str = "",
    rules: str | None = None,
) -> Check:
    """State a check of a position where a conforming bot plays one of the `allowed` moves.

    own   violations that fail this check; a move with another violation fails the check of that violation
    """
    # At komi WINNING all moves are equal, so a wrong rule leads to a wrong move in some searches only.
    least, quick = (TRIES, QUICK_TRIES) if probe.komi == WINNING else (2, 2)
    procedure = SearchProcedure(probe, judge_moves(allowed, own), least=least, most=TRIES, least_quick=quick)
    needs = Requirements(optional_size=True)
    return must(name, title, procedure, requires=needs, clause=clause, hint=hint, kills=kills, rules=rules)


QUIET_2X2: tuple[tuple[Colour, str], ...] = (
    ("b", "A1"), ("w", "B2"), ("b", "B1"), ("w", "A2"), ("b", "B1"), ("w", "A1"), ("b", "B1"), ("w", "A2"),
    ("b", "B2"), ("w", "A1"), ("b", "B1"), ("w", "pass"), ("b", "B2"),
)  # fmt: skip
"""White's A2, which captures nothing, would bring back the board after Black's first B2; A1 is new."""

ON_TINY_BOARDS = Requirements(optional_size=True, abilities=frozenset({Ability.HAS_ITS_SIZES}))
"""Requirements of a check on 2x2 or 3x3: the bot accepts the size, and then has a board of this size."""

GENMOVE = (
    _choice("game.occupied.genmove", "genmove plays on an empty point of the board, or passes.",
            LOST, ("E9",), (Violation.OCCUPIED,),
            clause="complete-games",
            hint="choose among the empty points of the board as it stands, with all moves played so far"),
    _choice("game.suicide.genmove", "genmove passes rather than play a suicide.",
            Probe("only-suicide", settled("J9", black="J8"), "b"), ("PASS",), (Violation.SUICIDE,),
            clause="no-suicide", hint="a candidate must capture, or leave its own chain a liberty",
            kills="suicide-game suicide-game-multi"),
    _choice("game.resign.genmove", "The bot plays a lost game to its end and does not resign.",
            LOST, ("E9",), (Violation.RESIGN,),
            clause="complete-games", rules="resignation=never",
            hint="answer a move also when every playout is lost",
            kills="genmove-resigns"),
    _choice("game.eye.genmove", "genmove does not fill the bot's own one-point eyes.",
            Probe("only-eyes", settled("D5 E9", black="E9"), "b"), ("PASS",), (Violation.EYE,),
            clause="best-rate",
            hint="leave one-point eyes of the mover out of the candidates; with nothing else left, pass"),
    _choice("game.eye.enemy", "genmove plays in a one-point eye of the enemy if that captures.",
            Probe("enemy-eye", settled("A1 D5", white="A2 B2 B1"), "b"), ("A1",), (Violation.PASS,),
            clause="best-rate",
            hint="leave only your own one-point eyes out of the candidates; enemy eyes are candidates",
            kills="candidates-leave-enemy-eyes"),
    _choice("game.pass.candidate", "The bot plays on while it has a candidate, in a lost game too.",
            LOST, ("E9",), (Violation.PASS,),
            clause="no-early-pass",
            hint="pass only when every legal point is a one-point eye of your own"),
    _choice("game.pass.answer", "After a pass of the opponent, the bot plays on while it has a candidate.",
            Probe("dame-after-one-pass", settled("E9 E8"), "b", tail=(("b", "E8"), ("w", "pass"))), ("E9",),
            (Violation.PASS,),
            clause="no-early-pass", hint="do not look at the opponent's last move when you decide to pass"),
    _choice("game.pass.two", "The bot plays on after two passes of the game while it has a candidate.",
            Probe("dame-after-pass", DAME[1], "b", tail=(("b", "pass"), ("w", "pass"))), ("E9",),
            (Violation.PASS,),
            clause="no-early-pass",
            hint="the controller decides when a game is over: after two passes, choose a move as usual"),
    _choice("game.pass.self", "The bot plays a candidate even if every candidate harms it.",
            Probe("big-eye", settled("A9 B9"), "b"), ("A9", "B9"), (Violation.PASS,),
            clause="no-early-pass",
            hint="both points of a two-point eye are candidates"),
    _choice("game.pass.rate", "The bot plays on where passing would win more playouts than any candidate.",
            Probe("pass-wins-more", HARMFUL, "b"), ("D2", "E9"), (Violation.PASS,),
            clause="no-early-pass",
            hint="a pass is no candidate: keep no record of it, and compare no rate with it",
            kills="pass-by-rate"),
    _choice("game.pass.false-eye", "The bot plays into its own false eye rather than pass.",
            Probe("false-eye", ONLY_WHITE_MOVES, "w"), ("G1",), (Violation.FALSE_EYE,),
            clause="eye",
            hint="an eye has at most one enemy stone on its diagonals in the centre, and none on the edge"),
    _choice("game.ko.genmove", "genmove passes rather than take a ko back at once.",
            Probe("ko-only", KO_TAKEN, "b", tail=(("w", "D5"),)), ("PASS",), KOS,
            clause="superko", rules=FORBIDS_KO, hint=HISTORY_HINT, kills="superko-none"),
    _choice("game.superko.after-passes", "After passes, genmove still repeats no earlier board.",
            Probe("ko-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass"))), ("PASS",),
            KOS,
            clause="superko", rules=FORBIDS_CYCLES, hint=HISTORY_HINT, kills="superko-none superko-simple"),
    _choice("game.superko.long-ago",
            "genmove does not repeat an earlier board, however many moves ago it stood.",
            Probe("ko-many-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), *PASSES, ("w", "pass"))),
            ("PASS",), KOS,
            clause="superko", rules=FORBIDS_CYCLES,
            hint=HISTORY_HINT, kills="superko-recent superko-last-cap"),
    _choice("game.superko.late-game",
            "genmove does not repeat an earlier board, however many moves the game has.",
            KO_LATE, ("PASS",), KOS,
            clause="superko", rules=FORBIDS_CYCLES, hint="keep every board of the game, in a list that grows",
            kills="superko-first-cap"),
    _choice("game.superko.triple-ko", "genmove does not close the cycle of a triple ko.",
            Probe("triple-ko", THREE_KOS, "b", WINNING, tail=THREE_KO_CYCLE), ("D8",), KOS,
            clause="superko", rules=FORBIDS_CYCLES, hint=HISTORY_HINT, kills="superko-simple"),
    _choice("game.superko.send-two",
            "genmove does not repeat an earlier board, whichever side is to move after it.",
            Probe("send-two", SENT_TWO, "w", WINNING, tail=(("w", "A1"), ("b", "C1"))), ("A1",), KOS,
            clause="superko", hint=HISTORY_HINT, kills="superko-simple superko-situational"),
    must("game.superko.quiet", "genmove does not repeat an earlier board by a move that captures nothing.",
         SearchProcedure(Probe("repeats-2x2", empty(2), "w", 0.0, QUIET_2X2), judge_moves(("A1",), KOS),
                         least=TRIES, most=TRIES, least_quick=QUICK_TRIES),
         requires=ON_TINY_BOARDS,
         clause="superko", rules="superko=positional",
         hint="compare the board after every move, capture or not",
         kills="superko-captures-only"),
    must("game.superko.small-board",
         "genmove does not repeat a board of thirty stones before, on a board of nine points.",
         SearchProcedure(Probe("repeats-3x3", empty(3), "b", 0.5, LONG_3X3),
                         judge_moves(("PASS",), KOS), least=2, most=2),
         requires=ON_TINY_BOARDS,
         clause="superko", rules=FORBIDS_CYCLES, hint="keep every board of the game, in a list that grows",
         kills="superko-last-cap"),
    must("game.pass.new-game", "After two passes and clear_board, genmove plays on the empty board.",
         dialogue(NEW + "play b pass\nplay w pass\nclear_board\ngenmove b -> = ~(?i)[a-hj-z][0-9]+\n"
                  "clear_board\nplay b C3"),
         clause="no-early-pass", hint="set the number of passes to 0 at clear_board",
         kills="clear-keeps-passes"),
    must("game.pass.searches", "After two passes of the game, genmove still searches.",
         dialogue(NEW + STONES + "play b pass\nplay w pass\ngenmove b\ngenmove w\nref-nodes -> = ~0*[1-9].*"),
         requires=Requirements(isolated=True),
         clause="no-early-pass",
         hint="the controller decides when a game is over: after two passes, search as usual",
         kills="genmove-passes-when-over"),
    must("game.colour.genmove", "genmove moves for the colour that it is given, also out of turn.",
         SearchProcedure(Probe("out-of-turn", ONE_POINT_EACH, "w", tail=(("w", "pass"),)), judge_colour,
                         least=2, most=12), requires=Requirements(optional_size=True),
         clause="complete-games", rules="suicide=forbidden",
         hint="take the colour from the command, not from whose turn it is",
         kills="genmove-ignores-colour"),
    must("game.superko.generated", "genmove never brings back a board that an earlier genmove had made.",
         GeneratedBoard(KO_AND_NEUTRAL, "E9"), requires=Requirements(board_size=SIZE),
         clause="superko", rules=FORBIDS_CYCLES,
         hint="remember the board after your own moves as after those of play",
         kills="superko-own-moves-forgotten"),
    must("game.superko.ladder",
         "genmove does not take a ko back after passes alone, however many.",
         KoForEver(KO_TAKEN), requires=Requirements(board_size=SIZE),
         clause="superko", rules=FORBIDS_CYCLES,
         hint=HISTORY_HINT, kills="superko-simple superko-recent superko-last-forty"),
)  # fmt: skip

WHOLE = (
    must("game.whole", "A game that the bot plays against itself ends.",
         WholeGame(), requires=Requirements(board_size=SIZE),
         clause="complete-games", hint="pass when no candidate is left: a game without passes never ends"),
    must("game.final-score",
         "final_score answers Black's area minus White's area and komi, with every stone alive.",
         FinalScore(((7.5, "B+1.5"), (9.5, "W+0.5"), (9.0, "0"))),
         requires=replace(FINAL_SCORE, abilities=frozenset({Ability.SCORES, Ability.SCORES_WITH_KOMI})),
         clause="area-scoring",
         hint="answer Black's area minus White's area minus komi, as B+ or W+ and the difference, or 0"),
    must("game.final-score-komi", "final_score counts with the komi that was set last.",
         FinalScore(((5.5, "B+3.5"), (9.5, "W+0.5"), (9.0, "0")), komi_last=True, differences_only=True),
         requires=replace(FINAL_SCORE, abilities=frozenset({Ability.SCORES, Ability.SCORES_ITS_KOMI})),
         clause="komi", hint="read komi when the score is asked for, keep no score from before",
         kills="final-score-stored"),
)  # fmt: skip

CHECKS = WHOLE + GENMOVE
