"""A match on the terminal: the live tables during the run, and its result at the end.

Playouts are compared with the reference in phases of a game: on the empty board during a match; after an
audit (`conform audit`) in all positions of the games, ALL_PHASES together and each phase alone. If a table is
too wide, its columns are left out, those of the highest `rank` first (`Column`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.text import Text

from harness.arena.run.events import ProgressMade
from harness.arena.verdicts import (
    ALL_PHASES,
    DIFFERENT,
    EMPTY_BOARD,
    FailureCause,
    MatchVerdicts,
)
from harness.gtp import printable_text
from harness.report.numbers import amount, game_time, left_text, of_total, points_text
from harness.report.tables import Column, FittingTable, number_column
from harness.report.text.clock_text import time_losses
from harness.report.text.pairs_table import VERDICT_STYLES, pairs_table
from harness.report.text.question_text import question_sentences
from harness.report.text.score_text import score_sentences
from harness.report.text.suspect_text import suspect_sentences
from harness.report.visible import safe

MOST_IN_CROSSTABLE = 10
"""Bots in the crosstable; with more bots there is none. Chosen: ten columns fit about 100 characters."""


def live_view(verdicts: MatchVerdicts, progress: ProgressMade) -> RenderableType:
    """The tables of a run while it is played: progress, standings, pairs, benched bots."""
    return Group(
        progress_line(progress), standings_table(verdicts), pairs_table(verdicts), *_benched_lines(progress)
    )


def show_verdicts(console: Console, verdicts: MatchVerdicts, *, quiet: bool = False) -> None:
    """Print the result of a run. `quiet`: only the table of pairs and the findings."""
    if not quiet:
        console.print(standings_table(verdicts))
        if 2 < len(verdicts.standings) <= MOST_IN_CROSSTABLE:
            table = crosstable(verdicts)
            if table.least_width() <= console.width:
                console.print(table)
        show_playouts(console, verdicts)
    console.print(pairs_table(verdicts))
    for line in findings(verdicts):
        console.print(line)


def show_playouts(console: Console, verdicts: MatchVerdicts) -> None:
    """Print the tables that compare the playouts of the bots with the reference, if there are any."""
    if any(row.phase == EMPTY_BOARD for row in verdicts.playouts):
        console.print(playouts_table(verdicts))
    if any(row.phase == ALL_PHASES for row in verdicts.playouts):
        console.print(audit_table(verdicts))


def show_audit(console: Console, verdicts: MatchVerdicts) -> None:
    """Print the result of an audit: the playouts of the bots against those of the reference."""
    if not any(row.phase == ALL_PHASES for row in verdicts.playouts):
        console.print("nothing to audit: no bot has a known number of playouts and reports its searches")
    show_playouts(console, verdicts)
    for line in _playout_findings(verdicts):
        console.print(line)


def progress_line(progress: ProgressMade) -> Text:
    """The number of games, the speed and the remaining time."""
    left = left_text(progress.seconds_left or None)  # at 0 no game is left to wait for
    moves = progress.moves_here / progress.seconds if progress.seconds > 0 else 0.0
    return Text(
        f"{of_total(progress.done, progress.total, 'game')}, {progress.rate:.3g} games a second, "
        f"{moves:,.0f} moves a second{', ' if left else ''}{left}"
    )


def standings_table(verdicts: MatchVerdicts) -> FittingTable:
    """The table of the bots, best first."""
    table = FittingTable(
        "Standings",
        Column("bot", folded=True),
        number_column("games", rank=1),
        number_column("points", rank=2),
        number_column("score"),
        number_column("Elo"),
        number_column("95 %"),
        number_column("void", rank=4),
        number_column("failed", rank=3),
    )
    for row in verdicts.standings:
        failures = sum(verdicts.failures[row.bot].values())
        table.add_row(
            Text.assemble(f"{row.rank} ", _name(row.bot)),
            f"{row.games:,}",
            points_text(row.points),
            "-" if row.score is None else f"{100 * row.score:.1f} %",
            f"{row.elo:+z.0f}",
            f"{row.elo_low:+z.0f}…{row.elo_high:+z.0f}",
            str(row.voids),
            Text(str(failures), style="bold red" if failures else ""),
        )
    return table


def crosstable(verdicts: MatchVerdicts) -> FittingTable:
    """The crosstable: points of the row's bot against the column's bot, and the mean time of their games."""
    bots = [row.bot for row in verdicts.standings]
    headers = [number_column(str(rank)) for rank in range(1, len(bots) + 1)]
    table = FittingTable("Crosstable: points, mean time of a game", Column("bot", folded=True), *headers)
    for rank, bot in enumerate(bots, 1):
        cells = []
        for opponent in bots:
            met = verdicts.crosstable.get((bot, opponent))
            cells.append(
                f"{points_text(met.points)}/{met.games}\n{game_time(met.seconds_per_game)}" if met else ""
            )
        table.add_row(Text.assemble(f"{rank} ", _name(bot)), *cells)
    return table


def playouts_table(verdicts: MatchVerdicts) -> FittingTable:
    """The table of the mean playout lengths from the empty board, against the reference."""
    table = FittingTable(
        "Moves per playout, empty board",
        Column("bot", folded=True),
        number_column("playouts", rank=1),
        number_column("mean"),
        number_column("reference", rank=2),
        number_column("deviation"),
        Column("verdict"),
    )
    for row in verdicts.playouts:
        if row.phase != EMPTY_BOARD:
            continue
        table.add_row(
            _name(row.bot),
            f"{row.playouts:,}",
            f"{row.nodes_per_playout:.3f}",
            f"{row.reference:.3f}",
            _bounds(row.low, row.high, 3),
            Text(_in_words(row.verdict, row.low, row.high, row.spread), style=VERDICT_STYLES[row.verdict]),
        )
    return table


def audit_table(verdicts: MatchVerdicts) -> FittingTable:
    """The table of the audited playouts by bot and phase: bounds of their deviations, and verdicts."""
    table = FittingTable(
        "Deviation from the reference, 95 % at any time",
        Column("bot", folded=True),
        Column("phase"),
        number_column("moves per playout"),
        number_column("score", rank=1),
    )
    for row in verdicts.playouts:
        if row.phase == EMPTY_BOARD:
            continue
        length = _in_words(row.verdict, row.low, row.high, row.spread)
        score_bounds, score = "", row.score_verdict
        if row.score_low is not None and row.score_high is not None:
            score_bounds = _bounds(row.score_low, row.score_high, 4)
            score = _in_words(row.score_verdict, row.score_low, row.score_high, row.score_spread)
        table.add_row(
            _name(row.bot) if row.phase == ALL_PHASES else Text(),
            row.phase,
            _compared(_bounds(row.low, row.high, 3), length, row.verdict),
            _compared(score_bounds, score, row.score_verdict),
        )
    return table


def _bounds(low: float, high: float, digits: int) -> str:
    """The bounds of a deviation: "-0.012…+0.034"."""
    return f"{low:+z.{digits}f}…{high:+z.{digits}f}"


def _in_words(verdict: str, low: float, high: float, spread: float | None) -> str:
    """The verdict on a mean, in words; `low` and `high` bound its deviation.

    `spread` is the standard deviation of the searches, as a multiple of the expected one. If 0 is within the
    bounds, the mean may be right: DIFFERENT then comes from the spread, as in "different: spread 1.4".
    """
    if verdict != DIFFERENT or spread is None or not low <= 0.0 <= high:
        return verdict
    return f"{verdict}: spread {spread:.2g}"


def _compared(numbers: str, words: str, verdict: str) -> Text:
    """The cell of a comparison, in the style of its verdict. The verdict is "" if nothing was compared."""
    return Text(f"{numbers} {words}".strip(), style=VERDICT_STYLES.get(verdict, ""))


def findings(verdicts: MatchVerdicts) -> Iterator[Text]:
    """The sentences below the tables.

    They are about failures, deviations from the reference, changed bots, bots that differ from all others,
    repeated games, a changed question of the match, losses on time, reported scores, and the worth of Black.
    """
    for bot, ways in verdicts.failures.items():
        if counted := ", ".join(f"{count} × {way}" for way, count in sorted(ways.items()) if count):
            yield Text.assemble(_name(bot), f" failed: {counted} (see the folders in failures/)")
            for cause in verdicts.causes:
                if cause.bot == bot:
                    yield from _cause(cause)
    yield from _playout_findings(verdicts)
    for bot, games in verdicts.apart.items():
        yield Text.assemble(
            _name(bot),
            f" was changed in the middle of the run: {amount(games, 'game')} of its earlier program left out",
        )
    for bot in different_from_all(verdicts):
        yield Text.assemble(_name(bot), " is different from every bot that it was paired with")
    if verdicts.duplicates:
        yield Text(
            "games that repeat an earlier game, up to rotation and reflection: "
            f"{len(verdicts.duplicates):,} of {verdicts.games:,}. They do not count for the pairs: bots "
            "repeat games if they use the same random numbers in each game, or none"
        )
    yield from map(Text, question_sentences(verdicts.question_changes))
    yield from map(Text, time_losses(verdicts))
    yield from map(Text, score_sentences(verdicts))
    if verdicts.black_games:
        ratings = verdicts.ratings
        yield Text(
            f"Black scored {100 * verdicts.black_points / verdicts.black_games:.1f} % of "
            f"{amount(verdicts.black_games, 'game')}; to have Black is worth {ratings.black_elo:+z.0f} Elo "
            f"({ratings.black_low:+z.0f} … {ratings.black_high:+z.0f})"
        )


def _cause(cause: FailureCause) -> Iterator[Text]:
    """The first failure of a bot for one reason, and a hint."""
    yield Text(f"  {cause.reason} in {safe(cause.game_id)}: {safe(cause.detail)}")
    if cause.hint:
        yield Text(f"  hint: {safe(cause.hint)}")


def _playout_findings(verdicts: MatchVerdicts) -> Iterator[Text]:
    """Sentences about bots whose audited playouts or moves differ from the reference, and likely faults."""
    words = {"lengths": "lengths of playouts"}  # "scores" and "moves" say enough (see `verdicts` of a row)
    for row in verdicts.playouts:
        different = [words.get(name, name) for name, verdict in row.verdicts.items() if verdict == DIFFERENT]
        if different and row.phase == ALL_PHASES:
            listed = " and its ".join(different)
            yield Text.assemble(
                _name(row.bot), f" differs from the reference in its {listed} (see audit.csv)"
            )
    for bot, sentence in suspect_sentences(verdicts.suspects):
        yield Text.assemble(_name(bot), f" {sentence}")


def different_from_all(verdicts: MatchVerdicts) -> list[str]:
    """Return the bots whose pairs all have the verdict "different".

    Empty if fewer than two other bots are left: the sentence says that a bot is unlike a group of bots.
    """
    of_bots: dict[str, list[str]] = {row.bot: [] for row in verdicts.standings}
    for row in verdicts.parity:
        of_bots[row.bot_a].append(row.verdict)
        of_bots[row.bot_b].append(row.verdict)
    alone = [bot for bot, own in of_bots.items() if own and set(own) == {DIFFERENT}]
    return alone if len(alone) < len(of_bots) - 1 else []


def _benched_lines(progress: ProgressMade) -> list[Text]:
    """A line for each bot that gets no more games, with the reason."""
    benched = progress.benched.items()
    return [Text(f"{printable_text(name)} is benched: it {safe(why)}") for name, why in benched]


def _name(text: str) -> Text:
    """The name of a bot, without control characters and without markup."""
    return Text(printable_text(text))
