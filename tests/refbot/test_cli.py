"""The command line of refbot: options, output formats, and messages for a user's mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from refbot.cli import app as commands
from refbot.deviations.faults import FAULTS
from refbot.deviations.habits import HABITS
from refbot.gtp import Settings, start
from refbot.measure.warm import SIZES, usual_kernels

LIMIT = 120  # seconds before a test gives up; nothing is judged by it


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the command in this process."""
    with pytest.raises(SystemExit) as ended:
        commands.app(list(arguments))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_help_names_every_command_and_loads_nothing_heavy() -> None:
    program = (
        "import sys; from refbot.cli.app import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "assert not {'numba', 'numpy', 'rich', 'sgfmill'} & set(sys.modules), sorted(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, timeout=LIMIT, capture_output=True)
    for name in ("gtp", "playouts", "bench", "faults", "habits", "warm"):
        assert f"\n  {name} " in done.stdout.decode()


def test_faults_as_json_is_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "faults", "--json")
    assert code == 0
    listed = json.loads(out)
    assert {entry["name"]: entry["misconception"] for entry in listed} == {
        fault.name: fault.misconception for fault in FAULTS.values()
    }
    facts = {
        "extension",
        "board",
        "readable",
        "nodes_per_search",
        "counts_earlier_searches",
        "playout_counted",
        "searches_per_seed",
        "in_kernel",
    }
    fields = {"name", "clause", "misconception", "imitates", "where"} | facts
    assert all(set(entry) == fields for entry in listed)


def test_habits_as_json_is_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "habits", "--json")
    assert code == 0
    assert {entry["name"]: entry["habit"] for entry in json.loads(out)} == {
        habit.name: habit.habit for habit in HABITS.values()
    }


def test_faults_for_a_reader_has_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "faults")
    names = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    assert sorted(names) == sorted(FAULTS)


def test_an_unknown_fault_gets_one_line_with_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "gtp", "--fault", "id-droped")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "'id-droped'" in err
    assert "'id-dropped'" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["gtp", "--size", "1"],
        ["gtp", "--size", "26"],
        ["gtp", "--playouts", "0"],
        ["gtp", "--playouts", "many"],
        ["gtp", "--komi", "x"],
        ["gtp", "--komi", "nan"],
        ["gtp", "--threads", "0"],
        ["gtp", "--policy", "randm"],
        ["gtp", "--mercy", "-1"],
        ["gtp", "--early-score", "nan"],
        ["gtp", "--cutoff", "0"],
        ["gtp", "--dynamic-komi", "serches"],
        ["gtp", "--dynamic-komi", "searches:0"],
        ["gtp", "--dynamic-komi", "searches,slope"],
        ["gtp", "--dynamic-komi", "searches,slope=inf"],
        ["gtp", "--dynamic-komi", "handicap:2"],
        ["playouts", "--policy", "randm"],
        ["bench", "--policy", "randm"],
        ["playouts", "-n", "0"],
        ["playouts", "--komi", "inf"],
        ["playouts", "--move", "3"],
        ["playouts", "--game", "3"],
        ["playouts", "--sgf", "/dev/zero"],
        ["playouts", "--sgf", "/nonexistent.sgf"],
        ["bench", "--size", "26"],
        ["bench", "9", "1"],
        ["frobnicate"],
    ],
)
def test_a_wrong_option_is_a_usage_error_without_a_traceback(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "usual"),
    [
        ([], True),
        (["--playouts", "10", "--seed", "0", "--size", "13", "--komi", "-0.5", "--threads", "2"], True),
        (["--seed", "1", "--seed", "12345678901"], True),
        (["--fault", "id-dropped", "--habit", "slow-start", "--fault", "ko-none"], True),
        (["--extensions", "--seed", "1", "--extensions"], True),
        (["--playouts=10"], False),
        (["--komi", "1e1"], False),
        (["--policy", "escape"], False),
        (["--mercy", "9"], False),
        (["--cap-from-root"], False),
        (["--dynamic-komi", "handicap"], False),
    ],
)
def test_usual_options_mean_the_same_without_the_application(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], usual: bool
) -> None:
    """`usual_settings` returns None for options that it does not know or that are wrong."""
    served: list[Settings] = []
    monkeypatch.setattr(start, "serve", served.append)
    commands.app(["gtp", *arguments], standalone_mode=False)
    assert start.usual_settings(arguments) == (served[0] if usual else None)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--size", "1"],
        ["--size", "26"],
        ["--playouts", "0"],
        ["--threads", "-1"],
        ["--komi", "nan"],
        ["--fault", "id-droped"],
        ["--seed"],
        ["--help"],
        ["9"],
        ["--fault", "--extensions", "id-dropped"],
        ["--seed", "--extensions"],
    ],
)
def test_what_has_to_be_explained_is_left_to_the_application(arguments: list[str]) -> None:
    assert start.usual_settings(arguments) is None


def test_an_engine_with_usual_options_loads_no_typer() -> None:
    program = (
        "import os, sys; from refbot import cli\n"
        "os._exit = lambda code: print({'typer', 'numba', 'numpy'} & set(sys.modules)) or sys.exit(code)\n"
        "sys.argv = ['refbot', 'gtp', '--playouts', '100', '--seed', '1']\n"
        "cli.main()\n"
    )
    kernels_stored = [sys.executable, "-m", "refbot.cli", "gtp", "--playouts", "100", "--seed", "1"]
    subprocess.run(kernels_stored, input=b"quit\n", check=True, timeout=LIMIT, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-c", program], input=b"quit\n", check=True, timeout=LIMIT, capture_output=True
    )
    assert done.stdout.decode() == "= \n\nset()\n"


def test_playouts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "playouts", "--size", "5", "--komi", "0.5", "-n", "64", "--seed", "1", "--json"
    )
    assert code == 0
    summary = json.loads(out)
    assert list(summary) == [
        "size", "komi", "policy", "kernel", "threads", "playouts", "moves_per_playout", "sd", "longest",
        "black_wins", "kinds", "seconds",
    ]  # fmt: skip
    assert (summary["size"], summary["komi"], summary["playouts"]) == (5, 0.5, 64)
    assert 2 <= summary["moves_per_playout"] <= summary["longest"] <= 3 * 25
    assert 0 <= summary["black_wins"] <= 1


def test_playouts_repeat_with_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    def without_time() -> dict[str, object]:
        _, out, _ = run(capsys, "playouts", "--size", "5", "-n", "50", "--seed", "7", "--json")
        return {name: value for name, value in json.loads(out).items() if name != "seconds"}

    assert without_time() == without_time()


def test_playouts_from_a_record_start_at_the_chosen_move(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # On 2x2: after Black's three stones White's only move is B2; asked for before move 3 it is not over.
    record = tmp_path / "game.sgf"
    record.write_text("(;SZ[3]KM[2.5];B[aa];W[cc];B[])")
    for options, komi in (((), 2.5), (("--komi", "-1"), -1.0), (("--move", "2"), 2.5)):
        _, out, _ = run(capsys, "playouts", "--sgf", str(record), "-n", "10", "--json", *options)
        summary = json.loads(out)
        assert (summary["size"], summary["komi"]) == (3, komi)


@pytest.mark.parametrize(("player", "first"), [("W", "A1"), ("B", "pass")])
def test_the_side_that_the_record_names_moves_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, player: str, first: str
) -> None:
    # A1 is Black's only liberty: Black keeps the eye and passes, White captures all.
    record = tmp_path / "one-eye.sgf"
    record.write_text(f"(;SZ[3]AB[aa:ca][ab:cb][bc:cc]PL[{player}])")
    _, out, _ = run(capsys, "playouts", "--sgf", str(record), "--show", "1")
    assert out.split()[0] == first


def test_a_game_of_a_collection_is_chosen_by_its_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "games.sgf"
    record.write_text("(;SZ[3]KM[1.5])(;SZ[99])(;SZ[4]KM[2.5];B[aa]")
    for options, size, komi in (((), 3, 1.5), (("--game", "3"), 4, 2.5)):
        _, out, err = run(capsys, "playouts", "--sgf", str(record), "-n", "10", "--json", *options)
        summary = json.loads(out)
        assert (summary["size"], summary["komi"]) == (size, komi)
    assert "closes" in err


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        (b"(;SZ[9];B[aa]\n;W[jj])", (), "game 1, line 2: move 2: W[jj]"),
        (b"(;SZ[9];B[aa];W[aa])", (), "move 2, W A9, is illegal (occupied)"),
        (b"(;SZ[9]AB[ab][ba]AW[aa])", (), "no liberty"),
        (b"(;SZ[9])", ("--game", "2"), "the file has 1 game"),
        (b"(;SZ[30])", (), "size must be 2 to 25"),
        (b"", (), "empty"),
    ],
)
def test_a_record_that_cannot_be_used_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, options: tuple[str, ...], words: str
) -> None:
    record = tmp_path / "bad.sgf"
    record.write_bytes(content)
    code, out, err = run(capsys, "playouts", "--sgf", str(record), "-n", "10", *options)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert str(record) in err
    assert words in err


def test_playouts_for_a_reader(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "playouts", "--size", "3", "-n", "10")
    assert code == 0
    assert "moves per playout" in out


def test_playouts_move_by_move(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Both sides can only pass, and Black owns all nine points."""
    record = tmp_path / "eyes.sgf"
    record.write_text("(;SZ[3]KM[2.5];B[ab];B[aa];B[bc];B[bb];B[ba];B[cc];B[cb];W[])")
    code, out, _ = run(capsys, "playouts", "--sgf", str(record), "--show", "2")
    assert code == 0
    assert out == "pass pass  (2 moves, 1 for Black)\n" * 2


def test_playouts_move_by_move_have_the_whole_cap_with_cap_from_root(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "passes.sgf"
    record.write_text(f"(;SZ[3]{';B[];W[]' * 14})")  # 28 moves: the cap is 27
    shown = ("playouts", "--sgf", str(record), "--show", "1")
    assert "(1 moves, " in run(capsys, *shown)[1]
    assert "(1 moves, " not in run(capsys, *shown, "--cap-from-root")[1]


@pytest.mark.parametrize(
    "options", [["-n", "5"], ["--threads", "1"], ["--device", "cpu"], ["--records", "r.csv"], ["--json"]]
)
def test_an_option_that_has_no_effect_beside_show_is_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "playouts", "--size", "3", "--show", "1", *options)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert f"{options[0]} has no effect beside --show" in err
    assert not list(tmp_path.iterdir())


def test_records_of_playouts_belong_to_the_statistics(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "records.csv"
    _, out, _ = run(capsys, "playouts", "--size", "5", "-n", "100", "--records", str(file), "--json")
    summary = json.loads(out)
    head, *rows = file.read_text().splitlines()
    assert head == "length,black_result"
    lengths, results = zip(*(map(float, row.split(",")) for row in rows), strict=True)
    assert len(rows) == 100
    assert sum(lengths) / 100 == pytest.approx(summary["moves_per_playout"])
    assert max(lengths) == summary["longest"]
    assert sum(results) / 100 == pytest.approx(summary["black_wins"])


def test_records_that_cannot_be_written_are_a_usage_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, _, err = run(capsys, "playouts", "--size", "2", "-n", "1", "--records", str(tmp_path))
    assert code == 2
    assert "cannot write" in err


def test_bench_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "bench", "--size", "3", "5", "-n", "40", "--json")
    assert code == 0
    speeds = json.loads(out)
    assert [speed["size"] for speed in speeds] == [3, 5]
    for speed in speeds:
        assert list(speed) == [
            "size", "policy", "kernel", "threads", "playouts", "seconds", "kpps", "ns_per_move",
            "cycles_per_move", "moves_per_playout", "sd", "black_wins",
        ]  # fmt: skip
        assert speed["kpps"] == pytest.approx(speed["playouts"] / speed["seconds"] / 1000)
        moves = speed["moves_per_playout"] * speed["playouts"]
        assert speed["ns_per_move"] == pytest.approx(speed["seconds"] * 1e9 / moves)


def test_bench_for_a_reader_has_a_line_a_size_and_the_choice_of_kernel(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "bench", "3", "-n", "40", "--no-functions")
    head, line, choice = out.splitlines()
    assert len(head) == len(line)
    assert line.split()[0] == "3"
    assert choice.startswith("random playouts on 3x3: ")
    assert choice.endswith(")")


def test_warm_compiles_one_size_alone_if_asked() -> None:
    every, small = ([kernels.name for kernels in usual_kernels(sizes)] for sizes in (SIZES, (9,)))
    assert small == [name for name in every if "13x13" not in name and "19x19" not in name]
    assert len(small) < len(every)


def test_warm_covers_the_sizes_of_bench() -> None:
    assert list(SIZES) == commands.BENCH_SIZES
