"""Judge of a bot's searches at one position: proof if an answer is impossible, else statistical evidence."""

from __future__ import annotations

import math
from collections import Counter

from harness.check.procedures.search import SearchRecord
from harness.explore.choices import choice_key, choice_law
from harness.explore.evidence import (
    COUNTED,
    MORE_MOVES,
    MORE_WINS,
    RATES,
    REPEATS,
    UNSEEN_EVEN,
    UNSEEN_WON,
    Ratios,
    length_ratios,
    repeat_ratio,
    result_ratios,
)
from harness.explore.laws import PlayoutLaw, ResultLaw, alternatives
from harness.explore.moves import Finding, wrong_move
from harness.explore.positions import DrawnPosition, Kind, laws_of_probe
from harness.gtp import format_vertex, parse_vertex

UNSEEN = (UNSEEN_WON, UNSEEN_EVEN)
"""Wrong rules that may choose a candidate without any visit."""

OTHER_SIDE = 0.05
"""Largest distance at which a wrong score is taken for the other side's mean result. Chosen: it allows for
the chance in one search."""

CLAUSE_OF_LENGTHS = {
    Kind.LATE: "uniform",
    Kind.CAPTURES: "uniform",
    Kind.UNSEEN: "move-cap",
    Kind.TIES: "uniform",
    Kind.KO: "simple-ko",
    Kind.CAP: "move-cap",
    Kind.PASSES: "move-cap",
    Kind.AFTER_PASS: "two-passes",
}
"""The clause that a wrong playout length points to, by the kind of the position."""


class PositionJudge:
    """Judges searches of one position, one after the other.

    laws        exact laws of a playout, one for each reading of the specification; empty if unknown
    choice      law of the chosen move; None if unknown, or if there is nothing to choose
    must_pass   the side to move has no candidate
    """

    def __init__(self, drawn: DrawnPosition, playouts: int, *, cap_of_game: bool) -> None:
        self.drawn = drawn
        self.probe = probe = drawn.probe
        self.playouts = playouts
        self.laws = laws_of_probe(probe, cap_of_game=cap_of_game) or ()
        key = choice_key(probe.position, probe.to_move)
        one_law = len(self.laws) == 1 and len(key.candidates) > 1
        self.choice = choice_law(key, probe.komi, playouts) if one_law else None
        self.must_pass = not key.candidates
        self.searches: list[SearchRecord] = []

    def judge_search(self, search: SearchRecord) -> tuple[Finding | None, Ratios]:
        """Judge one more search. Return the deviation that it proves (or None), and the ratios of the bets.

        A ratio is the log likelihood ratio of a wrong behaviour to the right one (see `evidence`), by the
        name of the bet on it: {"most visits": 0.41, "result +0.1 sd": -0.2}.
        """
        proof = self._proof(search)
        unsearched = self.must_pass and search.nodes == 0  # a bot that can only pass need not search
        ratios = {} if proof or unsearched else self._ratios(search)
        self.searches.append(search)
        return proof, ratios

    def _proof(self, search: SearchRecord) -> Finding | None:
        """Return the deviation of a search that no right bot can make; None for a possible search."""
        wrong = wrong_move(self.probe.position, self.probe.to_move, search.move)
        if wrong is not None:
            return wrong._replace(observed=f"{search.move}: {wrong.observed}")
        if not self.laws or (self.must_pass and not search.nodes):
            return None
        nodes, score, playouts = search.nodes, search.score, self.playouts
        if nodes is not None and not any(law.length.is_possible(nodes, playouts) for law in self.laws):
            observed = f"ref-nodes {nodes}, {nodes / playouts:.3f} a playout"
            return Finding(self._clause_of_nodes(nodes), self._lengths_text, observed)
        if score is not None and not any(law.is_possible(score, playouts) for law in self._results):
            return Finding(self._clause_of_score(score), self._results_text, f"ref-score {score:g}")
        return None

    def _ratios(self, search: SearchRecord) -> dict[str, float]:
        """Return the log likelihood ratios of a possible search, by the name of the bet."""
        by_law = [ratios for law in self.laws if (ratios := self._ratios_by(law, search)) is not None]
        # Several laws: the bot gets the benefit of the law that fits best, bet by bet.
        names = set.intersection(*map(set, by_law)) if by_law else set()
        ratios = {name: min(of_law[name] for of_law in by_law) for name in names}
        if self.choice is not None and search.move != "PASS":
            before = self.searches[-1].move if self.searches else "PASS"
            last = None if before == "PASS" else parse_vertex(before, self.probe.size)
            point = parse_vertex(search.move, self.probe.size)
            assert point is not None, "it is no pass"
            ratios |= self.choice.ratios(point, last)
        return ratios

    def _ratios_by(self, law: PlayoutLaw, search: SearchRecord) -> dict[str, float] | None:
        """Return the ratios of the bets on numbers against one law; None if the search cannot follow it."""
        ratios: dict[str, float] = {}
        nodes, score, playouts = search.nodes, search.score, self.playouts
        if nodes is not None:
            if not law.length.is_possible(nodes, playouts):
                return None
            ratios |= length_ratios(law.length, nodes, playouts)
            if len(self.laws) == 1 and self.searches:
                same = sum((one.nodes, one.score) == (nodes, score) for one in self.searches)
                ratios |= repeat_ratio(law.length, nodes, playouts, same / len(self.searches))
        if score is not None and law.result is not None:
            if not law.result.is_possible(score, playouts):
                return None
            ratios |= result_ratios(law.result, score, playouts)
        return ratios

    @property
    def _results(self) -> list[ResultLaw]:
        return [law.result for law in self.laws if law.result is not None]

    @property
    def _lengths_text(self) -> str:
        return alternatives(law.length.text(digits=4) for law in self.laws)

    @property
    def _results_text(self) -> str:
        return alternatives(f"score {law.text()}" for law in self._results)

    def _clause_of_nodes(self, nodes: int) -> str:
        """Return the clause that an impossible number shows: ref-nodes if one or two moves are missing.

        Else the clause of the kind of position.
        """
        first = self.laws[0].length
        certain = len(self.laws) == 1 and len(first.outcomes) == 1
        if certain and nodes % self.playouts == 0 and self.drawn.kind in (Kind.LATE, Kind.TIES):
            short = first.least - nodes // self.playouts
            if short in (1, 2):
                return "ref-nodes"
        return CLAUSE_OF_LENGTHS[self.drawn.kind]

    def _clause_of_score(self, score: float) -> str:
        """Return the clause that a wrong score shows: ref-score if it seems to be that of the other side."""
        if any(abs(score - (1.0 - law.mean)) < OTHER_SIDE for law in self._results):
            return "ref-score"
        draws = any(value == 0.5 for law in self._results for value, _ in law.outcomes)
        return "komi" if draws else "area-scoring"

    def finding(self, bet: str) -> Finding:
        """Return the deviation that a bet (one of `BETS`) stands for, in words."""
        made = len(self.searches)
        times = f"over {made} x {self.playouts} playouts"
        if bet in MORE_MOVES:
            nodes = sum(search.nodes or 0 for search in self.searches) / made / self.playouts
            clause, observed = CLAUSE_OF_LENGTHS[self.drawn.kind], f"{nodes:.4f} moves a playout {times}"
            return Finding(clause, self._lengths_text, observed)
        if bet in MORE_WINS:
            score = math.fsum(search.score or 0.0 for search in self.searches) / made
            return Finding(self._clause_of_score(score), self._results_text, f"score {score:.4f} {times}")
        if bet in COUNTED or bet == REPEATS:
            counted = f"as if each playout counted {COUNTED.get(bet)} times"
            how = counted if bet in COUNTED else "repeated searches"
            return Finding("fresh-randomness", "independent playouts in every search", f"{how}, {times}")
        return self._finding_of_choice(bet)

    def _finding_of_choice(self, bet: str) -> Finding:
        """Return the deviation that a bet on a wrong rule of choice stands for, in words."""
        assert self.choice is not None, "only then are there bets on choices"
        names = [format_vertex(point) for point in self.choice.candidates]
        likely = sorted(zip(self.choice.shares, names, strict=True), reverse=True)[:4]
        expected = ", ".join(f"{name} in {share:.1%} of the searches" for share, name in likely)
        counted = Counter(search.move for search in self.searches).most_common(4)
        observed = ", ".join(f"{move} {times}" for move, times in counted)
        observed += f" times of {len(self.searches)}, as by this rule: {bet}"
        clause = "best-rate" if bet in RATES else "amaf"
        if bet in UNSEEN or self.drawn.kind is Kind.UNSEEN:
            clause = "unseen"
        elif bet not in RATES and all(len(law.outcomes) == 1 for law in self._results):
            clause = "ties"  # a wrong rate makes equal candidates unequal
        return Finding(clause, expected, observed)
