"""Compiles or loads the kernels of playouts before they are needed.

A KernelSet holds the kernels that are needed together. The first process that needs a set compiles it; later
processes load it from disk, but those of a GPU compile it again. What takes over a second is reported on
stderr.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from refbot.compile.cache import is_ready, note_ready
from refbot.compile.devices import choose_device
from refbot.compile.kernels import (
    FEWEST_FOR_LANES,
    MEASURED,
    SIZES_IN_LANES,
    Times,
    choose_kernel,
    load_speeds,
    store_times,
)
from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults, checked, mask
from refbot.deviations.options import LOGGED, MERCY, NO_OPTIONS, Options, features_of

SIZES = (9, 13, 19)  # board sizes of the lane kernels that `refbot warm` compiles
SMALL = 2  # the board size for compiling a kernel that serves all sizes
NOTICE = "refbot: kernels:"  # the beginning of each line on stderr
STARTING_SECONDS = 0.8  # of processor time, to load the compiler; measured on one machine
LANES_SECONDS, SCALAR_SECONDS, FAULTY_SECONDS, GPU_SECONDS, CLOCK_SECONDS = 3.5, 5.0, 8.0, 5.0, 0.2
"""Processor time to compile a kernel of each kind (see `KernelSet.seconds`); measured on one machine."""
FIRST_SECONDS, LONGEST_SECONDS = 1.0, 30.0
"""Time until the first notice, and the longest between two; chosen: loading from disk stays silent."""
A_PLAYOUT_FAULT = Faults.KO_NONE  # one kernel serves all faults of the playouts


@dataclass(frozen=True)
class KernelSet:
    """Kernels that are compiled and loaded together."""

    name: str  # also the name of its note in the cache folder
    seconds: float  # of processor time to compile them; measured on one machine, used for a notice only
    load: Callable[[], object]  # loads the kernels from disk, or compiles and stores them
    on_disk: bool = True  # False for a GPU, whose kernels are compiled by each process


def kernels_of(
    size: int,
    playouts: int,
    threads: int = 1,
    *,
    amaf: bool,
    policy: str = "random",
    options: Options = NO_OPTIONS,
    faults: Iterable[str | Fault] = frozenset(),
    kernel: str = "auto",
    device: str = "cpu",
) -> KernelSet:
    """Return the set of kernels for playouts with these arguments of `refbot.playouts.playouts` and a seed.

    Without a seed, `kernel` must be `default_kernel(None)` in place of "auto". Lane and GPU kernels are
    compiled for one board size, a scalar kernel for all sizes. Raises DeviceError, UnknownKernelError,
    UnknownPolicyError and UnknownFaultError.
    """
    features, fault_set = features_of(policy, options), checked(faults)
    faulty = bool(mask(fault_set))
    if choose_device(device, size, features, faulty=faulty) == "gpu":
        name = f"gpu-{size}x{size}{'-amaf' if amaf else ''}"
        return KernelSet(
            name, GPU_SECONDS, partial(_load_playouts, size, 1, amaf=amaf, device="gpu"), on_disk=False
        )
    kernel = choose_kernel(kernel, size, playouts // threads, features, faulty=faulty).kernel
    settings = {"amaf": amaf, "policy": policy, "options": options, "faults": fault_set, "kernel": kernel}
    if kernel == "lanes":
        words = ["lanes", f"{size}x{size}"]
        words += [policy] if policy != "random" else []
        words += ["mercy"] if features & MERCY else []
        words += ["amaf"] if amaf else []
        return KernelSet(
            "-".join(words), LANES_SECONDS, partial(_load_playouts, size, FEWEST_FOR_LANES, **settings)
        )
    name = f"scalar-{features | (LOGGED if amaf else 0)}{'-faulty' if faulty else ''}"
    seconds = FAULTY_SECONDS if faulty else SCALAR_SECONDS
    return KernelSet(name, seconds, partial(_load_playouts, SMALL, 1, **settings))


def usual_kernels(sizes: Sequence[int] = SIZES) -> list[KernelSet]:
    """Return the sets of `refbot warm`: all CPU kernels for these sizes, without policies and options."""
    lanes = [kernels_of(size, 1, amaf=amaf, kernel="lanes") for size in sizes for amaf in (True, False)]
    scalar = [kernels_of(SMALL, 1, amaf=amaf, kernel="scalar") for amaf in (True, False)]
    faulty = kernels_of(SMALL, 1, amaf=True, faults=frozenset({A_PLAYOUT_FAULT}))
    return [*lanes, *scalar, faulty, KernelSet("clock", CLOCK_SECONDS, _load_clock)]


def _measure(size: int) -> Times:
    """Loads and measures all kernels on a board of this size."""
    from refbot.measure.bench import times_of_kernels

    for kernel in MEASURED:
        load_kernels(kernels_of(size, 1, amaf=True, kernel=kernel))
    return times_of_kernels(size)


def measure_missing(sizes: Iterable[int], measure: Callable[[int], Times] = _measure) -> None:
    """Measures and stores the times of the kernels, for the sizes not yet measured on this machine.

    Sizes without a lane kernel are left out.
    """
    for size in sizes:
        if size in SIZES_IN_LANES and size not in load_speeds():
            store_times(size, measure(size))


def compile_missing(
    sets: Iterable[KernelSet], progress: Callable[[int, int, str], None] = lambda *_: None
) -> None:
    """Compiles and stores the sets that are not on disk. Takes almost no time if all are.

    Before each missing set, `progress` is called with its number, the number of missing sets, and its name.
    """
    missing = [kernels for kernels in sets if not (kernels.on_disk and is_ready(kernels.name))]
    for number, kernels in enumerate(missing):
        progress(number + 1, len(missing), kernels.name)
        left = sum(later.seconds for later in missing[number:]) + (STARTING_SECONDS if number == 0 else 0.0)
        _load(kernels, f"{number + 1} of {len(missing)}, {kernels.name}", left)


_loaded: set[str] = set()


def load_kernels(kernels: KernelSet) -> None:
    """Loads the kernels into this process once, from disk or by compiling them."""
    if kernels.name not in _loaded:
        _load(kernels, kernels.name, kernels.seconds)


def _load(kernels: KernelSet, what: str, seconds: float) -> None:
    """Loads a set, with notices that name it as `what` and expect `seconds` of processor time in all."""
    began, began_processor = time.monotonic(), time.process_time()
    stored = kernels.on_disk and is_ready(kernels.name)

    def notice() -> str:
        waited = f"for {time.monotonic() - began:.0f} s so far"
        if stored:
            return f"{NOTICE} loading ({what}), {waited}"
        once = ", only this once" if kernels.on_disk else ""
        left = max(seconds - (time.process_time() - began_processor), 1.0)
        return f"{NOTICE} compiling ({what}), {waited}; about {left:.0f} s left on an idle machine{once}"

    with repeat_notice(notice):
        kernels.load()
    _loaded.add(kernels.name)
    if kernels.on_disk:
        note_ready(kernels.name)


@contextmanager
def repeat_notice(notice: Callable[[], str], first: float = FIRST_SECONDS) -> Iterator[None]:
    """Writes `notice()` to stderr `first` seconds after the body began, and again after longer waits.

    Each wait is twice the last one, and at most LONGEST_SECONDS.
    """
    ended = threading.Event()

    def write() -> None:
        wait = first
        while not ended.wait(wait):
            wait = min(2.0 * wait, LONGEST_SECONDS)
            if sys.stderr is not None:
                print(notice(), file=sys.stderr, flush=True)  # noqa: T201 - the line that is to be written

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()


def _load_playouts(size: int, count: int, **settings: object) -> None:
    from refbot.playouts import playouts
    from refbot.rules import Position

    playouts(Position.empty(size), count, **settings)  # type: ignore[arg-type]  # those of `kernels_of`


def _load_clock() -> None:
    from refbot.measure.cycles import cycles_per_second

    cycles_per_second()
