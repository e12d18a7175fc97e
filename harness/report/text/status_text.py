"""The lines of `conform status`: a few for each run or check, and the tables of one run.

`width` is that of the terminal in columns. None, as for a pipe: no line is broken.
"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from harness.arena.verdicts import AGAINST, games_still_needed
from harness.gtp import printable_text
from harness.report.numbers import amount, check_progress, left_text, listed, of_total, points_text
from harness.report.records.stored_check import CheckedOnce
from harness.report.status.check import BotProgress, CheckStatus
from harness.report.status.phase import Phase
from harness.report.status.run import BotRow, PairRow, RunStatus
from harness.report.text.pairs_table import bounds_text, elo_text, llr_text, rank_of_verdict, score_text
from harness.report.text.question_text import question_sentences

INDENT = 12
"""Width of the first column, which has the phase of an entry, such as "running"."""
ROOMY = 80
"""Least width at which the table of pairs has the number of games still needed."""
LAST_EVENTS = 10
"""Events below the tables, the newest. Chosen: half a screen."""
MOST_NAMED = 4
"""Bots that the line of scores names; the tables have all. Chosen: four names fit a line of 80 characters."""


def entry(phase: Phase, name: str, sentences: Sequence[str], width: int | None) -> Iterator[str]:
    """Yield the lines of one run or check: its phase and name, then each sentence from a new line on.

    `width`: characters of a line; None: no limit.
    """
    yield from _folded(f"{phase.word:<{INDENT}}{shown(name)}".rstrip(), width)
    for sentence in sentences:
        yield from _folded(" " * INDENT + sentence, width)


def run_sentences(status: RunStatus, phase: Phase) -> list[str]:
    """Sentences about a run: progress, scores, pairs, failures, playouts, benched bots, and how it ended.

    A benched bot gets no more games.
    """
    sentences = [progress_sentence(status, phase)]
    if status.bots:
        scores = [f"{shown(bot.bot)} {100 * bot.score:.1f} %" for bot in status.bots if bot.score is not None]
        if scores:
            sentences.append(listed(scores, MOST_NAMED, ", and"))
        sentences.append(pairs_sentence(status.pairs))
    for bot in status.bots:
        if bot.failures:
            ways = ", ".join(f"{count} × {shown(way)}" for way, count in bot.failures.items())
            sentences.append(f"{shown(bot.bot)} failed: {ways}")
    sentences += _playout_sentences(status)
    sentences += [f"{shown(bot)} is benched: it {shown(why)}" for bot, why in status.benched.items()]
    if not phase.running and phase.sentence:
        sentences.append(phase.sentence)
    return sentences


def _playout_sentences(status: RunStatus) -> Iterator[str]:
    """A sentence if the playouts of a bot differ from the reference; it names the bots that are known."""
    bots = dict.fromkeys(shown(row.bot) for row in status.playouts if row.verdict == "different")
    if bots:
        yield f"playouts that differ from the reference: {', '.join(bots)}"
        return
    # The status has only playout lengths: a bot that differs by scores or moves shows in `sound` alone.
    against = any(pair.verdict in AGAINST for pair in status.pairs)
    if not (status.sound or against or any(bot.failures for bot in status.bots)):
        yield "the playouts of a bot differ from the reference; playouts.csv says which"


def progress_sentence(status: RunStatus, phase: Phase) -> str:
    """The number of games, and for a run in play its speed and time left, or what it does."""
    share = f" ({100 * status.done / status.total:.0f} %)" if status.total else ""
    sentence = f"{of_total(status.done, status.total, 'game')}{share}"
    if phase.running and status.rate > 0 and not status.doing:
        sentence += f", {status.rate:.3g} a second"
        if status.seconds_left is not None:
            sentence += f", {left_text(status.seconds_left)}"
    if phase.running and status.doing:
        sentence += f", {shown(status.doing)}"
    return sentence


def pairs_sentence(pairs: Sequence[PairRow]) -> str:
    """The number of pairs by verdict."""
    counts = Counter(pair.verdict for pair in pairs)
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts, key=rank_of_verdict))
    return f"{'pair' if len(pairs) == 1 else 'pairs'}: {words}"


def check_sentences(status: CheckStatus, phase: Phase) -> list[str]:
    """A sentence for each bot of a check that runs, and that of its phase, if it has one."""
    sentences = [f"{shown(bot.command)}: {shown(bot_progress(bot, failed=True))}" for bot in status.bots]
    return [*sentences, phase.sentence] if phase.sentence else sentences


def bot_progress(bot: BotProgress, *, searches: bool = False, failed: bool = False) -> str:
    """The progress of the check of one bot; `searches` and `failed`: with these numbers."""
    return check_progress(
        bot.doing,
        bot.decided,
        bot.total,
        amount(bot.searches, "search") if searches and bot.searches else "",
        f"{len(bot.failed)} failed" if failed and bot.failed else "",
        left_text(bot.seconds_left),
    )


def report_sentences(reports: Sequence[CheckedOnce]) -> list[str]:
    """Return a sentence for each bot: its verdict, its name, and how many MUST checks failed."""
    return [
        f"{report.verdict}: {shown(f'{report.name} {report.version}'.strip() or report.command)}"
        + (f", {amount(len(report.failing), 'MUST check')} failed" if report.failing else "")
        for report in reports
    ]


def run_tables(status: RunStatus, width: int | None) -> Iterator[str]:
    """Yield lines: the standings, the pairs, changes of the question, and the last events of a run.

    `width`: characters of a line; None: no limit.
    """
    if status.bots:
        yield from _standings(status.bots, width)
    if status.pairs:
        yield from _pairs(status.pairs, width)
    if status.question_changes:
        yield ""
    for sentence in question_sentences(status.question_changes):
        yield from _folded(sentence, width)
    if status.events:
        yield ""
        for event in status.events[-LAST_EVENTS:]:
            yield from _folded(f"{shown(event.at)}  {shown(event.kind)} {shown(event.text)}".rstrip(), width)


def _standings(bots: Sequence[BotRow], width: int | None) -> Iterator[str]:
    """The table of the bots."""
    rows = [
        (
            f"{bot.rank} {shown(bot.bot)}",
            f"{bot.games:,}",
            points_text(bot.points),
            "-" if bot.score is None else f"{100 * bot.score:.1f} %",
            "-" if bot.elo is None else f"{bot.elo:+z.0f}",
            str(bot.voids),
            str(sum(bot.failures.values())),
        )
        for bot in bots
    ]
    yield from _table(("bot", "games", "points", "score", "Elo", "void", "failed"), rows, width)


def _pairs(pairs: Sequence[PairRow], width: int | None) -> Iterator[str]:
    """The table of the pairs. A narrow one has no LLR, and not the number of games still needed."""
    narrow = width is not None and width < ROOMY
    with_llr = not narrow and any(pair.llr is not None for pair in pairs)
    heads = ("pair", "games", "Elo", *(("LLR",) if with_llr else ()), "score", "bounds", "verdict")
    rows = [
        (
            f"{shown(pair.bot_a)} - {shown(pair.bot_b)}"
            + (f" ({shown(pair.conditions)})" if pair.conditions else ""),
            f"{pair.games:,}",
            elo_text(pair),
            *((llr_text(pair),) if with_llr else ()),
            score_text(pair),
            bounds_text(pair),
            pair.verdict if narrow or pair.verdict != "undecided" else f"undecided, {_needed(pair)}",
        )
        for pair in pairs
    ]
    yield from _table(heads, rows, width)


def shown(text: str) -> str:
    """Text from a bot or a file, with backslashes and unprintable characters escaped."""
    return printable_text(text)


def _needed(pair: PairRow) -> str:
    """The number of games that an undecided pair still needs, in words."""
    return games_still_needed(math.inf if pair.games_needed is None else pair.games_needed)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int | None) -> Iterator[str]:
    """Lines of a table after an empty line. The first cell of a row, if too long, gets a line of its own."""
    yield ""
    sizes = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    room = None if width is None else width - sum(sizes[1:]) - 2 * len(sizes[1:])
    if room is not None and sizes[0] > room:
        sizes[0] = max(len(heads[0]), room)
    for row in (heads, *rows):
        name = row[0]
        if len(name) > sizes[0]:
            yield from _folded(name, width)
            name = ""
        cells = [
            cell.ljust(size) if head == "verdict" else cell.rjust(size)
            for head, cell, size in zip(heads[1:], row[1:], sizes[1:], strict=True)
        ]
        yield "  ".join([name.ljust(sizes[0]), *cells]).rstrip()


def _folded(line: str, width: int | None) -> list[str]:
    """The line, broken to fit the width. Continuation lines are indented by INDENT."""
    if width is None or len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent=" " * INDENT, break_on_hyphens=False)
