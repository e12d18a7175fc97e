"""The files of a run: what other people's programs read."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console
from sgfmill.sgf import Sgf_game

from harness.arena.config.tables import REPORT_FORMATS
from harness.arena.judge.duplicates import LEAST_MOVES
from harness.arena.judge.judge import judge
from harness.arena.pairings import Pairing
from harness.arena.records import Ending, Failure, Played, Search
from harness.arena.run.events import ProgressMade
from harness.arena.store.store import Store
from harness.go import read_sgf
from harness.gtp import format_vertex
from harness.report.files.csv_columns import FILES
from harness.report.files.match_run import write_run
from harness.report.text.match_console import live_view, show_verdicts
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import record

PRODUCT = {
    "games.csv": "game_id, pair, game, black, white, size, komi, opening, result, winner, reason, offender, "
    "moves, black_seconds, white_seconds, black_nodes, white_nodes, started, finished, duplicate_of, sgf, "
    "seconds",
    "searches.csv": "game_id, move, color, bot, vertex, nodes, score, seconds, reference_playouts, "
    "reference_length, reference_length_sd, reference_score, reference_score_sd, reference_covariance",
    "standings.csv": "rank, bot, games, points, score, elo, elo_low, elo_high, voids, crashes, timeouts, "
    "illegal",
    "parity.csv": "bot_a, bot_b, games, score_a, low, high, margin, proved_margin, verdict",
    "playouts.csv": "bot, searches, playouts, nodes_per_playout, reference, deviation, low, high, verdict, "
    "phase, margin, spread, score_searches, score, score_reference, score_deviation, score_low, score_high, "
    "score_margin, score_spread, score_verdict, choices, choice_rank, choice_verdict",
    "audit.csv": "bot, phase, game_id, move, color, vertex, statistic, playouts, expected, observed, "
    "standard_errors, reference_playouts, reproduce",
    "diagnosis.csv": "bot, differs, fault, probability, clause, misconception",
}
EVIL = "=cmd|' /C calc'!A0"
MARKUP = "<script>alert(1)</script>[bold]]\\"
MOVES = (
    Played("b", "A1"),
    Played("w", "T19"),
    *(
        Played("w" if row % 2 else "b", f"E{row}") for row in range(2, LEAST_MOVES)
    ),  # a repetition counts as such
    Played("b", "pass"),
    Played("w", "pass"),
)


SAMPLE = Path(__file__).parents[3] / "reports" / "sample"


@pytest.fixture
def run(tmp_path: Path, make_config: MakeConfig) -> Iterator[Store]:
    """Three games of two bots with hostile names; the second repeats the first, the third is void."""
    pair = Pairing(1, EVIL, MARKUP)
    searches = (Search(1, "b", "A1", 111, 0.25, 0.5), Search(2, "w", "T19", None, None, 0.125))
    failure = Failure(EVIL, "./evil", "ended", "printf …", "said\n", "heard\n", b"\x1b[2J oops")
    with Store.create(tmp_path / "run") as store:
        store.set_config(make_config({EVIL: "x", MARKUP: "y"}, size=19, games=4), "now")
        store.add(record(pair.game(1), board=(19, 6.5), moves=MOVES, searches=searches, duration=1.25))
        store.add(record(pair.game(3), board=(19, 6.5), moves=MOVES, searches=searches))
        crash = Ending("crash", "B+F", "b", "w", "genmove w: gone")
        store.add(record(pair.game(4), board=(19, 6.5), moves=(), searches=(), ending=crash, failure=failure))
        yield store


def written(store: Store, folder: Path, *formats: str) -> Path:
    config = store.config()
    assert config is not None
    write_run(store, judge(store, config), folder, formats)
    return folder


def test_the_columns_are_those_that_were_promised(run: Store, tmp_path: Path) -> None:
    folder = written(run, tmp_path / "out", "csv")
    for name, columns in PRODUCT.items():
        with (folder / name).open(newline="", encoding="utf-8") as file:
            promised = columns.split(", ")  # a new version may add others at the end
            assert next(csv.reader(file))[: len(promised)] == promised
    assert [file.name for file in FILES] == list(PRODUCT)


def test_games_csv_has_a_row_a_game_by_player(run: Store, tmp_path: Path) -> None:
    table = pd.read_csv(written(run, tmp_path / "out", "csv") / "games.csv", keep_default_na=False, dtype=str)
    first, second, void = table.to_dict("records")
    assert (first["game_id"], first["game"], first["winner"]) == ("p001-g00001", "1", f"'{EVIL}")
    assert (first["pair"], first["black"], first["white"]) == (f"'{EVIL} - {MARKUP}", f"'{EVIL}", MARKUP)
    assert (first["black_nodes"], first["white_nodes"]) == ("111", "")
    assert (first["black_seconds"], first["moves"], first["duplicate_of"]) == ("0.5", str(len(MOVES)), "")
    assert (first["seconds"], second["seconds"]) == ("1.25", "")
    assert second["duplicate_of"] == "p001-g00001"
    assert (void["reason"], void["offender"], void["result"]) == ("crash", f"'{EVIL}", "B+F")
    assert void["sgf"] == "sgf/void/p001-g00004.sgf"


def test_searches_csv_has_a_row_a_genmove(run: Store, tmp_path: Path) -> None:
    table = pd.read_csv(written(run, tmp_path / "out", "csv") / "searches.csv")
    assert len(table) == 4
    assert table["bot"].tolist() == [f"'{EVIL}", MARKUP] * 2
    assert table["color"].tolist() == ["b", "w"] * 2
    assert table["nodes"].fillna(-1).tolist() == [111, -1, 111, -1]


def test_no_cell_of_any_table_is_a_formula(run: Store, tmp_path: Path) -> None:
    folder = written(run, tmp_path / "out", "csv")
    for name in PRODUCT:
        with (folder / name).open(newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                for cell in row:
                    assert cell[:1] not in tuple("=+@\t\r") or not cell
                    assert not cell.startswith("-") or re.fullmatch(r"-[\d.e-]+|-inf", cell)


def test_each_game_is_an_sgf_that_a_library_reads(run: Store, tmp_path: Path) -> None:
    folder = written(run, tmp_path / "out", "sgf")
    assert sorted(str(file.relative_to(folder)) for file in folder.rglob("sgf/**/*.sgf")) == [
        "sgf/p001-g00001.sgf",
        "sgf/p001-g00003.sgf",
        "sgf/void/p001-g00004.sgf",
    ]
    data = (folder / "sgf/p001-g00001.sgf").read_bytes()
    game = Sgf_game.from_bytes(data)
    assert (game.get_size(), game.get_komi()) == (19, 6.5)
    assert (game.get_player_name("b"), game.get_player_name("w")) == (EVIL, MARKUP)
    assert game.get_root().get("RE") == "B+73.5"
    assert [Played(m.colour, format_vertex(m.point)) for m in read_sgf(data).moves] == list(MOVES)
    for name in (
        "FF[4]",
        "PB[",
        "PW[",
        "SZ[19]",
        "KM[6.5]",
        "RE[",
        "RU[Chinese]",
        "RO[",
        "DT[2026-01-01]",
        "AP[conform:",
    ):
        assert name in data.decode()
    assert "C[nodes 111 score 0.25 seconds 0.500]" in data.decode()
    void = Sgf_game.from_bytes((folder / "sgf/void/p001-g00004.sgf").read_bytes())
    assert void.get_root().get("RE") == "B+F"


def test_a_failed_game_has_a_folder_with_all_that_is_known(run: Store, tmp_path: Path) -> None:
    bundle = written(run, tmp_path / "out") / "failures/p001-g00004"
    texts = {file.name: file.read_text() for file in bundle.iterdir()}
    assert set(texts) == {"failure.txt", "transcript.txt", "opponent.txt", "stderr.txt", "game.sgf"}
    assert "genmove w: gone" in texts["failure.txt"]
    assert "by hand   printf …" in texts["failure.txt"]
    assert texts["stderr.txt"] == "\\x1b[2J oops"


def test_gogui_tables_are_by_program_and_not_by_colour(run: Store, tmp_path: Path) -> None:
    folder = written(run, tmp_path / "out", "gogui-dat")
    lines = (folder / "gogui-001.dat").read_text().splitlines()
    header, *rows = [line for line in lines if not line.startswith("# ") and line != "#"]
    assert header.split("\t")[:7] == ["#GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN"]
    assert [row.split("\t")[:7] for row in rows] == [
        ["0", "?", "?", "B+73.5", "0", "-", str(len(MOVES))],
        ["2", "?", "?", "B+73.5", "0", "0", str(len(MOVES))],
        ["3", "?", "?", "?", "1", "-", "0"],
    ]
    assert rows[2].split("\t")[-2:] == ["1", "genmove w: gone"]


def test_files_are_made_again_to_the_byte(run: Store, tmp_path: Path) -> None:
    one, two = (written(run, tmp_path / name, *REPORT_FORMATS) for name in ("one", "two"))
    files = [file.relative_to(one) for file in one.rglob("*") if file.is_file()]
    assert len(files) >= 7 + 3 + 1 + 2 + 5 + 1
    for file in files:
        assert (one / file).read_bytes() == (two / file).read_bytes()


@pytest.mark.parametrize("terminal", [False, True])
def test_hostile_names_do_nothing_on_a_terminal(run: Store, terminal: bool) -> None:
    config = run.config()
    assert config is not None
    console = Console(force_terminal=terminal, width=200, record=True)
    verdicts = judge(run, config)
    progress = ProgressMade(total=4, done=3, benched={MARKUP: "failed"})
    with console.capture() as capture:
        show_verdicts(console, verdicts)
        console.print(live_view(verdicts, progress))
    text = capture.get()
    assert MARKUP in re.sub("\x1b\\[[0-9;]*m", "", text)
    assert terminal or "\x1b" not in text
    assert f"{MARKUP} failed: 1 × crash" not in text
    assert f"{EVIL} failed: 1 × crash" in re.sub("\x1b\\[[0-9;]*m", "", text)


def test_the_json_says_what_the_tables_say(run: Store, tmp_path: Path) -> None:
    data = json.loads((written(run, tmp_path / "out", "json") / "report.json").read_text())
    assert (data["format"], data["games"], data["sound"], data["decided"]) == (
        "conform-match/1",
        3,
        False,
        False,
    )
    by_name = {bot["bot"]: bot for bot in data["bots"]}
    assert by_name[EVIL]["failures"] == {"crash": 1}
    assert by_name[MARKUP]["failures"] == {}
    assert by_name[EVIL]["command"] == "x"
    assert set(PRODUCT["standings.csv"].split(", ")) <= set(by_name[EVIL])
    (pair,) = data["pairs"]
    assert set(PRODUCT["parity.csv"].split(", ")) <= set(pair)
    assert (pair["verdict"], data["duplicates"], data["run"]["size"]) == ("undecided", 1, 19)


def test_the_junit_report_fails_where_the_exit_code_does(run: Store, tmp_path: Path) -> None:
    suite = ET.parse(written(run, tmp_path / "out", "junit") / "junit.xml").getroot()[0]
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }
    kinds = {(case.get("classname"), case.get("name")): [child.tag for child in case] for case in suite}
    assert kinds == {
        ("conform.match.parity", f"{EVIL} - {MARKUP}"): ["skipped"],
        ("conform.match.conduct", EVIL): ["failure"],
        ("conform.match.conduct", MARKUP): [],
    }


def test_no_name_is_cut_on_a_terminal_of_80_columns() -> None:
    with Store.open(SAMPLE, read_only=True) as store:
        config = store.config()
        assert config is not None
        verdicts = judge(store, config)
    console = Console(width=80, record=True)
    show_verdicts(console, verdicts)
    assert not re.search("[a-z]…", console.export_text())
