"""`ref.cap.*`: the move cap of a playout, and the move from which a bot counts.

Also `ref.score.neutral` and `ref.score.region-*`: the score of the board on which the cap ends a playout.

The clause of the cap can be read in two ways. In our reading a playout ends at 3 N N moves, those of the real
game and those of the playout together. A bot may also count the moves of the playout alone: then it fails
only a SHOULD. A bot that follows neither reading fails a MUST. `harness.suite.families` explains the notation
of the positions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.check.bot.session import Session
from harness.check.judges.moments import judge_moments
from harness.check.judges.move_cap import (
    judge_cap,
    judge_mixed_cap,
    judge_single_moves,
    skip_unless_single,
)
from harness.check.model import NODES_AND_SCORE, Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.positions import EMPTY, NATURAL_LENGTH, NATURAL_SD, STONES_PLAYED, TWO_WHITE_MOVES, WINNING
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.late_probes import CAP, late, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.search import SearchProcedure
from harness.go import Colour
from harness.gtp import Exchange, parse_count
from harness.suite.statement import must, should

NEUTRAL = replace(late(CAP), id="neutral", komi=6.0)
"""A playout of one move fills one of four neutral points. If the others count for nobody, it is a draw."""


def _walled(side: Colour) -> Probe:
    """A position at the cap: each colour has walled off an edge of the board, `side` the larger one.

    The two columns between the walls count for nobody. `side` is to move and ahead by 9 points or more,
    whatever its move is; komi takes 4.5 of them. Without the empty points behind the walls, the other colour
    would win.
    """
    near, far = ("X", "O") if side == "b" else ("O", "X")
    board = "\n".join([f". . . {near} . . {far} . ."] * 9)
    drawn = Probe(f"walls-{side}", board, side, 4.5 if side == "b" else -4.5)
    return passed_on(drawn, CAP if side == "b" else CAP + 1)


PASS_AT_CAP = passed_on(Probe("pass-at-cap", TWO_WHITE_MOVES, "w"), CAP - 2)
"""Two moves before the cap: White fills a point, and Black passes. Without a cap, three more moves follow."""

MANY_STONES = passed_on(Probe("late-stones", EMPTY, "b", WINNING, STONES_PLAYED), CAP - 3)
"""Three moves before the cap, after 200 stones and 40 passes; Black loses every playout."""


@dataclass(frozen=True)
class CountsAtCap:
    """The answers to ref-nodes after searches one move before the cap, at it, and beyond it."""

    answers: tuple[Exchange, ...]


@dataclass(frozen=True)
class SearchesAtCap(Conversation):
    """Searches in one game: one move before the cap, at the cap, and beyond it. Each fills an empty point.

    Each search alone fits one of the two readings of the clause; all together must fit the same one. For
    example, playouts of one move before the cap fit our reading alone, and of several moves at the cap the
    other alone: a bot with both fails.
    """

    before = late(CAP - 1)

    @property
    def _steps(self) -> tuple[tuple[bytes, ...], ...]:
        """The lines up to each of the three searches, its genmove included."""
        passes = (b"play b pass\n", b"play w pass\n") * 5
        return (*self.before.setup(), self.before.question()), (b"genmove w\n",), (*passes, b"genmove b\n")

    @property
    def requires(self) -> Requirements:
        """Requirements of the searches."""
        return requirements((SentLine(line) for step in self._steps for line in (*step, b"ref-nodes\n")), 9)

    def observe(self, session: Session) -> CountsAtCap:
        """Ask for ref-nodes after each search."""
        bot, answers = session.bot, []
        for lines in self._steps:
            bot.set_up(lines)
            answers.append(bot.ask(b"ref-nodes\n"))
        return CountsAtCap(tuple(answers))

    def judge(self, observation: CountsAtCap) -> Judgement:
        """No search may have more moves than the search before it."""
        read = [parse_count(answer.text) for answer in observation.answers]
        counts = [count for count in read if count is not None]
        if len(counts) < len(read):
            return Judgement(Outcome.SKIP, observed="ref-nodes answers no count")
        observed = "ref-nodes → {:,} one move before the cap, {:,} at the cap, {:,} beyond it".format(*counts)
        expected = "ref-nodes answers no larger number at the cap, or beyond it, than one move before it"
        shrinks = counts == sorted(counts, reverse=True)
        return passed(expected, observed) if shrinks else failed(expected, observed)


_LATE = (  # moves of the game before the search, name, title
    (CAP - 3, "three", "A playout that starts three moves before the cap has three moves."),
    (CAP - 1, "one", "A playout that starts one move before the cap has one move."),
    (CAP, "none", "A playout that starts at the cap still has one move."),
    (CAP + 10, "beyond", "A playout that starts far beyond the cap still has one move."),
)
_SIDES: tuple[tuple[str, Colour], ...] = (("black", "b"), ("white", "w"))
CHECKS = (
    must("ref.cap.small-board",
         "From the empty 3x3 board, playouts have the mean length and result that a cap of 27 moves gives.",
         SearchProcedure(Probe("empty-3x3", ". . .\n. . .\n. . .", "b", 0.5, table="3x3 empty, komi 0.5"),
                         judge_moments(0.03, 0.03), least=4, most=60),
         requires=replace(NODES_AND_SCORE, optional_size=True),
         clause="move-cap", hint="stop after exactly 27 moves on 3x3, and score the board as it stands"),
    *(must(f"ref.cap.{name}", title,
           SearchProcedure(late(made), judge_cap(either=True), least=1, most=1), requires=NODES_AND_SCORE,
           clause="move-cap", hint="stop at 243 moves on 9x9, passes included, but not before the first")
      for made, name, title in _LATE),
    must("ref.cap.reached",
         "Once the game has reached the cap, playouts have no more moves than just before.",
         SearchesAtCap(),
         requires=Requirements(commands=("ref-nodes",), board_size=9,
                               abilities=frozenset({Ability.COUNTS_MOVES, Ability.SEARCHES_AGAIN})),
         clause="move-cap", hint="compare the number of moves with the cap by >=, not by ==",
         kills="cap-not-at-root", tolerates="cap-from-root"),
    must("ref.cap.stones-and-passes", "The move cap counts the passes of the game as it counts its stones.",
         SearchProcedure(MANY_STONES, judge_mixed_cap(NATURAL_LENGTH, NATURAL_SD), least=1, most=1),
         requires=NODES_AND_SCORE,
         clause="move-cap", hint="count a pass of the game like any other move",
         kills="cap-passes-uncounted"),
    must("ref.cap.forced-passes", "The move cap counts the passes of a playout as it counts its stones.",
         SearchProcedure(PASS_AT_CAP, judge_cap(either=True, natural=5), least=1, most=1),
         requires=NODES_AND_SCORE,
         clause="move-cap", hint="count a pass of a playout like any other move",
         kills="cap-playout-passes-uncounted", tolerates="cap-from-root"),
    must("ref.cap.scored", "The bot scores the board as it stands when the move cap ends a playout.",
         SearchProcedure(late(CAP - 1), skip_unless_single(judge_moments(lengths=False)), least=1, most=1),
         requires=NODES_AND_SCORE,
         clause="move-cap", hint="score the board at the end of each playout, also at the move cap",
         kills="cap-is-draw"),
    must("ref.score.neutral", "An empty region that touches both colours counts for neither colour.",
         SearchProcedure(NEUTRAL, judge_single_moves(0.05), least=8, most=8), requires=NODES_AND_SCORE,
         clause="area-scoring",
         hint="flood each empty region: it counts only if it reaches one colour alone"),
    *(must(f"ref.score.region-{name}",
           f"A large empty region that touches {name} stones alone counts for {name}.",
           SearchProcedure(_walled(side), judge_single_moves(0.05), least=2, most=4),
           requires=NODES_AND_SCORE,
           clause="area-scoring",
           hint="flood each empty region, however large: it counts for the one colour that it reaches",
           kills="area-single-points area-first-neighbour area-stones-only")
      for name, side in _SIDES),
    should("ref.cap.game", "The move cap counts the moves of the real game, not only those of the playout.",
           SearchProcedure(late(CAP - 3), judge_cap(either=False), least=1, most=1), requires=NODES_AND_SCORE,
           clause="move-cap",
           hint="start the count of a playout at the number of moves of the game"),
)  # fmt: skip
