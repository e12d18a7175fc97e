"""`ref.choice.unseen`: what a bot does with candidates that no playout has counted.

With one playout a search, and so late in a game that this playout is a single move, exactly one point is
counted. Needs a bot that can be told the number of playouts, by ref-playouts.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.checks.bot import Bot, Facts
from harness.checks.capping import CAP
from harness.checks.drawing import CORRIDORS, KOMI
from harness.checks.model import Check, Judgement, Level, Outcome
from harness.checks.probe import Probe, UnreadableAnswer, read_move, read_nodes, read_score
from harness.checks.rules import SENT_TWO, WINNING
from harness.checks.special import Record, failed, passed
from harness.go import Colour
from harness.gtp import parse_vertex

SEARCHES = 12
COLOURS: tuple[Colour, Colour] = ("b", "w")


def _late(probe: Probe, first: int) -> Probe:
    """The probe with passes after it until the cap is reached; `first` to pass is COLOURS[first]."""
    made = len(probe.moves)
    passes = tuple((COLOURS[(first + number) % 2], "pass") for number in range(CAP + 1 - made))
    return Probe(probe.id, probe.board, probe.to_move, probe.komi, (*probe.tail, *passes))


ONE_COUNTED = _late(Probe("one-counted", CORRIDORS, "b", KOMI), 1)
NONE_COUNTED = _late(Probe("none-counted", SENT_TWO, "w", WINNING, (("w", "A1"), ("b", "C1"))), 0)
"""Half of the single moves are B1, which superko forbids in the game: A1, the candidate, is then unseen."""


@dataclass(frozen=True)
class Unseen:
    """Searches of a single playout of a single move, whose result tells where it was."""

    needs = ("ref-playouts", "ref-nodes", "ref-score")
    needs_size = 9

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """genmove, ref-nodes and ref-score, often, at both positions; the number of playouts is restored."""
        before = bot.say(b"ref-playouts\n").text.strip()
        bot.tell([b"ref-playouts 1\n"])
        record = []
        for probe in (ONE_COUNTED, NONE_COUNTED):
            for _ in range(SEARCHES):
                bot.tell(probe.setup())
                record += [bot.say(line) for line in (probe.question(), b"ref-nodes\n", b"ref-score\n")]
        bot.tell([f"ref-playouts {before}\n".encode("ascii")])
        return tuple(record)

    def judge(self, record: Record) -> Judgement:
        """The point that was counted is played; where none was, the one candidate, and no pass."""
        expected = "the one candidate that was counted; where none was, a candidate all the same"
        try:
            answers = [
                (read_move(record[n], 9), read_nodes(record[n + 1]), read_score(record[n + 2]))
                for n in range(0, len(record), 3)
            ]
        except UnreadableAnswer as unreadable:
            return failed(expected, unreadable.exchange.text)
        if any(nodes != 1 for _, nodes, _ in answers):
            return Judgement(Outcome.SKIP, observed="the bot does not count the game's moves towards the cap")
        for move, _, score in answers[:SEARCHES]:
            point = parse_vertex(move, 9) if move != "RESIGN" else None
            in_corridor = point is not None and point[0] > 4
            if point is None or in_corridor != (score == 1.0):
                where = "in a corridor" if score == 1.0 else "on the open board"
                return failed(expected, f"the point that was counted is {where}, {move} was played")
        for move, _, _ in answers[SEARCHES:]:
            if move != "A1":
                return failed(expected, f"{move}, where A1 is the only candidate")
        return passed(expected, f"{len(answers)} times")


CHECKS = (
    Check(
        id="ref.choice.unseen",
        clause="unseen",
        level=Level.MUST,
        title="A candidate that no playout has counted is ignored; if there is no other, it is played.",
        procedure=Unseen(),
        hint="choose among the candidates with visits; without any, draw one of the others; do not pass",
        kills=("unseen-as-won", "unseen-as-even", "unseen-passes"),
    ),
)
