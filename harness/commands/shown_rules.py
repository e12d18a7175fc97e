"""Checks of the commands by which GoGui asks a referee: the board, and the legal moves."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Judgement, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange, VertexError, format_vertex, parse_vertex

STONES = (("b", (2, 2)), ("w", (3, 4)), ("b", (2, 7)))
"""Colour, and (row, column) from 0. No symmetry of a board of 9, 13 or 19 keeps this position."""

MOVES = tuple(f"{colour} {format_vertex(point)}" for colour, point in STONES)
"""The moves that place the stones, such as "b C3"."""

POINTS_NAMED = 3
"""Most missing points that a judgement names. Chosen: they show what kind of point is missing."""

NEEDS = requirements(map(SentLine, new_game(9, MOVES)[1:]))
"""Requirements of the lines that set up the stones, boardsize aside."""


@dataclass(frozen=True)
class RefereeRecord:
    """The size of the board, and the answer of the bot to the referee's command."""

    size: int
    answer: Exchange


@dataclass(frozen=True)
class RefereeConversation(Conversation):
    """Three stones are played; then the bot gets a command for a referee.

    command   without arguments
    """

    command: str
    requires = NEEDS

    def observe(self, session: Session) -> RefereeRecord:
        """Play the stones and send the command."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(new_game(size, MOVES))
        return RefereeRecord(size, bot.ask(f"{self.command}\n".encode("ascii")))


class RefereeBoard(RefereeConversation):
    """gogui-rules_board draws the position: one row in each line, the top row first."""

    def judge(self, observation: RefereeRecord) -> Judgement:
        """X, O and a dot must stand where the stones and the empty points are."""
        size, answer = observation.size, observation.answer
        signs = {point: "X" if colour == "b" else "O" for colour, point in STONES}
        rows = ["".join(signs.get((row, column), ".") for column in range(size)) for row in range(size)]
        rows.reverse()
        lines = answer.text.splitlines() if answer.ok else []
        drawn = ["".join(sign for sign in line if sign in "XO.") for line in lines]
        expected = f"{size} lines of X, O and . for the position, the top row first"
        if [row for row in drawn if row] != rows:
            return failed(expected, exchange_text(answer))
        return passed(expected)


class RefereeMoves(RefereeConversation):
    """gogui-rules_legal_moves lists the points on which the side to move may play."""

    def judge(self, observation: RefereeRecord) -> Judgement:
        """The list must have every empty point and no other; pass and resign may be in it."""
        size, answer = observation.size, observation.answer
        taken = {point for _, point in STONES}
        empty = {(row, column) for row in range(size) for column in range(size)} - taken
        expected = f"the {len(empty)} empty points, with or without pass"
        if not answer.ok:
            return failed(expected, exchange_text(answer))
        words = [word for word in answer.text.split() if word.lower() != "resign"]
        try:
            listed = {parse_vertex(word, size) for word in words}
        except VertexError:
            return failed(expected, exchange_text(answer))
        missing = sorted(format_vertex(point) for point in empty - listed)
        if listed & taken or missing:
            occupied = sorted(format_vertex(point) for point in taken & listed)
            found = [f"{', '.join(occupied)}, occupied"] if occupied else []
            more = ", …" if len(missing) > POINTS_NAMED else ""
            found += [f"without {', '.join(missing[:POINTS_NAMED])}{more}"] if missing else []
            return failed(expected, f"{len(listed)} vertices, {'; '.join(found)}")
        return passed(expected)
