"""The referee's game of a dialogue: which moves capture, and which abilities a bot needs for the captures."""

from __future__ import annotations

from collections.abc import Set

from harness.check.model import Ability
from harness.go import IllegalMoveError, Point, Position, opponent
from harness.gtp import Colour, ColourError, VertexError, parse_colour, parse_vertex


class DialogueGame:
    """The referee's game of a dialogue. Illegal or unreadable moves change nothing."""

    def __init__(self, size: int) -> None:
        self._position = Position(size)
        self._banned: set[tuple[Colour, Point]] = set()  # moves that a ko forbade at some time
        self._vacated: dict[Point, set[Ability]] = {}  # points of captured stones: abilities of the capture

    def play(self, colour: str, vertex: str) -> set[Ability]:
        """Play a move, such as `b` and `E5`; return the abilities that a bot needs to accept and execute it.

        The set is empty for a move that captures nothing, with one exception: a move to the point of a stone
        that was captured earlier needs the abilities of that capture. A bot that lacks them still has the
        stone on its board.
        """
        position = self._position
        empty = position.fingerprint.count(0)  # number of empty points
        try:
            mover, point = parse_colour(colour), parse_vertex(vertex, position.size)
            position.play(mover, point)
        except (ColourError, VertexError, IllegalMoveError):
            return set()
        if point is None:
            return set()
        vacated = self._vacated.pop(point, set())
        if position.fingerprint.count(0) == empty - 1:  # nothing was captured
            return vacated
        retaken = {Ability.RETAKES_KO} if (mover, point) in self._banned else set()
        ban = position.ko_ban(opponent(mover))
        if ban is not None:
            self._banned.add((opponent(mover), ban))
        before = position.copy()
        before.undo()
        taken = before.stones().keys() - position.stones().keys()
        needed = _capture_abilities(before, mover, point, taken)
        self._vacated |= dict.fromkeys(taken, needed - {Ability.CAPTURES_BEFORE_SUICIDE})
        return needed | vacated | retaken

    def is_suicide(self, colour: str, vertex: str) -> bool:
        """Return whether a move is suicide. Raises ColourError and VertexError for an unreadable move."""
        point = parse_vertex(vertex, self._position.size)
        return self._position.legality(parse_colour(colour), point) == "suicide"

    def undo(self) -> None:
        """Take the last move back, if there is one. Its captures still count as earlier ones for `play`."""
        if self._position.moves:
            self._position.undo()


def _capture_abilities(before: Position, mover: Colour, point: Point, taken: Set[Point]) -> set[Ability]:
    """Return the abilities that a bot needs for a move that captures the stones `taken`."""
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
    """Return whether a stone on the point has no liberty until enemy stones are captured."""
    row, column = point
    neighbours = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    inside = [place for place in neighbours if min(place) >= 0 and max(place) < position.size]
    if any(position.at(place) is None for place in inside):
        return False
    own = [place for place in inside if position.at(place) == mover]
    return all(position.chain(place)[1] == {point} for place in own)
