"""Changes of a bot since the run before: its version, config, verdicts, playout lengths and failures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.arena.verdicts import DIFFERENT, UNDECIDED
from harness.report.visible import elided
from harness.schedule.run_summary import BotSummary, RunSummary

SHOWN = 60
"""Limit of the characters of a version in a sentence. Chosen: the sentence fits in two lines."""


@dataclass(frozen=True)
class BotChange:
    """The changes of a bot since the run before. `nodes_shift` and its p-value: see the function.

    Both are None if the runs cannot be compared.
    """

    sentences: tuple[str, ...]  # none without a change to report
    nodes_shift: float | None = None
    nodes_shift_p: float | None = None


def find_change(bot: str, now: RunSummary, before: RunSummary) -> BotChange:
    """Compare a bot in two runs. A bot that was not in the run before is "new".

    A change of a verdict is reported, unless it is one between `undecided` and a verdict other than
    `different`, which may be chance. A shift of the playout lengths is reported when its p-value is at most
    the config's alpha, divided by the number of bots (Bonferroni). Board size and komi must be the same.
    Failures are reported if only one of the two runs has any.
    """
    new, old = now.bots[bot], before.bots.get(bot)
    if old is None:
        return BotChange(("new",))
    run, run_before = now.config.run, before.config.run
    same_board = (run.size, run.komi) == (run_before.size, run_before.komi)
    shift, p = nodes_shift(new, old) if same_board else (None, None)
    sentences = [*_identity_changes(new, old), *_verdict_changes(new, old)]
    if shift is not None and p is not None and p <= run.alpha / len(now.bots):
        sentences.append(f"nodes per playout {shift:+z.3g} (p = {p:.1g})")
    if bool(new.failures) != bool(old.failures):
        sentences.append(f"failures {old.failures} → {new.failures}")
    return BotChange(tuple(sentences), shift, p)


def nodes_shift(new: BotSummary, old: BotSummary) -> tuple[float | None, float | None]:
    """The change of a bot's moves per playout, and the p-value of "no change".

    A game with the same opening in both runs has its first search in the same position. The differences are
    tested by a paired two-sided t test (Student, "The probable error of a mean", Biometrika 6, 1908).
    (None, None) if there are fewer than two such games, or the number of playouts is unknown or has changed.
    """
    from scipy.stats import ttest_1samp

    common = sorted(new.first_searches.keys() & old.first_searches.keys())
    if len(common) < 2 or not new.playouts or new.playouts != old.playouts:
        return None, None
    differences = np.array(
        [(new.first_searches[game] - old.first_searches[game]) / new.playouts for game in common]
    )
    shift = float(differences.mean())
    if np.all(differences == differences[0]):  # a bot without randomness: any change is real
        return shift, 1.0 if shift == 0 else 0.0
    return shift, float(ttest_1samp(differences, 0.0).pvalue)


def _identity_changes(new: BotSummary, old: BotSummary) -> list[str]:
    """Sentences about a changed version or config of the bot."""
    changes = []
    if new.version != old.version:
        before, after = (elided(bot.version or "unknown", SHOWN) for bot in (old, new))
        changes.append(f"version {before} → {after}")
    compared = ("command", "playouts", "env", "cwd")
    if keys := [key for key in compared if getattr(new.engine, key) != getattr(old.engine, key)]:
        changes.append(f"config: {', '.join(keys)}")
    return changes


def _verdict_changes(new: BotSummary, old: BotSummary) -> list[str]:
    """Sentences about changed verdicts on pairs, playouts and audited statistics."""
    verdicts = [
        (f"against {name}", old.opponents[name], new.opponents[name])
        for name in sorted(new.opponents.keys() & old.opponents.keys())
    ]
    if new.nodes and old.nodes:
        verdicts.append(("playouts", old.nodes.verdict, new.nodes.verdict))
    verdicts += [
        (f"audit of {statistic}", old.audit_verdicts[statistic], verdict)
        for statistic, verdict in new.audit_verdicts.items()
        if statistic in old.audit_verdicts
    ]
    return [f"{what}: {before} → {now}" for what, before, now in verdicts if _is_reported(before, now)]


def _is_reported(before: str, now: str) -> bool:
    return before != now and (DIFFERENT in (before, now) or UNDECIDED not in (before, now))
