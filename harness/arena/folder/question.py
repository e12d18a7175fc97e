"""Compares how two configs judge games: their questions, levels and rules for forfeits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from harness.arena.config.judging import ParityQuestion
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.pairs import parity_levels

OF_RUN = ("alpha", "beta", "forfeits")
"""Keys of [run] that change verdicts for any question: the first two are levels of the tests of playouts."""


def describe_question_changes(before: MatchConfig, now: MatchConfig) -> str:
    """Describe the edits that change how results are judged; empty if there are none.

    `stop` is not compared: verdicts are valid after any number of games.
    """
    sentences = dict.fromkeys(_changes(before, now))  # each once: the question may take its levels from [run]
    return "; ".join(sentences)


def _changes(before: MatchConfig, now: MatchConfig) -> Iterator[str]:
    """Yield a sentence for each edit, such as "elo1: 20 became 40"."""
    old, new = _question(before), _question(now)
    if before.judge.kind == now.judge.kind:
        yield from differences(old, new, _shown)
    else:
        yield f"{_in_words(before.judge.kind, old)} became {_in_words(now.judge.kind, new)}"
    old, new = ({key: getattr(config.run, key) for key in OF_RUN} for config in (before, now))
    yield from differences(old, new, _shown)


def _question(config: MatchConfig) -> Mapping[str, object]:
    """The settings of the question of a config, with those that it takes from [run]."""
    settings = config.judge.model_dump(exclude={"kind", "stop"})
    if isinstance(config.judge, ParityQuestion):
        settings |= parity_levels(config.judge, config.run)._asdict()
    return settings


def differences(
    before: Mapping[str, object],
    now: Mapping[str, object],
    shown: Callable[[object], str],
    where: str = "",
) -> Iterator[str]:
    """Yield a sentence for each key whose value has changed. A missing key has the value None.

    where   begins each sentence
    """
    for key in dict.fromkeys((*before, *now)):
        old, new = before.get(key), now.get(key)
        if old != new:
            yield f"{where}{key}: {shown(old)} became {shown(new)}"


def _in_words(kind: str, settings: Mapping[str, object]) -> str:
    """A question with its settings, such as "stronger (alpha 0.05)"."""
    return f"{kind} ({', '.join(f'{key} {_shown(value)}' for key, value in settings.items())})"


def _shown(value: object) -> str:
    """A setting in a sentence: a number without needless decimals."""
    return f"{value:g}" if isinstance(value, float) else str(value)
