"""Checks of commands that search as genmove does, print an analysis, and name their move at the end.

For example, `lz-genmove_analyze b 500` is answered by "=", lines of analysis, and last `play D4`. The harness
then plays on the named vertex. A variant of genmove has made its move, so White cannot play there. A mere
search has not, so Black can.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.failures import failure_outcome
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange, VertexError, parse_vertex, printable
from harness.gtp.analysis_commands import GENMOVES, SEARCH

INTERVAL = 500
"""Centiseconds between two lines of analysis; chosen: a search of a minute prints few of them.

A line about all moves of 19x19 may have 70 kB, and a whole answer is limited to `Limits.max_answer`.
"""

MOVE = "play"
"""The word before the vertex in the line that names the move: `play D4`."""

MOST_SHOWN = 160
"""Most bytes of an answer in a report, the last ones. Chosen: two lines of a terminal."""


@dataclass(frozen=True)
class NamedMove:
    """A command that names a move in its answer.

    exchange  the command and its answer
    replay    the attempt to play on the named vertex afterwards; None unless the answer names a point
    """

    exchange: Exchange
    replay: Exchange | None = None

    def vertex(self, size: int) -> str | None:
        """The vertex in the last line, or "pass" or "resign"; None if that line names no move."""
        words = self.exchange.text.strip().splitlines()[-1:]
        named = words[0].split() if words else []
        if len(named) != 2 or named[0] != MOVE:
            return None
        if named[1].lower() == "resign":
            return "resign"
        try:
            return "pass" if parse_vertex(named[1], size) is None else named[1].upper()
        except VertexError:
            return None


@dataclass(frozen=True)
class MovesRecord:
    """The answers to the commands, without refusals. A command without an answer is the last one."""

    moves: tuple[NamedMove, ...]
    size: int


@dataclass(frozen=True)
class _Moves(Conversation):
    """Ask for Black's first move by each of `commands` that the bot has; then play there as `side`."""

    commands: tuple[str, ...] = GENMOVES
    side: str = "w"

    @property
    def requires(self) -> Requirements:
        """Requirements of a new game and a move, and of one of the commands."""
        lines = (b"boardsize 9\n", b"clear_board\n", b"genmove b\n")
        # The replay of either side: here White is to move, and the requirements depend on the answer alone.
        replay = SentLine(b"play w C3\n", ("?",) if self.side == "w" else ("=",))
        needed = requirements((*map(SentLine, lines), replay))
        return Requirements(one_of_commands=self.commands).with_those_of(needed)

    def observe(self, session: Session) -> MovesRecord:
        """Ask by each command, and play on the named vertex; stop where a command gets no answer."""
        bot, size = session.bot, session.introduction.size
        moves = []
        for command in filter(session.has, self.commands):
            bot.set_up(new_game(size))
            try:
                named = NamedMove(self._ask_for_move(bot, command))
            except BotInterruptedError as interruption:
                moves.append(NamedMove(interruption.exchange))
                break
            if _is_refused(named.exchange):
                continue
            vertex = named.vertex(size)
            if vertex not in (None, "pass", "resign"):
                replay = bot.ask(f"play {self.side} {vertex}\n".encode("ascii"))
                named = replace(named, replay=replay)
            moves.append(named)
        return MovesRecord(tuple(moves), size)

    def _ask_for_move(self, bot: Bot, command: str) -> Exchange:
        """Ask with an interval between lines of analysis and, if this is refused, without one.

        The commands of CGOS take no interval, so they are first sent without one.
        """
        lines = [f"{command} b {INTERVAL}\n".encode("ascii"), f"{command} b\n".encode("ascii")]
        first, second = reversed(lines) if command.startswith("cgos") else lines
        exchange = bot.ask(first)
        return bot.ask(second) if _is_refused(exchange) else exchange


class MoveIsNamed(_Moves):
    """The answer ends with a line that names the move: play VERTEX."""

    def judge(self, observation: MovesRecord) -> Judgement:
        """The last line must name a vertex, pass or resign. Skipped if all commands are refused."""
        if not observation.moves:
            return Judgement(Outcome.SKIP, observed="the bot refuses each of these commands")
        for move in observation.moves:
            exchange = move.exchange
            expected = f"{sent_text(exchange.sent)} → =, lines of analysis, and at last play VERTEX"
            if not exchange.is_answered:
                return Judgement(failure_outcome(exchange), expected, exchange_text(exchange))
            if not exchange.ok or move.vertex(observation.size) is None:
                return failed(expected, _end_of(exchange))
        return passed("play VERTEX", _shown(observation))


class MoveIsMade(_Moves):
    """The move that is named stands on the board: the other side cannot play there."""

    def judge(self, observation: MovesRecord) -> Judgement:
        """White's move to the same point must be refused. Skipped if no answer names a point."""
        expected = "the named move stands on the board, so White cannot play there"
        nothing_named = "no command named a point of the board"
        return _judge_replays(observation, expected, nothing_named, accepted=False)


@dataclass(frozen=True)
class SearchKeepsBoard(_Moves):
    """The move that a search names is not made: the same side can play there."""

    commands: tuple[str, ...] = SEARCH
    side: str = "b"

    def judge(self, observation: MovesRecord) -> Judgement:
        """Black's move to the named point must be accepted. Skipped if no answer names a point."""
        expected = "the search leaves the board as it is, so Black can play the named move"
        nothing_named = "the command named no point of the board"
        return _judge_replays(observation, expected, nothing_named, accepted=True)


@dataclass(frozen=True)
class BadColourRecord:
    """A command with a word that is no colour, and its answer."""

    exchange: Exchange


class MoveColour(Conversation):
    """A word that is no colour is refused."""

    @property
    def requires(self) -> Requirements:
        """Requirements of a new game, and of one of the commands."""
        needed = requirements(map(SentLine, (b"boardsize 9\n", b"clear_board\n")))
        return Requirements(one_of_commands=GENMOVES).with_those_of(needed)

    def observe(self, session: Session) -> BadColourRecord:
        """Ask for a move of the side `x`."""
        bot = session.bot
        command = next(filter(session.has, GENMOVES))
        bot.set_up(new_game(session.introduction.size))
        try:
            return BadColourRecord(bot.ask(f"{command} x {INTERVAL}\n".encode("ascii")))
        except BotInterruptedError as interruption:
            return BadColourRecord(interruption.exchange)

    def judge(self, observation: BadColourRecord) -> Judgement:
        """The answer must not be a success: other checks report one of a wrong form."""
        exchange = observation.exchange
        expected = f"{sent_text(exchange.sent)} → ? (a refusal)"
        if not exchange.is_answered:
            return Judgement(failure_outcome(exchange), expected, exchange_text(exchange))
        return failed(expected, _end_of(exchange)) if exchange.ok else passed(expected)


def _is_refused(exchange: Exchange) -> bool:
    return exchange.answer is not None and not exchange.ok


def _end_of(exchange: Exchange) -> str:
    """Return the command and the end of its answer, for a report."""
    return f"{sent_text(exchange.sent)} → {printable(exchange.raw[-MOST_SHOWN:])}"


def _judge_replays(record: MovesRecord, expected: str, nothing_named: str, *, accepted: bool) -> Judgement:
    """Judge the attempts to play on the named points: all must be accepted, or all refused.

    nothing_named   the observation of a skipped check, if there is no attempt
    """
    replays = [(move, move.replay) for move in record.moves if move.replay is not None]
    if not replays:
        return Judgement(Outcome.SKIP, observed=nothing_named)
    for move, replay in replays:
        if replay.ok != accepted:
            named = f"{sent_text(move.exchange.sent)} → play {move.vertex(record.size)}"
            return failed(expected, f"{named}; {exchange_text(replay)}")
    return passed(expected, _shown(record))


def _shown(record: MovesRecord) -> str:
    """Return each command with the move that it named."""
    return ", ".join(f"{sent_text(move.exchange.sent)} → {move.vertex(record.size)}" for move in record.moves)
