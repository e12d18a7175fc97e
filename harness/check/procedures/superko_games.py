"""Two checks of superko: games in which Black's only move left is to take a ko, which superko forbids.

So a bot that plays Black must pass. A bot that forgets the earlier boards of the game takes the ko.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.session import Session
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.positions import WINNING
from harness.check.procedures.chosen_move import KOS, in_words, violation
from harness.check.procedures.conversation import Conversation, as_lines, read_move
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.go import Colour
from harness.gtp import Exchange

ROUNDS = 60
"""Number of moves to generate; chosen: the forbidden board is then 2 to 120 moves old, too old for a short
history."""

SECONDS = 5.0
"""Seconds after which no further move is generated; chosen: each takes a slow bot a whole search."""

MOST_TRIES = 12
"""Largest number of searches until the bot fills the neutral point.

Chosen: a bot that fills it half the time misses 12 times in one of 4,096 runs.
"""

CYCLE: tuple[tuple[Colour, str], ...] = (("w", "D5"), ("b", "pass"), ("w", "pass"))
"""White takes the ko; after two passes simple ko allows Black to take it back, superko does not."""

CYCLE_LINES = as_lines(*(f"play {colour} {vertex}" for colour, vertex in CYCLE))
WANTED = "PASS, as nothing is left but the ko"
WANTED_AGAIN = "PASS, as long as nothing else is left"


def _needs_of_game(lines: tuple[bytes, ...]) -> Requirements:
    """Return the requirements of these lines and of generated moves after them."""
    found = requirements(map(SentLine, (*lines, b"genmove b\n")))
    return replace(found, abilities=found.abilities | {Ability.PLAYS_ITS_MOVES, Ability.SEARCHES_AGAIN})


def _judge_move(probe: Probe, move: str, expected: str, ko_judgement: Judgement) -> Judgement:
    """Judge a move that is no pass: by `ko_judgement` if it takes the ko.

    Any other violation is a failure that the check of that violation reports. A move without a violation is a
    failure that this check reports.
    """
    found = violation(probe.position, "b", move)
    if found in KOS:
        return ko_judgement
    words = f"{move}: {in_words(found, probe.position, 'b')}" if found is not None else move
    return Judgement(Outcome.FAIL, expected, words, reported_by=str(found or ""))


@dataclass(frozen=True)
class KoForEver(Conversation):
    """Black generates a move, White passes, again and again: the only move left is a ko taken long ago.

    board    diagram with a ko that White can take at D5, and no other move for Black
    """

    board: str

    @cached_property
    def probe(self) -> Probe:
        """White has just taken the ko, and Black is to move."""
        return Probe("ko-for-ever", self.board, "b", tail=CYCLE[:1])

    @property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        return _needs_of_game((*self.probe.setup(), b"play b pass\n", b"play w pass\n"))

    def observe(self, session: Session) -> tuple[Exchange, ...]:
        """Generate moves as long as the bot passes."""
        bot = session.bot
        bot.set_up(self.probe.setup())
        record: list[Exchange] = []
        for _ in range(ROUNDS):
            if sum(exchange.seconds for exchange in record) > SECONDS:
                break
            record.append(bot.ask(b"genmove b\n"))
            if read_move(record[-1], self.probe.size) != "PASS":
                break
            bot.set_up([b"play w pass\n"])
        return tuple(record)

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """Every move must be a pass. See `_judge_move` for other moves."""
        for number, exchange in enumerate(observation):
            move = read_move(exchange, self.probe.size)
            if move != "PASS":
                observed = f"{move}, which brings back the board of {2 * number + 2} moves before"
                return _judge_move(self.probe, move, "PASS", failed(WANTED_AGAIN, observed))
        return passed(WANTED_AGAIN, f"PASS {len(observation)} times")


@dataclass(frozen=True)
class GeneratedRecord:
    """The first move of each try; the last move after CYCLE, None if the bot never filled the point."""

    first: tuple[Exchange, ...]
    last: Exchange | None


@dataclass(frozen=True)
class GeneratedBoard(Conversation):
    """The bot fills a neutral point by genmove; White captures in a ko; the bot may not capture back.

    That would bring back the board before White's capture.

    board    a ko of Black's that White can take at D5, and one neutral point
    neutral  that point
    """

    board: str
    neutral: str

    @cached_property
    def probe(self) -> Probe:
        """Black to move: the neutral point or the ko, with every playout lost."""
        return Probe("ko-and-neutral", self.board, "b", WINNING)

    @cached_property
    def last(self) -> Probe:
        """The position at the end of the cycle."""
        return Probe("ko-generated", self.board, "b", WINNING, tail=(("b", self.neutral), *CYCLE))

    @property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        return _needs_of_game(self.last.setup())

    def observe(self, session: Session) -> GeneratedRecord:
        """Begin again until the bot fills the neutral point; then go through the cycle."""
        bot, first = session.bot, []
        for _ in range(MOST_TRIES):
            bot.set_up(self.probe.setup())
            first.append(bot.ask(self.probe.question()))
            if read_move(first[-1], self.probe.size) == self.neutral:
                bot.set_up(CYCLE_LINES)
                return GeneratedRecord(tuple(first), bot.ask(self.last.question()))
        return GeneratedRecord(tuple(first), None)

    def judge(self, observation: GeneratedRecord) -> Judgement:
        """The last move must be a pass. See `_judge_move` for other moves."""
        if observation.last is None:
            why = f"the bot never played {self.neutral}, in {len(observation.first)} searches"
            return Judgement(Outcome.SKIP, WANTED, why)
        move = read_move(observation.last, self.last.size)
        if move == "PASS":
            return passed(WANTED, move)
        observed = f"{move}, which brings back the board after its own {self.neutral}"
        return _judge_move(self.last, move, WANTED, failed(WANTED, observed))
