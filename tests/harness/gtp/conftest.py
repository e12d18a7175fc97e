import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from harness.gtp import Engine, Exchange, Launch, Limits

ENGINES = Path(__file__).parents[2] / "engines"


def _descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd")) if sys.platform == "linux" else set()


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Every test here ends with the processes, threads and file descriptors that it began with.

    What a killed harness leaves is ended by its guards, which takes a moment: they are waited for.
    """
    me = psutil.Process()
    children, threads, descriptors = me.children(recursive=True), threading.active_count(), _descriptors()
    yield
    _, alive = psutil.wait_procs(set(me.children(recursive=True)) - set(children), timeout=600)
    assert alive == []
    assert threading.active_count() == threads
    assert _descriptors() <= descriptors  # fewer: the garbage of an earlier test was collected


@pytest.fixture
def hostile() -> Callable[..., Launch]:
    """`hostile("die", code=3)`: the launch of the hostile engine in that mode."""

    def launch(mode: str = "right", **options: object) -> Launch:
        words = [sys.executable, "-S", "-E", str(ENGINES / "hostile.py"), mode]
        for name, value in options.items():
            words += [f"--{name}", str(value)]
        return Launch(shlex.join(words))

    return launch


@pytest.fixture
def patient() -> Limits:
    """Limits for what must come: never reached on a machine that works."""
    return Limits(startup=60, answer=60, quit=60, terminate=60, reap=60)


@pytest.fixture
def brief() -> Limits:
    """Limits for what must not come. The first answer is waited for longer, as the engine has to start."""
    return Limits(startup=60, answer=0.2, quit=0.1, terminate=0.1, reap=60, max_answer=1 << 18)


@pytest.fixture
def cut_short(brief: Limits) -> Callable[[Launch, bytes], Exchange]:
    """`cut_short(launch, raw)`: the exchange of a `genmove b` that ends by its limit after exactly `raw`.

    How long an engine takes to write `raw` depends on the machine, so the limit grows until all of it has
    come in time.
    """

    def ask(launch: Launch, raw: bytes) -> Exchange:
        for seconds in (0.1, 1.0, 10.0, 60.0):
            with Engine(launch, brief) as engine:
                assert engine.ask("name").ok
                exchange = engine.ask("genmove b", timeout=seconds)
            if exchange.raw == raw:
                break
        assert (exchange.ending, exchange.raw, exchange.answer) == ("timeout", raw, None)
        return exchange

    return ask
