"""Checks that generated moves are legal, for engines that may pass and resign.

The positions have few legal points and a komi with which the game is close, so that an engine has a reason to
move on. A pass or a resignation is legal, and shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.session import Session
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.positions import changed, settled_board
from harness.check.procedures.chosen_move import Violation, in_words, violation
from harness.check.procedures.conversation import Conversation, new_game, read_move
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.commands.kept_games import settled_ko
from harness.go import Position
from harness.gtp import COLUMNS, Exchange, format_vertex, parse_vertex

NO_STONE = {"PASS": Violation.PASS, "RESIGN": Violation.RESIGN}


def close_games(size: int) -> Iterator[Probe]:
    """Return positions with few legal points for Black, who may win or lose each by his move."""
    middle = size // 2 + 1
    edge, last = COLUMNS[middle - 1], COLUMNS[size - 1]
    full = settled_board(size)
    yield Probe("close-point", changed(full, f"{edge}{size}"), "b", size - 0.5)
    taken = replace(settled_ko(size), id="close-ko", komi=size - 6.0)
    yield taken
    yield replace(taken, id="won-ko", komi=size - 8.5)
    yield Probe("close-suicide", changed(full, black=f"{last}{size - 1}"), "b", size + 2.5)
    passes = (*taken.tail, ("b", "pass"), ("w", "pass"))
    yield replace(taken, id="close-superko", tail=passes)


@dataclass(frozen=True)
class CloseMoves:
    """The moves that a bot generated in positions, and the rules by which it plays."""

    moves: tuple[tuple[Probe, Exchange], ...]
    rules: PlayRules = REFERENCE_RULES


@dataclass(frozen=True)
class LegalInCloseGames(Conversation):
    """Generates a move in close games, in positions with few legal points."""

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the positions and searches."""
        found = Requirements(abilities=frozenset({Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD}))
        for probe in close_games(9):
            lines = map(SentLine, (*probe.setup(), probe.question()))
            found = found.with_those_of(requirements(lines))
        return found

    def observe(self, session: Session) -> CloseMoves:
        """Generate a move in each position."""
        moves: list[tuple[Probe, Exchange]] = []
        for probe in close_games(session.introduction.size):
            session.bot.set_up(probe.setup())
            moves.append((probe, session.bot.ask(probe.question())))
        return CloseMoves(tuple(moves), session.rules)

    def judge(self, observation: CloseMoves) -> Judgement:
        """Every move must be legal by the rules of the bot. Another fails the check of its `Violation`."""
        expected = "a legal move, a pass or a resignation"
        rules = observation.rules
        shown: list[str] = []
        for probe, exchange in observation.moves:
            move = read_move(exchange, probe.size)
            position = Position(probe.size, rules.of_board)
            for colour, vertex in probe.moves:
                position.play(colour, parse_vertex(vertex, probe.size))
            found = violation(position, probe.to_move, move, rules)
            if found is not None:
                words = in_words(found, position, probe.to_move)
                observed = f"{probe.occasion}: {move}, {words}\n{position.draw()}"
                return Judgement(Outcome.FAIL, expected, observed, reported_by=str(found))
            shown.append(move)
        if all(move in NO_STONE for move in shown):
            return Judgement(Outcome.SKIP, expected, f"the bot made no move: {', '.join(shown)}")
        return passed(expected, ", ".join(shown))


@dataclass(frozen=True)
class ColourRecord:
    """A move that was generated for White, and Black's last move: on its point, once it is surrounded."""

    move: Exchange
    size: int
    last: Exchange | None = None


@dataclass(frozen=True)
class StoneOfColour(Conversation):
    """Generates a move for White at the start of a game; Black then captures the stone and plays there."""

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        lines = (b"boardsize 9\n", b"clear_board\n", b"genmove w\n", b"play b A1\n", b"play w pass\n")
        found = requirements(map(SentLine, lines))
        return replace(found, abilities=found.abilities | {Ability.CAPTURES, Ability.PLAYS_ITS_MOVES})

    def observe(self, session: Session) -> ColourRecord:
        """Generate the move; surround it with black stones; let Black play on its point."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(new_game(size))
        move = bot.ask(b"genmove w\n")
        vertex = read_move(move, size)
        if vertex in NO_STONE:
            return ColourRecord(move, size)
        row, column = parse_vertex(vertex, size) or (0, 0)
        around = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        points = [format_vertex(point) for point in around if 0 <= min(point) <= max(point) < size]
        lines = [line for point in points for line in (f"play b {point}\n", "play w pass\n")]
        bot.set_up(line.encode("ascii") for line in lines)
        return ColourRecord(move, size, bot.ask(f"play b {vertex}\n".encode("ascii")))

    def judge(self, observation: ColourRecord) -> Judgement:
        """Black must have captured the stone."""
        move = read_move(observation.move, observation.size)
        expected = "a white stone, which Black can capture"
        if observation.last is None:
            return Judgement(Outcome.FAIL, expected, move, reported_by=str(NO_STONE[move]))
        if observation.last.ok:
            return passed(expected, f"genmove w → {move}, captured by Black")
        return failed(
            expected,
            f"genmove w → {move}; surrounded by black stones, it stays: play b {move} is refused",
        )
