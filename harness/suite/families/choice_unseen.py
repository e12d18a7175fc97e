"""`ref.choice.unseen`: which move a bot chooses when some or all candidates have no visits.

The bot searches with one playout, so close to the move cap that the playout is a single move. So at most one
candidate has a visit. The check needs a bot whose number of playouts can be set by ref-playouts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.check.bot.session import Session
from harness.check.judges.moves import point_of
from harness.check.model import Judgement, Outcome, Requirements, failed, passed
from harness.check.positions import BLACK_WALL_ROW, CORRIDORS, CORRIDORS_KOMI, SENT_TWO, WINNING
from harness.check.procedures.chosen_move import in_words, violation
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.late_probes import CAP, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import BotSearcher, SearchRecord
from harness.gtp import MAX_PLAYOUTS, parse_count
from harness.suite.statement import must

SEARCHES, SEARCHES_OF_NONE = 16, 8
"""Searches at ONE_COUNTED, and at NONE_COUNTED. Computed: each of the 16 shows a fault with a chance of 0.43
or more, each of the 8 with a half. Chance hides the fault once in 8,000 runs, and once in 250."""

WITH_DRAWS = CORRIDORS_KOMI + 2.5
"""A komi with which a black stone in a corridor makes a draw, and any other move loses. So the candidate with
the visit never has a rate above ½, and a bot that takes the rate of others for ½ or 1 often plays another."""

DRAW = 0.5
"""The score of a search whose move was in a corridor; it is 0 elsewhere."""
ONE_COUNTED = passed_on(Probe("one-counted", CORRIDORS, "b", WITH_DRAWS), CAP + 1)
NONE_COUNTED = passed_on(Probe("none-counted", SENT_TWO, "w", WINNING, (("w", "A1"), ("b", "C1"))), CAP + 1)
"""The playout is the move A1 or B1. Superko forbids B1 to genmove, so the only candidate, A1, may be without
a visit."""

PLAY, PASS = ("unseen-as-won", "unseen-as-even"), ("unseen-passes",)
"""Faults of the check: those that play a point without visits, and the fault that passes."""

EXPECTED = "the one candidate that was counted; where none was counted, a candidate all the same"


@dataclass(frozen=True)
class UnseenRecord:
    """Searches where one candidate has a visit, and searches where sometimes no candidate has one."""

    one_counted: tuple[SearchRecord, ...]
    none_counted: tuple[SearchRecord, ...]


@dataclass(frozen=True)
class Unseen(Conversation):
    """Searches with a single playout of a single move; at ONE_COUNTED, its score shows where it was."""

    def observe(self, session: Session) -> UnseenRecord:
        """Search often at both positions with one playout; then restore the number of playouts.

        No searches if the bot does not answer its number of playouts, or does not set it.
        """
        bot = session.bot
        before = parse_count(bot.ask(b"ref-playouts\n").text, MAX_PLAYOUTS)
        if before is None or not bot.ask(b"ref-playouts 1\n").ok:
            return UnseenRecord((), ())
        searcher = BotSearcher(bot, session.introduction.commands)
        one, none = (
            tuple(searcher.search(probe, 0) for _ in range(number))
            for probe, number in ((ONE_COUNTED, SEARCHES), (NONE_COUNTED, SEARCHES_OF_NONE))
        )
        bot.set_up([f"ref-playouts {before}\n".encode("ascii")])
        return UnseenRecord(one, none)

    def judge(self, observation: UnseenRecord) -> Judgement:
        """The bot must play in the region of the visited point, and at NONE_COUNTED the only candidate.

        Skip a bot whose searches do not have a playout of one move, or whose scores are others than 0 and ½.
        """
        searches = (*observation.one_counted, *observation.none_counted)
        if not searches:
            return Judgement(
                Outcome.SKIP, observed="its ref-playouts does not answer or set the number of playouts"
            )
        if any(search.nodes != 1 for search in searches):
            return Judgement(
                Outcome.SKIP, observed="ref-nodes does not show one move a playout at this move cap"
            )
        if {search.score for search in observation.one_counted} != {0.0, DRAW}:
            return Judgement(Outcome.SKIP, observed="the scores show no draws, or other results")
        judged = (
            *map(_failure_of_one, observation.one_counted),
            *map(_failure_of_none, observation.none_counted),
        )
        return next(filter(None, judged), passed(EXPECTED, f"{len(searches)} searches"))


def _failure_of_one(search: SearchRecord) -> Judgement | None:
    """The failure of a search at ONE_COUNTED if its move is not in the region of the visited point."""
    point, in_corridor = point_of(search.move, 9), search.score == DRAW
    if point is not None and (point[0] > BLACK_WALL_ROW) == in_corridor:
        return None
    where = "in a corridor" if in_corridor else "on the open board"
    seen = f"the counted point is {where}, and {search.move} was played"
    return _failed(ONE_COUNTED, EXPECTED, seen, search.move)


def _failure_of_none(search: SearchRecord) -> Judgement | None:
    """The failure of a search at NONE_COUNTED if its move is not the only candidate."""
    seen = f"{search.move}, where A1 is the only candidate"
    if search.move == "A1":
        return None
    if search.move == "PASS":
        return failed(EXPECTED, seen, unlike=PLAY)
    return _failed(NONE_COUNTED, "A1", seen, search.move)


def _failed(probe: Probe, expected: str, seen: str, move: str) -> Judgement:
    """Return the failure by a wrong move. If it is a violation, the check of the violation reports it."""
    found = violation(probe.position, probe.to_move, move)
    if found is None:
        return failed(expected, seen, unlike=PASS)
    return replace(
        failed("a candidate", f"{seen}: {in_words(found, probe.position, probe.to_move)}"),
        reported_by=str(found),
    )


CHECKS = (
    must("ref.choice.unseen",
         "The bot ignores candidates without visits, but plays one of them if there are no others.",
         Unseen(),
         requires=Requirements(commands=("ref-nodes", "ref-score"), optional_commands=("ref-playouts",),
                               board_size=9),
         clause="unseen",
         hint="choose among the candidates with visits; without any, draw one of the others; do not pass",
         kills="unseen-as-won unseen-as-even unseen-passes", tolerates="playouts-fixed"),
)  # fmt: skip
