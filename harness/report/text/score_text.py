"""Sentences about the scores of games: who scored them, and where engines and our own count differ."""

from __future__ import annotations

from collections.abc import Iterator

from harness.arena.records import Scoring
from harness.arena.verdicts import MatchVerdicts
from harness.report.numbers import amount


def score_sentences(verdicts: MatchVerdicts) -> Iterator[str]:
    """Yield the sentences about a run; none without a game that needed a score."""
    scores = verdicts.scores
    if not scores.games:
        return
    by = {"the players": scores.by_players, "the referee": scores.by_referee, "area": scores.by_area}
    shares = ", ".join(f"{count:,} by {who}" for who, count in by.items() if count)
    yield f"{amount(scores.games, 'game')} scored: {shares}{_others(verdicts)}"
    unlike = scores.agreed - scores.as_area
    if unlike:
        yield (
            f"both players report the same score in {amount(scores.agreed, 'game')}; the area differs in "
            f"{unlike:,} of them, and has another winner in {scores.agreed - scores.winner_as_area:,} "
            "(see games.csv)"
        )
    if scores.agreed < scores.answered:
        yield f"the players disagree about the score of {amount(scores.answered - scores.agreed, 'game')}"


def standings_warning(verdicts: MatchVerdicts) -> str:
    """Return a sentence if both players of a game report another winner than our own count; else empty.

    Empty, too, if players or the referee engine scored any game.
    """
    games, scores = verdicts.scores.against_players, verdicts.scores
    if not games:
        return ""
    return (
        f"In {games:,} of {amount(scores.games, 'scored game')} both players report another winner than the "
        "standings count, which score by area with every stone alive"
    )


def _others(verdicts: MatchVerdicts) -> str:
    """The ends of the games without a score, as the rest of a sentence; empty if all games have one.

    The standings lack the losses on the clock of games that an earlier program of a bot played.
    """
    others = {
        "by resignation": verdicts.scores.resigned,
        "on the clock": sum(row.time_losses for row in verdicts.standings),
        "by a failure": sum(ways.total() for ways in verdicts.failures.values()),
    }
    named = ", ".join(f"{count:,} {how}" for how, count in others.items() if count)
    return f"; the others ended: {named}" if named else ""


def scored_in_words(scoring: Scoring) -> str:
    """The scorer and the results of a game: "scored by players; area B+3.5; Black reports B+3.5".

    A player or referee that reported no result is left out.
    """
    says = {"Black": scoring.black_says, "White": scoring.white_says, "the referee": scoring.referee_says}
    reports = [f"{who} reports {result}" for who, result in says.items() if result is not None]
    return "; ".join([f"scored by {scoring.scored_by}", f"area {scoring.area_result}", *reports])
