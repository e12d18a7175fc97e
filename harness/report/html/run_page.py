"""The page of a run, `report.html`: standings, pairs, playout lengths, failures, a viewer of its games."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path

from harness.arena.config.judging import ParityQuestion
from harness.arena.judge.failure_hint import hint_of
from harness.arena.judge.pairs import parity_levels
from harness.arena.store.store import Store
from harness.arena.verdicts import EMPTY_BOARD, UNDECIDED, MatchVerdicts, games_still_needed
from harness.files import replaced
from harness.report.html.page import RUN_SCRIPTS, embedded, render
from harness.report.html.run_charts import legend, lengths, pair_charts, times
from harness.report.html.run_data import RunData, run_data
from harness.report.numbers import game_time
from harness.report.records.run_paths import RunPaths
from harness.report.signs import PARITY_SIGNS
from harness.report.text.clock_text import time_controls, time_losses
from harness.report.text.pairs_table import PAIR_TEXTS
from harness.report.text.question_text import question_sentences
from harness.report.text.score_text import score_sentences, standings_warning
from harness.report.text.suspect_text import suspect_sentences
from harness.report.visible import time_text

FILE = "report.html"
MOST_FAILURES = 20
"""Failed games with their logs on the page; each failed game has a folder in `failures/`. Chosen: a log may
have a hundred kilobytes."""

MOST_DISPUTED = 50
"""Games on the page whose score differs from the area. Chosen: a screen; all are in games.csv."""


def write_page(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write `report.html`. Raises OSError."""
    text = run_page(store, verdicts)  # made first, so that an error leaves the old file
    with replaced(folder / FILE) as file:
        file.write(text)


def run_page(store: Store, verdicts: MatchVerdicts) -> str:
    """The page as text."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    data = run_data(store)
    engines = {engine.name: engine for engine in store.engines()}
    reported = {
        name: f"{e.reported_name or ''} {e.reported_version or ''}".strip() for name, e in engines.items()
    }
    playouts = {name: engine.playouts for name, engine in engines.items()}
    return render(
        "run.html",
        *RUN_SCRIPTS,
        run=config.run,
        commands={name: config.engines[name].launch().command for name in engines},
        reported=reported,
        failed={name: ways.total() for name, ways in verdicts.failures.items()},
        failing=[(name, ways) for name, ways in verdicts.failures.items() if ways.total()],
        played=_played(data, verdicts.games),
        verdicts=verdicts,
        audited=any(row.phase != EMPTY_BOARD for row in verdicts.playouts),
        signs=PARITY_SIGNS,
        overall=_overall(verdicts),
        badge_word=_WORDS[verdicts.question.kind][_overall(verdicts)[1]],
        levels=parity_levels(config.judge, config.run) if isinstance(config.judge, ParityQuestion) else None,
        question=verdicts.question.sentence,
        changed=list(question_sentences(verdicts.question_changes)),
        texts=PAIR_TEXTS,
        suspects=list(suspect_sentences(verdicts.suspects)),
        needed=games_still_needed,
        bands=pair_charts(store, config, verdicts),
        lengths=lengths(data, playouts, config),
        times=times(data),
        legend=legend(list(engines)),
        lengths_legend=legend([name for name in engines if playouts[name]]),
        speeds=[(bot, sums) for bot, sums in data.by_bot.items() if sums.searches],
        clocks=[*time_controls(config), *time_losses(verdicts)],
        scores=list(score_sentences(verdicts)),
        warning=standings_warning(verdicts),
        disputed=list(islice(store.disputed(), MOST_DISPUTED)) if verdicts.scores.games else [],
        failures=list(store.failures())[:MOST_FAILURES],
        hint_of=partial(hint_of, config=config),
        game_file=RunPaths.of(config, engines).game_file,
        game_time=game_time,
        events=store.events(),
        data=data,
        viewer=embedded(data.viewer),
    )


def _played(data: RunData, games: int) -> str:
    """The time of the games, such as "2026-11-22 08:00 to 09:30 UTC"; empty without games."""
    if not data.began:
        return ""
    began, ended = time_text(data.began), time_text(data.ended)  # 2026-11-22 08:00:00 UTC
    if data.charted < games:  # the last games were not read
        return f"from {began[:16]}{began[19:]} on"
    if began[:16] == ended[:16]:
        return f"{began[:16]}{began[19:]}"
    return f"{began[:16]} to {ended[11:16] if began[:10] == ended[:10] else ended[:16]}{ended[19:]}"


_AGAINST = {
    "parity": "A bot failed, or differs from another bot or from the reference.",
    "sprt": "A bot failed in a game, differs from the reference, or did not pass the test.",
    "stronger": "A bot failed in a game, differs from the reference, or is weaker.",
}
"""By question: the sentence for a result against the bots."""
_FOR = {
    "parity": "Every pair of bots scores alike within the margin.",
    "sprt": "In every pair, the first bot passed the test.",
    "stronger": "In every pair, the first bot is stronger.",
}
"""By question: the sentence for a result in favour of the bots."""
_DROPPED = " Pairs that were dropped before a verdict do not count."
_WORDS = {
    "parity": {"pass": "equal", "fail": "different", "open": "undecided"},
    "sprt": {"pass": "passed", "fail": "failed", "open": "undecided"},
    "stronger": {"pass": "stronger", "fail": "weaker", "open": "undecided"},
}
"""By question and CSS class: the word for the result of the run."""


def _overall(verdicts: MatchVerdicts) -> tuple[str, str, str]:
    """Sign, CSS class and sentence for the result of the run."""
    if not verdicts.sound:
        return "✗", "fail", _AGAINST[verdicts.question.kind]
    if verdicts.decided:
        some_are_open = any(row.verdict == UNDECIDED for row in verdicts.parity)  # dropped pairs alone
        return "✓", "pass", _FOR[verdicts.question.kind] + _DROPPED * some_are_open
    return "?", "open", "No bot failed, but not every pair is decided yet."
