"""A match on the terminal: the live table while it runs, standings and verdicts at its end."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.gtp import printable
from harness.match import DIFFERENT, EQUAL, UNDECIDED, Judgement, Parity, Progress, games_still_needed

VERDICT_STYLES = {EQUAL: "green", DIFFERENT: "bold red", UNDECIDED: "yellow"}
MOST_PAIRS = 30
"""Rows of the table of pairs on a terminal; the undecided and the different come first."""
MOST_IN_CROSSTABLE = 10


def live_view(judgement: Judgement, progress: Progress) -> RenderableType:
    """How a run stands, while it goes on."""
    return Group(
        progress_line(progress), standings_table(judgement), parity_table(judgement), *_notes(progress)
    )


def show_judgement(console: Console, judgement: Judgement, *, quiet: bool = False) -> None:
    """Everything that a person wants to know at the end."""
    if not quiet:
        console.print(standings_table(judgement))
        if 2 < len(judgement.standings) <= MOST_IN_CROSSTABLE:
            console.print(crosstable(judgement))
        if judgement.playouts:
            console.print(playouts_table(judgement))
    console.print(parity_table(judgement))
    for line in findings(judgement):
        console.print(line)


def progress_line(progress: Progress) -> Text:
    """Games, speed and the time to go."""
    rate = progress.done_here / progress.seconds if progress.seconds > 0 else 0.0
    left = progress.total - progress.done
    to_go = f", about {_duration(left / rate)} to go" if rate > 0 and left else ""
    moves = progress.moves_here / progress.seconds if progress.seconds > 0 else 0.0
    return Text(
        f"{progress.done:,} of {progress.total:,} games, {rate:.3g} games a second, "
        f"{moves:,.0f} moves a second{to_go}"
    )


def standings_table(judgement: Judgement) -> Table:
    """The bots, best first."""
    table = _table("Standings", "bot", "games", "points", "score", "Elo", "95 %", "void", "failed")
    for row in judgement.standings:
        failures = sum(judgement.failures[row.bot].values())
        table.add_row(
            Text.assemble(f"{row.rank} ", _name(row.bot)),
            f"{row.games:,}",
            f"{row.points:g}",
            "-" if row.score is None else f"{100 * row.score:.1f} %",
            f"{row.elo:+.0f}",
            f"{row.elo_low:+.0f}…{row.elo_high:+.0f}",
            str(row.voids),
            Text(str(failures), style="bold red" if failures else ""),
        )
    return table


def parity_table(judgement: Judgement) -> Table:
    """The pairs, those that need a look first."""
    table = _table("Parity: the first one's score, 95 % at any time", "pair", "games", "score", "bounds")
    table.add_column("verdict")
    order = {DIFFERENT: 0, UNDECIDED: 1, EQUAL: 2}
    rows = sorted(judgement.parity, key=lambda row: order[row.verdict])
    for row in rows[:MOST_PAIRS]:
        table.add_row(
            Text.assemble(_name(row.bot_a), " - ", _name(row.bot_b)),
            f"{row.games:,}",
            f"{100 * row.score_a:.1f} %" if row.games else "-",
            f"{100 * row.low:.1f}…{100 * row.high:.1f}",
            Text(_verdict(row), style=VERDICT_STYLES[row.verdict]),
        )
    if len(rows) > MOST_PAIRS:
        table.caption = f"{len(rows) - MOST_PAIRS} more pairs in parity.csv"
    return table


def crosstable(judgement: Judgement) -> Table:
    """Points of the row's bot against the column's."""
    bots = [row.bot for row in judgement.standings]
    table = _table("Crosstable", "bot", *(str(number) for number in range(1, len(bots) + 1)))
    for number, bot in enumerate(bots, 1):
        cells = []
        for opponent in bots:
            points, games = judgement.crosstable.get((bot, opponent), (0.0, 0))
            cells.append(f"{points:g}/{games}" if games else "")
        table.add_row(Text.assemble(f"{number} ", _name(bot)), *cells)
    return table


def playouts_table(judgement: Judgement) -> Table:
    """Playout lengths from the empty board."""
    table = _table("Moves a playout, empty board", "bot", "playouts", "mean", "reference", "deviation")
    table.add_column("verdict")
    for row in judgement.playouts:
        table.add_row(
            _name(row.bot),
            f"{row.playouts:,}",
            f"{row.nodes_per_playout:.3f}",
            f"{row.reference:.3f}",
            f"{row.low:+.3f}…{row.high:+.3f}",
            Text(row.verdict, style=VERDICT_STYLES[row.verdict]),
        )
    return table


def findings(judgement: Judgement) -> Iterator[Text]:
    """Sentences: who failed, who stands apart, games repeated, what the first move is worth."""
    for bot, ways in judgement.failures.items():
        if told := ", ".join(f"{count} × {way}" for way, count in sorted(ways.items()) if count):
            yield Text.assemble(_name(bot), f" failed: {told} (failures/ has a folder for each)")
    for bot in apart(judgement):
        yield Text.assemble(_name(bot), " is different from every other bot that it has a verdict with")
    if judgement.duplicates:
        yield Text(
            f"{len(judgement.duplicates):,} of {judgement.games:,} games repeat an earlier one move by move: "
            "a bot without fresh randomness? They are left out of the parity sample"
        )
    if judgement.black_games:
        ratings = judgement.ratings
        yield Text(
            f"Black scored {100 * judgement.black_points / judgement.black_games:.1f} % of "
            f"{judgement.black_games:,} games; the first move is worth {ratings.black_elo:+.0f} Elo "
            f"({ratings.black_low:+.0f} … {ratings.black_high:+.0f})"
        )


def apart(judgement: Judgement) -> list[str]:
    """Bots that differ from all others, where those others are not all different from each other."""
    verdicts: dict[str, list[str]] = {row.bot: [] for row in judgement.standings}
    for row in judgement.parity:
        verdicts[row.bot_a].append(row.verdict)
        verdicts[row.bot_b].append(row.verdict)
    alone = [bot for bot, found in verdicts.items() if found and set(found) == {DIFFERENT}]
    return alone if len(alone) < len(verdicts) - 1 else []


def _notes(progress: Progress) -> list[Text]:
    return [
        Text(f"{printable(name.encode())} is benched: it {why}") for name, why in progress.benched.items()
    ]


def _table(title: str, first: str, *others: str) -> Table:
    """Numbers stand to the right, what they are about to the left, whole also where there is little room."""
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _verdict(row: Parity) -> str:
    if row.verdict == EQUAL:
        return f"{EQUAL}, proved within {100 * row.proved_margin:.1f} %"
    if row.verdict != UNDECIDED:
        return row.verdict
    return f"{UNDECIDED}, {games_still_needed(row.games_needed)}"


def _name(text: str) -> Text:
    """A bot's name, in which nothing acts on a terminal and nothing is markup."""
    return Text(printable(text.encode("utf-8", "surrogateescape")))


def _duration(seconds: float) -> str:
    minutes, hours, days = seconds / 60, seconds / 3600, seconds / 86400
    if days >= 2:
        return f"{days:.1f} days"
    if hours >= 2:
        return f"{hours:.1f} hours"
    return f"{minutes:.0f} minutes" if minutes >= 2 else f"{seconds:.0f} s"
