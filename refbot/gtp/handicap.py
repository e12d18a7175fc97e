"""The handicap commands (GTP draft 2): the numbers and points that they accept, and their answers.

Each raises GtpError for what it refuses; then it places no stone, unless a fault or habit says otherwise.
"""

from __future__ import annotations

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp import placing
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError, GtpSyntaxError

NINE_LINES = 9  # the fault fixed-handicap-second-line is for smaller boards
MOST = 9  # stones with fixed points, on a board of any size that has them
FEWER = 3  # stones that the habit handicap-fewer places at most


def place_fixed(session: Session, arguments: Arguments) -> list[int]:
    """Place black stones on the points that the draft fixes; return these points."""
    if Faults.HANDICAP_ARGUMENT_CRASHES in session.faults and not arguments.words:
        raise DeliberateCrashError("no number of stones")
    stones = _number(session, arguments)
    most = placing.most_fixed(session.size)
    if Faults.FIXED_HANDICAP_ABOVE_NINE_CRASHES in session.faults and stones > MOST:
        raise DeliberateCrashError("no point for a tenth stone")
    if Habits.HANDICAP_ON_ANY_BOARD in session.habits and most:
        most = MOST
    if Faults.FIXED_HANDICAP_CUT in session.faults and most:
        most = MOST
        stones = max(0, min(stones, most))
    elif not _fewest(session) <= stones <= most:
        raise GtpError("invalid number of stones")
    points = placing.fixed_points(session.size, stones)
    if Faults.FIXED_HANDICAP_SECOND_LINE in session.faults and session.size < NINE_LINES:
        points = placing.fixed_points(session.size, stones, line=2)
    if Faults.FIXED_HANDICAP_IN_ONE_ORDER in session.faults and stones > 4:
        points = placing.fixed_points(session.size, MOST)[:stones]
    _require_empty_board(session, allow_stones=Faults.HANDICAP_ON_STONES in session.faults)
    if Faults.FIXED_HANDICAP_NOT_PLACED not in session.faults:
        _place(session, points)
    return [] if Faults.FIXED_HANDICAP_UNANSWERED in session.faults else points


def place_free(session: Session, arguments: Arguments) -> list[int]:
    """Place black stones on points of our choice; return these, fewer if the board has too few points."""
    stones = _number(session, arguments)
    if stones < _fewest(session):
        if Faults.PLACE_HANDICAP_CUT not in session.faults:
            raise GtpError("invalid number of stones")
        stones = max(0, stones)
    if Habits.HANDICAP_FEWER in session.habits:
        stones = min(stones, FEWER)
    points = placing.free_points(session.size, stones)
    _require_empty_board(session, allow_stones=Faults.HANDICAP_ON_STONES in session.faults)
    if Faults.PLACE_HANDICAP_REPEATS in session.faults:
        points = [*points[:-1], *points[:1]]
    if Faults.PLACE_HANDICAP_NOT_PLACED not in session.faults:
        _place(session, list(dict.fromkeys(points)))
    return points


def set_free(session: Session, arguments: Arguments) -> None:
    """Place black stones on the given points."""
    count = len(arguments.words)
    _require_empty_board(session, allow_stones=Faults.SET_HANDICAP_ON_STONES in session.faults)
    points: list[int] = []
    try:
        for index in range(count):
            point = arguments.vertex(index, session.size)
            if point is None and Faults.SET_HANDICAP_SKIPS_PASS in session.faults:
                continue
            if point is None or (point in points and Faults.SET_HANDICAP_REPEATS not in session.faults):
                raise GtpError("bad vertex list")
            points.append(point)
        if not _fewest(session) <= count < session.size**2:
            raise GtpError("bad vertex list")
    except GtpError as error:
        if Faults.SET_HANDICAP_ANY_VERTEX in session.faults and isinstance(error, GtpSyntaxError):
            return
        if Habits.HANDICAP_HALF_SET in session.habits:
            kept = list(dict.fromkeys(points))[: session.size**2 - 1]  # stones on every point are no position
            _place(session, kept)
        raise
    kept = points[:2] if Faults.SET_HANDICAP_OF_TWO in session.faults else points
    _place(session, list(dict.fromkeys(kept)))


def _number(session: Session, arguments: Arguments) -> int:
    """Return the first argument: the number of stones. Raises GtpSyntaxError."""
    try:
        return arguments.integer(0)
    except GtpSyntaxError:
        if Faults.HANDICAP_WORD_IS_TWO in session.faults and arguments.words:
            return placing.FEWEST
        raise


def _fewest(session: Session) -> int:
    """Return the fewest stones that are accepted: 0 with the habit handicap-of-one."""
    return 0 if Habits.HANDICAP_OF_ONE in session.habits else placing.FEWEST


def _require_empty_board(session: Session, *, allow_stones: bool) -> None:
    """Raise GtpError if the game has moves; `allow_stones`: a fault ignores them.

    Stones of a handicap are moves too. The fault handicap-once refuses every handicap after the first.
    """
    again = Faults.HANDICAP_ONCE in session.faults and session.memory.had_handicap
    if again or (session.game.moves and not allow_stones):
        raise GtpError("board not empty")


def _place(session: Session, points: list[int]) -> None:
    """Place stones on those of the points that are empty: black ones, without a fault."""
    stones = session.game.stones
    free = [point for point in points if not stones[point]]
    colours = "bw" if Faults.HANDICAP_ALTERNATES in session.faults else "b"
    session.place_handicap([(colours[number % len(colours)], point) for number, point in enumerate(free)])
