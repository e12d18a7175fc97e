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

from refbot.compile.cache import is_ready, note_ready
from refbot.compile.devices import on_gpu
from refbot.compile.kernels import FEWEST_FOR_LANES, SIZES_IN_LANES, asked, chosen
from refbot.compile.notice import reported
from refbot.compile.speeds import MEASURED, Times, load_speeds, store
from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults, checked, mask
from refbot.options import LOGGED, MERCY, NO_OPTIONS, Options, features_of

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
    on_disk: bool = True  # kept there; kernels of a GPU are compiled by each process


def search_step(
    size: int,
    playouts: int,
    threads: int = 1,
    faults: frozenset[Fault] = frozenset(),
    policy: str = "random",
    options: Options = NO_OPTIONS,
    *,
    kernel: str = "auto",
    device: str = "cpu",
) -> Step:
    """Return the step for a search with this number of playouts on a board of this size."""
    features = features_of(policy, options)
    if on_gpu(device, size, features, faulty=bool(mask(faults))):
        return _gpu_step(size, amaf=True)
    choice = chosen(kernel, size, playouts // threads, features, faulty=bool(mask(faults)))
    return _step(choice.kernel, size, features, amaf=True, policy=policy, options=options, faults=faults)


def playouts_step(
    size: int,
    playouts: int,
    threads: int,
    policy: str = "random",
    options: Options = NO_OPTIONS,
    *,
    kernel: str = "auto",
    device: str = "cpu",
) -> Step:
    """Return the step for playouts without all-moves-as-first records."""
    features = features_of(policy, options)
    if on_gpu(device, size, features):
        return _gpu_step(size, amaf=False)
    choice = chosen(kernel, size, playouts // threads, features)
    return _step(choice.kernel, size, features, amaf=False, policy=policy, options=options)


def faulty_step(options: Options, faults: Iterable[str]) -> Step:
    """Return the step for playouts with faults and without all-moves-as-first records."""
    features = features_of("random", options)
    return _step("scalar", SMALL, features, amaf=False, options=options, faults=checked(faults))


def engine_step(settings: Settings) -> Step:
    """Return the step for the first search of an engine with these settings."""
    faults = frozenset(settings.faults)
    return search_step(
        settings.size,
        settings.playouts,
        settings.threads,
        faults,
        settings.policy,
        settings.options,
        kernel=asked(settings.seed),
        device=settings.device,
    )


def usual_steps(sizes: Sequence[int] = SIZES) -> list[Step]:
    """Return the steps of `refbot warm`: all kernels for these sizes, without policies and options."""
    return [
        *(_step("lanes", size, 0, amaf=amaf) for size in sizes for amaf in (True, False)),
        *(_step("scalar", SMALL, 0, amaf=amaf) for amaf in (True, False)),
        _step("scalar", SMALL, 0, amaf=True, faults=frozenset({A_PLAYOUT_FAULT})),
        Step("clock", 0.2, _load_clock),
    ]


def measure_missing(sizes: Iterable[int]) -> None:
    """Measures which kernel is the fastest, for the sizes that have not been measured on this machine."""
    for size in sizes:
        if size in SIZES_IN_LANES and size not in load_speeds():
            for kernel in MEASURED:
                load_once(_step(kernel, size if kernel == "lanes" else SMALL, 0, amaf=True))
            store(size, _times_of_kernels(size))


def compile_missing(
    steps: Iterable[Step], progress: Callable[[int, int, str], None] = lambda *_: None
) -> None:
    """Compiles and stores those steps that are not on disk. Costs next to nothing when all are.

    `progress` is called before each step that is missing with its number, how many there are, and its name.
    """
    missing = [step for step in steps if not (step.on_disk and is_ready(step.name))]
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
    began, stored = time.monotonic(), step.on_disk and is_ready(step.name)

    def notice() -> str:
        waited = f"for {time.monotonic() - began:.0f} s so far"
        if stored:
            return f"{NOTICE} loading ({what}), {waited}"
        left = f"about {seconds:.0f} s left on an idle machine"
        if step.on_disk:
            left += ", only this once"
        return f"{NOTICE} compiling ({what}), {waited}; {left}"

    with reported(notice):
        step.load()
    _loaded.add(step.name)
    if step.on_disk:
        note_ready(step.name)


def _step(
    kernel: str,
    size: int,
    features: int,
    *,
    amaf: bool,
    policy: str = "random",
    options: Options = NO_OPTIONS,
    faults: frozenset[Fault] = frozenset(),
) -> Step:
    """One kernel. But for lanes, it is the same one for all sizes."""
    if kernel == "lanes":
        words = {policy: policy != "random", "mercy": features & MERCY, "amaf": amaf}
        name = "-".join(["lanes", f"{size}x{size}", *(word for word, meant in words.items() if meant)])
        seconds = 3.5
    else:
        faulty = bool(mask(faults))
        name = f"scalar-{features | (LOGGED if amaf else 0)}{'-faulty' if faulty else ''}"
        size, seconds = SMALL, 8.0 if faulty else 5.0
    count = FEWEST_FOR_LANES if kernel == "lanes" else 1
    settings = {"amaf": amaf, "policy": policy, "options": options, "faults": faults, "kernel": kernel}
    return Step(name, seconds, partial(_load_playouts, size, count, **settings))


def _gpu_step(size: int, *, amaf: bool) -> Step:
    name = f"gpu-{size}x{size}{'-amaf' if amaf else ''}"
    return Step(name, 5.0, partial(_load_playouts, size, 1, amaf=amaf, device="gpu"), on_disk=False)


def _load_playouts(size: int, count: int, **settings: object) -> None:
    from refbot.playouts import playouts
    from refbot.rules import Position

    playouts(Position.empty(size), count, **settings)  # type: ignore[arg-type]  # those of the steps above


def _times_of_kernels(size: int) -> Times:
    from refbot.measure.bench import times_of_kernels

    return times_of_kernels(size)


def _load_clock() -> None:
    from refbot.measure.cycles import cycles_per_second

    cycles_per_second()
