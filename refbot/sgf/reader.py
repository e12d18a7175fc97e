"""Reads the games of a file from their properties: board size, komi, handicap, set-up stones and moves.

Damage that makes the position uncertain, such as a move off the board, is an SgfError. Other damage, such as
an unreadable komi, is a note of the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from refbot.sgf.game import Colour, Move, Point, SgfError, SgfGame, excerpt, opponent
from refbot.sgf.tokens import BadSyntaxError, Node, Property, Scanner
from refbot.sgf.values import (
    MAX_SIZE,
    colour_of,
    last_point,
    number_of,
    point_of,
    points_of,
    sizes_of,
)

MOST_MOVES = 1_000_000
"""A longer game is refused, unless the caller wants fewer moves."""
MOST_SET = 1_000_000
"""The most points in the set-up of a game (AB, AW, AE): one rectangle of seven bytes names up to 2,704."""
SETS_UP_LATE = "sets up stones after move"
"""Part of the message about a record that sets up stones after a move, which SGF allows."""
MOST_NOTES = 20  # per game; chosen: they fit on a screen
DEFAULT_SIZE = 19  # of Go, in FF[4]

_UTF16 = (
    ((b"\xff\xfe", b"\xfe\xff"), "utf-16"),
    ((b"(\0", b";\0"), "utf-16-le"),
    ((b"\0(", b"\0;"), "utf-16-be"),
)
_SETUP: dict[bytes, Colour | None] = {b"AB": "b", b"AW": "w", b"AE": None}
_MOVES: dict[bytes, Colour] = {b"B": "b", b"W": "w"}
_WANTED = frozenset({b"GM", b"SZ", b"KM", b"KO", b"HA", b"PL", *_SETUP, *_MOVES})


def read_games(data: bytes, most_moves: int | None = None) -> Iterator[SgfGame | SgfError]:
    """Yield the games of a file in order, each with at most `most_moves` moves; None: no limit.

    In place of a game that cannot be read it yields the error. A file without a game yields one error.
    """
    scanner = Scanner(_as_utf8(data))
    number = 0
    while (place := scanner.find_game()) >= 0:
        number += 1
        try:
            game = _Reader(scanner, number, place, most_moves).read()
        except SgfError as error:
            yield error
        else:
            yield game
        scanner.skip_game()
    if not number:
        yield _no_game(scanner.data)


def read_game(data: bytes, number: int = 1, most_moves: int | None = None) -> SgfGame:
    """Return game `number` of a file, from 1, with at most `most_moves` moves. Raises SgfError.

    The games before it are skipped without being read: their errors do not matter.
    """
    scanner = Scanner(_as_utf8(data))
    found = 0
    while (place := scanner.find_game()) >= 0:
        found += 1
        if found == number:
            return _Reader(scanner, number, place, most_moves).read()
        scanner.skip_game()
    if not found:
        raise _no_game(scanner.data)
    games = "1 game" if found == 1 else f"{found} games"
    last_line = scanner.line_of(len(scanner.data))
    raise SgfError(number, last_line, f"the file has {games}; expected a number from 1 to {found}")


def _as_utf8(data: bytes) -> bytes:
    """The bytes of the file, converted to UTF-8 if it is in UTF-16, with or without a byte order mark."""
    for starts, codec in _UTF16:
        if data.startswith(starts):
            return data.decode(codec, "replace").encode("utf-8")
    return data


def _no_game(data: bytes) -> SgfError:
    if not data.strip():
        return SgfError(1, 1, "the file is empty; expected a game in SGF")
    return SgfError(1, 1, f'no game in SGF: expected "(;", the file begins with "{excerpt(data)}"')


class _Reader:
    """The state of one game while it is read."""

    def __init__(self, scanner: Scanner, number: int, place: int, most_moves: int | None) -> None:
        self._scanner = scanner
        self._number = number
        self._place = place
        self._most = most_moves  # None: no limit
        self._size: int | None = None
        self._komi: float | None = None
        self._old_komi: float | None = None  # of KO, which was the komi in some old files
        self._handicap: int | None = None
        self._stones: dict[Point, Colour] = {}
        self._set_up_points = 0  # number of points named by set-up properties so far
        self._moves: list[Move] = []
        self._known: dict[tuple[bytes, bytes], Move] = {}  # (property, value): equal moves are one object
        self._next_colour: Colour | None = None  # of the first move beyond the limit
        self._stated: Colour | None = None  # side to move that PL names, if there was no move since
        self._notes: list[str] = []

    def read(self) -> SgfGame:
        """Return the game. Raises SgfError."""
        try:
            for node in self._scanner.main_line(_WANTED):
                if self._read_node(node):
                    break
        except BadSyntaxError as error:
            raise self._error(error.place, error.reason) from None
        if self._scanner.unclosed:
            self._note('no ")" closes the game')
        return SgfGame(
            number=self._number,
            size=self._fix_size(),
            komi=self._old_komi if self._komi is None else self._komi,
            handicap=self._handicap,
            black_stones=self._stones_of("b"),
            white_stones=self._stones_of("w"),
            moves=tuple(self._moves),
            to_move=self._to_move(),
            notes=tuple(self._notes),
        )

    def _read_node(self, node: Node) -> bool:
        """Take the properties of a node: the set-up before the moves. Return True to stop reading.

        Set-up after a move is an error, unless all wanted moves were read. After these, the next node with a
        move or set-up is not read, but for the colour of its move.
        """
        setup = [found for found in node if found.name in _SETUP]
        moves = [found for found in node if found.name in _MOVES]
        if self._moves and self._has_all() and (setup or moves):
            return bool(setup) or self._read_moves(moves[0])
        for found in node:
            if found.name not in _SETUP and found.name not in _MOVES:
                self._read_info(found)
        if setup and self._moves:
            raise self._error(
                setup[0].place,
                f"{_shown(setup[0])} {SETS_UP_LATE} {len(self._moves)}; "
                f"only the position after at most {len(self._moves)} moves can be used",
            )
        for found in setup:
            self._set_up(found)
        return any(self._read_moves(found) for found in moves)

    # Properties other than stones and moves

    def _read_info(self, found: Property) -> None:
        name, value = found.name, found.values[0]
        match name:
            case b"GM":
                self._check_game(found)
            case b"SZ":
                self._read_size(found)
            case b"PL":
                self._stated = colour_of(value) or self._stated
                if colour_of(value) is None:
                    self._note_damage(found, "expected B or W")
            case b"KM" | b"KO":
                self._read_komi(found)
            case b"HA":
                number = number_of(value)
                if number is None or number != int(number) or not 0 <= number <= MAX_SIZE**2:
                    self._note_damage(found, "expected a number of stones")
                else:
                    self._handicap = int(number)

    def _check_game(self, found: Property) -> None:
        number = number_of(found.values[0])
        if number is None:
            self._note_damage(found, "taken as Go")
        elif number != 1:
            raise self._error(found.place, f"{_shown(found)} is another game; expected GM[1], which is Go")

    def _read_size(self, found: Property) -> None:
        if not found.values[0].split():
            self._note_damage(
                found, f"ignored; without another SZ the board is {DEFAULT_SIZE}x{DEFAULT_SIZE}"
            )
            return
        sizes = sizes_of(found.values[0])
        if sizes is None or not all(1 <= size <= MAX_SIZE for size in sizes):
            reason = f"is no board size; expected a number from 1 to {MAX_SIZE}"
        elif sizes[0] != sizes[1]:
            reason = f"is a board of {sizes[0]}x{sizes[1]}; expected a square one"
        elif self._size not in (None, sizes[0]):
            reason = f"contradicts the board of {self._size}x{self._size} that the game has had so far"
        else:
            self._size = sizes[0]
            return
        raise self._error(found.place, f"{_shown(found)} {reason}")

    def _read_komi(self, found: Property) -> None:
        value = found.values[0]
        komi = number_of(value)
        if found.name == b"KO":
            if komi is not None and not self._moves and self._is_komi(komi):
                self._old_komi = komi
            return
        if komi is None or not self._is_komi(komi):
            self._note_damage(found, f"expected a number of points below {DEFAULT_SIZE**2}")
            return
        if b"," in value:
            self._note(f"{_shown(found)} is read as {komi:g}")
        self._komi = komi

    def _is_komi(self, komi: float) -> bool:
        """Return whether a number is small enough for a komi: some programs write 375 for 3.75."""
        return abs(komi) < DEFAULT_SIZE**2

    # Stones

    def _set_up(self, found: Property) -> None:
        size, colour = self._fix_size(), _SETUP[found.name]
        for value in found.values:
            try:
                points = list(points_of(value, size))
            except ValueError:
                raise self._off_board(found, value, "") from None
            self._set_up_points += len(points)
            if self._set_up_points > MOST_SET:
                raise self._error(found.place, f"AB, AW and AE name more than {MOST_SET:,} points")
            for point in points:
                if colour is None:
                    self._stones.pop(point, None)
                else:
                    self._stones[point] = colour

    def _read_moves(self, found: Property) -> bool:
        """Take the moves of a property. Return True if the file has a move beyond the limit."""
        colour = _MOVES[found.name]
        if len(found.values) > 1:
            self._note_damage(found, f"{len(found.values)} values are read as moves one after the other")
        for value in found.values:
            if self._has_all():
                self._next_colour = colour
                return True
            if len(self._moves) == MOST_MOVES:
                raise self._error(found.place, f"the game has more than {MOST_MOVES:,} moves; ask for fewer")
            move = self._known.get((found.name, value))
            if move is None:
                try:
                    move = Move(colour, point_of(value, self._fix_size()))
                except ValueError:
                    raise self._off_board(found, value, f"move {len(self._moves) + 1}: ") from None
                self._known[found.name, value] = move
            if not self._moves and self._stated not in (None, colour):
                self._note(
                    f"PL names the other side than the first move, {_shown(found)}; the move is followed"
                )
            self._moves.append(move)
            self._stated = None
        return False

    def _has_all(self) -> bool:
        return self._most is not None and len(self._moves) >= self._most

    def _fix_size(self) -> int:
        """Return the board size: 19 if the file has named none so far. From now on it cannot change."""
        if self._size is None:
            self._size = DEFAULT_SIZE
        return self._size

    def _stones_of(self, colour: Colour) -> frozenset[Point]:
        return frozenset(point for point, stone in self._stones.items() if stone == colour)

    def _to_move(self) -> Colour:
        """Return the side to move: that of the next move in the file, else of PL, else by alternation.

        Before the first move White is to move if Black has stones and a handicap of two or more.
        """
        if self._next_colour is not None:
            return self._next_colour
        if self._stated is not None:
            return self._stated
        if self._moves:
            return opponent(self._moves[-1].colour)
        handicap = self._handicap is not None and self._handicap >= 2
        return "w" if handicap and self._stones_of("b") else "b"

    # Messages

    def _off_board(self, found: Property, value: bytes, where: str) -> SgfError:
        size = self._fix_size()
        text = excerpt(found.name + b"[" + value + b"]")
        return self._error(
            found.place,
            f"{where}{text} is no point of a {size}x{size} board; expected [aa] to [{last_point(size)}]",
        )

    def _error(self, place: int, reason: str) -> SgfError:
        return SgfError(self._number, self._scanner.line_of(place), reason)

    def _note_damage(self, found: Property, remark: str) -> None:
        self._note(f"{_shown(found)} is damaged: {remark}")

    def _note(self, note: str) -> None:
        """Add a note to the game, up to MOST_NOTES different ones."""
        if note not in self._notes and len(self._notes) < MOST_NOTES:
            self._notes.append(note)


def _shown(found: Property) -> str:
    return excerpt(found.name + b"".join(b"[%b]" % value for value in found.values[:3]))
