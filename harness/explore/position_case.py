"""Searches of one position, judged exactly where the answer is certain and by evidence otherwise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, Phase, Requirements
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import BotSearcher, SearchRecord
from harness.explore.choices import ChoiceLaw, choice_key, choice_law
from harness.explore.evidence import (
    COUNTED,
    MORE_MOVES,
    MORE_WINS,
    RATES,
    REPEATS,
    Account,
    length_ratios,
    repeat_ratio,
    result_ratios,
)
from harness.explore.laws import PlayoutLaw, alternatives
from harness.explore.moves import has_candidate, wrong_move
from harness.explore.positions import DrawnPosition, Kind, laws_of
from harness.gtp import format_vertex, parse_vertex

CERTAIN = math.log(1e8)
"""Log of the evidence in a reduced position that counts as certain."""

MOST_SEARCHES = 60
HOPELESS_AFTER = 12
"""Number of searches after which a position that has shown nothing is given up."""

UNSEEN = ("unseen as won", "unseen as even")
"""Rules that choose what was counted in no playout."""

OF_LENGTHS = {
    Kind.LATE: "uniform",
    Kind.CAPTURES: "uniform",
    Kind.UNSEEN: "move-cap",
    Kind.TIES: "uniform",
    Kind.KO: "simple-ko",
    Kind.CAP: "move-cap",
    Kind.PASSES: "move-cap",
    Kind.AFTER_PASS: "two-passes",
}
"""The clause that a wrong length points to, by what the position is there for."""


@dataclass(frozen=True)
class Seen:
    """Evidence of one search: a proof in words (clause, expected, observed), or the ratios of the bets."""

    proof: tuple[str, str, str] | None
    ratios: Mapping[str, float]


class PositionJudge:
    """Judges searches of one position, one after the other."""

    def __init__(self, drawn: DrawnPosition, playouts: int, *, cap_of_game: bool) -> None:
        self.drawn = drawn
        self.probe = drawn.probe
        self.playouts = playouts
        self.laws = laws_of(drawn.probe, cap_of_game=cap_of_game) or ()
        self.choice = _choice(drawn.probe, playouts) if len(self.laws) == 1 else None
        self.must_pass = not has_candidate(self.probe.position, self.probe.to_move)
        self.searches: list[SearchRecord] = []

    def see(self, search: SearchRecord) -> Seen:
        """Judge one more search."""
        proof = self._proof(search)
        unsearched = self.must_pass and search.nodes == 0  # a bot that can only pass need not search
        ratios = {} if proof or unsearched else self._ratios(search)
        self.searches.append(search)
        return Seen(proof, ratios)

    def _proof(self, search: SearchRecord) -> tuple[str, str, str] | None:
        position = self.probe.position
        wrong = wrong_move(position, self.probe.to_move, search.move)
        if wrong is not None:
            return wrong.clause, wrong.expected, f"{search.move}: {wrong.why}"
        if not self.laws or (self.must_pass and not search.nodes):
            return None
        nodes, score, playouts = search.nodes, search.score, self.playouts
        if nodes is not None and not any(law.possible_nodes(nodes, playouts) for law in self.laws):
            expected = alternatives(length_text, self.laws)
            return (
                self._clause_of_nodes(nodes),
                expected,
                f"ref-nodes {nodes}, {nodes / playouts:.3f} a playout",
            )
        if score is not None and not any(law.possible_score(score) for law in self.laws):
            expected = alternatives(result_text, self.laws)
            return self._clause_of_score(score), expected, f"ref-score {score:g}"
        return None

    def _ratios(self, search: SearchRecord) -> dict[str, float]:
        by_law = [ratios for law in self.laws if (ratios := self._ratios_by(law, search)) is not None]
        names = set.intersection(*map(set, by_law)) if by_law else set()
        ratios = {name: min(of_law[name] for of_law in by_law) for name in names}
        point = None if search.move == "PASS" else parse_vertex(search.move, self.probe.size)
        if self.choice is not None and point is not None:
            before = self.searches[-1].move if self.searches else "PASS"
            last = None if before == "PASS" else parse_vertex(before, self.probe.size)
            ratios |= self.choice.ratios(point, last)
        return ratios

    def _ratios_by(self, law: PlayoutLaw, search: SearchRecord) -> dict[str, float] | None:
        """The bets against one law; None where the search cannot have followed it."""
        ratios: dict[str, float] = {}
        nodes, score = search.nodes, search.score
        if nodes is not None:
            if not law.possible_nodes(nodes, self.playouts):
                return None
            ratios |= length_ratios(law, nodes, self.playouts)
            if len(self.laws) == 1 and self.searches:
                same = sum((one.nodes, one.score) == (nodes, score) for one in self.searches)
                ratios |= repeat_ratio(law, nodes, self.playouts, same / len(self.searches))
        if score is not None:
            if not law.possible_score(score):
                return None
            ratios |= result_ratios(law, score, self.playouts)
        return ratios

    def _clause_of_nodes(self, nodes: int) -> str:
        certain = len(self.laws) == 1 and len(self.laws[0].lengths) == 1
        if certain and nodes % self.playouts == 0:
            short = self.laws[0].lengths[0][0] - nodes // self.playouts
            if short in (1, 2) and self.drawn.kind in (Kind.LATE, Kind.TIES):
                return "ref-nodes"
        return OF_LENGTHS[self.drawn.kind]

    def _clause_of_score(self, score: float) -> str:
        opposite = [1.0 - law.mean_result for law in self.laws]
        if any(abs(score - value) < 0.05 for value in opposite):
            return "ref-score"
        draws = any(value == 0.5 for law in self.laws for value, _ in law.results or ())
        return "komi" if draws else "area-scoring"

    # --- words ---------------------------------------------------------------------------------------------

    def verdict(self, best: str) -> tuple[str, str, str]:
        """Clause, expected and observed for evidence that `best` has won."""
        made = len(self.searches)
        times = f"over {made} x {self.playouts} playouts"
        if best in MORE_MOVES:
            nodes = sum(search.nodes or 0 for search in self.searches) / made / self.playouts
            expected = alternatives(length_text, self.laws)
            return OF_LENGTHS[self.drawn.kind], expected, f"{nodes:.4f} moves a playout {times}"
        if best in MORE_WINS:
            score = math.fsum(search.score or 0.0 for search in self.searches) / made
            expected = alternatives(result_text, self.laws)
            return self._clause_of_score(score), expected, f"score {score:.4f} {times}"
        if best in COUNTED or best == REPEATS:
            how = (
                f"as if each playout counted {COUNTED[best]} times"
                if best in COUNTED
                else "repeated searches"
            )
            return "fresh-randomness", "independent playouts in every search", f"{how}, {times}"
        return self._choice_verdict(best)

    def _choice_verdict(self, best: str) -> tuple[str, str, str]:
        assert self.choice is not None, "only then are there bets on choices"
        names = [format_vertex(point) for point in self.choice.candidates]
        likely = sorted(zip(self.choice.shares, names, strict=True), reverse=True)[:4]
        expected = ", ".join(f"{name} in {share:.1%} of the searches" for share, name in likely)
        counted = Counter(search.move for search in self.searches).most_common(4)
        observed = ", ".join(f"{move} {times}" for move, times in counted)
        observed += f" times of {len(self.searches)}, as by this rule: {best}"
        equal = all(law.results is not None and len(law.results) == 1 for law in self.laws)
        clause = "best-rate" if best in RATES else "amaf"
        if best in UNSEEN or self.drawn.kind is Kind.UNSEEN:
            clause = "unseen"
        elif equal:
            clause = "ties"
        return clause, expected, observed


def length_text(law: PlayoutLaw) -> str:
    """The length of a playout, in words."""
    if len(law.lengths) == 1:
        return f"{law.lengths[0][0]} moves a playout, exactly"
    shortest, longest = law.lengths[0][0], law.lengths[-1][0]
    return f"{law.mean_length:.4f} moves a playout on average ({shortest} to {longest})"


def result_text(law: PlayoutLaw) -> str:
    """The result of a playout, in words."""
    exactly = ", exactly" if law.results and len(law.results) == 1 else " on average"
    return f"score {law.mean_result:.4f}{exactly}"


def _choice(probe: Probe, playouts: int) -> ChoiceLaw | None:
    key = choice_key(probe.position, probe.to_move)
    return choice_law(key, probe.komi, playouts) if len(key.candidates) > 1 else None


@dataclass(frozen=True)
class PositionRecord:
    """The searches of a position, and what they show: clause, expected, observed; None while nothing."""

    searches: tuple[SearchRecord, ...]
    verdict: tuple[str, str, str] | None


@dataclass(frozen=True)
class PositionCase:
    """A position in which a bot deviates, as the procedure of a check.

    searches      number of searches at most: they end as soon as the evidence is certain
    cap_of_game   the bot was known to count the moves of the game towards the move cap
    """

    drawn: DrawnPosition
    searches: int = MOST_SEARCHES
    cap_of_game: bool = False

    phase = Phase.EXPLORATION
    requires = Requirements(playout_count=True)
    search_plan = None

    def describe(self) -> list[str]:
        """The position."""
        probe = self.drawn.probe
        return [f"{probe.occasion}:", *probe.position.draw().splitlines()]

    def observe(self, session: Session) -> PositionRecord:
        """Search in a new process until the evidence is certain."""
        session.bot.fresh()
        assert session.playouts is not None, "the check asks for it"
        return self.search(session.bot, session.profile.commands, session.playouts)

    def search(self, bot: Bot, commands: frozenset[str], playouts: int) -> PositionRecord:
        """Search in the running process until the evidence is certain. Raises what a searcher raises."""
        judge = PositionJudge(self.drawn, playouts, cap_of_game=self.cap_of_game)
        searcher, account = BotSearcher(bot, commands), Account()
        for number in range(self.searches):
            bot.take_record()
            seen = judge.see(searcher.search(self.drawn.probe, 0))
            if seen.proof is not None:
                return PositionRecord(tuple(judge.searches), seen.proof)
            account.add(seen.ratios)
            if account.log_e >= CERTAIN:
                return PositionRecord(tuple(judge.searches), judge.verdict(account.best))
            if number >= HOPELESS_AFTER and account.log_e < 0.0:
                break
        return PositionRecord(tuple(judge.searches), None)

    def judge(self, observation: PositionRecord) -> Judgement:
        """Fail where the evidence is certain."""
        probe = self.drawn.probe
        judgement = judgement_of(observation, probe.occasion)
        if observation.verdict is None:
            return judgement
        return replace(judgement, observed=f"{judgement.observed}\n{probe.position.draw()}")


def judgement_of(record: PositionRecord, where: str) -> Judgement:
    """The judgement of searches that were made `where`."""
    made = len(record.searches)
    numbers = {"searches": float(made)}
    if record.verdict is None:
        return Judgement(Outcome.PASS, "searches of a right bot", f"{made} such searches", numbers=numbers)
    clause, expected, observed = record.verdict
    return Judgement(Outcome.FAIL, f"{where}: {expected}", observed, numbers=numbers, clause=clause)
