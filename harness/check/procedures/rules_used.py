"""The rules of the game that the moves of a dialogue make use of, by the referee."""

from __future__ import annotations

from harness.check.model import Ability
from harness.go import IllegalMoveError, Point, Position, opponent
from harness.gtp import Colour, ColourError, VertexError, parse_colour, parse_vertex


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
