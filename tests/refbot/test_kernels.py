"""The choice of the kernel: by board size with a seed, by measured times without one."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from refbot.compile import cache, kernels
from refbot.compile.kernels import (
    FEWEST_FOR_LANES,
    LARGEST_IN_NARROW_VECTORS,
    SIZES_IN_LANES,
    UnknownKernelError,
    choose_fastest,
    choose_kernel,
    default_kernel,
)
from refbot.deviations.options import CAPTURE, CUTOFF, MERCY
from refbot.measure import bench
from refbot.measure.warm import kernels_of, measure_missing
from refbot.playouts import PlayoutStats, playouts
from refbot.rules import BLACK, Game
from refbot.rules.position import Position
from refbot.search import Search

ROOT = Path(__file__).resolve().parents[2]
MANY = 100_000  # playouts, for which lanes are worth their compilation on any board
LANES_WIN = {"lanes": 7.0, "scalar": 50.0}
LANES_LOSE = {"lanes": 90.0, "scalar": 50.0}


@pytest.fixture(autouse=True)
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for the notes about this processor."""
    folder = tmp_path / "ready"
    monkeypatch.setattr(cache, "_processor_folder", lambda: folder)
    kernels.load_speeds.cache_clear()
    yield folder
    kernels.load_speeds.cache_clear()


def kernel(size: int, playouts_a_thread: int = FEWEST_FOR_LANES, *, seed: int | None) -> str:
    return choose_kernel(default_kernel(seed), size, playouts_a_thread).kernel


@pytest.mark.parametrize("seed", [None, 1])
def test_the_kernel_is_chosen_by_size_and_number_of_playouts(seed: int | None) -> None:
    assert kernel(9, seed=seed) == "lanes"
    assert kernel(9, FEWEST_FOR_LANES - 1, seed=seed) == "scalar"
    assert kernel(1, 1000, seed=seed) == "scalar"
    assert choose_kernel(default_kernel(seed), 9, 1000, faulty=True).kernel == "scalar"
    assert choose_kernel(default_kernel(seed), 9, 1000, CUTOFF).kernel == "scalar"
    assert choose_kernel(default_kernel(seed), 9, 1000, CAPTURE | MERCY).kernel == "lanes"


def test_a_kernel_that_cannot_play_is_refused() -> None:
    assert choose_kernel("lanes", 25, 1).kernel == "lanes"
    for size in (1, 26):
        with pytest.raises(UnknownKernelError):
            choose_kernel("lanes", size, 1000)
    with pytest.raises(UnknownKernelError):
        choose_kernel("lanes", 9, 1000, CUTOFF)
    with pytest.raises(UnknownKernelError):
        choose_kernel("quickest", 9, 1000)


def test_what_was_measured_decides_where_there_is_no_seed() -> None:
    kernels.store_times(9, LANES_WIN)
    kernels.store_times(19, LANES_LOSE)
    assert [kernel(size, MANY, seed=None) for size in (5, 9, 19)] == ["lanes", "lanes", "scalar"]
    assert kernel(9, FEWEST_FOR_LANES - 1, seed=None) == "scalar"
    assert "lanes 7.0" in choose_fastest(9).why


@pytest.mark.parametrize("size", [2, 3, 5, 7])
def test_a_small_board_has_no_kernel_compiled_for_a_usual_search(size: int) -> None:
    """Otherwise the first check on a machine would wait for a lane kernel of each size that it explores."""
    kernels.store_times(9, LANES_WIN)
    assert kernel(size, 1000, seed=None) == "scalar"
    assert kernel(size, MANY, seed=None) == "lanes"
    assert kernel(size, 1000, seed=1) == "lanes"  # a seed gives the same games on every machine
    kernels.store_times(size, LANES_WIN)
    assert kernel(size, 1000, seed=None) == "lanes"


def test_a_search_and_its_step_choose_the_same_kernel() -> None:
    kernels.store_times(9, LANES_WIN)
    assert [kernels_of(size, 1000, amaf=True, kernel=default_kernel(None)).name[:6] for size in (5, 9)] == [
        "scalar",
        "lanes-",
    ]


def test_with_a_seed_the_machine_does_not_matter() -> None:
    before = [kernel(size, seed=1) for size in range(2, 26)]
    kernels.store_times(9, LANES_LOSE)
    assert [kernel(size, seed=1) for size in range(2, 26)] == before


def test_the_nearest_measured_size_decides_for_the_others() -> None:
    kernels.store_times(9, LANES_WIN)
    kernels.store_times(19, LANES_LOSE)
    assert [kernel(size, seed=None) for size in (14, 15)] == ["lanes", "scalar"]


@pytest.mark.parametrize(
    ("features", "largest"),
    [
        ("flags : sse2 avx2", max(SIZES_IN_LANES)),
        ("+sse2,+avx2", max(SIZES_IN_LANES)),
        ("+sse2,-avx2", LARGEST_IN_NARROW_VECTORS),
        ("", LARGEST_IN_NARROW_VECTORS),
    ],
)
def test_the_width_of_vectors_decides_until_something_is_measured(
    features: str, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "processor_features", lambda: features)
    for size in range(2, 26):
        assert choose_fastest(size).kernel == ("lanes" if size <= largest else "scalar")
    assert "refbot warm" in choose_fastest(9).why


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "null",
        "[]",
        '{"9": 3}',
        '{"nine": {"lanes": 90.0, "scalar": 50.0}}',
        '{"9": {"lanes": 90.0}}',
        '{"9": {"lanes": 90.0, "scalar": "50"}}',
        '{"9": {"lanes": -1.0, "scalar": 50.0}}',
        '{"9": {"lanes": NaN, "scalar": 50.0}}',
        "\0\xff",
    ],
)
def test_a_damaged_file_counts_as_no_measurement_and_is_replaced(notes: Path, content: str) -> None:
    notes.mkdir()
    (notes / kernels.FILE).write_bytes(content.encode("latin-1"))
    assert kernels.load_speeds() == {}
    assert kernel(9, seed=None) == "lanes"
    kernels.store_times(9, LANES_LOSE)
    assert kernel(9, seed=None) == "scalar"
    assert json.loads((notes / kernels.FILE).read_text("utf-8")) == {"9": LANES_LOSE}
    assert [path.name for path in notes.iterdir()] == [kernels.FILE]


def test_another_process_that_measures_at_the_same_time_is_not_forgotten(notes: Path) -> None:
    assert kernels.load_speeds() == {}
    notes.mkdir()
    (notes / kernels.FILE).write_text(json.dumps({"13": LANES_WIN}), "utf-8")
    kernels.store_times(9, LANES_LOSE)
    assert set(kernels.load_speeds()) == {9, 13}


def test_a_folder_that_cannot_be_written_keeps_nothing(notes: Path) -> None:
    notes.write_text("")  # a file in place of the folder; permissions would not stop root
    kernels.store_times(9, LANES_LOSE)
    assert kernels.load_speeds() == {}
    assert kernel(9, seed=None) == "lanes"


CHOICE = "from refbot.compile.kernels import choose_fastest; print(choose_fastest(9).kernel)"
STORE = "from refbot.compile.kernels import store_times; store_times(9, {'lanes': 90.0, 'scalar': 50.0})"


def test_a_measurement_holds_for_its_processor_only(tmp_path: Path) -> None:
    def run(code: str, **environment: str) -> str:
        own = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path), **environment}
        return subprocess.run(
            [sys.executable, "-c", code], env=own, capture_output=True, text=True, check=True
        ).stdout.strip()

    run(STORE)
    assert run(CHOICE) == "scalar"
    assert run(CHOICE, NUMBA_CPU_NAME="generic") == "lanes"
    assert run(CHOICE, NUMBA_CPU_FEATURES="+avx2") == "lanes"
    assert run(CHOICE) == "scalar"


def test_a_size_is_measured_once() -> None:
    asked_for: list[int] = []

    def measured(size: int) -> kernels.Times:
        asked_for.append(size)
        return LANES_WIN

    measure_missing([9, 13, 26], measured)
    measure_missing([9, 19], measured)
    assert asked_for == [9, 13, 19]


def test_all_kernels_are_measured() -> None:
    times = bench.times_of_kernels(5, points=5 * 5 * FEWEST_FOR_LANES)
    assert set(times) == set(kernels.MEASURED)
    assert all(0.1 < time < 1e6 for time in times.values())


def test_bench_loads_the_kernel_of_each_number_of_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small board that was not measured, the first playouts have another kernel than the timed ones."""
    used: list[str] = []

    def play(position: Position, count: int, *, kernel: str, **_: object) -> PlayoutStats:
        chosen = choose_kernel("fastest" if kernel == "auto" else kernel, position.size, count).kernel
        used.append(chosen)
        seconds = count / 1e6 if chosen in used[:-1] else 9.0  # the first playouts of a kernel compile it
        return PlayoutStats(count, 40 * count, 0, 0, 0.0, 0.0, 0.0, 0, seconds, chosen)

    monkeypatch.setattr(bench, "playouts", play)
    speed = bench.measure(5, None, 1, clock_hz=1e9)
    assert speed.kernel == "lanes"
    assert speed.kpps == pytest.approx(1000)


def test_a_search_uses_the_measured_kernel_unless_it_has_a_seed() -> None:
    kernels.store_times(5, LANES_LOSE)
    for seed, expected in ((None, "scalar"), (1, "lanes")):
        assert Search(FEWEST_FOR_LANES, seed=seed).search(Game(5), BLACK).stats.kernel == expected
        assert playouts(Position.empty(5), FEWEST_FOR_LANES, seed=seed, amaf=True).kernel == expected
        for amaf in (False, True):
            chosen = kernels_of(5, FEWEST_FOR_LANES, amaf=amaf, kernel=default_kernel(seed))
            assert chosen.name.startswith(expected)
