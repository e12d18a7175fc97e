"""The command loadsgf: sets up the position of a game record in a session; with its faults and habits.

`record` reads the file and plays the moves.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.placing import place
from refbot.gtp.record import CannotLoadError, NoFileError, read, replay, stone_count
from refbot.gtp.session import Session
from refbot.gtp.syntax import DeliberateCrashError, GtpError
from refbot.rules import MAX_SIZE, MIN_SIZE, Game
from refbot.sgf import Move, SgfGame


def load(session: Session, path: str, before_move: int | None) -> None:
    """Sets up the position of an SGF file before move `before_move`, from 1; at its end without such a move.

    The komi of the file, if it has one, is set too. Raises `GtpError("cannot load file")`; without a fault,
    the game and the komi are then unchanged.
    """
    faults = session.faults
    if Faults.LOADSGF_REFUSAL_CLEARS in faults:
        session.clear()
    try:
        record = misread(read(path, before_move, faults=faults), faults, session.size)
        if not MIN_SIZE <= record.size <= MAX_SIZE:
            raise CannotLoadError(f"the record has board size {record.size}")
        if Faults.LOADSGF_BEYOND_REFUSED in faults and before_move and before_move > len(record.moves) + 1:
            raise CannotLoadError(f"the record has no move {before_move}, it has {len(record.moves)}")
        keeps = Faults.LOADSGF_KEEPS_BOARD in faults and record.size == session.size
        game = session.game if keeps else session.new_game(record.size)
        replay(game, record)
        if Faults.LOADSGF_FORGETS_KO in faults:
            game = _set_up_again(session, game)
    except CannotLoadError as error:
        if isinstance(error, NoFileError) and Faults.LOADSGF_MISSING_SUCCEEDS in faults:
            return
        if not isinstance(error, NoFileError):
            if Faults.LOADSGF_BROKEN_CRASHES in faults:
                raise DeliberateCrashError("no game record") from error
            if Habits.LOADSGF_ANY_TEXT in session.habits:
                session.clear()
                return
        raise GtpError("cannot load file") from error
    session.take_over(game, stone_count(record))
    if record.komi is not None and Faults.LOADSGF_KEEPS_KOMI not in faults:
        session.set_komi(record.komi)


def _set_up_again(session: Session, game: Game) -> Game:
    """Return a game with the stones of `game`, without its moves: the fault loadsgf-forgets-ko."""
    other = session.new_game(game.size)
    stones = [(colour, point) for point, colour in enumerate(game.stones) if colour]
    place(other, [("bw"[colour - 1], point) for colour, point in stones])
    return other


def misread(record: SgfGame, faults: AbstractSet[Fault], size: int) -> SgfGame:
    """Return the record as an engine with these faults reads it; `size` is that of the engine's board."""
    if Faults.LOADSGF_IGNORES_SETUP in faults:
        record = replace(record, black_stones=frozenset(), white_stones=frozenset())
    if Faults.LOADSGF_UPSIDE_DOWN in faults:
        last = record.size - 1
        turned = [Move(m.colour, m.point and (last - m.point[0], m.point[1])) for m in record.moves]
        record = replace(
            record,
            moves=tuple(turned),
            black_stones=frozenset((last - row, column) for row, column in record.black_stones),
            white_stones=frozenset((last - row, column) for row, column in record.white_stones),
        )
    if Faults.LOADSGF_KEEPS_SIZE in faults and record.size != size:
        kept = [move for move in record.moves if move.point is None or max(move.point) < size]
        record = replace(
            record,
            size=size,
            moves=tuple(kept),
            black_stones=frozenset(point for point in record.black_stones if max(point) < size),
            white_stones=frozenset(point for point in record.white_stones if max(point) < size),
        )
    return record
