"""Checks of the commands that show the position: showboard and list_stones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.reliance import SentLine, requirements
from harness.go import Colour, Position
from harness.gtp import Exchange, VertexError, format_vertex, parse_vertex, printable

FIRST_GAME = ("b G7", "w D3")
"""Moves of an earlier game, whose stones must not show later."""
MOVES = ("b C3", "w E5", "b D5", "w G2", "b E6", "w C8", "b F5", "w H7", "b E4", "w B2")
"""A game with a capture: Black's E4 takes E5."""

REFUSED = "w C3"
"""A move on a stone."""

NAMES_STONES = (
    *("list-stones-keeps-captured", "shown-board-late", "shown-board-survives-clear"),
    "shown-board-keeps-refused",
)
"""Faults that the check of list_stones must catch. Each answers vertices, so an answer without them is unlike
all of them."""


def _needs(command: str, *, refused: bool = False) -> Requirements:
    """Return the requirements of a command after the game MOVES; `refused`: and after the move REFUSED."""
    lines = [SentLine(line) for line in new_game(9, MOVES)]
    lines += [SentLine(f"play {REFUSED}\n".encode("ascii"), ("?",))] if refused else []
    return replace(requirements(lines), optional_commands=(command,))


@dataclass(frozen=True)
class WholeRecord:
    """The answer to showboard, and the exchange after it."""

    shown: Exchange
    after: Exchange


@dataclass(frozen=True)
class ShownWhole(Conversation):
    """showboard in a game, and another command: its answer may not begin with a rest of the board."""

    requires = _needs("showboard")

    def observe(self, session: Session) -> WholeRecord:
        """Play a game and show the board."""
        bot = session.bot
        bot.set_up(new_game(session.introduction.size, MOVES))
        return WholeRecord(bot.ask(b"showboard\n"), bot.ask(bot.chaser.line))

    def judge(self, observation: WholeRecord) -> Judgement:
        """No text may stand outside of the answer."""
        expected = "the whole board in one answer, without an empty line inside"
        shown, after = observation.shown, observation.after
        if after.noise.strip():
            rest = printable(after.noise).strip()[:80]
            return failed(expected, f"an empty line ends the answer before “{rest}”")
        if shown.noise.strip():
            text = printable(shown.noise).strip()[:80]
            hint = "print the sign = first, then the board, then an empty line"
            return failed(expected, f"“{text}” stands before the sign of the answer", hint)
        return passed(expected)


@dataclass(frozen=True)
class StonesRecord:
    """The answers to list_stones for Black and for White."""

    size: int
    black: Exchange
    white: Exchange


@dataclass(frozen=True)
class ListedStones(Conversation):
    """list_stones after a second game with a capture and a refused move."""

    requires = _needs("list_stones", refused=True)

    def observe(self, session: Session) -> StonesRecord:
        """Play two games, and list the stones of the second."""
        bot, size = session.bot, session.introduction.size
        bot.set_up((*new_game(size, FIRST_GAME), *new_game(size, MOVES)))
        bot.ask(f"play {REFUSED}\n".encode("ascii"))
        return StonesRecord(size, bot.ask(b"list_stones b\n"), bot.ask(b"list_stones w\n"))

    def judge(self, observation: StonesRecord) -> Judgement:
        """Each stone must be listed once, for its colour, and nothing else."""
        size = observation.size
        position = Position(size)
        for colour, vertex in (move.split() for move in MOVES):
            position.play("b" if colour == "b" else "w", parse_vertex(vertex, size))
        sides: tuple[tuple[Colour, Exchange], ...] = (("b", observation.black), ("w", observation.white))
        for side, exchange in sides:
            right = sorted(point for point, stone in position.stones().items() if stone == side)
            expected = " ".join(map(format_vertex, right))
            if not exchange.ok:
                return Judgement(Outcome.FAIL, expected, exchange_text(exchange), unlike=NAMES_STONES)
            try:
                listed = Counter(parse_vertex(word, size) for word in exchange.text.split())
            except VertexError as error:
                return failed(expected, f"{exchange_text(exchange)} ({error})", unlike=NAMES_STONES)
            if listed != Counter(right):
                return failed(expected, f"{exchange_text(exchange)}\nthe position:\n{position.draw()}")
        return passed("the stones of either colour")


@dataclass(frozen=True)
class TextsRecord:
    """Answers to showboard: two of one position, and one of another. `between` says what was done between."""

    first: Exchange
    again: Exchange
    last: Exchange
    between: str


@dataclass(frozen=True)
class SameBoard(Conversation):
    """showboard twice in one position, and once more after something that leads to the same position.

    refused   a refused move lies between; otherwise another game, and the same moves
    """

    refused: bool

    @property
    def requires(self) -> Requirements:
        """Requirements of the games."""
        return _needs("showboard", refused=self.refused)

    def observe(self, session: Session) -> TextsRecord:
        """Show the board three times."""
        bot, size = session.bot, session.introduction.size
        first, again = _show(bot, new_game(size, MOVES)), bot.ask(b"showboard\n")
        if self.refused:
            bot.ask(f"play {REFUSED}\n".encode("ascii"))
            return TextsRecord(first, again, bot.ask(b"showboard\n"), f"play {REFUSED} (refused)")
        bot.set_up(new_game(size, FIRST_GAME))
        last = _show(bot, new_game(size, MOVES))
        return TextsRecord(first, again, last, "another game, and the same moves")

    def judge(self, observation: TextsRecord) -> Judgement:
        """The last text must be as the first, unless the bot shows something else beside the board."""
        expected = "the same text for the same position"
        if _text(observation.first) != _text(observation.again):
            return Judgement(Outcome.SKIP, expected, "showboard shows more than the board: two texts differ")
        if _text(observation.last) == _text(observation.first):
            return passed(expected)
        return failed(expected, f"after {observation.between}: {_first_difference(observation)}")


@dataclass(frozen=True)
class BoardShown(Conversation):
    """showboard of the empty board and after a move: the texts must differ."""

    requires = _needs("showboard")

    def observe(self, session: Session) -> tuple[Exchange, Exchange]:
        """Show both boards."""
        bot, size = session.bot, session.introduction.size
        empty = _show(bot, new_game(size))
        bot.set_up([f"play {MOVES[0]}\n".encode("ascii")])
        return empty, bot.ask(b"showboard\n")

    def judge(self, observation: tuple[Exchange, Exchange]) -> Judgement:
        """The text after the move must be another one."""
        expected = f"another text after play {MOVES[0]} than for the empty board"
        empty, moved = map(_text, observation)
        if empty != moved:
            return passed(expected)
        return failed(expected, f"the same text: “{moved.splitlines()[0]} …”" if moved else "no text")


def _show(bot: Bot, lines: Sequence[bytes]) -> Exchange:
    """Return the answer to showboard after these lines."""
    bot.set_up(lines)
    return bot.ask(b"showboard\n")


def _text(exchange: Exchange) -> str:
    return exchange.text.strip() if exchange.ok else ""


def _first_difference(observation: TextsRecord) -> str:
    """Describe the first line that differs; if one text begins with the other, the numbers of lines."""
    before, after = (_text(exchange).splitlines() for exchange in (observation.first, observation.last))
    pairs = zip(before, after, strict=False)
    different = next(((old, new) for old, new in pairs if old != new), None)
    if different is None:
        return f"{len(after)} lines instead of {len(before)}"
    return f"“{different[1].strip()}” instead of “{different[0].strip()}”"
