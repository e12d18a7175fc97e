"""Model of a right bot: its state (size, board, komi), and the answer that it must give to any GTP line.

`GameModel` has the required commands, and those of the reference bot; `command_model` adds optional commands.

`GameModel.wanted` returns the required answer to a line, or None if the specification leaves the answer open.
A session skips lines with an open answer. So any sequence of lines is a valid session, and so is any part of
a session: the reduction of a failure relies on this. An example, with what the model requires:

    boardsize 9, clear_board, play b E5    SUCCESS
    play w E5                              REFUSAL: a stone is there
    genmove w                              MOVE: any move that a right bot may choose
    ref-nodes                              NODES after a genmove; without one, None: the answer is open
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from harness.check.play_rules import FORBIDS_CYCLES
from harness.check.procedures.reliance import USUAL_KOMI
from harness.explore.abilities import Abilities, Feature
from harness.explore.laws import SearchKey, search_key
from harness.explore.wanted import Command, Kind, Wanted, refusal
from harness.go import Colour, Point, Position, Reason, opponent, result_text
from harness.gtp import REQUIRED_COMMANDS, ColourError, VertexError, parse_colour, parse_vertex
from harness.gtp.commands import COMMANDS

DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
NO_NUMBER = re.compile(r"(?!(?i:inf|infinity)$)[A-Za-z]+")
"""Words that no bot may parse as a number. `inf` is none of them: some bots take it for one."""

LARGEST = 25
"""The largest size of a board in GTP. Some engines play on larger boards; none on four times this size."""


@dataclass(frozen=True)
class LastSearch:
    """The last genmove.

    key              the position that was searched
    komi             komi during the search; None if not set
    moved            the bot made a move, no pass
    numbers          answers of the bot about this search so far, by command (ref-nodes, ref-score)
    """

    key: SearchKey
    komi: float | None
    moved: bool
    numbers: Mapping[str, float] = field(default_factory=dict)


REFUSED_MOVES: Mapping[Reason, Wanted] = {
    "occupied": refusal("a stone is there", Feature.REFUSED_POINTS),
    "suicide": refusal("it is suicide", Feature.SUICIDE, "no-suicide"),
    "ko": refusal("it repeats an earlier board", Feature.REPETITION, "superko"),
    "superko": refusal("it repeats an earlier board", Feature.REPETITION, "superko"),
}
"""The answers to moves on the board that the rules forbid."""


class GameModel:
    """The state of a right bot after some lines, and its required answer to the next line.

    size            board size; None until a boardsize has succeeded
    position        None while the board is unknown: before the first clear_board, after boardsize, and after
                    a line with an effect that is open
    komi            None until it is set
    set_up          the game began with stones on the board, or with the moves of a loaded record
    earlier_komis   all former values of komi
    last_search     the last genmove; None if a later command made its numbers undefined
    """

    def __init__(self, abilities: Abilities) -> None:
        self.abilities = abilities
        self.size: int | None = None
        self.position: Position | None = None
        self.komi: float | None = None
        self.set_up = False
        self.earlier_komis: set[float] = set()
        self.last_search: LastSearch | None = None
        self._undo_certain = False  # the last change of the game was a move
        # Never cleared: they show which old state a faulty bot may have kept (see `clause_of_refused`).
        self._boards: set[bytes] = set()  # every board after a move
        self._taken: set[Point] = set()  # points where stones were captured
        self._kos: set[Point] = set()  # points that were once banned by a ko

    # --- required answers -----------------------------------------------------------------------------------

    def wanted(self, command: Command) -> Wanted | None:
        """Return the required answer; None if it is open, or if the bot lacks a feature of the line."""
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
        if administration is not None or name in self.abilities.commands or name in COMMANDS:
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
        """Return the required answer to play, by the rules of the bot; None if it is open."""
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
        if self.leaves_open(reason):
            return None
        return REFUSED_MOVES[reason]

    def leaves_open(self, reason: Reason | None) -> bool:
        """Return True if a move that the referee refuses for this reason may be legal; False for None.

        It is not known which boards of a game with set-up stones a bot remembers.
        """
        return self.abilities.rules.leaves_open(reason) or (reason == "superko" and self.set_up)

    def clause_of_refused(self, command: Command, wanted: Wanted) -> str:
        """Return the clause that the bot broke when it refused a command that must succeed.

        For a legal move, the clause names the likely error: the bot takes the move for a repetition, ko or
        suicide, or it has not removed captured stones.
        """
        if command.name != "play" or self.position is None or self.size is None:
            return wanted.clause
        colour, point = parse_colour(command.arguments[0]), parse_vertex(command.arguments[1], self.size)
        if point is None:
            return wanted.clause
        if point == self.position.ko_ban(opponent(colour)):
            return "simple-ko"  # the side that took the ko fills it
        after = self.position.copy()
        after.play(colour, point)
        if after.fingerprint in self._boards:  # of an earlier game, or of another rule of repetition
            return "superko" if self.abilities.rules.meets(FORBIDS_CYCLES) else "simple-ko"
        captures = len(after.stones()) <= len(self.position.stones())
        if captures:
            return "simple-ko" if point in self._kos else "no-suicide"
        return "complete-games" if point in self._taken else "gtp"  # a captured stone may still be there

    def _place(self, colour: Colour, point: Point | None) -> None:
        """Make a move, and record its board, captures and ko for `clause_of_refused`."""
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
        if not self.position.moves and self.set_up:
            return None  # some engines take back the stones of a handicap
        if not self.position.moves:
            return refusal("no move was made", Feature.EMPTY_UNDO)
        kind = Kind.SUCCESS if self._undo_certain else Kind.EITHER  # some engines remember one move
        return Wanted(kind, why="a move was made", feature=Feature.UNDO)

    def _report(self, name: str) -> Wanted | None:
        """Return the required answer to ref-nodes or ref-score; None if there was no search to report."""
        if self.last_search is None:
            return None
        if name == "ref-nodes":
            return Wanted(Kind.NODES, "ref-nodes", feature=Feature.NODES)
        return Wanted(Kind.SCORE, "ref-score", feature=Feature.SCORE)

    def _final_score(self) -> Wanted | None:
        """Return the required result if the game is over, else None: both sides passed and have no candidate.

        It is open also on an empty board, and while komi is not set. GTP lets an engine answer that it cannot
        score, so a refusal is right too.
        """
        position, komi = self.position, self.komi
        if position is None or komi is None or not position.has_ended:
            return None
        if position.candidates("b") or position.candidates("w") or not position.stones():
            return None
        text = result_text(position.area_score() - komi)
        return Wanted(Kind.RESULT, "area-scoring", "area and komi", text, Feature.FINAL_SCORE)

    # --- changes of the state -------------------------------------------------------------------------------

    def apply_success(self, command: Command) -> None:
        """Change the state as a right bot does when it answers this command (not genmove) with a success."""
        arguments = command.arguments
        match command.name:
            case "boardsize":
                self.size, self.position = int(arguments[0]), None
                self.set_up = False
                self.last_search = None  # the specification lets a bot forget it
            case "clear_board":
                assert self.size is not None, "else the line is not sent"
                self._begin(Position(self.size, self.abilities.rules.referee_rules))
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

    def _begin(self, position: Position, *, set_up: bool = False) -> None:
        """Begin a game in a position."""
        self.size, self.position, self.set_up = position.size, position, set_up
        self._undo_certain = False
        self.last_search = None

    def apply_genmove(self, colour: Colour, vertex: str) -> None:
        """Make the move that the bot chose at genmove, and record the search. A resignation is no move.

        After a move whose legality is open, the board is undefined until clear_board.
        """
        position = self.position
        assert position is not None, "else the line is not sent"
        if vertex == "RESIGN":
            self.last_search = None
            return
        key = search_key(position, colour, cap_of_game=self.abilities.cap_of_game)
        point = parse_vertex(vertex, position.size)
        if self.leaves_open(position.legality(colour, point)):
            self.position = self.last_search = None
            return
        self.last_search = LastSearch(key, self.komi, point is not None)
        self._place(colour, point)


def _komi(arguments: tuple[str, ...]) -> Wanted | None:
    """Return the required answer to komi; None for a text that some bots may take for a number."""
    if not arguments:
        return refusal("the komi is missing", Feature.MISSING_ARGUMENTS)
    if DECIMAL.fullmatch(arguments[0]):
        komi = float(arguments[0])
        is_usual = 0 <= komi <= USUAL_KOMI and (2 * komi).is_integer()
        return Wanted(Kind.SUCCESS, "komi", feature=Feature.KOMI if is_usual else Feature.ANY_KOMI)
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
    return None
