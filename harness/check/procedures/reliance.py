"""Requirements of a dialogue, read off its lines, and the check that reports an unexpected answer.

A check never states its prerequisites twice: an id in a line, an expected refusal, two moves of one colour in
a row or an `undo` each need an ability of the bot, and each ability has a check of its own (see `Ability`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from harness.check.model import COMMAND_ABILITIES, Ability, Requirements
from harness.go import IllegalMoveError, Point, Position, opponent
from harness.gtp import MAX_ID, Colour, ColourError, VertexError, parse_colour, parse_vertex

OPTIONAL = frozenset({"undo", "final_score", "time_settings", "reg_genmove", "showboard"})
"""Commands that GTP does not require: a dialogue that uses one is skipped where it is missing."""

USUAL_KOMI = 20.0
"""Limit in points of a komi that every bot with komi accepts; chosen. Beyond it, komi is an ability."""

RULES = (
    Ability.RETAKES_KO,
    Ability.CAPTURES_BEFORE_SUICIDE,
    Ability.CAPTURES_SEVERAL_CHAINS,
    Ability.CAPTURES_CHAINS,
    Ability.CAPTURES,
)
"""The rules that a capture makes use of, the most special first: it owns the line of the move."""

REMEMBERED = 1 << 12
"""Number of lines whose reading is kept; chosen: a few hundred moves lead to every position."""

_REFUSALS = {
    "boardsize": Ability.REFUSES_SIZES,
    "komi": Ability.REFUSES_KOMI,
    "undo": Ability.REFUSES_UNDO,
}
_SUCCESSES = {
    "boardsize": Ability.ACCEPTS_ITS_SIZE,
    "clear_board": Ability.CLEARS_THE_BOARD,
    "komi": Ability.SETS_KOMI,
    "known_command": Ability.KNOWS_ITS_COMMANDS,
    "genmove": Ability.GENERATES_MOVES,
    "undo": Ability.UNDOES,
    **COMMAND_ABILITIES,
}
_OUT_OF_TURN = {
    "play": {Ability.PLAYS_EITHER_COLOUR, Ability.PLACES_BOTH_COLOURS},
    "genmove": {Ability.GENERATES_EITHER_COLOUR},
}
_ARGUMENTS = {"boardsize": 1, "komi": 1, "play": 2, "genmove": 1}
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
_COLOURS = {"b": "b", "black": "b", "w": "w", "white": "w"}
_KNOWN = frozenset(
    {"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize"}
    | {"clear_board", "komi", "play", "genmove"}
    | OPTIONAL
    | set(COMMAND_ABILITIES)
)


@dataclass(frozen=True)
class SentLine:
    """Bytes that are sent, and the signs of the answers that they get: `=`, `?` or `*` for either."""

    send: bytes
    signs: tuple[str, ...] = ("=",)


@dataclass(frozen=True)
class Reliance:
    """Requirements of one line.

    `owner` is the ability whose check reports an unexpected answer to the line; None where the line needs
    no ability.
    """

    owner: Ability | None = None
    abilities: frozenset[Ability] = frozenset()
    commands: tuple[str, ...] = ()
    optional_commands: tuple[str, ...] = ()


class LineReader:
    """Reads the lines of one dialogue in order: some abilities depend on the lines before."""

    def __init__(self, size: int = 9) -> None:
        self._size = size
        self._next = "b"  # whose turn it is
        self._generated = False  # by the last move
        self._played: list[bool] = []  # the moves of the game: whether each is a pass
        self._game = DialogueGame(size)

    def read(self, line: SentLine) -> Reliance:
        """Return the reliance of the line. The last of several commands in a line owns it."""
        wire = _of_the_wire(line)
        signs = iter(line.signs)
        owner, abilities = None, set(wire)
        commands: list[str] = []
        for text in _commands(line.send):
            words = text.split()
            if words[0].isdigit() and int(words[0]) <= MAX_ID:
                words = words[1:]
            sign = next(signs, "=")
            if words:
                owner, more = self._command(words, sign)
                abilities |= more
                commands.append(words[0])
        return Reliance(
            owner,
            frozenset(abilities),
            tuple(name for name in commands if name in COMMAND_ABILITIES),
            tuple(name for name in commands if name in OPTIONAL),
        )

    def _command(self, words: list[str], sign: str) -> tuple[Ability | None, set[Ability]]:
        """The owner of a command and the abilities that it needs, by the commands before it."""
        owner = self._refusal(words) if sign == "?" else self._success(words) if sign == "=" else None
        abilities = {owner} if owner is not None else set()
        if sign == "=":
            of_the_game = self._of_the_game(words)
            owner = next((rule for rule in RULES if rule in of_the_game), owner)
            abilities |= of_the_game
            self._note(words)
        elif owner is Ability.REFUSES_MOVES and self._game.is_suicide(words[1], words[2]):
            abilities.add(Ability.PLACES_BOTH_COLOURS)
        return owner, abilities

    def _success(self, words: list[str]) -> Ability | None:
        name = words[0]
        if name == "genmove" and self._played[-2:] == [True, True]:
            return Ability.GENERATES_AFTER_PASSES
        if name == "play" and len(words) > 2:
            if words[2].lower() == "pass":
                return Ability.PASSES
            return Ability.PLAYS if self._is_in_turn(words) else Ability.PLAYS_EITHER_COLOUR
        if name == "komi" and len(words) > 1 and _is_unusual(words[1]):
            return Ability.SETS_ANY_KOMI
        return _SUCCESSES.get(name)

    def _of_the_game(self, words: list[str]) -> set[Ability]:
        """Return the abilities that a successful command needs beside the ability of its name."""
        abilities: set[Ability] = set()
        name = words[0]
        if name in ("play", "genmove"):
            abilities.add(Ability.FORGETS_GAMES)
            if len(words[-1]) > 1 and name == "genmove":
                abilities.add(Ability.READS_COLOUR_NAMES)
            if not self._is_in_turn(words):
                abilities |= _OUT_OF_TURN[name]
        if name == "play" and len(words) > 2:
            abilities |= self._game.play(words[1], words[2])
        if name == "genmove":  # earlier dialogues of the process have searched
            abilities.add(Ability.SEARCHES_AGAIN)
        if name == "play" and words[-1].lower() != "pass" and words[-1][:1].upper() > "H":
            abilities.add(Ability.NAMES_COLUMNS)
        if name == "undo":
            abilities |= {Ability.UNDOES_SINGLY} if len(self._played) > 1 else set()
            abilities |= {Ability.PLAYS_ITS_MOVES} if self._generated else set()
        return abilities

    def _is_in_turn(self, words: list[str]) -> bool:
        return len(words) > 1 and _COLOURS.get(words[1].lower()) == self._next

    def _note(self, words: list[str]) -> None:
        """Record the changes by a successful command."""
        name = words[0]
        if name == "boardsize" and len(words) > 1 and words[1].isdigit():
            self._size = int(words[1])
            self._game = DialogueGame(self._size)
        if name in ("play", "genmove") and len(words) > 1:
            self._next = "w" if _COLOURS.get(words[1].lower()) == "b" else "b"
            self._played.append(words[-1].lower() == "pass")
            self._generated = name == "genmove"
        elif name == "undo":
            self._next = "w" if self._next == "b" else "b"
            self._played, self._generated = self._played[:-1], False
            self._game.undo()
        elif name == "clear_board":
            self._next, self._played, self._generated = "b", [], False
            self._game = DialogueGame(self._size)

    def _refusal(self, words: list[str]) -> Ability | None:
        name, *arguments = words
        if name not in _KNOWN:
            return Ability.REFUSES_UNKNOWN_COMMANDS
        if len(arguments) < _ARGUMENTS.get(name, 0):
            return Ability.REFUSES_MISSING_ARGUMENTS
        if name == "play":
            on_board = arguments[0].lower() in _COLOURS and _is_on_board(arguments[1], self._size)
            return Ability.REFUSES_MOVES if on_board else Ability.REFUSES_VERTICES
        return _REFUSALS.get(name)


def reliances(lines: Iterable[SentLine], size: int = 9) -> list[Reliance]:
    """Return the reliance of each line of a dialogue."""
    reader = LineReader(size)
    return [reader.read(line) for line in lines]


def requirements(lines: Iterable[SentLine], size: int = 9) -> Requirements:
    """Return the requirements on a bot without which the dialogue cannot judge its subject."""
    found = reliances(lines, size)
    return Requirements(
        commands=tuple(dict.fromkeys(name for one in found for name in one.commands)),
        optional_commands=tuple(dict.fromkeys(name for one in found for name in one.optional_commands)),
        abilities=frozenset(ability for one in found for ability in one.abilities),
    )


def reporter(line: bytes, size: int = 9, before: Sequence[bytes] = ()) -> str:
    """The id of the check that reports a failure at a line that had to succeed; empty if there is none.

    The line is looked at by itself, as if it were the colour's turn. `before` are all lines that the process
    was sent before it: a refused move that captures is about captures.
    """
    owner = _owner_in_game(line, before)
    if owner is None:
        colour = re.search(rb"(?i)\b(?:play|genmove)\s+(b|w)", line)
        reader = LineReader(size)
        if colour is not None and colour[1].lower() == b"w":
            reader.read(SentLine(b"play b pass\n"))
        owner = reader.read(SentLine(line)).owner
    return str(owner) if owner is not None else ""


def _owner_in_game(line: bytes, before: Sequence[bytes]) -> Ability | None:
    """The rule that a move of the last game makes use of; None without one, or on an unknown board."""
    sizes = [number for number, sent in enumerate(before) if sent.startswith(b"boardsize")]
    lines = before[sizes[-1] :] if sizes else ()
    if not lines or not line.startswith(b"play") or any(sent.startswith(b"genmove") for sent in lines):
        return None
    owner = reliances(map(SentLine, (*lines, line)))[-1].owner
    return owner if owner in RULES else None


@lru_cache(REMEMBERED)
def _of_the_wire(line: SentLine) -> frozenset[Ability]:
    """The abilities that the form of a line needs, whatever its commands are."""
    abilities = {Ability.WELL_FORMED_ANSWERS}
    if len(_lines(line.send)) > 1:
        abilities.add(Ability.ANSWERS_IN_ORDER)
    if b"#" in line.send:
        abilities.add(Ability.SKIPS_COMMENTS)
    if any(not text.split("#")[0].strip() for text in _lines(line.send)):
        abilities.add(Ability.SKIPS_BLANK_LINES)
    signs = iter(line.signs)
    for text in _commands(line.send):
        sign = next(signs, "=")
        if text.split()[0].isdigit():
            abilities.add(Ability.ECHOES_IDS)
            if sign == "?":
                abilities.add(Ability.ECHOES_IDS_OF_REFUSALS)
    return frozenset(abilities)


@lru_cache(REMEMBERED)
def _commands(send: bytes) -> tuple[str, ...]:
    """The lines of what is sent that are commands, without comments."""
    return tuple(line for text in _lines(send) if (line := text.split("#")[0]).strip())


def _lines(send: bytes) -> list[str]:
    """The lines of what is sent, without control characters."""
    return send.translate(None, _CONTROLS).decode("latin-1").removesuffix("\n").split("\n")


def _is_unusual(komi: str) -> bool:
    """Return whether a komi is one that no game between equals has."""
    return komi.startswith("-") or float(komi) > USUAL_KOMI


def _is_on_board(vertex: str, size: int) -> bool:
    try:
        return parse_vertex(vertex, size) is not None
    except VertexError:
        return False


class DialogueGame:
    """The game of a dialogue. Moves that the referee does not know or allow change nothing."""

    def __init__(self, size: int) -> None:
        self._position = Position(size)
        self._banned: set[tuple[Colour, Point]] = set()  # points that a ko forbade at some time
        self._vacated: dict[Point, set[Ability]] = {}  # captured stones, by what the capture needed

    def play(self, colour: str, vertex: str) -> set[Ability]:
        """Play a move; the abilities that a bot needs to accept it and to see what it takes.

        A move to the place of a captured stone needs what that capture needed: without it a stone is there.
        """
        position = self._position
        empty = position.fingerprint.count(0)
        try:
            mover, point = parse_colour(colour), parse_vertex(vertex, position.size)
            position.play(mover, point)
        except (ColourError, VertexError, IllegalMoveError):
            return set()
        if point is None:
            return set()
        vacated = self._vacated.pop(point, set())
        if position.fingerprint.count(0) == empty - 1:
            return vacated
        retaken = (mover, point) in self._banned
        ban = position.ko_ban(opponent(mover))
        if ban is not None:
            self._banned.add((opponent(mover), ban))
        after = position.stones()
        position.undo()
        before = position.copy()
        position.play(mover, point)
        taken = [place for place in before.stones() if place not in after]
        needed = _of_capture(before, mover, point, taken)
        self._vacated |= dict.fromkeys(taken, needed - {Ability.CAPTURES_BEFORE_SUICIDE})
        return needed | vacated | ({Ability.RETAKES_KO} if retaken else set())

    def is_suicide(self, colour: str, vertex: str) -> bool:
        """Return whether a move of these names is suicide."""
        point = parse_vertex(vertex, self._position.size)
        return self._position.legality(parse_colour(colour), point) == "suicide"

    def undo(self) -> None:
        """Take the last move back."""
        if self._position.moves:
            self._position.undo()


def _of_capture(before: Position, mover: Colour, point: Point, taken: list[Point]) -> set[Ability]:
    """Return the abilities that a capture needs, from one stone to several chains."""
    if not taken:
        return set()
    abilities = {Ability.CAPTURES}
    chains: list[frozenset[Point]] = []
    for place in taken:
        if not any(place in chain for chain in chains):
            chains.append(before.chain(place)[0])
    if any(len(chain) > 1 for chain in chains):
        abilities.add(Ability.CAPTURES_CHAINS)
    if len(chains) > 1:
        abilities.add(Ability.CAPTURES_SEVERAL_CHAINS)
    if _is_enclosed(before, mover, point):
        abilities.add(Ability.CAPTURES_BEFORE_SUICIDE)
    return abilities


def _is_enclosed(position: Position, mover: Colour, point: Point) -> bool:
    """Return whether a stone on a point and the chains it joins lack a liberty before any capture."""
    row, column = point
    neighbours = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    inside = [place for place in neighbours if min(place) >= 0 and max(place) < position.size]
    if any(position.at(place) is None for place in inside):
        return False
    own = [place for place in inside if position.at(place) == mover]
    return all(position.chain(place)[1] == {point} for place in own)
