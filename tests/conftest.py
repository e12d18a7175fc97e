"""Settings and fixtures of all tests."""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import started
from tests.thorough import MUTATED, Mutant

if TYPE_CHECKING:
    from harness.check.phases.findings import Findings
    from harness.check.profile import Profile
    from harness.selftest.hosted_bot import HostedBot

ROOT = Path(__file__).parents[1]

# Many containers forbid compiled modules. Then each of the thousand processes of these tests would compile
# all modules again, and each worker of pytest-xdist would rewrite all assertions.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No test multiplies large matrices. The threads of BLAS cost each process that imports numpy 45 ms of
# processor time, measured on two cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell without job control lets what it runs in the background ignore SIGINT, and every process started
# from there would inherit that: Ctrl-C could then not be tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

# On a busy machine single examples and their generation are slow. The only time limit of a test is pytest's.
settings.register_profile("any-speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-speed")


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores, since many tests wait for engines that are silent or slow.

    Each worker imports and collects everything: with two more, the suite took 3 percent longer on two cores.
    """
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without the garbage collector; then spare it the modules and tests, which stay to the end.

    Then it looks for garbage less often than by default, which takes 4 percent of the processor time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 100)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A thorough test has its mutants, and each of them can still be made."""
    if MUTATED in os.environ:
        return
    for mark in item.iter_markers("thorough"):
        if not mark.args or not all(isinstance(one, Mutant) and one.can_be_made() for one in mark.args):
            raise pytest.UsageError(f"{item.nodeid}: see tests/thorough.py for what a thorough test needs")


HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)  # SIGALRM is pytest-timeout's


@pytest.fixture(scope="module")
def sockets_of_dask() -> Iterator[None]:
    """Collect the sockets that dask leaves open, so that no later test gets their warnings."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """A handler that a test left behind would strike another one, in another order of the tests."""
    before = [signal.getsignal(number) for number in HANDLED]
    yield
    assert [signal.getsignal(number) for number in HANDLED] == before


def once_for_all_workers(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that the first worker of pytest-xdist to come here makes, and all others use."""
    root = factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    folder = root / name
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            beside = root / f"{name}.part"
            beside.mkdir()
            make(beside)
            beside.rename(folder)
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of this copy."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)

    return once_for_all_workers(tmp_path_factory, "dist", build)


@pytest.fixture(scope="session")
def installed_wheel(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel of this copy installs, for a PYTHONPATH."""
    (wheel,) = built.glob("*.whl")
    return once_for_all_workers(tmp_path_factory, "site", ZipFile(wheel).extractall)


@pytest.fixture
def hosted_bot() -> Iterator[Callable[..., HostedBot]]:
    """Starts hosted bots: the reference bot in this process, with faults and habits by name.

    Most tests of a check, a judge or a report need no more of a bot. CONTRIBUTING.md says when to use which.
    """
    from harness.selftest.hosted_bot import HostedBot

    with ExitStack() as bots:
        yield lambda *switches, **settings: bots.enter_context(HostedBot(*switches, **settings))


@pytest.fixture
def check_hosted(hosted_bot: Callable[..., HostedBot]) -> Callable[..., Findings]:
    """Checks a hosted bot: `check_hosted("nodes-one-pass", only=["ref.nodes.*"])` returns its findings."""
    from harness.check.phases.run import check_bot, findings_of
    from harness.check.phases.settings import RunSettings
    from harness.suite.registry import select

    def check(
        *switches: str,
        only: Sequence[str] = (),
        seed: int = 1,
        playouts: int = 100,
        profile: Profile | None = None,
        rules: Mapping[str, str] | None = None,
    ) -> Findings:
        bot = hosted_bot(*switches, seed=seed, playouts=playouts)
        settings = RunSettings(bot.launch, select(only), seed=seed, profile=profile, rules=rules or {})
        return findings_of(check_bot(bot, settings))

    return check


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A module long, since its loop keeps asyncio.run from starting one."""
    with started() as browser:
        yield browser
