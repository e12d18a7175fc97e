"""Games in which the bot may not take back a ko: a ladder of passes, and a board that its own move made."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.session import Session
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.positions import WINNING
from harness.check.procedures.chosen_move import KOS, Violation, in_words, violation
from harness.check.procedures.conversation import Conversation, read_move
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.go import Colour
from harness.gtp import Exchange

ROUNDS = 60
"""Passes of each side: the distances reach from 2 to twice as many moves."""

SECONDS = 5.0
"""After this time no further move is asked for: each takes a slow bot a whole search."""


@dataclass(frozen=True)
class KoRecord:
    """The generated moves of Black, who has nothing to play but the ko."""

    moves: tuple[Exchange, ...]


@dataclass(frozen=True)
class KoForEver(Conversation):
    """Black generates a move, White passes, again and again: the only move left is a ko taken long ago."""

    board: str

    @cached_property
    def probe(self) -> Probe:
        """White has just taken the ko, and Black is to move."""
        return Probe("ko-for-ever", self.board, "b", tail=(("w", "D5"),))

    @property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        lines = (*self.probe.setup(), b"play b pass\n", b"play w pass\n", b"genmove b\n")
        found = requirements(map(SentLine, lines))
        return replace(found, abilities=found.abilities | {Ability.PLAYS_ITS_MOVES, Ability.SEARCHES_AGAIN})

    def observe(self, session: Session) -> KoRecord:
        """Go on as long as the bot passes."""
        bot = session.bot
        bot.set_up(self.probe.setup())
        record: list[Exchange] = []
        began = time.monotonic()
        for _ in range(ROUNDS):
            if record and time.monotonic() - began > SECONDS:
                break
            record.append(bot.ask(b"genmove b\n"))
            if read_move(record[-1], self.probe.size) != "PASS":
                break
            bot.set_up([b"play w pass\n"])
        return KoRecord(tuple(record))

    def judge(self, observation: KoRecord) -> Judgement:
        """Every move must be a pass; taking the ko is what the check is about."""
        size = self.probe.size
        for number, exchange in enumerate(observation.moves):
            move = read_move(exchange, size)
            if move == "PASS":
                continue
            found = violation(self.probe.position, "b", move)
            distance = 2 * number + 2
            observed = f"{move}, which brings back the board of {distance} moves before"
            if found not in (Violation.KO, Violation.SUPERKO):
                words = f"{move}: {in_words(found, self.probe.position, 'b')}" if found is not None else move
                return Judgement(Outcome.FAIL, "PASS", words, reported_by=str(found or ""))
            return Judgement(Outcome.FAIL, "PASS, as long as nothing else is left", observed)
        return passed("PASS, as long as nothing else is left", f"PASS {len(observation.moves)} times")


MOST_TRIES = 12
"""Searches until the bot fills the neutral point: it has two moves, and neither is better."""

CYCLE: tuple[tuple[Colour, str], ...] = (("w", "D5"), ("b", "pass"), ("w", "pass"))
"""White takes the ko; after the passes Black could take it back, as far as the simple ko rule goes."""

LINES = tuple(f"play {colour} {vertex}\n".encode("ascii") for colour, vertex in CYCLE)
WANTED = "PASS, as nothing is left but the ko"


@dataclass(frozen=True)
class GeneratedRecord:
    """The moves that the bot made first, one a try, and its move at the end of the cycle."""

    first: tuple[Exchange, ...]
    last: Exchange | None


@dataclass(frozen=True)
class GeneratedBoard(Conversation):
    """The bot fills a neutral point by genmove; White takes a ko; the bot may not bring that board back.

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
        found = requirements(map(SentLine, (*self.last.setup(), b"genmove b\n")))
        return replace(found, abilities=found.abilities | {Ability.PLAYS_ITS_MOVES, Ability.SEARCHES_AGAIN})

    def observe(self, session: Session) -> GeneratedRecord:
        """Begin again until the bot fills the neutral point; then go through the cycle."""
        bot, first = session.bot, []
        for _ in range(MOST_TRIES):
            bot.set_up(self.probe.setup())
            first.append(bot.ask(self.probe.question()))
            if read_move(first[-1], self.probe.size) == self.neutral:
                bot.set_up(LINES)
                return GeneratedRecord(tuple(first), bot.ask(self.last.question()))
        return GeneratedRecord(tuple(first), None)

    def judge(self, observation: GeneratedRecord) -> Judgement:
        """The last move must be a pass; taking the ko is what the check is about."""
        if observation.last is None:
            why = f"the bot never played {self.neutral}, in {len(observation.first)} searches"
            return Judgement(Outcome.SKIP, WANTED, why)
        move = read_move(observation.last, self.last.size)
        if move == "PASS":
            return passed(WANTED, move)
        found = violation(self.last.position, "b", move)
        if found in KOS:
            return failed(WANTED, f"{move}, which brings back the board after its own {self.neutral}")
        words = f"{move}: {in_words(found, self.last.position, 'b')}" if found is not None else move
        return Judgement(Outcome.FAIL, WANTED, words, reported_by=str(found or ""))
