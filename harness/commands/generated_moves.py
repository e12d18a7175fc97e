"""Checks of generated moves, for engines that may pass and resign: legal moves, and where their stones stand.

The legality of moves is checked in close games, so that an engine has a reason to move on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.judges.moves import point_of
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.positions import draw_changed, settled_board
from harness.check.procedures.chosen_move import WITHOUT_A_STONE, in_words, violation
from harness.check.procedures.conversation import Conversation, as_lines, new_game, read_move
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.commands.kept_games import settled_ko
from harness.go import Colour, Point, Position, opponent
from harness.gtp import COLUMNS, Exchange, format_vertex, parse_vertex


def close_games(size: int) -> Iterator[Probe]:
    """Yield positions in which Black has few legal points, and one move can win or lose the game.

    On the settled board Black leads by `size` points; each komi is near that lead.
    """
    middle = size // 2 + 1
    edge, last = COLUMNS[middle - 1], COLUMNS[size - 1]
    full = settled_board(size)
    yield Probe("close-point", draw_changed(full, f"{edge}{size}"), "b", size - 0.5)
    taken = replace(settled_ko(size), id="close-ko", komi=size - 6.0)
    yield taken
    yield replace(taken, id="won-ko", komi=size - 8.5)
    yield Probe("close-suicide", draw_changed(full, black=f"{last}{size - 1}"), "b", size + 2.5)
    passes = (*taken.tail, ("b", "pass"), ("w", "pass"))
    yield replace(taken, id="close-superko", tail=passes)


@dataclass(frozen=True)
class CloseMoves:
    """The answer to genmove at each probe, and the rules by which the bot plays."""

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
        """Fail at the first move that breaks a rule of the bot; the check of its `Violation` reports it.

        Skip if the bot only passed and resigned: both are legal, and show nothing.
        """
        expected = "a legal move, a pass or a resignation"
        moves = [(probe, read_move(exchange, probe.size)) for probe, exchange in observation.moves]
        for probe, move in moves:
            position = _position(probe, observation.rules)
            broken = violation(position, probe.to_move, move, observation.rules)
            if broken is not None:
                words = in_words(broken, position, probe.to_move)
                observed = f"{probe.occasion}: {move}, {words}\n{position.draw()}"
                return Judgement(Outcome.FAIL, expected, observed, reported_by=str(broken))
        listed = ", ".join(move for _, move in moves)
        if all(move in WITHOUT_A_STONE for _, move in moves):
            return Judgement(Outcome.SKIP, expected, f"the bot made no move: {listed}")
        return passed(expected, listed)


def _position(probe: Probe, rules: PlayRules) -> Position:
    """The position of a probe in a game by these rules."""
    position = Position(probe.size, rules.referee_rules)
    for colour, vertex in probe.moves:
        position.play(colour, parse_vertex(vertex, probe.size))
    return position


@dataclass(frozen=True)
class SurroundedStone:
    """The answer to `genmove w`, and to Black's play on that point after black stones surround it.

    replay   None if the bot passed or resigned
    """

    move: Exchange
    size: int
    replay: Exchange | None = None


@dataclass(frozen=True)
class StoneOfColour(Conversation):
    """Generates a move for White at the start of a game; Black then captures the stone and plays there."""

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        lines = (b"boardsize 9\n", b"clear_board\n", b"genmove w\n", b"play b A1\n", b"play w pass\n")
        found = requirements(map(SentLine, lines))
        return replace(found, abilities=found.abilities | {Ability.CAPTURES, Ability.PLAYS_ITS_MOVES})

    def observe(self, session: Session) -> SurroundedStone:
        """Generate the move; surround it with black stones; let Black play on its point."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(new_game(size))
        move = bot.ask(b"genmove w\n")
        vertex = read_move(move, size)
        point = point_of(vertex, size)
        if point is None:
            return SurroundedStone(move, size)
        beside = map(format_vertex, _beside(point, size))
        bot.set_up(as_lines(*(line for near in beside for line in (f"play b {near}", "play w pass"))))
        return SurroundedStone(move, size, bot.ask(f"play b {vertex}\n".encode("ascii")))

    def judge(self, observation: SurroundedStone) -> Judgement:
        """Fail if Black cannot play on the point: then the bot's stone is not white."""
        move = read_move(observation.move, observation.size)
        expected = "a white stone, which Black can capture"
        if observation.replay is None:
            return Judgement(Outcome.FAIL, expected, move, reported_by=str(WITHOUT_A_STONE[move]))
        if observation.replay.ok:
            return passed(expected, f"genmove w → {move}, captured by Black")
        return failed(
            expected,
            f"genmove w → {move}; surrounded by black stones, it stays: play b {move} is refused",
        )


def _beside(point: Point, size: int) -> list[Point]:
    row, column = point
    around = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return [beside for beside in around if 0 <= min(beside) <= max(beside) < size]


LARGER, MOST_TRIED, PAST_J = 13, 12, 9
"""Size of the board, most moves of a game, and index (from 0) of the first column after J. Chosen: of twelve
random moves one is right of J in 99 of 100 games, and a search there takes little longer than on 9x9."""

LEFT = Probe("two-points", draw_changed(settled_board(LARGER), "L7 L8"), "w")
"""White may play L7 or L8 alone: all else is settled. A bot that is free to pass may do so."""


@dataclass(frozen=True)
class StonePastJ:
    """The answer to boardsize 13, those to genmove up to the first right of J, and to a play on its point."""

    accepted: Exchange
    moves: tuple[Exchange, ...] = ()
    replay: Exchange | None = None


@dataclass(frozen=True)
class ColumnsPastJ(Conversation):
    """Generates moves on 13x13 until one is right of the column J; there the other colour may not play.

    GTP has no column I, so a bot may name the columns after J wrongly. The first position leaves White the
    points L7 and L8 alone, so an answer that names a stone is wrong. If the bot passes there, it generates
    moves for both sides from the empty board.
    """

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the games."""
        lines = (*LEFT.setup(), LEFT.question(), b"clear_board\n", b"genmove b\n", b"genmove w\n")
        found = requirements(map(SentLine, lines), LARGER)
        needed = {Ability.CHANGES_SIZE, Ability.PLAYS_ITS_MOVES, Ability.REFUSES_MOVES, Ability.NAMES_COLUMNS}
        return replace(found, abilities=found.abilities | needed)

    def observe(self, session: Session) -> StonePastJ:
        """Generate moves in both games; play on the first point right of J."""
        bot = session.bot
        accepted = bot.ask(f"boardsize {LARGER}\n".encode("ascii"))
        if not accepted.ok:
            return StonePastJ(accepted)
        moves: list[Exchange] = []
        white: tuple[Colour, ...] = ("w",)
        both: tuple[Colour, ...] = ("b", "w")
        games = ((LEFT.setup(), white), ((b"clear_board\n",), both * (MOST_TRIED // 2)))
        for lines, movers in games:
            bot.set_up(lines)
            for mover in movers:
                moves.append(bot.ask(f"genmove {mover}\n".encode("ascii")))
                vertex = read_move(moves[-1], LARGER)
                point = point_of(vertex, LARGER)
                if point is None:
                    break
                if point[1] >= PAST_J:
                    replay = bot.ask(f"play {opponent(mover)} {vertex}\n".encode("ascii"))
                    return StonePastJ(accepted, tuple(moves), replay)
        return StonePastJ(accepted, tuple(moves))

    def judge(self, observation: StonePastJ) -> Judgement:
        """Fail if the first answer names a point with a stone, or if the point of the last move is free.

        Skip if the bot refused the size, or made no move right of J.
        """
        expected = "a stone on the point that genmove answers"
        if not observation.accepted.ok:
            return Judgement(Outcome.SKIP, expected, f"the bot refuses boardsize {LARGER}")
        moves = [read_move(exchange, LARGER) for exchange in observation.moves]
        if point_of(moves[0], LARGER) in LEFT.stones.stones():
            return failed(expected, f"genmove w → {moves[0]}, where a stone is; L7 and L8 are free")
        if observation.replay is None:
            return Judgement(Outcome.SKIP, expected, f"no move right of the column J: {', '.join(moves)}")
        seen = f"genmove → {moves[-1]}, {exchange_text(observation.replay)}"
        return (
            failed(expected, f"{seen}: the point is free")
            if observation.replay.ok
            else passed(expected, seen)
        )
