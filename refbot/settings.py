"""How an engine starts."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from refbot.deviations.fault import Fault
from refbot.deviations.habits import Habit
from refbot.options import NO_OPTIONS, Options


@dataclass(frozen=True)
class Settings:
    """How an engine starts; the defaults are the specification's."""

    size: int = 9
    komi: float = 7.5
    playouts: int = 1000
    seed: int | None = None
    threads: int = 1
    faults: AbstractSet[Fault] = frozenset()
    habits: AbstractSet[Habit] = frozenset()
    policy: str = "random"
    options: Options = NO_OPTIONS
    dynamic_komi: str | None = None  # a mode of `refbot.search.dynamic_komi`
    device: str = "cpu"  # one of `refbot.compile.devices`
