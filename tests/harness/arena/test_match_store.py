import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from harness.arena.pairings import Pairing
from harness.arena.records import Ending, Failure, Game, Introduction, Played, Search
from harness.arena.run.coordinator import Coordinator
from harness.arena.run.events import GameEnded
from harness.arena.run.stop import Stop
from harness.arena.store.checksums import damages
from harness.arena.store.errors import DamagedStoreError, StoreError, UnsoundPartError
from harness.arena.store.game_rows import GameRows
from harness.arena.store.recognition import SCHEMA_VERSION
from harness.arena.store.store import Store
from tests.harness.arena.match_helpers import MakeConfig, all_games, query
from tests.harness.arena.stored_runs import record


@pytest.fixture
def store(tmp_path: Path, make_config: MakeConfig) -> Iterator[Store]:
    with Store.create(tmp_path / "run") as store:
        store.set_config(make_config(), "now")
        yield store


def test_a_game_is_stored_once_with_its_searches(store: Store) -> None:
    assert store.add(record())
    assert not store.add(record(moves=()))
    (game,) = store.games()
    assert (game.moves, game.move_count, game.winner, game.void) == ("bE5 wpass bpass", 3, "a", False)
    assert (game.black_nodes, game.white_nodes, game.black_seconds) == (111, None, 0.5)
    assert store.game(game.game_id) == game
    assert (
        list(store.searches())
        == store.searches_of_game(game.game_id)
        == [
            ("p001-g00001", 1, "b", "a", "E5", 111, 0.4, 0.5),
            ("p001-g00001", 2, "w", "b", "pass", None, None, 0.25),
        ]
    )
    assert store.seconds_per_move() == {"a": 0.5, "b": 0.25}
    assert store.played() == [(1, 1)]
    with pytest.raises(KeyError):
        store.game("p001-g00002")


def test_rows_from_another_machine_cannot_replace_a_stored_game(store: Store) -> None:
    store.add(record())
    other = GameRows.of(record(Game("p001-g00002", 1, 2, "b", "a", 0)))
    with pytest.raises(UnsoundPartError):
        store.add_all([other._replace(game_id="p001-g00001")], check=True)
    assert store.played() == [(1, 1)]
    assert store.game("p001-g00001").black == "a"


def test_games_come_in_schedule_order_and_by_pair(store: Store) -> None:
    pairs = [Pairing(1, "a", "b"), Pairing(2, "a", "c")]
    games = all_games(pairs, 4)
    for game in reversed(games):
        store.add(record(game))
    assert [game.game_id for game in store.games()] == [game.id for game in games]
    assert [game.game_id for game in store.last_games(3)] == [game.id for game in games[:-4:-1]]
    assert [result.game_id for result in store.results()] == [game.id for game in games]
    assert [game.number for game in store.games_of_pair(2)] == [1, 2, 3, 4]
    assert {result.moves_hash for result in store.results()} == {next(store.results()).moves_hash}


def test_first_searches_are_those_after_the_opening_that_reported_their_nodes(store: Store) -> None:
    opening = (Played("b", "A1"), Played("w", "B1"))
    moves = (*opening, Played("b", "C1"), Played("w", "D1"))
    searches = (Search(3, "b", "C1", 300, None, 1.0), Search(4, "w", "D1", 400, None, 1.0))
    silent = (Search(3, "b", "C1", None, None, 1.0), Search(4, "w", "D1", 400, None, 1.0))
    first, second, third, fourth = all_games([Pairing(1, "a", "b")], 4)
    store.add(record(first, moves=moves, opening_moves=2, searches=searches))
    store.add(record(second, moves=moves, opening_moves=2, searches=silent))
    store.add(record(third))
    store.add(record(fourth, searches=()))
    assert list(store.first_searches()) == [
        ("a", first.id, ("bA1", "wB1"), 300),
        ("a", third.id, (), 111),
    ]
    assert list(store.first_searches(empty_board=True)) == [("a", third.id, (), 111)]


def test_events_come_in_the_order_in_which_they_happened(store: Store) -> None:
    for kind in ("start", "stop", "start", "complete"):
        store.note(kind, f"a {kind}", "now")
    assert [event.kind for event in store.events()] == ["start", "stop", "start", "complete"]
    assert store.events()[0] == ("now", "start", "a start")


REALS = (0.0, -0.0, 1, 1.5, 1e-9, 1e15, 1 / 3, -7)


@pytest.mark.parametrize("score", [*REALS, None])
@pytest.mark.parametrize("nodes", [None, 0, 10**15])
def test_the_checksum_made_ahead_is_that_of_what_the_store_returns(
    store: Store, score: float | None, nodes: int | None
) -> None:
    searches = [Search(number, "b", "A1", nodes, score, seconds) for number, seconds in enumerate(REALS, 1)]
    failure = Failure("a", "./a", "ended", "printf '\0'", 'said "é" \'\\', "", b"\xff\0")
    store.add(
        record(
            board=(9, 7),
            moves=(Played("b", "A1"),) * len(searches),
            searches=tuple(searches),
            ending=Ending("crash", "W+F", "w", "b", "it's"),
            failure=failure,
            programs=("0a", None),
            duration=3.0,
        )
    )
    assert list(damages(store._db)) == []


def test_a_failure_is_stored_with_its_game(store: Store) -> None:
    failure = Failure("a", "./a", "ended", "printf", "said", "heard", b"\xff")
    store.add(record(ending=Ending("crash", "W+F", "w", "b", "x"), failure=failure))
    (stored,) = store.failures()
    assert (stored.offender, stored.reason, stored.detail, stored.stderr) == ("a", "crash", "x", b"\xff")
    assert (stored.transcript, stored.other_transcript, stored.reproduce) == ("said", "heard", "printf")
    (game,) = store.games()
    assert (game.offender, game.winner, game.void) == ("a", "b", True)


def test_several_processes_write_and_their_log_stays_short(store: Store) -> None:
    log = store.path.with_name("run.db-wal")
    with Store.open_in_worker(store.path.parent) as one, Store.open_in_worker(store.path.parent) as two:
        for number in range(1, 7):
            writer, repeater = (one, two) if number % 2 else (two, one)
            assert writer.add(record(Game(f"g{number}", 1, number, "a", "b", 0)))
            assert not repeater.add(record(Game(f"g{number}", 1, number, "a", "b", 0)))
        with Store.open(store.path.parent, read_only=True) as reader:
            games = reader.games()  # which keeps the log from being cut, until it has been read
            assert next(games).number == 1
            store.checkpoint(long_log=1)
            assert one.add(record(Game("g7", 1, 7, "a", "b", 0)))
            assert [game.number for game in games] == [2, 3, 4, 5, 6]
        assert log.stat().st_size > 0
        store.checkpoint(long_log=1)
        assert log.stat().st_size == 0
        assert two.add(record(Game("g8", 1, 8, "a", "b", 0)))
    assert store.played() == [(1, number) for number in range(1, 9)]
    assert list(damages(store._db)) == []


@pytest.mark.parametrize("most", [3, 4])
def test_pairs_of_games_keep_to_the_number_of_games_of_a_start(
    store: Store, make_config: MakeConfig, most: int
) -> None:
    coordinator = Coordinator(make_config(games=8), store, Stop(max_games=most))
    given: list[Game] = []
    while games := coordinator.next_pair():
        given += games
    assert len(given) == most
    assert f"all its games ({most})" in coordinator.stop.limit


def test_a_lost_game_is_given_out_again_unless_it_is_stored(store: Store, make_config: MakeConfig) -> None:
    coordinator = Coordinator(make_config(games=4), store, None)
    first, second = coordinator.next_game(), coordinator.next_game()
    assert first is not None
    assert second is not None
    with Store.open_in_worker(store.path.parent) as worker:
        worker.add(record(first))
    coordinator.on_game_lost(first)
    coordinator.on_game_lost(second)
    ended = [event.summary for event in coordinator.take_events() if isinstance(event, GameEnded)]
    assert [summary.game for summary in ended] == [first]
    assert ended[0].searches == len(record().searches)
    assert coordinator.next_game() == second
    third = coordinator.next_game()
    assert third is not None
    assert third.number == 3


def test_half_a_game_is_never_stored(store: Store) -> None:
    twice = (Search(1, "b", "E5", 1, 1, 1), Search(1, "b", "E5", 1, 1, 1))  # breaks a key, after the game row
    with pytest.raises(sqlite3.IntegrityError):
        store.add(record(searches=twice))
    assert list(store.games()) == []
    assert store.add(record())


def test_a_config_comes_back_and_engines_keep_their_order(store: Store, make_config: MakeConfig) -> None:
    assert store.config() == make_config()
    store.set_config(make_config({"c": "x", "b": "y", "a": "z"}), "later")
    assert store.engine_names() == ["a", "b", "c"]
    store.introduce(Introduction("b", "B-bot", "1.0", 500))
    assert store.engines()[:2] == [("a", None, None, None), ("b", "B-bot", "1.0", 500)]


# --- databases that are not ours, or not well ---------------------------------------------------------------


def in_one_line(error: pytest.ExceptionInfo[StoreError], *words: str) -> bool:
    text = str(error.value)
    return "\n" not in text and all(word in text for word in words)


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "run.db") as db:
        db.execute("CREATE TABLE addresses (name)")
    db.close()
    before = (tmp_path / "run.db").read_bytes()
    for attempt in (Store.open, Store.create):
        with pytest.raises(StoreError) as error:
            attempt(tmp_path)
        assert in_one_line(error, "run.db", "another program")
    assert (tmp_path / "run.db").read_bytes() == before


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run.db").write_bytes(b"not a database at all, but long enough to look at" * 100)
    before = (tmp_path / "run.db").read_bytes()
    with pytest.raises(StoreError) as error:
        Store.create(tmp_path)
    assert in_one_line(error, "not a database of conform, or is damaged")
    assert (tmp_path / "run.db").read_bytes() == before


def filled(folder: Path, make_config: MakeConfig, games: int = 200) -> Path:
    with Store.create(folder) as store:
        store.set_config(make_config(), "now")
        for number in range(1, games + 1):
            store.add(record(Game(f"g{number}", 1, number, "a", "b", 0)))
    return folder / "run.db"


def test_a_damaged_database_is_recognised_and_left_alone(tmp_path: Path, make_config: MakeConfig) -> None:
    path = filled(tmp_path, make_config)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 8192] = bytes(8192)
    path.write_bytes(data)
    with pytest.raises(StoreError) as error:
        Store.open(tmp_path)
    assert in_one_line(error, "run.db", "damaged")
    assert path.read_bytes() == data


def test_an_empty_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "run.db").touch()
    with pytest.raises(StoreError) as error:
        Store.open(tmp_path)
    assert in_one_line(error, "run.db", "is empty; remove it, or choose another folder")
    assert (tmp_path / "run.db").stat().st_size == 0


def test_a_cut_database_is_recognised(tmp_path: Path, make_config: MakeConfig) -> None:
    path = filled(tmp_path, make_config)
    path.write_bytes(path.read_bytes()[: 4096 * 3 + 100])
    with pytest.raises(StoreError) as error:
        Store.open(tmp_path)
    assert in_one_line(error, "run.db", "damaged")


@pytest.mark.parametrize(
    ("version", "age"), [(SCHEMA_VERSION + 1, "a newer"), (SCHEMA_VERSION - 1, "an older")]
)
def test_another_schema_is_refused_and_not_converted(
    tmp_path: Path, make_config: MakeConfig, version: int, age: str
) -> None:
    path = filled(tmp_path, make_config, games=1)
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {version}")
    db.close()
    with pytest.raises(StoreError) as error:
        Store.open(tmp_path)
    assert in_one_line(error, f"{age} version of conform", f"schema {version}", "another folder")


@contextmanager
def limited(store: Store, pragma: str) -> Iterator[Store]:
    """The same store by a connection with a limit that a test can reach."""
    db = sqlite3.connect(store.path, isolation_level=None)
    db.execute(pragma)
    with Store(store.path, db) as other:
        yield other


def test_a_locked_database_is_reported_and_keeps_what_it_has(store: Store) -> None:
    store.add(record())
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with limited(store, "PRAGMA busy_timeout = 10") as hasty, pytest.raises(StoreError) as error:
        hasty.add(record(Game("p001-g00002", 1, 2, "b", "a", 0)))
    assert in_one_line(error, "run.db", "locked by another program")
    other.execute("ROLLBACK")
    other.close()
    assert store.add(record(Game("p001-g00002", 1, 2, "b", "a", 0)))


def test_a_full_disk_is_reported_and_what_is_stored_is_safe(store: Store) -> None:
    games = [record(Game(f"g{number}", 1, number, "a", "b", 0)) for number in range(1, 1000)]
    with limited(store, "PRAGMA max_page_count = 14") as full, pytest.raises(StoreError) as error:
        list(map(full.add, games))
    assert in_one_line(error, "run.db", "the disk is full", "safe")
    before = len(store.played())
    assert before > 0
    assert query(store.path.parent, "PRAGMA integrity_check") == [("ok",)]
    assert [store.add(game) for game in games] == [False] * before + [True] * (999 - before)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as error:
        Store.create(tmp_path / "file" / "run")
    assert in_one_line(error, "the folder cannot be created")


def test_no_run_in_a_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        Store.open(tmp_path)
    assert in_one_line(error, "no run is stored there")


def test_a_store_opened_to_read_cannot_be_written(tmp_path: Path, make_config: MakeConfig) -> None:
    filled(tmp_path, make_config, games=1)
    with Store.open(tmp_path, read_only=True) as store, pytest.raises(StoreError) as error:
        store.note("x", "y", "z")
    assert in_one_line(error, "cannot be written")


def test_a_run_of_a_version_without_durations_is_read_and_continued(
    tmp_path: Path, make_config: MakeConfig
) -> None:
    with Store.create(tmp_path) as store:
        store.set_config(make_config(), "now")
        store.add(record())
    with closing(sqlite3.connect(tmp_path / "run.db")) as db, db:
        db.execute("DROP TABLE game_time")
    with Store.open(tmp_path, read_only=True) as store:
        assert [game.seconds for game in store.games()] == [None]
    with Store.open(tmp_path) as store:
        store.add(record(Pairing(1, "a", "b").game(2), duration=2.5))
    with Store.open(tmp_path, read_only=True) as store:
        assert [game.seconds for game in store.games()] == [None, 2.5]


def test_a_changed_duration_is_damage(tmp_path: Path, make_config: MakeConfig) -> None:
    with Store.create(tmp_path) as store:
        store.set_config(make_config(), "now")
        store.add(record(duration=2.5))
    with closing(sqlite3.connect(tmp_path / "run.db")) as db, db:
        db.execute("UPDATE game_time SET seconds = 1.0")
    with pytest.raises(DamagedStoreError):
        Store.open(tmp_path)
