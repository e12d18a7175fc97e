"""The board that showboard and list_stones show, and the lists of final_status_list; with their faults."""

from __future__ import annotations

from collections.abc import Sequence

from refbot.deviations.faults import Faults
from refbot.gtp.placing import COLOURS
from refbot.gtp.session import Session
from refbot.gtp.syntax import DeliberateCrashError, GtpSyntaxError
from refbot.gtp.wording import chains

STATUSES = ("alive", "dead", "seki")


def shown_stones(session: Session) -> Sequence[int]:
    """Return the colour of each point (0: empty, 1: black, 2: white) for showboard and list_stones."""
    game, faults = session.game, session.faults
    stones = list(game.stones)
    if Faults.SHOWN_BOARD_LATE in faults and game.moves:
        before = session.new_game(game.size)
        for move in game.moves[:-1]:
            before.play(move.colour, move.point, may_repeat=True)  # a habit lets play repeat a board
        stones = list(before.stones)
    if Faults.SHOWN_BOARD_KEEPS_REFUSED in faults:
        for move in session.memory.refused:
            if move.point is not None:
                stones[move.point] = move.colour
    if Faults.SHOWN_BOARD_SURVIVES_CLEAR in faults and len(session.memory.earlier_stones) == len(stones):
        both = zip(stones, session.memory.earlier_stones, strict=True)
        stones = [stone or earlier for stone, earlier in both]
    return stones


def listed_stones(session: Session, colour: str) -> list[int]:
    """Return the points (row x size + column) that list_stones names for "b" or "w", in ascending order."""
    stones, wanted = shown_stones(session), COLOURS[colour]
    points = {point for point, stone in enumerate(stones) if stone == wanted}
    if Faults.LIST_STONES_KEEPS_CAPTURED in session.faults:
        points |= {m.point for m in session.game.moves if m.point is not None and m.colour == wanted}
    return sorted(points)


def status_lists(session: Session, status: str) -> list[list[int]]:
    """Return the chains with a status, each as a list of points. Every stone on the board counts as alive.

    Raises GtpSyntaxError for a word that is no status.
    """
    faults, game = session.faults, session.game
    if status not in STATUSES:
        if Faults.FINAL_STATUS_WORD_CRASHES in faults:
            raise DeliberateCrashError("an unknown status")
        raise GtpSyntaxError("expected alive, dead or seki")
    listed = ("alive", "seki") if Faults.FINAL_STATUS_TWICE in faults else ("alive",)
    if status not in listed:
        return []
    if Faults.FINAL_STATUS_EMPTY_POINTS in faults:
        return [[point] for point in range(game.size**2)]
    found = chains(game.stones, game.size)
    return [chain[:1] for chain in found] if Faults.FINAL_STATUS_ONE_STONE in faults else found
