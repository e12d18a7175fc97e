"""The commands as a user meets them: what they print, what they leave behind, how they end."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from harness.arena.config.examples import example_names
from harness.arena.config.reader import load_config
from harness.arena.folder.folder import open_run
from harness.arena.folder.lock import locked
from tests.command_line import conform
from tests.harness.arena.match_helpers import SIZE, Command, count, query
from tests.parameters import slow_but


def config(folder: Path, commands: dict[str, str], **run: object) -> Path:
    tables = "".join(f"[[engine]]\nname = '{n}'\ncommand = '''{c}'''\n" for n, c in commands.items())
    settings = {"size": SIZE, "games": 4, "workers": 1, **run}
    text = "".join(f"{key} = {value!r}\n" for key, value in settings.items())
    path = folder / "match.toml"
    path.write_text(f"[run]\n{text}{tables}")
    return path


def test_a_match_goes_on_from_what_is_stored_and_its_report_is_made_again(
    player: Command, tmp_path: Path
) -> None:
    engines = {"a": player(), "b": player(first=7)}
    first = conform("match", config(tmp_path, engines), "--out", tmp_path / "run")
    assert first.returncode == 3, first.stderr  # four games decide nothing
    assert first.stderr == ""
    assert "a - b" in first.stdout
    assert "undecided" in first.stdout
    longer = conform("match", config(tmp_path, engines, games=6), "--out", tmp_path / "run")
    assert longer.returncode == 3, longer.stderr
    games = (tmp_path / "run/games.csv").read_bytes()
    assert games.count(b"\n") == 7
    for file in (tmp_path / "run").glob("*.csv"):
        file.unlink()
    again = conform("report", tmp_path / "run")
    assert again.returncode == 3, again.stderr
    assert (tmp_path / "run/games.csv").read_bytes() == games
    assert conform("report", tmp_path / "run/run.db", "--format", "gogui-dat", "-q").returncode == 3
    assert (tmp_path / "run/gogui-001.dat").exists()


def test_each_event_is_a_line_while_the_match_runs(player: Command, tmp_path: Path) -> None:
    path, events = config(tmp_path, {"a": player(), "b": player(first=7)}), tmp_path / "events.jsonl"
    done = conform("match", path, "--out", tmp_path / "run", "--events", events, "-q")
    assert done.returncode == 3, done.stderr
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    names = [line["event"] for line in lines]
    assert (names[:2], names[-2:]) == (["stream-started", "match-started"], ["match-ended", "stream-ended"])
    assert names.count("game-ended") == 4
    again = conform("match", path, "--out", tmp_path / "run", "--events", "-")
    lines = [json.loads(line) for line in again.stdout.splitlines()]
    assert lines[1]["stored"] == lines[1]["games"] == 4
    assert "Standings" in again.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_events_that_cannot_be_written_end_no_match_and_are_one_line(player: Command, tmp_path: Path) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7)})
    done = conform("match", path, "--out", tmp_path / "run", "--events", "/dev/full", "-q")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("conform: cannot write /dev/full: ")
    assert len((tmp_path / "run/games.csv").read_text().splitlines()) == 5
    before = conform("match", path, "--out", tmp_path / "new", "--events", path / "events")
    assert (before.returncode, before.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / "new").exists()


def test_a_match_prints_what_it_will_take_and_where_its_report_is(player: Command, tmp_path: Path) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7), "c": player()})
    lines = conform("match", path, "--out", tmp_path / "run").stdout.splitlines()
    forecast = r"3 pairs of engines, 4 games each: 12 games to play, 1 at once, about \d+ (s|min|h)"
    assert re.fullmatch(forecast, lines[0])
    text = " ".join(" ".join(lines[1:3]).split())
    found = re.match(r"To show equal bots equal \(±3 %\), use --games (\d+) \(about ", text)
    assert found
    assert int(found[1]) > 1000
    assert lines[-1] == f"the report is in {tmp_path / 'run/report.html'}"
    assert (tmp_path / "run/report.html").is_file()
    again = conform("match", path, "--out", tmp_path / "run").stdout.splitlines()
    text = " ".join(" ".join(again).split())
    assert text.startswith(f"all 12 games of {tmp_path / 'run'} are stored, so none is played.")
    assert "another folder with --out" in text


def test_a_match_whose_pairs_are_all_left_out_says_so(player: Command, tmp_path: Path) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7)}, skip=[["a", "b"]])
    text = " ".join(conform("match", path, "--out", tmp_path / "run").stdout.split())
    assert text.startswith("every pair of engines is left out")
    assert "are stored" not in text


def test_the_time_of_a_match_is_unknown_if_an_engine_does_not_answer(player: Command, tmp_path: Path) -> None:
    path = config(tmp_path, {"a": player(), "b": "true"})
    first = conform("match", path, "--out", tmp_path / "run").stdout.splitlines()
    assert "time unknown: b did not answer name" in " ".join(first[:2])


def test_games_that_a_benched_engine_left_out_are_counted(player: Command, tmp_path: Path) -> None:
    engines = {"a": player(), "b": "sh -c 'exit 3'"}
    path = config(tmp_path, engines, games=8, bench_after=2)
    ended = conform("match", path, "--out", tmp_path / "run", "-q")
    text = " ".join(ended.stdout.split())
    left = 8 - count(tmp_path / "run")
    assert 0 < left <= 6
    assert f"{left} games not played, because b failed too often. Mend it and run the same command" in text
    assert ended.returncode == 1


def test_an_unfinished_run_of_another_config_is_named(player: Command, tmp_path: Path) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7)}, name="mine")
    old = tmp_path / "reports" / "mine-20200101-000000"
    with open_run(load_config(path), old):
        pass  # begun, and stopped before a game
    config(tmp_path, {"a": player(), "b": player(first=7)}, name="mine", komi=5.5)
    done = conform("match", path, cwd=tmp_path)
    text = " ".join(done.stdout.split())
    assert f"{old.relative_to(tmp_path)} is unfinished, but its config differs" in text
    assert "[run] komi: 7.5 became 5.5" in text
    assert f"add --out {old.relative_to(tmp_path)}" in text
    assert len(list((tmp_path / "reports").iterdir())) == 2
    assert "is unfinished" not in conform("match", path, "--new", cwd=tmp_path).stdout


def test_a_failure_ends_with_1_and_is_in_its_folder(player: Command, tmp_path: Path) -> None:
    engines = {"a": player(), "bad": player(fail="exit", move=3)}
    ended = conform("match", config(tmp_path, engines, games=2), "--out", tmp_path / "run")
    assert ended.returncode == 1, ended.stderr
    assert "bad failed: 2 × crash" in ended.stdout
    bundles = sorted((tmp_path / "run/failures").iterdir())
    assert [bundle.name for bundle in bundles] == ["p001-g00001", "p001-g00002"]
    assert "exit code 3" in (bundles[0] / "failure.txt").read_text()
    assert "out of ideas" in (bundles[0] / "stderr.txt").read_text()


def test_a_start_with_a_limit_ends_as_its_verdicts_say(player: Command, tmp_path: Path) -> None:
    run = tmp_path / "run"
    path = config(tmp_path, {"a": player(), "b": player(first=7)}, games=0)
    for limit in (["--max-games", "2"], ["--for", "1"], ["--max-games", "2"]):
        ended = conform("match", path, "--out", run, *limit)
        assert ended.returncode == 3, ended.stdout + ended.stderr
        assert "to continue, run the same command" in ended.stdout
        assert "without an end" in ended.stdout
    assert count(run) >= 4


def test_the_last_line_names_the_command_that_continues(player: Command, tmp_path: Path) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7)}, games=6)
    begun = conform("match", path, "--new", "--max-games", "2", cwd=tmp_path)
    (run,) = re.findall("run the same command with --out ([^ \n]+)", begun.stdout)
    assert count(tmp_path / run) == 2
    later = conform("match", path, "--max-games", "2", cwd=tmp_path)
    assert f"run the same command again (or with --out {run})" in later.stdout
    assert count(tmp_path / run) == 4
    assert conform("match", path, "--out", run, cwd=tmp_path).returncode == 3
    assert count(tmp_path / run) == 6


def test_equal_bots_end_with_0(hostile: Command, tmp_path: Path) -> None:
    # Both always pass, so that with colours exchanged the other one wins: each pair of games is even.
    path = config(tmp_path, {"a": hostile(), "b": hostile()}, games=100, margin=0.4)
    openings = "openings = { kind = 'random', moves = 6 }\n"  # or every game would repeat the first
    path.write_text(path.read_text().replace("[run]\n", f"[run]\n{openings}"))
    ended = conform("match", path, "--out", tmp_path / "run", "-q")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "equal, proved within" in ended.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["match"], "give either a config file, or --engine NAME=COMMAND at least twice"),
        (["match", "none.toml"], "none.toml: cannot be read: no such file or directory"),
        (["match", "--engine", "a=x"], "--engine: [[engine]]: at least two engines are needed, not 1"),
        (["match", "--engine", "./bot"], "--engine expects NAME=COMMAND, not './bot'"),
        (
            ["match", "--engine", "a=cat", "--engine", "b=./no"],
            "engine 'b': cannot start './no': no such program",
        ),
        (
            ["report", "nowhere"],
            "nowhere: no run is stored there (run.db is missing); give the folder of a run",
        ),
        (["report", "nowhere", "--format", "cvs"], "unknown format 'cvs'; known: csv, gogui-dat, html"),
    ],
)
def test_a_mistake_is_one_line_and_ends_with_2(words: list[str], complaint: str, tmp_path: Path) -> None:
    ended = conform(*words, cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"conform: {complaint}")
    assert ended.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_stores_that_cannot_be_used_end_with_2_and_stay_as_they_are(player: Command, tmp_path: Path) -> None:
    path = config(tmp_path, {"a": player(), "b": player()})
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.db").write_bytes(b"something else entirely" * 1000)
    before = (run / "run.db").read_bytes()
    ended = conform("match", path, "--out", run)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "is not a database of conform" in ended.stderr
    assert (run / "run.db").read_bytes() == before
    (run / "run.db").unlink()
    with locked(run):
        ended = conform("match", path, "--out", run)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "another conform uses this folder" in ended.stderr
    ended = conform("match", path, "--out", path / "run")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "match.toml/run: cannot be written: not a directory" in ended.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte."""
    folder = tmp_path / "run"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=512k", "conform-test", str(folder)]
    if sys.platform != "linux" or subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("no right to mount")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_disk_that_fills_up_costs_nothing_that_is_stored(
    player: Command, tmp_path: Path, small_disk: Path
) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7)}, games=2000)
    ended = conform("match", path, "--out", small_disk, "-q")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert "run.db: " in ended.stderr
    assert "disk" in ended.stderr
    assert count(small_disk) > 0
    assert query(small_disk, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.slow
def test_a_report_for_which_there_is_no_room_names_its_file(
    player: Command, tmp_path: Path, small_disk: Path
) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7)})
    assert conform("match", path, "--out", tmp_path / "stored", "-q").returncode == 3
    with suppress(OSError), (small_disk / "filler").open("wb", buffering=0) as filler:
        while filler.write(bytes(4096)):
            pass
    ended = conform("report", tmp_path / "stored", "--out", small_disk)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert ended.stderr == f"conform: {small_disk}/games.csv: no space left on device\n"
    assert [file.name for file in small_disk.iterdir()] == ["filler"]


def test_a_folder_that_cannot_be_written_is_reported_but_can_be_reported(
    player: Command, tmp_path: Path, small_disk: Path
) -> None:
    path = config(tmp_path, {"a": player(), "b": player(first=7)})
    assert conform("match", path, "--out", small_disk, "-q").returncode == 3
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    refused = conform("match", path, "--out", small_disk)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "cannot be written: read-only file system" in refused.stderr
    into_itself = conform("report", small_disk)
    assert (into_itself.returncode, into_itself.stderr.count("\n")) == (2, 1)
    assert "read-only file system" in into_itself.stderr
    elsewhere = conform("report", small_disk, "--out", tmp_path / "elsewhere")
    assert elsewhere.returncode == 3, elsewhere.stderr
    assert (tmp_path / "elsewhere/games.csv").read_bytes() == (small_disk / "games.csv").read_bytes()


def test_init_writes_configs_and_leaves_what_is_there(tmp_path: Path) -> None:
    assert conform("init", tmp_path / "new").returncode == 0
    written = sorted(str(file.relative_to(tmp_path / "new")) for file in (tmp_path / "new").rglob("*.toml"))
    assert written == sorted(example_names())
    assert {"gauntlet.toml", "nightly.toml", "quick.toml", "seeds/cutoff-9x9.toml"} < set(written)
    assert load_config(tmp_path / "new/seeds/cutoff-9x9.toml").run.name == "cutoff-9x9"
    (tmp_path / "new/quick.toml").write_text("mine")
    assert "was left unchanged" in conform("init", tmp_path / "new").stdout
    assert (tmp_path / "new/quick.toml").read_text() == "mine"
    assert conform("init", tmp_path / "new", "--force").returncode == 0
    assert (tmp_path / "new/quick.toml").read_text() != "mine"


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", slow_but((), ["clock", "gauntlet", "quick", "nightly"]))
def test_the_configs_that_come_with_the_package_run(name: str, tmp_path: Path) -> None:
    conform("init", tmp_path)
    path = tmp_path / f"{name}.toml"
    text = path.read_text()
    # The limits leave time to compile kernels on a busy machine.
    for key, value in (("playouts", 2), ("timeout", 3000)):
        text = re.sub(rf"^{key} = \d+", f"{key} = {value}", text, flags=re.MULTILINE)
    text = re.sub(r"^startup = .*\n", "", text, flags=re.MULTILINE)
    path.write_text(text.replace("[[engine]]\n", "[[engine]]\nstartup = 3000\n"))
    ended = conform(
        "match", path, "--games", "2", "--size", "5", "--workers", "1", "--out", tmp_path / "run", "-q"
    )
    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert ended.stderr == ""
    assert (tmp_path / "run/games.csv").exists()
