"""`game.*`: the rules of the real game, by what genmove plays, and whole games with their scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from harness.check.judges.moves import judge_colour, judge_moves
from harness.check.model import Ability, Check, Level, Requirements
from harness.check.positions import DAME, ONE_POINT_EACH, ONLY_WHITE_MOVES, SENT_TWO, WINNING, settled
from harness.check.procedures.chosen_move import KOS, Violation
from harness.check.procedures.dialogue import NEW, dialogue
from harness.check.procedures.late_probes import STONES
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure
from harness.check.procedures.superko_games import GeneratedBoard, KoForEver
from harness.check.procedures.whole_game import FINAL_SCORE, SIZE, FinalScore, WholeGame
from harness.go import Colour

must = partial(Check, level=Level.MUST)

KO_TAKEN = settled("D5", "E6 E4")
THREE_KOS = settled("D8 D2 E5", white="D5 E9 E7 E6 E4 E3 E1")
"""White may take E8 and E2, Black may take D5; each may fill the kos that are its own."""
THREE_KO_CYCLE: tuple[tuple[Colour, str], ...] = (
    ("w", "D8"), ("b", "E5"), ("w", "D2"), ("b", "E8"), ("w", "D5"),
)  # fmt: skip
"""Five of the six captures of the cycle: Black's E2 would bring the first board back, E5 the last but one.

Left to Black is to fill D8; with a komi that loses every playout, no candidate is better than another.
"""
PASSES: tuple[tuple[Colour, str], ...] = (("w", "pass"), ("b", "pass")) * 6


@dataclass(frozen=True)
class _Choice:
    """A position in which a conforming bot has few moves to choose from, and what may go wrong there."""

    id: str
    clause: str
    title: str
    hint: str
    probe: Probe
    allowed: tuple[str, ...]
    own: tuple[Violation, ...]
    kills: tuple[str, ...] = ()

    def check(self) -> Check:
        """The check of the moves that the bot chooses there."""
        many = self.probe.komi == WINNING
        return must(
            id=self.id,
            clause=self.clause,
            title=self.title,
            hint=self.hint,
            procedure=SearchProcedure(
                self.probe,
                judge_moves(self.allowed, self.own),
                least=LEAST_WITH_CHOICE if many else 2,
                most=12,
                least_quick=6 if many else 2,
            ),
            requires=Requirements(optional_size=True),
            kills=self.kills,
        )


LEAST_WITH_CHOICE = 12
"""Searches where a faulty bot has a second candidate that is as good: it stays unseen once in 4,096 times."""

LOST = Probe("lost", DAME[1], "b", WINNING)
HISTORY_HINT = "compare the board after the move with every board of the game, whoever was to move"

_CHOICES = (
    _Choice(
        "game.occupied.genmove",
        "complete-games",
        "genmove plays on an empty point of the board, or passes.",
        "choose among the empty points of the board as it stands, with all moves played so far",
        LOST,
        ("E9",),
        (Violation.OCCUPIED,),
    ),
    _Choice(
        "game.suicide.genmove",
        "no-suicide",
        "genmove plays no suicide, even if it has no other move.",
        "a candidate takes something or leaves its own chain a liberty",
        Probe("only-suicide", settled("J9", black="J8"), "b"),
        ("PASS",),
        (Violation.SUICIDE,),
        ("suicide-game", "suicide-game-multi"),
    ),
    _Choice(
        "game.resign.genmove",
        "complete-games",
        "The bot plays a lost game to its end and does not resign.",
        "answer a move also where every playout is lost",
        LOST,
        ("E9",),
        (Violation.RESIGN,),
        ("genmove-resigns",),
    ),
    _Choice(
        "game.eye.genmove",
        "best-rate",
        "genmove does not fill the bot's own one-point eyes.",
        "leave one-point eyes of the mover out of the candidates; with nothing else left, pass",
        Probe("only-eyes", settled("D5 E9", black="E9"), "b"),
        ("PASS",),
        (Violation.EYE,),
    ),
    _Choice(
        "game.pass.candidate",
        "no-early-pass",
        "The bot passes only when it has no candidate, also when it has lost.",
        "pass only when no point may be played that is no one-point eye of your own",
        LOST,
        ("E9",),
        (Violation.PASS,),
    ),
    _Choice(
        "game.pass.answer",
        "no-early-pass",
        "The bot does not answer a pass with a pass while it has a candidate.",
        "do not look at the opponent's last move when you decide to pass",
        Probe("dame-after-one-pass", settled("E9 E8"), "b", tail=(("b", "E8"), ("w", "pass"))),
        ("E9",),
        (Violation.PASS,),
    ),
    _Choice(
        "game.pass.two",
        "no-early-pass",
        "The bot plays on after two passes of the game while it has a candidate.",
        "the controller decides when a game is over: choose a move after two passes as after any other move",
        Probe("dame-after-pass", DAME[1], "b", tail=(("b", "pass"), ("w", "pass"))),
        ("E9",),
        (Violation.PASS,),
    ),
    _Choice(
        "game.pass.self",
        "no-early-pass",
        "The bot does not pass because every candidate harms itself.",
        "an eye of two points is no one-point eye: both points are candidates",
        Probe("big-eye", settled("A9 B9"), "b"),
        ("A9", "B9"),
        (Violation.PASS,),
    ),
    _Choice(
        "game.pass.false-eye",
        "eye",
        "The bot plays into its own false eye rather than pass.",
        "count the enemy's stones on the diagonals of an eye: one is too many on the edge, two in the centre",
        Probe("false-eye", ONLY_WHITE_MOVES, "w"),
        ("G1",),
        (Violation.FALSE_EYE,),
    ),
    _Choice(
        "game.ko.genmove",
        "superko",
        "genmove does not take a ko back at once, even if it has no other move.",
        HISTORY_HINT,
        Probe("ko-only", KO_TAKEN, "b", tail=(("w", "D5"),)),
        ("PASS",),
        KOS,
        ("superko-none",),
    ),
    _Choice(
        "game.superko.after-passes",
        "superko",
        "genmove repeats no earlier board, also after passes.",
        HISTORY_HINT,
        Probe("ko-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass"))),
        ("PASS",),
        KOS,
        ("superko-none", "superko-simple"),
    ),
    _Choice(
        "game.superko.long-ago",
        "superko",
        "genmove does not repeat an earlier board, however many moves ago it stood.",
        HISTORY_HINT,
        Probe("ko-many-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), *PASSES, ("w", "pass"))),
        ("PASS",),
        KOS,
        ("superko-recent",),
    ),
    _Choice(
        "game.superko.triple-ko",
        "superko",
        "genmove does not close the cycle of a triple ko.",
        HISTORY_HINT,
        Probe("triple-ko", THREE_KOS, "b", WINNING, tail=THREE_KO_CYCLE),
        ("D8",),
        KOS,
        ("superko-simple",),
    ),
    _Choice(
        "game.superko.send-two",
        "superko",
        "genmove does not repeat an earlier board, even if the other side is to move after it this time.",
        HISTORY_HINT,
        Probe("send-two", SENT_TWO, "w", WINNING, tail=(("w", "A1"), ("b", "C1"))),
        ("A1",),
        KOS,
        ("superko-simple", "superko-situational"),
    ),
)
GENMOVE = (
    *(choice.check() for choice in _CHOICES),
    must(
        id="game.pass.searches",
        clause="no-early-pass",
        title="genmove searches also after two passes of the game.",
        procedure=dialogue(
            NEW + STONES + "play b pass\nplay w pass\ngenmove b\ngenmove w\nref-nodes -> = ~0*[1-9].*"
        ),
        requires=Requirements(isolated=True),
        hint="the controller decides when a game is over: search after two passes as after any other move",
        kills=("genmove-passes-when-over",),
    ),
    must(
        id="game.colour.genmove",
        clause="complete-games",
        title="genmove moves for the colour that it is given, also out of turn.",
        procedure=SearchProcedure(
            Probe("out-of-turn", ONE_POINT_EACH, "w", tail=(("w", "pass"),)), judge_colour, least=2, most=12
        ),
        requires=Requirements(optional_size=True),
        hint="take the colour from the command, not from whose turn it is",
        kills=("genmove-ignores-colour",),
    ),
    must(
        id="game.superko.generated",
        clause="superko",
        title="genmove never brings back a board that an earlier genmove had made.",
        procedure=GeneratedBoard(settled("D5 E9", "E6 E4"), "E9"),
        requires=Requirements(board_size=SIZE),
        hint="remember the board after your own moves as after those of play",
        kills=("superko-own-moves-forgotten",),
    ),
    must(
        id="game.superko.ladder",
        clause="superko",
        title="genmove does not take a ko back when nothing but passes came after the capture.",
        procedure=KoForEver(KO_TAKEN),
        requires=Requirements(board_size=SIZE),
        hint=HISTORY_HINT,
        kills=("superko-simple", "superko-recent", "superko-last-forty"),
    ),
)

WHOLE = (
    must(
        id="game.whole",
        clause="complete-games",
        title="A game that the bot plays against itself ends.",
        procedure=WholeGame(),
        requires=Requirements(board_size=SIZE),
        hint="pass when no candidate is left: a game without passes never ends",
    ),
    must(
        id="game.final-score",
        clause="area-scoring",
        title="final_score answers Black's area less White's area and komi, with every stone alive.",
        procedure=FinalScore(((7.5, "B+1.5"), (9.5, "W+0.5"), (9.0, "0"))),
        requires=replace(FINAL_SCORE, abilities=frozenset({Ability.SCORES, Ability.SCORES_WITH_KOMI})),
        hint="Black's area less White's less komi; B+ or W+ and the difference, or 0",
    ),
    must(
        id="game.final-score-komi",
        clause="komi",
        title="final_score counts with the komi that was set last.",
        procedure=FinalScore(
            ((5.5, "B+3.5"), (9.5, "W+0.5"), (9.0, "0")), komi_last=True, differences_only=True
        ),
        requires=replace(FINAL_SCORE, abilities=frozenset({Ability.SCORES})),
        hint="read komi when the score is asked for, keep no score from before",
        kills=("final-score-without-komi", "komi-first-only"),
    ),
)

CHECKS = WHOLE + GENMOVE
