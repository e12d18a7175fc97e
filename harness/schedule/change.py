"""Has a bot changed from one run to the next? What it calls itself, how it is started, how it plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.match import DIFFERENT
from harness.schedule.facts import BotFacts, RunFacts


@dataclass(frozen=True)
class Change:
    """How a bot differs from itself in the run before. `nodes_shift` is in moves a playout."""

    sentences: tuple[str, ...]
    nodes_shift: float | None = None
    nodes_shift_p: float | None = None


def change(bot: str, now: RunFacts, before: RunFacts) -> Change:
    """Compare a bot's two runs.

    Verdicts that become `different`, or cease to be it, are told; between `equal` and `undecided` chance
    decides. A shift of the playouts is told where chance alone brings it, to any bot of a run, with a
    probability of at most the config's alpha (by Bonferroni over the bots).
    """
    new, old = now.bots[bot], before.bots.get(bot)
    if old is None:
        return Change(("new",))
    shift, p = nodes_shift(new, old) if _on_one_board(now, before) else (None, None)
    told = [*_of_itself(new, old), *_of_verdicts(new, old)]
    if shift is not None and p is not None and p <= now.config.run.alpha / len(now.bots):
        told.append(f"nodes a playout {shift:+.3g} (p = {p:.1g})")
    if bool(new.failures) != bool(old.failures):
        told.append(f"failures {old.failures} → {new.failures}")
    return Change(tuple(told), shift, p)


def nodes_shift(new: BotFacts, old: BotFacts) -> tuple[float | None, float | None]:
    """The change of its moves a playout, and the probability of one as large for a bot that is the same.

    A game with the same opening in both runs has its first search in the same position: a paired t test
    (Student, "The probable error of a mean", Biometrika 6, 1908) of the differences, two-sided. (None, None)
    where there are fewer than two such searches, or the playouts are unknown or another number.
    """
    from scipy.stats import ttest_1samp

    common = sorted(new.first_searches.keys() & old.first_searches.keys())
    if len(common) < 2 or not new.playouts or new.playouts != old.playouts:
        return None, None
    differences = np.array(
        [(new.first_searches[game] - old.first_searches[game]) / new.playouts for game in common]
    )
    shift = float(differences.mean())
    if np.all(differences == differences[0]):  # a bot without randomness: any change is one
        return shift, 1.0 if shift == 0 else 0.0
    return shift, float(ttest_1samp(differences, 0.0).pvalue)


def _on_one_board(now: RunFacts, before: RunFacts) -> bool:
    one, two = now.config.run, before.config.run
    return (one.size, one.komi) == (two.size, two.komi)


def _of_itself(new: BotFacts, old: BotFacts) -> list[str]:
    told = []
    if new.version != old.version:
        told.append(f"version {old.version or 'unknown'} → {new.version or 'unknown'}")
    keys = [
        key
        for key in ("command", "playouts", "env", "cwd")
        if getattr(new.engine, key) != getattr(old.engine, key)
    ]
    if keys:
        told.append(f"config: {', '.join(keys)}")
    return told


def _of_verdicts(new: BotFacts, old: BotFacts) -> list[str]:
    told = [
        f"against {name}: {old.opponents[name]} → {new.opponents[name]}"
        for name in sorted(new.opponents.keys() & old.opponents.keys())
        if (name in new.different_from) != (name in old.different_from)
    ]
    if new.nodes and old.nodes and (new.nodes.verdict == DIFFERENT) != (old.nodes.verdict == DIFFERENT):
        told.append(f"playouts: {old.nodes.verdict} → {new.nodes.verdict}")
    return told
