"""Judges each pair of engines: answers the question of the config from pairs of games in schedule order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from harness.arena.config.judging import ParityQuestion, SprtQuestion, StrongerQuestion
from harness.arena.config.pairs import conditions_of
from harness.arena.config.tables import MatchConfig, RunTable
from harness.arena.pairings import Pairing
from harness.arena.verdicts import DIFFERENT, UNDECIDED, PairParity

if TYPE_CHECKING:
    from harness.stats import Hypotheses


@dataclass
class PairResults:
    """The judged games of a pair, in schedule order.

    scores   of the first engine, in two partners (games 2k - 1 and 2k of the pair): 0 to 2 points
    """

    scores: list[float] = field(default_factory=list)
    wins: int = 0  # of the first engine, in single games
    draws: int = 0
    losses: int = 0

    def add(self, *games: float) -> None:
        """Add the points of the first engine in two partners."""
        self.scores.append(sum(games))
        for points in games:
            self.wins += points == 1.0
            self.draws += points == 0.5
            self.losses += points == 0.0


class ParityLevels(NamedTuple):
    """The margin of parity and its error rates."""

    margin: float
    alpha: float
    beta: float


class _Answer(NamedTuple):
    """The answer to the question of the config about one pair.

    games_needed   estimated further games until a verdict; 0 with a verdict, infinite if none is foreseen
    bounds         (low, high) of the score, where the question computes them
    llr            (log likelihood ratio, its lower and its upper bound) of an SPRT
    """

    verdict: str
    games_needed: float
    bounds: tuple[float, float] | None = None
    llr: tuple[float, float, float] | None = None


def judge_pairs(
    pairs: Sequence[Pairing], results: Mapping[int, PairResults], config: MatchConfig
) -> tuple[PairParity, ...]:
    """Judge every pair. `results`: by number of the pair; a pair without judged games may be missing."""
    of_pairs = [results.get(pair.number, PairResults()) for pair in pairs]
    question, margin = config.judge, 0.0
    match question:
        case SprtQuestion():
            answers = _by_sprt(of_pairs, question)
        case StrongerQuestion():
            answers = _by_strength(of_pairs, question)
        case ParityQuestion():
            levels = parity_levels(question, config.run)
            answers, margin = _by_parity(of_pairs, levels), levels.margin
    return tuple(
        _row(pair, own, answer, margin, conditions_of(config, pair.number))
        for pair, own, answer in zip(pairs, of_pairs, answers, strict=True)
    )


def hypotheses(question: SprtQuestion) -> Hypotheses:
    """Return the two hypotheses of the SPRT that a config asks for, with their error rates."""
    from harness.stats import Hypotheses

    return Hypotheses(
        question.elo0, question.elo1, alpha=question.alpha, beta=question.beta, model=question.model
    )


def parity_levels(question: ParityQuestion, run: RunTable) -> ParityLevels:
    """Return (margin, alpha, beta) of a parity question: its own where it sets them, or those of [run]."""
    return ParityLevels(question.margin or run.margin, question.alpha or run.alpha, question.beta or run.beta)


def _by_parity(results: Sequence[PairResults], levels: ParityLevels) -> list[_Answer]:
    """Answer for each pair whether both engines are equally strong. Alpha holds for all pairs together.

    A pair that was EQUAL becomes DIFFERENT if Holm's method refuses it later.
    """
    from harness.stats import holm, judge_parity

    margin, alpha, beta = levels
    share = alpha / max(1, len(results))
    evidence = [judge_parity(own.scores, margin=margin, alpha=share, beta=beta) for own in results]
    # Holm rejects every hypothesis that Bonferroni's equal shares reject, and sometimes more.
    refused = set(holm({str(index): e.different_p for index, e in enumerate(evidence)}, alpha).refused)
    answers = []
    for index, e in enumerate(evidence):
        verdict = DIFFERENT if str(index) in refused else e.verdict
        needed = e.games_needed if verdict == UNDECIDED else 0.0
        answers.append(_Answer(verdict, needed, bounds=(e.low, e.high)))
    return answers


def _by_sprt(results: Sequence[PairResults], question: SprtQuestion) -> list[_Answer]:
    """Answer for each pair whether the first engine passes the sequential test."""
    from harness.stats import judge_sprt

    tested = hypotheses(question)
    found = [judge_sprt(own.scores, tested) for own in results]
    # `further` counts pairs of games.
    return [_Answer(e.verdict, 2.0 * e.further, llr=(e.llr, e.lower, e.upper)) for e in found]


def _by_strength(results: Sequence[PairResults], question: StrongerQuestion) -> list[_Answer]:
    """Answer for each pair whether the first engine is stronger or weaker."""
    from harness.stats import judge_stronger

    found = [judge_stronger(own.scores, alpha=question.alpha) for own in results]
    return [_Answer(e.verdict, 2.0 * e.further) for e in found]  # `further` counts pairs of games


def _row(pair: Pairing, results: PairResults, answer: _Answer, margin: float, conditions: str) -> PairParity:
    """Return the verdict on a pair, with the figures that do not depend on the question."""
    from harness.stats import count_pairs, elo_difference, elo_of_score, score_interval

    counts = count_pairs(results.scores)
    low, high = answer.bounds or score_interval(counts)
    elo = elo_difference(counts)
    llr, llr_low, llr_high = answer.llr or (None, None, None)
    return PairParity(
        bot_a=pair.first,
        bot_b=pair.second,
        games=2 * len(results.scores),
        score_a=sum(results.scores) / (2.0 * len(results.scores)) if results.scores else 0.5,
        low=low,
        high=high,
        margin=margin,
        proved_margin=max(abs(low - 0.5), abs(high - 0.5)),
        verdict=answer.verdict,
        games_needed=answer.games_needed,
        wins=results.wins,
        draws=results.draws,
        losses=results.losses,
        pair_counts=" ".join(map(str, counts)),
        elo=elo.elo,
        elo_error=elo.error,
        elo_low=elo_of_score(low),
        elo_high=elo_of_score(high),
        los=elo.los,
        llr=llr,
        llr_low=llr_low,
        llr_high=llr_high,
        pair=pair.number,
        conditions=conditions,
    )
