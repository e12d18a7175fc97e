"""Finds out if an edited config judges games otherwise: another question, other levels, other forfeits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from harness.arena.config.judging import ParityQuestion
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.pairs import parity_levels

OF_RUN = ("alpha", "forfeits")
"""Keys of [run] that decide verdicts whatever the question is; `alpha` is that of the playouts."""


def judged_otherwise(before: MatchConfig, now: MatchConfig) -> str:
    """What has changed in the way from results to verdicts, in words; empty if nothing has.

    `stop` is no part of it: verdicts hold after any number of games.
    """
    sentences = dict.fromkeys(_changes(before, now))  # alpha of [run] is often that of the question too
    return "; ".join(sentences)


def _changes(before: MatchConfig, now: MatchConfig) -> Iterator[str]:
    old, new = _question(before), _question(now)
    if before.judge.kind == now.judge.kind:
        yield from _differences(old, new)
    else:
        yield f"{_in_words(before.judge.kind, old)} became {_in_words(now.judge.kind, new)}"
    yield from _differences(*({key: getattr(config.run, key) for key in OF_RUN} for config in (before, now)))


def _question(config: MatchConfig) -> Mapping[str, object]:
    """The settings of the question of a config, with those that it takes from [run]."""
    settings = config.judge.model_dump(exclude={"kind", "stop"})
    if isinstance(config.judge, ParityQuestion):
        settings |= parity_levels(config.judge, config.run)._asdict()
    return settings


def _differences(before: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    for key, value in before.items():
        if value != now[key]:
            yield f"{key}: {_shown(value)} became {_shown(now[key])}"


def _in_words(kind: str, settings: Mapping[str, object]) -> str:
    return f"{kind} ({', '.join(f'{key} {_shown(value)}' for key, value in settings.items())})"


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
