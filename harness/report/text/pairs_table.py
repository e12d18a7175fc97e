"""The table of the pairs of a match: games, Elo difference, score and verdict of each pair.

On a narrow terminal, a column moves below the one that it names with `under`. If the table is still too wide,
the columns of the highest `rank` are left out first, those of rank 0 never (see `harness.report.tables`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rich.text import Text

from harness.arena.config.judging import ParityQuestion, Question, SprtQuestion, StrongerQuestion
from harness.arena.verdicts import AGAINST, EQUAL, UNDECIDED, MatchVerdicts, PairParity, games_still_needed
from harness.gtp import printable_text
from harness.report.numbers import amount
from harness.report.signs import PARITY_SIGNS
from harness.report.status.run import PairRow
from harness.report.tables import Column, FittingTable, number_column

_STYLE_OF_CLASS = {"pass": "green", "fail": "bold red", "open": "yellow"}
VERDICT_STYLES = {verdict: _STYLE_OF_CLASS[css_class] for verdict, (_, css_class) in PARITY_SIGNS.items()}
"""By verdict on a pair, or on the playouts of a bot: the style of rich."""
MOST_PAIRS = 30
"""Most rows of the table of pairs, in the order of `rank_of_verdict`. Chosen: one screen."""


def rank_of_verdict(verdict: str) -> int:
    """The sort key of a verdict: those in AGAINST come first, then undecided ones, then the others."""
    return 0 if verdict in AGAINST else 1 if verdict == UNDECIDED else 2


def pairs_table(verdicts: MatchVerdicts) -> FittingTable:
    """The table of the pairs with their verdicts; those that need attention first."""
    sprt = isinstance(verdicts.question, SprtQuestion)
    columns: list[tuple[Column, Callable[[PairParity], str | Text]]] = [
        (Column("pair", folded=True), _pair_cell),
        (number_column("games", rank=2), lambda row: f"{row.games:,}"),
        (number_column("W-D-L", rank=5, under="games"), record_text),
        (number_column("Elo", rank=0 if sprt else 3), elo_text),
        (number_column("LOS", rank=4, under="Elo"), los_text),
    ]
    if sprt:
        columns += [
            (number_column("LLR"), lambda row: _llr_and_limits(row)[0]),
            (number_column("limits", under="LLR"), lambda row: _llr_and_limits(row)[1]),
            (number_column("pairs", rank=6), lambda row: row.pair_counts),
        ]
    columns += [
        (number_column("score", rank=7 if sprt else 0), score_text),
        (number_column("bounds", rank=8 if sprt else 1, under="score"), bounds_text),
        (Column("verdict", folded=True), _verdict_cell),
    ]
    table = FittingTable(_title(verdicts.question), *(column for column, _ in columns))
    rows = sorted(verdicts.parity, key=lambda row: rank_of_verdict(row.verdict))
    for row in rows[:MOST_PAIRS]:
        table.add_row(*(cell(row) for _, cell in columns))
    if len(rows) > MOST_PAIRS:
        table.caption = f"{amount(len(rows) - MOST_PAIRS, 'more pair')} in parity.csv"
    return table


def _title(question: Question) -> str:
    """The title of the table: the question of the match."""
    match question:
        case SprtQuestion():
            kind = "normalized " if question.model == "normalized" else ""
            return f"SPRT of the first bot: {question.elo0:g} or {question.elo1:g} {kind}Elo"
        case StrongerQuestion():
            return "Strength of the first bot, 95 % at any time"
        case ParityQuestion():
            return "Parity: score of the first bot, 95 % at any time"


def _pair_cell(row: PairParity) -> Text:
    """The names of the bots; below them the conditions of their games, if the match has several."""
    conditions = (f"\n{printable_text(row.conditions)}", "dim") if row.conditions else ""
    return Text.assemble(printable_text(row.bot_a), " - ", printable_text(row.bot_b), conditions)


def _verdict_cell(row: PairParity) -> Text:
    return Text(verdict_text(row), style=VERDICT_STYLES[row.verdict])


def record_text(row: PairParity | PairRow) -> str:
    """The games won, drawn and lost by the first bot."""
    return f"{row.wins}-{row.draws}-{row.losses}"


def elo_text(row: PairParity | PairRow) -> str:
    """The Elo difference with its error, such as "+12 ± 8"; +∞ or -∞ if one bot won all games.

    "-" without games, or if a status has no difference.
    """
    if row.games and row.score_a in (0.0, 1.0):  # an infinite difference, which a status stores as None
        return "+∞" if row.score_a else "-∞"
    if not row.games or row.elo is None:
        return "-"
    if row.elo_error is None or math.isinf(row.elo_error):
        return f"{row.elo:+z.0f} ± ∞"
    return f"{row.elo:+z.0f} ± {row.elo_error:.0f}"


def los_text(row: PairParity | PairRow) -> str:
    """The likelihood of superiority in percent; "-" without games."""
    return f"{100 * row.los:.1f} %" if row.games else "-"


def llr_text(row: PairParity | PairRow) -> str:
    """The log likelihood ratio of an SPRT and its limits; empty without an SPRT."""
    llr, limits = _llr_and_limits(row)
    return f"{llr} ({limits})" if llr else ""


def _llr_and_limits(row: PairParity | PairRow) -> tuple[str, str]:
    """The log likelihood ratio and the limits at which it decides; both empty without an SPRT."""
    if row.llr is None or row.llr_low is None or row.llr_high is None:
        return "", ""
    return f"{row.llr:+z.2f}", f"{row.llr_low:.2f}…{row.llr_high:.2f}"


def score_text(row: PairParity | PairRow) -> str:
    """The score of the first bot in percent; "-" without games."""
    return f"{100 * row.score_a:.1f} %" if row.games else "-"


def bounds_text(row: PairParity | PairRow) -> str:
    """The bounds of the score in percent, such as "42.1…57.9"; "0.0…100.0" without games."""
    return f"{100 * row.low:.1f}…{100 * row.high:.1f}"


PAIR_TEXTS = {"record": record_text, "elo": elo_text, "los": los_text, "llr": llr_text}
"""The functions that write the figures of a pair, for the templates of the pages."""


def verdict_text(row: PairParity) -> str:
    """The verdict on a pair, and what it proves or needs."""
    if row.verdict == EQUAL:
        return f"{EQUAL}, proved within {100 * row.proved_margin:.1f} %"
    if row.verdict != UNDECIDED:
        return row.verdict
    return f"{UNDECIDED}, {games_still_needed(row.games_needed)}"
