"""Which kernels are needed, and compiling them before they are.

A step is a few kernels that are needed together. The first process that needs a step compiles it, which is
reported on stderr; others load it from disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from refbot.cache import is_ready, note_ready
from refbot.fault import Fault
from refbot.faults import Faults, checked, mask
from refbot.kernels import FEWEST_FOR_LANES, is_plain, takes_interleaved, takes_lanes
from refbot.notice import reported
from refbot.options import LOGGED, NO_OPTIONS, Options, features_of

if TYPE_CHECKING:
    from refbot.settings import Settings

SIZES = (9, 13, 19)  # of the lane kernels that `refbot warm` compiles
SMALL = 2  # the size on which a kernel that serves all sizes is compiled
NOTICE = "refbot: kernels:"  # how each line on stderr begins
STARTING_SECONDS = 0.8  # of the processor, to load the compiler
A_PLAYOUT_FAULT = Faults.KO_NONE  # one kernel serves all faults of the playouts


@dataclass(frozen=True)
class Step:
    """Kernels that are compiled and loaded together."""

    name: str  # also that of a file
    seconds: float  # of the processor, to compile them: measured on one machine, good enough for a notice
    load: Callable[[], object]


def search_step(
    size: int,
    playouts: int,
    threads: int = 1,
    faults: frozenset[Fault] = frozenset(),
    policy: str = "random",
    options: Options = NO_OPTIONS,
    *,
    leads: bool = False,
) -> Step:
    """What a search with this number of playouts calls on a board of this size."""
    features = features_of(policy, options)
    plain = is_plain(features, faulty=bool(mask(faults)), leads=leads)
    if takes_lanes("auto", size, playouts // threads, plain=plain):
        return _lanes_step(size, amaf=True, policy=policy)
    return _scalar_step(features | LOGGED, policy, options, faults)


def playouts_step(
    size: int, playouts: int, threads: int, policy: str = "random", options: Options = NO_OPTIONS
) -> Step:
    """What playouts without all-moves-as-first records call."""
    features = features_of(policy, options)
    if takes_lanes("auto", size, playouts // threads, plain=is_plain(features, faulty=False)):
        return _lanes_step(size, amaf=False, policy=policy)
    return _scalar_step(features, policy, options)


def variant_step(policy: str = "random", options: Options = NO_OPTIONS, faults: Iterable[str] = ()) -> Step:
    """What playouts in the interleaved kernel call, or with faults those in the scalar kernel.

    They keep no all-moves-as-first records.
    """
    return _scalar_step(features_of(policy, options), policy, options, checked(faults), "interleaved")


def engine_step(settings: Settings) -> Step:
    """What an engine with these settings needs for its first search."""
    faults = frozenset(settings.faults)
    return search_step(
        settings.size,
        settings.playouts,
        settings.threads,
        faults,
        settings.policy,
        settings.options,
        leads=settings.dynamic_komi is not None,
    )


def usual_steps(sizes: Sequence[int] = SIZES) -> list[Step]:
    """What `refbot warm` compiles: all for these sizes, without policies and options."""
    return [
        *(_lanes_step(size, amaf=amaf) for size in sizes for amaf in (True, False)),
        *(_scalar_step(features) for features in (LOGGED, 0)),
        _scalar_step(LOGGED, faults=frozenset({A_PLAYOUT_FAULT})),
        Step("clock", 0.2, _load_clock),
    ]


def compile_missing(
    steps: Iterable[Step], progress: Callable[[int, int, str], None] = lambda *_: None
) -> None:
    """Compiles and stores those steps that are not on disk. Costs next to nothing when all are.

    `progress` is called before each step that is missing with its number, how many there are, and its name.
    """
    missing = [step for step in steps if not is_ready(step.name)]
    for number, step in enumerate(missing):
        progress(number + 1, len(missing), step.name)
        left = sum(later.seconds for later in missing[number:]) + (STARTING_SECONDS if number == 0 else 0.0)
        _load(step, f"{number + 1} of {len(missing)}, {step.name}", left)


_loaded: set[str] = set()


def load_once(step: Step) -> None:
    """Loads the kernels of a step into this process, from disk or by compiling them."""
    if step.name not in _loaded:
        _load(step, step.name, step.seconds)


def _load(step: Step, what: str, seconds: float) -> None:
    began, stored = time.monotonic(), is_ready(step.name)

    def notice() -> str:
        waited = f"for {time.monotonic() - began:.0f} s so far"
        if stored:
            return f"{NOTICE} loading ({what}), {waited}"
        left = f"about {seconds:.0f} s left on an idle machine, only this once"
        return f"{NOTICE} compiling ({what}), {waited}; {left}"

    with reported(notice):
        step.load()
    _loaded.add(step.name)
    note_ready(step.name)


def _lanes_step(size: int, *, amaf: bool, policy: str = "random") -> Step:
    name = f"lanes-{size}x{size}{'' if policy == 'random' else f'-{policy}'}{'-amaf' if amaf else ''}"
    return Step(name, 3.5, partial(_load_playouts, size, FEWEST_FOR_LANES, amaf=amaf, policy=policy))


def _scalar_step(
    features: int,
    policy: str = "random",
    options: Options = NO_OPTIONS,
    faults: frozenset[Fault] = frozenset(),
    kernel: str = "auto",
) -> Step:
    """Kernels of what the lane kernel does not play; with faults always of the scalar kind."""
    faulty = bool(mask(faults))
    takes = takes_interleaved("auto" if faulty else kernel, features & ~LOGGED, faulty=faulty)
    kernel = "interleaved" if takes else "scalar"
    name = f"{kernel}-{features}{'-faulty' if faulty else ''}"
    load = partial(
        _load_playouts,
        SMALL,
        1,
        amaf=bool(features & LOGGED),
        policy=policy,
        options=options,
        faults=faults,
        kernel=kernel,
    )
    return Step(name, 5.0 if kernel == "scalar" and not faulty else 8.0, load)


def _load_playouts(size: int, count: int, **settings: object) -> None:
    from refbot.playouts import playouts
    from refbot.rules import Position

    playouts(Position.empty(size), count, **settings)  # type: ignore[arg-type]  # those of the steps above


def _load_clock() -> None:
    from refbot.cycles import cycles_per_second

    cycles_per_second()
