"""Record files as openings: which games are used, what is listed of the others, what engines get."""

import os
import re
import tracemalloc
from pathlib import Path

import pytest
from sgfmill.sgf import Sgf_game

from harness.arena.config.opening import Opening, OpeningError
from harness.arena.config.openings import OpeningBook
from harness.arena.config.reader import ConfigError
from harness.arena.judge.judge import judge
from harness.arena.pairings import Pairing
from harness.arena.records import Setup
from harness.arena.store.store import Store
from harness.report.files.match_run import write_run
from tests.command_line import conform
from tests.harness.arena.match_helpers import SIZE, MakeConfig, engine_command, play_run, query
from tests.harness.arena.stored_runs import record

PASSING = engine_command("instant.py")
GOOD = f"(;SZ[{SIZE}];B[aa];W[bb])"


def book(make_config: MakeConfig, *files: object, **options: object) -> OpeningBook:
    openings = {"kind": "sgf", "files": [str(file) for file in files], **options}
    return OpeningBook(make_config(size=SIZE, openings=openings).run)


def openings(read: OpeningBook) -> list[Opening]:
    """All openings of a book, which repeat after the last one."""
    found = [read.opening(0)]
    while (following := read.opening(len(found))) != found[0]:
        found.append(following)
    return found


def line(opening: Opening) -> str:
    return " ".join(f"{move.colour}{move.vertex}" for move in opening.moves)


def test_all_games_of_all_files_below_a_folder_are_openings(make_config: MakeConfig, tmp_path: Path) -> None:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    (tmp_path / "b" / "deep" / "x.SGF").write_text(f"(;SZ[{SIZE}];B[cc])")
    (tmp_path / "a.Sgf").write_text(f"(;SZ[{SIZE}];B[aa])(;SZ[{SIZE}];B[bb])")
    (tmp_path / "notes.txt").write_text("no game")
    read = book(make_config, tmp_path)
    names = [(opening.name, line(opening)) for opening in openings(read)]
    assert names == [("a.Sgf#1", "bA5"), ("a.Sgf#2", "bB4"), ("b/deep/x.SGF", "bC3")]
    assert read.skipped == ()


def test_a_pattern_may_match_folders_and_files(make_config: MakeConfig, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "x.sgf").write_text(GOOD)
    (tmp_path / "two.game").write_text(GOOD)  # a file that is named needs no ending
    read = book(make_config, tmp_path / "*")
    assert [read.opening(number).name for number in range(3)] == ["x.sgf", "two.game", "x.sgf"]


@pytest.mark.parametrize(
    ("text", "moves", "to_move", "setup"),
    [
        ("AB[aa]AW[ee];W[bb]", "bA5 wE1 wB4", "b", Setup(2, None)),
        ("HA[2];AB[aa][bb];W[cc]", "bA5 bB4 wC3", "b", Setup(2, 2)),
        ("HA[2]AB[aa][bb]", "bA5 bB4", "w", Setup(2, 2)),
        ("AB[aa][bb]PL[B]", "bA5 bB4", "b", Setup(2, None)),
        ("AB[aa][bb]PL[W]", "bA5 bB4", "w", Setup(2, None)),
        ("PL[W]", "", "w", None),
        (";B[aa];B[bb]", "bA5 bB4", "w", None),
        (";B[aa];W[];B[]", "bA5", "w", None),  # passes at the end could end the game
        (";B[aa];W[]", "bA5", "w", None),
        ("AB[aa];W[];B[]", "bA5", "w", Setup(1, None)),
    ],
)
def test_set_up_and_side_to_move(
    make_config: MakeConfig, tmp_path: Path, text: str, moves: str, to_move: str, setup: Setup | None
) -> None:
    path = tmp_path / "x.sgf"
    path.write_text(f"(;SZ[{SIZE}]{text})")
    opening = book(make_config, path).opening(0)
    assert sorted(line(opening).split()) == sorted(moves.split())
    assert (opening.to_move, opening.setup) == (to_move, setup)


def test_the_number_of_moves_leaves_set_up_stones_out_and_names_the_next_side(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    path = tmp_path / "x.sgf"
    path.write_text(f"(;SZ[{SIZE}]AB[aa];W[bb];W[cc];AB[ee])")
    opening = book(make_config, path, moves=1).opening(0)
    assert (line(opening), opening.to_move) == ("bA5 wB4", "w")


BAD = {
    "1.sgf": ("(;SZ[9];B[aa])", "the board is 9x9"),
    "2.sgf": ("", "empty"),
    "3.sgf": (
        f"(;SZ[{SIZE}];B[aa];W[aa])",
        "move 2, W A5, is illegal (occupied); set `moves` of the openings to 1 or less",
    ),
    "4.sgf": (f"(;SZ[{SIZE}]AB[ab][ba]AW[aa])", "no liberty"),
    "5.sgf": (f"(;SZ[{SIZE}];B[zz])", "B[zz]"),
    "6.sgf": (f"(;SZ[{SIZE}]" + ";B[];W[]" * 40 + ";B[aa])", "ends after 75"),
}


def test_what_cannot_be_used_is_skipped_with_its_reason(make_config: MakeConfig, tmp_path: Path) -> None:
    for name, (text, _) in BAD.items():
        (tmp_path / name).write_text(text)
    os.mkfifo(tmp_path / "7.sgf")
    (tmp_path / "8.sgf").write_text(GOOD + "(;SZ[7])")
    (tmp_path / "9.sgf").symlink_to("nowhere")
    read = book(make_config, tmp_path)
    assert [opening.name for opening in openings(read)] == ["8.sgf#1"]
    reasons = {name: words for name, (_, words) in BAD.items()}
    reasons |= {"7.sgf": "no regular file", "8.sgf#2": "the board is 7x7", "9.sgf": "no such file"}
    for skipped, (name, words) in zip(read.skipped, reasons.items(), strict=True):
        assert skipped.startswith(f"{name}: ")
        assert words in skipped
    with pytest.raises(OpeningError, match="strict") as caught:
        book(make_config, tmp_path, strict=True)
    assert str(caught.value).splitlines()[1:] == list(read.skipped)


def test_games_with_one_reason_share_a_line_and_lines_are_limited(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    for number in range(50):
        (tmp_path / f"{number:02}.sgf").write_text("(;SZ[9])")
        (tmp_path / f"x{number:02}.sgf").write_text("\n" * number + f"(;SZ[{SIZE}];B[zz])")
    (tmp_path / "z.sgf").write_text(GOOD)
    skipped = book(make_config, tmp_path).skipped
    assert skipped[0].startswith("00.sgf, 01.sgf, 02.sgf and 47 more: ")
    assert len(skipped) == 21
    assert "games: 31" in skipped[-1]


def test_no_usable_game_is_an_error_with_the_reasons(make_config: MakeConfig, tmp_path: Path) -> None:
    for name, (text, _) in BAD.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(OpeningError) as caught:
        book(make_config, tmp_path)
    for _, words in BAD.values():
        assert words in str(caught.value)
    (tmp_path / "none").mkdir()
    with pytest.raises(OpeningError, match="no SGF file"):
        book(make_config, tmp_path / "none")


def write_match(folder: Path, engines: dict[str, str], files: str, *, more: str = "") -> Path:
    tables = "".join(
        f"[[engine]]\nname = '{name}'\ncommand = '''{text}'''\n" for name, text in engines.items()
    )
    path = folder / "match.toml"
    run = f"size = {SIZE}\ngames = 2\nworkers = 1\nkomi = 0.5\n"
    path.write_text(f"[run]\n{run}openings = {{ kind = 'sgf', files = ['{files}']{more} }}\n{tables}")
    return path


def test_engines_get_the_position_and_the_records_keep_it(tmp_path: Path) -> None:
    opening = tmp_path / "opening.sgf"
    opening.write_text(f"(;SZ[{SIZE}]HA[2];AB[aa][bb]AW[ee];W[cc];B[dd];PL[B])")
    log = tmp_path / "log.txt"
    engine = engine_command("instant.py")
    logged = f'sh -c "tee -a {log} | {engine}"'
    path = write_match(tmp_path, {"a": logged, "b": engine}, str(opening))
    ended = conform("match", path, "--out", tmp_path / "run")
    assert ended.returncode == 3, ended.stderr
    begun = log.read_text().split("clear_board")
    beginnings = [re.findall(r"(?:play|genmove) .*", game) for game in begun]  # also of a trial of its speed
    of_games = [lines for lines in beginnings if {"play b A5", "play b B4", "play w E1"} == set(lines[:3])]
    assert len(of_games) == 2
    assert all(lines[3:5] == ["play w C3", "play b D2"] for lines in of_games)
    # PL: Black moves again. The engine is Black in one game, and White in the other.
    assert sorted(lines[5] for lines in of_games) == ["genmove b", "play b pass"]
    for file in (tmp_path / "run" / "sgf").iterdir():
        game = Sgf_game.from_bytes(file.read_bytes())
        black, white, _ = game.get_root().get_setup_stones()
        assert (black, white) == ({(4, 0), (3, 1)}, {(0, 4)})
        assert game.get_handicap() == 2
        assert game.get_root().get("PL") == "w"
        moves = [node.get_move() for node in game.get_main_sequence()[1:]]
        assert moves == [("w", (2, 2)), ("b", (1, 3)), ("b", None), ("w", None)]
    assert query(tmp_path / "run", "SELECT stones, handicap FROM game_setup") == [(3, 2)] * 2
    assert conform("verify", tmp_path / "run").returncode == 0


def test_a_record_that_a_match_writes_is_an_opening_again(make_config: MakeConfig, tmp_path: Path) -> None:
    game = Pairing(1, "a", "b").game(1)
    with Store.create(tmp_path / "run") as store:
        config = make_config({"a": "x", "b": "y"}, size=9)
        store.set_config(config, "now")
        store.add(record(game, opening_moves=1, setup=Setup(1, None), searches=()))
        write_run(store, judge(store, config), tmp_path / "out", ("sgf",))
    (file,) = (tmp_path / "out").rglob("*.sgf")
    read = OpeningBook(make_config(size=9, openings={"kind": "sgf", "files": [str(file)]}).run).opening(0)
    assert (line(read), read.to_move, read.setup) == ("bE5", "w", Setup(1, None))


def test_a_match_lists_what_it_skips_and_ends_if_nothing_is_left(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "good.sgf").write_text(GOOD)
    (files / "big.sgf").write_text("(;SZ[9])")
    engine = engine_command("instant.py")
    path = write_match(tmp_path, {"a": engine, "b": engine}, str(files))
    ended = conform("match", path, "--out", tmp_path / "run")
    assert ended.returncode == 3, ended.stderr
    assert " ".join(ended.stdout.split()).count("big.sgf: the board is 9x9") == 1
    path = write_match(tmp_path, {"a": engine, "b": engine}, str(files), more=", strict = true")
    strict = conform("match", path, "--out", tmp_path / "strict")
    assert strict.returncode == 2
    assert "big.sgf: the board is 9x9" in strict.stderr
    assert not (tmp_path / "strict").exists()
    (files / "good.sgf").unlink()
    path = write_match(tmp_path, {"a": engine, "b": engine}, str(files))
    nothing = conform("match", path, "--out", tmp_path / "nothing")
    assert nothing.returncode == 2
    assert "no opening can be used" in nothing.stderr
    assert "Traceback" not in nothing.stderr


def test_order_random_uses_every_game_once_before_any_again(make_config: MakeConfig, tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.sgf").write_text(GOOD)
    read = book(make_config, tmp_path, order="random")
    names = [read.opening(number).name for number in range(60)]
    rounds = [names[start : start + 20] for start in (0, 20, 40)]
    assert all(sorted(used) == sorted({*names}) for used in rounds)
    assert len({tuple(used) for used in rounds}) == 3
    again = book(make_config, tmp_path, order="random")
    assert [again.opening(number).name for number in reversed(range(60))] == names[::-1]
    openings = {"kind": "sgf", "files": [str(tmp_path)], "order": "random"}
    other = OpeningBook(make_config(size=SIZE, openings=openings, seed=9).run)
    assert [other.opening(number).name for number in range(20)] != rounds[0]


def test_plies_is_another_name_of_moves(make_config: MakeConfig, tmp_path: Path) -> None:
    (tmp_path / "x.sgf").write_text(GOOD)
    assert line(book(make_config, tmp_path, plies=1).opening(0)) == "bA5"
    with pytest.raises(ConfigError, match="plies: unknown key"):
        book(make_config, tmp_path, plies=1, moves=2)


def test_the_komi_of_a_record_is_used_where_it_has_one(make_config: MakeConfig, tmp_path: Path) -> None:
    for name, komi in (("1", "KM[6,5]"), ("2", "KM[a lot]"), ("3", ""), ("4", "KM[-3]")):
        (tmp_path / f"{name}.sgf").write_text(f"(;SZ[{SIZE}]{komi};B[aa])")
    of_files, of_run = book(make_config, tmp_path, komi="file"), book(make_config, tmp_path)
    assert [of_files.opening(number).komi for number in range(4)] == [6.5, None, None, -3.0]
    assert [of_run.opening(number).komi for number in range(4)] == [None] * 4
    openings = {"kind": "sgf", "files": [str(tmp_path)], "komi": "file"}
    run = tmp_path / "run"
    play_run(make_config({"a": PASSING, "b": PASSING}, games=8, komi=0.5, openings=openings), run)
    # Black has the whole board of 25 points.
    assert query(run, "SELECT komi, result FROM game WHERE number % 2 ORDER BY number") == [
        (6.5, "B+18.5"), (0.5, "B+24.5"), (0.5, "B+24.5"), (-3.0, "B+28"),
    ]  # fmt: skip
    assert conform("verify", run).returncode == 0
    for file, wanted in zip(sorted((run / "sgf").iterdir())[::2], (6.5, 0.5, 0.5, -3.0), strict=True):
        assert Sgf_game.from_bytes(file.read_bytes()).get_komi() == wanted


def test_many_games_that_cannot_be_used_take_little_memory(make_config: MakeConfig, tmp_path: Path) -> None:
    """Each game has a reason of its own, as the reason names the game."""
    file = tmp_path / "x.sgf"
    file.write_text("(;SZ[5];B[zz])" * 4_000 + GOOD)
    tracemalloc.start()
    try:
        read = book(make_config, file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * file.stat().st_size + (1 << 17)
    assert read.opening(0).name == "x.sgf#4001"
    assert read.skipped[-1] == "other reasons are not listed here (games: 3,980)"
