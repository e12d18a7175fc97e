"""The result of `conform compare`, on the terminal and as JSON of the format `conform-compare/1`.

Each pair of bots is compared by statistical tests of their searches at some positions (probes).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from harness import __version__
from harness.compare.agreement import ALPHA, Comparison, Pair, SearchedBot, Test
from harness.gtp import printable_text
from harness.report.numbers import amount
from harness.report.tables import Column, FittingTable, in_rows

FORMAT = "conform-compare/1"
MOST_SHOWN = 6
"""Differing tests of a pair that are listed, by p-value. Chosen: a third of a screen; the JSON has all."""

COLUMN_OF_BOT = 12
"""Characters of a column with the verdicts on one bot; the longest is "undecided"."""

STYLES = {"agree": "green", "differ": "bold red", "undecided": "yellow"}
"""By verdict on a pair of bots: the style of rich."""


def overall(comparison: Comparison) -> str:
    """The verdict on all bots: "agree", "differ", "undecided", or "unusable" without two comparable bots."""
    if not comparison.pairs:
        return "unusable"
    verdicts = {pair.verdict for pair in comparison.pairs}
    return next(verdict for verdict in ("differ", "undecided", "agree") if verdict in verdicts)


def show_comparison(console: Console, comparison: Comparison, *, quiet: bool) -> None:
    """Print the bots and the conclusions; unless `quiet`, also the differences and verdicts of the pairs."""
    for number, bot in enumerate(comparison.bots, 1):
        console.print(Text(f"bot {number}: {_named(bot)}"))
    if not quiet:
        for pair in comparison.pairs:
            _show_differences(console, pair)
        _show_pairs(console, comparison)
    for line in conclusions(comparison):
        console.print(Text(line))
    if not quiet:
        console.print(
            f"  {amount(comparison.searches, 'search')} of each bot at each probe, "
            f"{comparison.seconds:.1f} s; chance of a false alarm, all pairs together: "
            f"at most {100 * ALPHA:g} %"
        )


def conclusions(comparison: Comparison) -> list[str]:
    """The groups of bots that agree, and what each bot outside them differs from, in sentences."""
    usable = [number for number, bot in enumerate(comparison.bots) if bot.series is not None]
    if len(usable) < 2:
        return ["fewer than two bots could be run: nothing to compare"]
    lines = []
    undecided = [pair for pair in comparison.pairs if pair.verdict == "undecided"]
    for group in comparison.groups:
        if len(group) > 1:
            inside = [pair for pair in undecided if {pair.first, pair.second} <= set(group)]
            doubt = "show no difference, but more searches are needed to say that they agree"
            lines.append(f"{_list(group)} {doubt if inside else 'agree'}")
    alone = [group[0] for group in comparison.groups if len(group) == 1]
    if len(alone) == len(usable):
        return [*lines, "every bot differs from every other one"]
    from_all = []
    for number in alone:
        differing = _differing_from(number, comparison)
        if len(differing) < len(usable) - 1:
            lines.append(f"{_list((number,))} differs from {_list(differing)}")
        elif number == comparison.odd:
            lines.append(f"{_list((number,))} is the odd one out")
        else:
            from_all.append(number)
    if from_all:
        lines.append(f"{_list(from_all)} {'differs' if len(from_all) == 1 else 'differ'} from all others")
    return lines


def _differing_from(number: int, comparison: Comparison) -> list[int]:
    """The numbers of the bots that differ from this bot."""
    pairs = [{pair.first, pair.second} for pair in comparison.pairs if pair.different]
    return sorted(other for pair in pairs if number in pair for other in pair - {number})


def _show_differences(console: Console, pair: Pair) -> None:
    """Print the table of the tests in which two bots differ, if there are any."""
    if not pair.different:
        return
    first, second = pair.first + 1, pair.second + 1
    table = FittingTable(
        f"bots {first} and {second} differ in {len(pair.different)} of {amount(len(pair.tests), 'test')}",
        *(Column(head, folded=True) for head in ("probe", "what", f"bot {first}", f"bot {second}")),
        Column("p-value", "right", rank=1),
    )
    for test in sorted(pair.different, key=lambda test: test.p_value)[:MOST_SHOWN]:
        values = printable_text(test.first), printable_text(test.second)
        table.add_row(test.probe, test.statistic, *values, f"{test.p_value:.1e}")
    console.print(table)


def verdict_table(comparison: Comparison) -> list[list[str]]:
    """Return a row for each bot, with a verdict for each bot.

    It is "" for a bot with itself, and for one that could not be compared.
    """
    verdicts = {frozenset((pair.first, pair.second)): pair.verdict for pair in comparison.pairs}
    bots = range(len(comparison.bots))
    return [[verdicts.get(frozenset((row, column)), "") for column in bots] for row in bots]


def _show_pairs(console: Console, comparison: Comparison) -> None:
    """Print the table of the verdicts on all pairs."""
    rows = verdict_table(comparison)
    for columns in in_rows(len(rows), console.width - len("bot 10"), COLUMN_OF_BOT):
        table = FittingTable("", Column(""), *(Column(f"bot {column + 1}") for column in columns))
        for number, verdicts in enumerate(rows, 1):
            cells = (Text(verdicts[column], STYLES.get(verdicts[column], "")) for column in columns)
            table.add_row(f"bot {number}", *cells)
        console.print(table)


def _list(indices: Sequence[int]) -> str:
    """The numbers (from 1) of the bots with these indices, in words."""
    names = [str(index + 1) for index in indices]
    if len(names) == 1:
        return f"bot {names[0]}"
    return f"bots {', '.join(names[:-1])} and {names[-1]}"


def _named(bot: SearchedBot) -> str:
    """The command, name and playouts of a bot; or why it was not compared."""
    named = f" ({bot.name} {bot.version})".replace(" )", ")") if bot.name else ""
    shown = f"{bot.command}{named}"
    if bot.series is None:
        return printable_text(f"{shown}: not compared, {bot.reason}")
    count = bot.count
    playouts = f"{count.playouts} playouts ({count.source})" if count.playouts else "playouts unknown"
    stopped = f"; its searches ended early: {bot.reason}" if bot.reason else ""
    return printable_text(f"{shown}, {playouts}{stopped}")


def as_json(comparison: Comparison, seed: int, started: str) -> str:
    """The comparison as one JSON document."""
    data = {
        "format": FORMAT,
        "tool": {"version": __version__},
        "seed": seed,
        "started": started,
        "seconds": round(comparison.seconds, 3),
        "alpha": ALPHA,
        "verdict": overall(comparison),
        "searches": comparison.searches,
        "bots": [
            {
                "command": bot.command,
                "name": bot.name,
                "version": bot.version,
                "playouts": bot.count.playouts,
                "playouts_source": bot.count.source,
                "reason": bot.reason,
            }
            for bot in comparison.bots
        ],
        "pairs": [
            {
                "bots": [pair.first + 1, pair.second + 1],
                "verdict": pair.verdict,
                "tests": [_test(test, test in pair.different) for test in pair.tests],
            }
            for pair in comparison.pairs
        ],
        "groups": [[number + 1 for number in group] for group in comparison.groups],
        "odd_one_out": None if comparison.odd is None else comparison.odd + 1,
    }
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def _test(test: Test, different: bool) -> Mapping[str, Any]:
    """One test of a pair as plain data."""
    return {
        "probe": test.probe,
        "statistic": test.statistic,
        "p_value": test.p_value,
        "values": [test.first, test.second],
        "different": different,
        "undecided": test.undecided and not different,
    }
