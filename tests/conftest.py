"""What holds for all tests."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import started

# A shell without job control lets what it runs in the background ignore SIGINT, and every process started
# from there would inherit that: Ctrl-C could then not be tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

# On a busy machine single examples and their generation are slow. The only time limit of a test is pytest's.
settings.register_profile("any-speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-speed")


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores, since many tests wait for engines that are silent or slow."""
    return (os.cpu_count() or 1) + 2


HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)  # SIGALRM is pytest-timeout's


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """A handler that a test left behind would strike another one, in another order of the tests."""
    before = [signal.getsignal(number) for number in HANDLED]
    yield
    assert [signal.getsignal(number) for number in HANDLED] == before


@pytest.fixture(scope="session")
def installed_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel of this copy installs, for a PYTHONPATH."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    root = Path(__file__).parents[1]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, root], check=True)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    subprocess.run([*pip, "install", "--no-deps", "--no-compile", "--target", site, wheel], check=True)
    return site


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A module long, since its loop keeps asyncio.run from starting one."""
    with started() as browser:
        yield browser
