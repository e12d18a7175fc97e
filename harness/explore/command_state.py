"""`CommandState`: the state of a right bot, with the effects of optional commands on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from harness.check.play_rules import FREE_RULES, PlayRules
from harness.check.stored_records import record_of
from harness.explore.abilities import Abilities
from harness.explore.game_model import GameModel
from harness.explore.wanted import Command, Kind, Wanted
from harness.go import BoardError, Colour, Point, Position, handicap_points, most_handicap
from harness.gtp import VertexError, parse_colour, parse_decimal, parse_vertex

RECORD = re.compile(r"\{records\}/([a-z]+)-(\d+)\.sgf")
"""The name of a record in a line, and its board size."""

OVERTIME = ("300", "60", "25")
"""Settings of time_settings after which time_left may name stones."""

GENERATING = ("genmove", "kgs-genmove_cleanup", "gomill-genmove_ex")
"""Commands for which the bot chooses a move, and makes it; those that also analyse it are GENMOVES."""


class CommandState(GameModel):
    """The state of a right bot that has optional commands.

    overtime      the clock settings OVERTIME are in force
    shown_rules   the last answer to kata-get-rules; None if there was none, or if the rules are unknown
    seconds       the last answer of each command that answers seconds
    generated     the last command that changed the game was genmove, and the bot moved
    handicap      the stones that were set up are those of a handicap
    analysed      the names of analyses that the bot began
    """

    def __init__(self, abilities: Abilities) -> None:
        super().__init__(abilities)
        self.overtime = False
        self.shown_rules: str | None = None
        self.seconds: dict[str, float] = {}
        self.generated = False
        self.handicap = False
        self.analysed: set[str] = set()

    @property
    def taken(self) -> list[Point]:
        """The points where stones were ever captured."""
        return sorted(self._taken)

    @property
    def is_new(self) -> bool:
        """True on a cleared board: no stone was set up, and all moves since were taken back, if any."""
        position = self.position
        return position is not None and not (self.set_up or position.moves or any(position.fingerprint))

    def sequence(self, arguments: tuple[str, ...]) -> list[tuple[Colour, Point | None]]:
        """Read `b C3 w D4` as pairs of colour and point; the number of words must be even.

        Raises ColourError or VertexError.
        """
        assert self.size is not None, "the board is known"
        pairs = zip(arguments[::2], arguments[1::2], strict=True)
        return [(parse_colour(colour), parse_vertex(vertex, self.size)) for colour, vertex in pairs]

    def stones_of_sides(self, arguments: tuple[str, ...]) -> tuple[list[Point], list[Point]]:
        """Return (points of Black, points of White), read from arguments.

        Raises ColourError or VertexError.
        """
        stones = [(colour, point) for colour, point in self.sequence(arguments) if point is not None]
        black = [point for colour, point in stones if colour == "b"]
        white = [point for colour, point in stones if colour == "w"]
        return black, white

    def handicap_stones(self, command: Command, text: str) -> list[Point]:
        """Return the points of a handicap: those of the command, or those that the bot answered in `text`.

        Without a text, return the fixed points, which are a likely answer.
        """
        assert self.size is not None, "the board is known"
        if command.name == "set_free_handicap":
            words = command.arguments
        elif text:
            words = tuple(text.split())
        else:
            number = min(int(command.arguments[0]), most_handicap(self.size))
            return list(handicap_points(number, self.size))
        return [point for word in words if (point := parse_vertex(word, self.size)) is not None]

    # --- effects -------------------------------------------------------------------------------------------

    def apply_success(self, command: Command, text: str = "") -> None:
        """Change the state as a right bot does when it answers a command (not a move) with a success."""
        if command.name in ("boardsize", "play", "undo"):
            self.generated = False
        if command.name in ("boardsize", "clear_board"):
            self.overtime = False
        effect = EFFECTS.get(command.name)
        if effect is None:
            super().apply_success(command)
        else:
            effect(self, command, text)

    def place_handicap(self, command: Command, text: str) -> None:
        """Begin a game with the handicap stones that the command named, or the bot in its answer `text`."""
        self._set_up(self.handicap_stones(command, text), [])
        self.handicap = True

    def place_stones(self, command: Command, _text: str) -> None:
        """Begin a game with the stones of both colours that the command sets up."""
        self._set_up(*self.stones_of_sides(command.arguments))

    def play_all(self, command: Command, _text: str) -> None:
        """Make the moves that the command lists, one after the other."""
        for colour, point in self.sequence(command.arguments):
            self._place(colour, point)
        self.generated = False

    def end_game(self, _command: Command, _text: str) -> None:
        """Leave the board unknown until the next game."""
        self._lose_board()

    def take_word_for_colour(self, command: Command, _text: str) -> None:
        """Leave the board unknown if there is an argument: it is no colour, and the bot may have moved."""
        if command.arguments:
            self._lose_board()

    def _lose_board(self) -> None:
        self.position = self.last_search = None
        self.generated = False

    def set_clock(self, command: Command, _text: str) -> None:
        """Note whether the settings are OVERTIME, so that time_left may name stones."""
        self.overtime = (command.name, command.arguments) == ("time_settings", OVERTIME)

    def record_rules(self, _command: Command, text: str) -> None:
        """Record the answer `text` of a command that shows the rules."""
        self.shown_rules = text.strip()

    def record_seconds(self, command: Command, text: str) -> None:
        """Record the seconds in the answer `text`, by the name of the command."""
        seconds = parse_decimal(text)
        if seconds is not None:
            self.seconds[command.name] = seconds

    def load(self, command: Command, _text: str) -> None:
        """Load a record. If the file is no record, size, board and komi are unknown."""
        path, *number = command.arguments
        found = RECORD.fullmatch(path)
        if found is None:
            self._lose_board()
            self.size = self.komi = None
            return
        record = record_of(found[1], int(found[2]))
        position = Position(record.size, self.abilities.rules.referee_rules)
        position.set_up(record.black_stones, record.white_stones)
        for colour, point in record.moves[: int(number[0]) - 1 if number else None]:
            position.play(colour, point)
        self._begin(position, set_up=True)
        if self.komi is not None:
            self.earlier_komis.add(self.komi)
        self.komi = record.komi

    def apply_refusal(self, command: Command) -> None:
        """Make the state unknown where an engine may have carried out a part of a refused command.

        loadsgf of a text that is no record may have changed everything.
        """
        if command.name == "set_free_handicap" and self.is_new and self._begins_with_point(command.arguments):
            self.position = None  # some engines place the stones before the wrong one
        if command.name == "loadsgf" and self.wanted_kind(command) is Kind.ANSWER:
            self.load(command, "")

    def wanted_kind(self, command: Command) -> Kind | None:
        """Return the kind of the required answer."""
        wanted: Wanted | None = self.wanted(command)
        return None if wanted is None else wanted.kind

    def _begins_with_point(self, words: tuple[str, ...]) -> bool:
        """Return True if a point comes before the first word that is no vertex."""
        with suppress(VertexError):
            return any(parse_vertex(word, self.size or 1) is not None for word in words)
        return False

    def _set_up(self, black: list[Point], white: list[Point]) -> None:
        """Begin a game with these stones; the board is unknown if they are impossible."""
        assert self.position is not None, "else the line is not sent"
        position = Position(self.position.size, self.abilities.rules.referee_rules)
        try:
            position.set_up(black, white)
        except BoardError:
            self.position = None  # the answer was judged already
            return
        self._begin(position, set_up=True)

    def _begin(self, position: Position, *, set_up: bool = False) -> None:
        super()._begin(position, set_up=set_up)
        self.handicap = self.generated = False

    def apply_move(self, command: Command, vertex: str) -> None:
        """Make the move that the bot answered to a command like genmove.

        ref-nodes and ref-score stay open after other commands than genmove, and where stones were set up.
        """
        self.apply_genmove(parse_colour(command.arguments[0]), vertex)
        self.generated = command.name == "genmove" and vertex != "RESIGN"
        if command.name != "genmove" or self.set_up:
            self.last_search = None

    def rules_of_move(self, command: Command) -> PlayRules:
        """Return the rules that a generated move must keep: legality alone for all commands but genmove."""
        rules = self.abilities.rules
        if command.name == "genmove":
            return rules
        return replace(rules, passing=FREE_RULES.passing, resignation=FREE_RULES.resignation)


EFFECTS: Mapping[str, Callable[[CommandState, Command, str], None]] = {
    "fixed_handicap": CommandState.place_handicap,
    "place_free_handicap": CommandState.place_handicap,
    "set_free_handicap": CommandState.place_handicap,
    "gogui-setup": CommandState.place_stones,
    "gogui-play_sequence": CommandState.play_all,
    "loadsgf": CommandState.load,
    "kgs-game_over": CommandState.end_game,
    "gomill-genmove_ex": CommandState.take_word_for_colour,
    "kgs-genmove_cleanup": CommandState.take_word_for_colour,
    "time_settings": CommandState.set_clock,
    "kgs-time_settings": CommandState.set_clock,
    "kata-get-rules": CommandState.record_rules,
    "cputime": CommandState.record_seconds,
    "gomill-cpu_time": CommandState.record_seconds,
}
"""By command, its effect; `text` is the answer, or empty if it is not known yet."""
