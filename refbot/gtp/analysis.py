"""`Analysis`: a growing number of playouts of one position, and its lines in the form of each command.

An answer of analysis goes on until the next line of input. `refbot.gtp.loop` makes more playouts until then.
`refbot.gtp.extensions.analysis` has the commands. A line of lz-analyze for two moves (here in two lines):

    info move D4 visits 120 winrate 5250 prior 123 lcb 4357 order 0 pv D4
    info move E5 visits 110 winrate 5000 prior 123 lcb 4066 order 1 pv E5
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.placing import COLOURS
from refbot.gtp.syntax import DeliberateCrashError
from refbot.rules import BLACK

if TYPE_CHECKING:
    from refbot.gtp.session import Session
    from refbot.search import SearchResult

INTERVAL = 1.0  # seconds between two lines, unless the command names an interval; chosen
MOST_PLAYOUTS = 1000  # between two looks at the input; chosen: a moment on any board
DEVIATIONS_BELOW = 1.96  # standard deviations from the winrate down to its lower confidence bound (lcb)
CERTAIN = 10_000  # a rate of 1 in the form of lz-analyze
FALLING = 10_000_000  # visits times playouts, of the fault analysis-visits-fall; chosen


@dataclass(frozen=True)
class Request:
    """The arguments of an analysis command. A point that is None is a pass.

    colour    "b" or "w"
    interval  seconds between two lines
    most      candidates in a line, the best first; None for all
    avoided   points that are left out
    allowed   the only points that are not left out; None for all
    wanted    further parts of a line that are asked for, such as "ownership"
    """

    colour: str
    interval: float = INTERVAL
    most: int | None = None
    avoided: frozenset[int | None] = frozenset()
    allowed: frozenset[int | None] | None = None
    wanted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Candidate:
    """One move with its all-moves-as-first record: the playouts in which the side was first to play there."""

    point: int | None  # None is a pass, with all playouts as its visits
    visits: int
    wins: float  # a draw is half a win

    @property
    def rate(self) -> float:
        """The share of wins, from 0 to 1; a half without playouts."""
        return self.wins / self.visits if self.visits else 0.5

    @property
    def lower_bound(self) -> float:
        """The lower confidence bound of the rate, at least 0."""
        spread = math.sqrt(self.rate * (1 - self.rate) / self.visits) if self.visits else 0.5
        return max(0.0, self.rate - DEVIATIONS_BELOW * spread)


@dataclass(frozen=True)
class Summary:
    """The state of an analysis, from which its lines are written: its candidates, best first, and totals."""

    session: Session
    request: Request
    candidates: tuple[Candidate, ...]  # one pass alone, if the request or the position leaves no other
    prior: float  # the chance of a candidate before any playout: the same for all
    playouts: int
    rate: float  # mean result of the side, from 0 to 1
    lead: float  # mean points by which the side leads, komi included

    def vertex(self, candidate: Candidate) -> str:
        """The name of the point."""
        return self.session.vertex(candidate.point)


Style = Callable[[Summary], str]
"""Writes the lines of a summary, without a last line feed."""


@dataclass
class Analysis:
    """The playouts of one position so far. The position stays as it is."""

    session: Session
    request: Request
    style: Style
    _visits: dict[int, int] = field(default_factory=dict)  # by point, as the next
    _wins: dict[int, float] = field(default_factory=dict)
    _playouts: int = 0
    _won: float = 0.0  # sum of results for the side
    _lead: float = 0.0  # sum over playouts

    @property
    def interval(self) -> float:
        """Seconds between two reports."""
        return self.request.interval

    @property
    def best_is_pass(self) -> bool:
        """True if the best move is a pass."""
        return self.summary().candidates[0].point is None

    def play_best(self) -> None:
        """Make the best move on the board: the fault analysis-plays."""
        best = self.summary().candidates[0].point
        self.session.game.play(COLOURS[self.request.colour], best)

    def search(self) -> SearchResult:
        """Make at most MOST_PLAYOUTS more playouts and count them; return their search.

        ref-nodes and ref-score still report the last genmove. Raises GtpError if the device cannot play.
        """
        session, colour = self.session, COLOURS[self.request.colour]
        result = session.searcher.search(session.game, colour, most=MOST_PLAYOUTS)
        if Faults.ANALYSIS_WITHOUT_MOVE_CRASHES in session.faults and not len(result.candidates):
            raise DeliberateCrashError("no candidate")
        self.add(result)
        return result

    def add(self, result: SearchResult) -> None:
        """Count the playouts of a search."""
        for point in map(int, result.candidates):
            self._visits[point] = self._visits.get(point, 0) + int(result.amaf.visits[point])
            self._wins[point] = self._wins.get(point, 0.0) + float(result.amaf.wins[point])
        self._playouts += result.playouts
        self._won += result.wins
        lead = result.stats.mean_lead - self.session.komi
        self._lead += result.playouts * (lead if result.colour == BLACK else -lead)

    def lines(self) -> str:
        """The lines of analysis of all playouts so far, without a last line feed."""
        return self.style(self.summary())

    def summary(self) -> Summary:
        """Return the state of the analysis."""
        request = self.request
        found = [
            Candidate(point, visits, self._wins[point])
            for point, visits in self._visits.items()
            if point not in request.avoided and (request.allowed is None or point in request.allowed)
        ]
        found.sort(key=lambda candidate: (-candidate.rate, -candidate.visits))
        ranked = found or [Candidate(None, self._playouts, self._won)]
        playouts = max(1, self._playouts)
        return Summary(
            self.session, request, tuple(self._deviating(ranked)[: request.most]),
            1.0 / max(1, len(self._visits)), self._playouts, self._won / playouts, self._lead / playouts,
        )  # fmt: skip

    def _deviating(self, ranked: list[Candidate]) -> list[Candidate]:
        """Return the candidates as the faults of an analysis list them."""
        faults, game = self.session.faults, self.session.game
        if Faults.ANALYSIS_NAMES_STONES in faults:
            stones = [point for point, stone in enumerate(game.stones) if stone]
            ranked = [*ranked, *(Candidate(point, 0, 0.0) for point in stones)]
        if Faults.ANALYSIS_VISITS_FALL in faults:
            falling = 1 + FALLING // (1 + self._playouts)  # fewer visits with every report
            ranked = [Candidate(one.point, falling, 0.0) for one in ranked]
        return ranked


def leela_zero(summary: Summary) -> str:
    """The candidates in the form of lz-analyze (see `_records`): rates are integers up to 10,000."""

    def fields(candidate: Candidate) -> dict[str, object]:
        return {
            "winrate": round(CERTAIN * candidate.rate),
            "prior": round(CERTAIN * summary.prior),
            "lcb": round(CERTAIN * candidate.lower_bound),
        }

    return _records(summary, fields)


def katago(summary: Summary) -> str:
    """The candidates in the form of kata-analyze (see `_records`): rates are numbers from 0 to 1.

    The totals and the owners of the points follow, if they are wanted.
    """

    def fields(candidate: Candidate) -> dict[str, object]:
        return {
            "utility": f"{2 * candidate.rate - 1:.6f}",
            "winrate": f"{candidate.rate:.6f}",
            "prior": f"{summary.prior:.6f}",
            "lcb": f"{candidate.lower_bound:.6f}",
        }

    line = _records(summary, fields)
    if "rootInfo" in summary.request.wanted:
        line += f" rootInfo visits {summary.playouts} winrate {summary.rate:.6f} scoreLead {summary.lead:.3f}"
    if "ownership" in summary.request.wanted:
        line += " ownership " + " ".join(f"{owner:g}" for owner in _owners(summary))
    return line


def cgos(summary: Summary) -> str:
    """One line of JSON, in the form that CGOS stores with a move."""
    moves = [
        {
            "move": summary.vertex(candidate),
            "winrate": round(candidate.rate, 6),
            "visits": candidate.visits,
            "prior": round(summary.prior, 6),
            "pv": "",
        }
        for candidate in summary.candidates
    ]
    root = {
        "winrate": round(summary.rate, 6),
        "score": round(summary.lead, 3),
        "visits": summary.playouts,
        "moves": moves,
    }
    return json.dumps(root, separators=(",", ":"))


def _records(summary: Summary, fields: Callable[[Candidate], Mapping[str, object]]) -> str:
    """The record of each candidate, all on one line; with the habit analysis-line-a-move, each on its own.

    `fields` gives the fields of a style, between the visits and the order.
    """
    session = summary.session
    records = []
    for order, candidate in enumerate(summary.candidates):
        vertex = summary.vertex(candidate)
        written = {"move": vertex, "visits": candidate.visits, **fields(candidate), "order": order}
        if Faults.ANALYSIS_WITHOUT_VISITS in session.faults:
            del written["visits"]
        if Habits.ANALYSIS_EXTRA_FIELDS in session.habits:
            written |= {"edgeVisits": candidate.visits, "isSymmetryOf": vertex, "mood": "good"}
        record = " ".join(f"{name} {value}" for name, value in written.items())
        records.append(f"info {record} pv {vertex}")
    one_a_line = Habits.ANALYSIS_LINE_A_MOVE in session.habits
    return ("\n" if one_a_line else " ").join(records)


def _owners(summary: Summary) -> list[int]:
    """Return the owner of each point, row by row from the top: 1 for the side, -1 for the enemy, else 0."""
    game, size = summary.session.game, summary.session.size
    side = COLOURS[summary.request.colour]
    stones = game.stones
    rows = [stones[row * size : (row + 1) * size] for row in reversed(range(size))]
    return [0 if not stone else 1 if stone == side else -1 for row in rows for stone in row]
