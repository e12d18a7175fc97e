"""Model of a right bot: its answer to any line of a session, and the changes by the line.

The model reads a line as the protocol says, and gives what is wanted as an answer, or None where the
specification leaves the answer open: such a line is not sent. So every sequence of lines is a session, and
a part of a session is one too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache, partial

from harness.explore.abilities import Abilities, Feature
from harness.explore.laws import SearchKey, search_key
from harness.go import Colour, Point, Position, opponent
from harness.gtp import REQUIRED_COMMANDS, ColourError, VertexError, parse_colour, parse_vertex

DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
NO_NUMBER = re.compile(r"(?!(?i:inf|infinity)$)[A-Za-z]+")
"""Words that no reader may take for a number."""

CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
LARGEST = 25
"""The largest size of a board in GTP."""

REMEMBERED = 1 << 12
"""Number of lines that are remembered with their commands. Chosen: a reduction reads a few hundred again and
again."""


class Kind(Enum):
    """Kind of a required answer."""

    SUCCESS = auto()
    REFUSAL = auto()
    EITHER = auto()  # it succeeds and does something, or is refused and does nothing
    MOVE = auto()
    NODES = auto()
    SCORE = auto()
    ANSWER = auto()  # any
    LINE = auto()  # a success of one line
    COMMANDS = auto()  # a success with the names of commands, one a line, the required ones among them
    TEXT = auto()  # a success with exactly the wanted text
    RESULT = auto()  # the wanted result of a game, however its number is written, or a refusal to score


@dataclass(frozen=True)
class Wanted:
    """The answer that a right bot gives to a line.

    clause    what a wrong answer breaks
    why       the reason, for a reader; empty where it is evident
    text      the wanted text of an answer of the kinds TEXT and RESULT
    feature   what the line uses that a session can do without
    """

    kind: Kind
    clause: str = "gtp"
    why: str = ""
    text: str = ""
    feature: Feature | None = None


def refusal(why: str, feature: Feature, clause: str = "gtp") -> Wanted:
    """Return the answer to a line that a right bot refuses."""
    return Wanted(Kind.REFUSAL, clause, why, feature=feature)


@dataclass(frozen=True)
class Command:
    """A line as GTP reads it."""

    id: int | None
    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class LastSearch:
    """The position of the last genmove, the komi in force, and its ref-nodes and ref-score so far."""

    key: SearchKey
    komi: float | None
    has_candidates: bool
    numbers: Mapping[str, float] = field(default_factory=dict)


@lru_cache(REMEMBERED)
def read_line(line: str) -> Command | None:
    """Return the command in a line, None if it has none. Several lines: the last one with a command."""
    command = None
    for part in line.split("\n"):
        words = CONTROL.sub("", part).partition("#")[0].split()
        if not words:
            continue
        number = int(words.pop(0)) if words[0].isdigit() else None
        if words:
            command = Command(number, words[0], tuple(words[1:]))
    return command


class GameModel:
    """The state of a right bot, and what it answers.

    size            None until a boardsize has succeeded
    position        None while the board is arbitrary: before the first clear_board, and after boardsize
    komi            None until it is set
    earlier_komis   what it was before
    """

    def __init__(self, abilities: Abilities) -> None:
        self.abilities = abilities
        self.size: int | None = None
        self.position: Position | None = None
        self.komi: float | None = None
        self.earlier_komis: set[float] = set()
        self.last_search: LastSearch | None = None
        self._undo_certain = False  # the last change of the game was a move
        self._boards: set[bytes] = set()  # of all games, also those that clear_board and undo took back
        self._taken: set[Point] = set()  # where stones were captured
        self._kos: set[Point] = set()  # where a ko was

    # --- what is wanted ------------------------------------------------------------------------------------

    def wanted(self, command: Command) -> Wanted | None:
        """Return a right bot's answer; None if the answer is open or relies on a missing ability."""
        wanted = self._wanted(command.name, command.arguments)
        if wanted is None or (wanted.feature is not None and wanted.feature not in self.abilities.features):
            return None
        return wanted

    def _wanted(self, name: str, arguments: tuple[str, ...]) -> Wanted | None:  # noqa: PLR0911  # one a command
        match name:
            case "boardsize":
                return self._boardsize(arguments)
            case "clear_board":
                return Wanted(Kind.SUCCESS) if self.size is not None else None
            case "komi":
                return _komi(arguments)
            case "play":
                return self._play(arguments)
            case "genmove":
                return self._genmove(arguments)
            case "undo":
                return self._undo()
            case "ref-nodes" | "ref-score":
                return self._report(name)
            case "final_score":
                return self._final_score()
            case "quit":
                return None
        administration = _administration(name, arguments, self.abilities.commands)
        if administration is not None or name in self.abilities.commands:
            return administration
        return refusal("there is no such command", Feature.UNKNOWN_COMMANDS)

    def _boardsize(self, arguments: tuple[str, ...]) -> Wanted | None:
        if not arguments:
            return refusal("the size is missing", Feature.MISSING_ARGUMENTS)
        text = arguments[0]
        if text.isdecimal() and int(text) in self.abilities.sizes:
            return Wanted(Kind.SUCCESS)
        unplayable = text.isdecimal() and (int(text) == 0 or int(text) > 4 * LARGEST)
        if unplayable or NO_NUMBER.fullmatch(text):
            return refusal(f"{text} is no board size", Feature.REFUSED_SIZES)
        return None

    def _play(self, arguments: tuple[str, ...]) -> Wanted | None:
        if len(arguments) < 2:
            return refusal("an argument is missing", Feature.MISSING_ARGUMENTS)
        try:
            colour = parse_colour(arguments[0])
        except ColourError:
            return refusal(f"{arguments[0]} is no colour", Feature.BAD_COLOURS)
        if self.size is None or self.position is None:
            return None
        try:
            point = parse_vertex(arguments[1], self.size)
        except VertexError:
            return refusal(f"{arguments[1]} is no vertex of the board", Feature.BAD_VERTICES)
        reason = self.position.legality(colour, point)
        if reason is None:
            feature = Feature.PASS if point is None else None
            return Wanted(Kind.SUCCESS, why="the move is legal", feature=feature)
        if reason == "occupied":
            return refusal("a stone is there", Feature.REFUSED_POINTS)
        if reason == "suicide":
            return refusal("it is suicide", Feature.SUICIDE, "no-suicide")
        return refusal("it repeats an earlier board", Feature.REPETITION, "superko")

    def clause_of_refused(self, command: Command, wanted: Wanted) -> str:
        """Return the clause that a refusal breaks; for a legal move: repetition, suicide or captures."""
        if command.name != "play" or self.position is None or self.size is None:
            return wanted.clause
        colour, point = parse_colour(command.arguments[0]), parse_vertex(command.arguments[1], self.size)
        if point is None:
            return wanted.clause
        after = self.position.copy()
        after.play(colour, point)
        if after.fingerprint in self._boards:
            return "superko"
        if len(after.stones()) <= len(self.position.stones()):
            return "simple-ko" if point in self._kos else "no-suicide"
        return "complete-games" if point in self._taken else "gtp"

    def _place(self, colour: Colour, point: Point | None) -> None:
        """Make a move, and remember what may mislead a bot later."""
        assert self.position is not None, "the board is known"
        before = self.position.fingerprint
        self.position.play(colour, point)
        after = self.position.fingerprint
        if after.count(0) >= before.count(0):
            taken = (i for i, stone in enumerate(before) if stone and not after[i])
            self._taken.update(divmod(i, self.position.size) for i in taken)
        self._boards.add(after)
        ban = self.position.ko_ban(opponent(colour))
        if ban is not None:
            self._kos.add(ban)
        self._undo_certain = True

    def _genmove(self, arguments: tuple[str, ...]) -> Wanted | None:
        if not arguments:
            return None  # some engines move for the side whose turn it is
        try:
            parse_colour(arguments[0])
        except ColourError:
            return refusal(f"{arguments[0]} is no colour", Feature.BAD_COLOURS)
        return Wanted(Kind.MOVE) if self.position is not None else None

    def _undo(self) -> Wanted | None:
        if self.position is None:
            return None
        if not self.position.moves:
            return refusal("no move was made", Feature.EMPTY_UNDO)
        kind = Kind.SUCCESS if self._undo_certain else Kind.EITHER
        return Wanted(kind, why="a move was made", feature=Feature.UNDO)

    def _report(self, name: str) -> Wanted | None:
        if self.last_search is None:
            return None
        if name == "ref-nodes":
            return Wanted(Kind.NODES, "ref-nodes", feature=Feature.NODES)
        return Wanted(Kind.SCORE, "ref-score", feature=Feature.SCORE)

    def _final_score(self) -> Wanted | None:
        """Known where nothing is left to play: both have passed and have no move but to fill their eyes.

        GTP lets an engine answer that it cannot score.
        """
        position, komi = self.position, self.komi
        if position is None or komi is None or [move.point for move in position.moves[-2:]] != [None, None]:
            return None
        if position.candidates("b") or position.candidates("w") or not position.stones():
            return None
        lead = position.area_score() - komi
        text = f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"
        return Wanted(Kind.RESULT, "area-scoring", "area and komi", text, Feature.FINAL_SCORE)

    # --- what it changes -----------------------------------------------------------------------------------

    def succeeded(self, command: Command) -> None:
        """Note a command that was answered with a success: what a right bot does then."""
        arguments = command.arguments
        match command.name:
            case "boardsize":
                self.size, self.position = int(arguments[0]), None
                self.last_search = None  # some bots forget it, and nobody asks
            case "clear_board":
                assert self.size is not None, "else the line is not sent"
                self.position, self._undo_certain = Position(self.size), False
                self.last_search = None
            case "komi":
                if self.komi is not None:
                    self.earlier_komis.add(self.komi)
                self.komi = float(arguments[0])
            case "play":
                assert self.size is not None, "else the line is not sent"
                self._place(parse_colour(arguments[0]), parse_vertex(arguments[1], self.size))
            case "undo":
                assert self.position is not None, "else the line is not sent"
                self.position.undo()
                self._undo_certain = False
                self.last_search = None

    def moved(self, colour: Colour, vertex: str) -> None:
        """Note a legal answer to genmove."""
        position = self.position
        assert position is not None, "else the line is not sent"
        key = search_key(position, colour, cap_of_game=self.abilities.cap_of_game)
        point = parse_vertex(vertex, position.size)
        self.last_search = LastSearch(key, self.komi, point is not None)
        self._place(colour, point)


def _komi(arguments: tuple[str, ...]) -> Wanted | None:
    if not arguments:
        return refusal("the komi is missing", Feature.MISSING_ARGUMENTS)
    if DECIMAL.fullmatch(arguments[0]):
        return Wanted(Kind.SUCCESS, "komi", feature=Feature.KOMI)
    if NO_NUMBER.fullmatch(arguments[0]):
        return refusal(f"{arguments[0]} is no number", Feature.REFUSED_KOMI)
    return None


def _administration(name: str, arguments: tuple[str, ...], commands: frozenset[str]) -> Wanted | None:
    """Return the answer to a command that is about the bot itself; None for any other."""
    wanted = partial(Wanted, feature=Feature.ADMINISTRATION)
    match name:
        case "protocol_version":
            return wanted(Kind.TEXT, text="2")
        case "known_command" if not arguments:
            return wanted(Kind.ANSWER)  # some engines refuse it
        case "known_command":
            known = arguments[0] in REQUIRED_COMMANDS or arguments[0] in commands
            return wanted(Kind.TEXT, text="true" if known else "false")
        case "name" | "version":
            return wanted(Kind.LINE, why="one line")
        case "list_commands":
            return wanted(Kind.COMMANDS, why="one a line")
        case "time_settings" if name in commands:
            return wanted(Kind.SUCCESS)
    return None
