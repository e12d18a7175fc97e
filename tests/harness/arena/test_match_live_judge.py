"""Judging while a run is played: each call reads only the new games, and the last one agrees with `judge`."""

import csv
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.arena.config.tables import MatchConfig
from harness.arena.judge.judge import judge
from harness.arena.judge.live import LiveJudge, NewGames
from harness.arena.pairings import pairings
from harness.arena.records import Ending, Failure, Game, GameRecord, Introduction, Played, Scoring, Search
from harness.arena.run.events import MatchJudged, MatchStarted
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.files.match_run import write_run
from harness.report.files.run_folder import RunFolder
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import record

NAMES, GAMES = "abc", 20


def drawn(game: Game, rng: random.Random, program: str | None = None) -> GameRecord:
    """A game with one of a few results and move sequences, so that some repeat each other."""
    winner = rng.choice(["b", "w", None, "crash"])
    ending, failure = Ending("score", {"b": "B+1.5", "w": "W+1.5", None: "0"}.get(winner, ""), None), None
    if winner == "crash":
        ending = Ending("crash", "W+F", "w", "b", "gone")
        failure = Failure(game.black, "x", "ended", "printf", "", "", b"")
    elif winner is not None:
        ending = Ending("score", f"{winner.upper()}+1.5", winner)  # type: ignore[arg-type]
    moves = tuple(Played("bw"[at % 2], rng.choice(["A1", "B2", "C3"])) for at in range(2))  # type: ignore[arg-type]
    return record(
        game,
        board=(9, 7.5),
        moves=moves,
        searches=(Search(1, "b", moves[0].vertex, 111_000 + rng.randrange(300), 0.5, 0.1),),
        ending=ending,
        failure=failure,
        programs=(program, program),
        scoring=None if failure else Scoring("area", "B+2.5", ending.result, rng.choice(["B+1.5", None])),
    )


@pytest.fixture
def config(make_config: MakeConfig) -> MatchConfig:
    return make_config(dict.fromkeys(NAMES, "x"), games=GAMES, size=9, komi=7.5)


@pytest.fixture
def store(tmp_path: Path, config: MatchConfig) -> Store:
    store = Store.create(tmp_path / "run")
    store.set_config(config, "now")
    for name in NAMES:
        store.introduce(Introduction(name, name, "1", 1000))
    return store


def shuffled(rng: random.Random) -> list[Game]:
    games = [p.game(number) for p in pairings(list(NAMES), "round-robin") for number in range(1, GAMES + 1)]
    rng.shuffle(games)
    return games


def compared(verdicts: MatchVerdicts) -> dict[str, object]:
    """The verdicts. Sums of floats depend on their order in the last digits."""
    values = dict(vars(verdicts))
    del values["ratings"]  # the standings have them
    values["playouts"] = [(row.bot, row.searches, row.playouts, row.verdict) for row in verdicts.playouts]
    values["standings"] = [approximate(vars(row)) for row in verdicts.standings]
    values["parity"] = [approximate(vars(row)) for row in verdicts.parity]
    values["crosstable"] = {key: approximate(vars(met)) for key, met in verdicts.crosstable.items()}
    return values


def approximate(values: dict[str, object]) -> dict[str, object]:
    return {
        name: pytest.approx(value, abs=1e-6) if isinstance(value, float) else value
        for name, value in values.items()
    }


@pytest.mark.parametrize("seed", range(5))
def test_the_last_look_agrees_with_judging_all_games(store: Store, config: MatchConfig, seed: int) -> None:
    rng = random.Random(seed)
    live = LiveJudge(store, config)
    read: list[str] = []
    for game in shuffled(rng):
        store.add(drawn(game, rng))
        if rng.random() < 0.2:
            read += live.judge_new().ids
            live.verdicts()
    read += live.judge_new().ids
    assert sorted(read) == sorted(game.game_id for game in store.games())
    assert len(set(read)) == len(read)
    assert compared(live.verdicts()) == compared(judge(store, config))
    assert live.judge_new().ids == ()


def test_a_game_waits_for_the_earlier_games_of_its_pair(store: Store, config: MatchConfig) -> None:
    pair, rng = pairings(list(NAMES), "round-robin")[0], random.Random(1)
    live = LiveJudge(store, config)
    store.add(drawn(pair.game(2), rng))
    assert live.judge_new().ids == ()
    store.add(drawn(pair.game(1), rng))
    assert live.judge_new().ids == (pair.game(1).id, pair.game(2).id)


def test_games_of_an_earlier_program_are_set_apart_as_by_judging_all(
    store: Store, config: MatchConfig
) -> None:
    rng = random.Random(1)
    live = LiveJudge(store, config)
    for number, game in enumerate(shuffled(rng)):
        store.add(drawn(game, rng, program=f"{number // 25}"))
        if number % 7 == 0:
            live.judge_new()
    new = live.judge_new()
    assert new.complete is False
    assert compared(live.verdicts()) == compared(judge(store, config))
    assert live.verdicts().apart


class CountingStore(Store):
    """A store that counts the rows that it returns."""

    rows = 0

    def each(
        self, query: str, make: Callable[[Any], Any], parameters: tuple[object, ...] = ()
    ) -> Iterator[Any]:
        for row in super().each(query, make, parameters):
            self.rows += 1
            yield row

    def first(self, query: str, parameters: tuple[object, ...] = ()) -> Any:
        self.rows += 1
        return super().first(query, parameters)


class SteppingStore(Store):
    """A store that counts the steps of SQLite."""

    steps = 0

    def count_steps(self) -> None:
        def count() -> int:
            self.steps += 1
            return 0

        self._db.set_progress_handler(count, 1)


def test_an_update_takes_as_many_steps_in_a_long_run(store: Store, config: MatchConfig) -> None:
    rng = random.Random(4)
    stepping = SteppingStore.open(store.path.parent)
    live, games, found = LiveJudge(stepping, config), shuffled(rng), []
    stepping.count_steps()
    for begin in range(0, len(games), 10):
        for each in games[begin : begin + 10]:
            scored = drawn(each, random.Random(2))  # the same ending for each
            store.add(scored)
        stepping.steps = 0
        live.judge_new()
        live.verdicts()
        found.append(stepping.steps)
    assert max(found) <= 1.1 * found[0], found


def test_an_update_reads_and_writes_new_games_only(store: Store, config: MatchConfig, tmp_path: Path) -> None:
    rng, folder = random.Random(3), tmp_path / "out"
    counting = CountingStore.open(store.path.parent)
    assert isinstance(counting, CountingStore)
    live, files = LiveJudge(counting, config), run_folder(counting, config, folder)
    games = shuffled(rng)
    store.add(drawn(games[0], rng))
    assert update(live, files).complete
    written = len(live_rows(folder))
    for begin in range(1, len(games), 7):
        for each in games[begin : begin + 7]:
            store.add(drawn(each, rng))
        counting.rows = 0
        new = update(live, files)
        stored = 2 * 7  # results and first searches
        assert counting.rows <= stored + 12 + 2 * len(new.ids) + 5 * len(new.failed)  # 12: engines, counts
        written += len(new.ids)
        assert len(live_rows(folder)) == written
    assert written == len(games)
    rows = live_rows(folder)
    write_run(store, judge(store, config), folder, ["csv"])
    assert sorted(rows) == sorted(live_rows(folder))


def test_a_table_that_is_removed_is_written_again(store: Store, config: MatchConfig, tmp_path: Path) -> None:
    rng, folder = random.Random(3), tmp_path / "out"
    games = shuffled(rng)
    live, files = LiveJudge(store, config), run_folder(store, config, folder)
    for game in games[:-10]:
        store.add(drawn(game, rng))
        update(live, files)
    (folder / "games.csv").unlink()
    for game in games[-10:]:
        store.add(drawn(game, rng))
    update(live, files)
    assert not (folder / "games.csv").exists()
    update(live, files)
    assert len(live_rows(folder)) == len(games)


def test_games_judged_while_the_folder_was_elsewhere_are_written_later(
    store: Store, config: MatchConfig, tmp_path: Path
) -> None:
    rng, folder, place = random.Random(3), tmp_path / "out", store.path.parent
    games = shuffled(rng)
    live, files = LiveJudge(store, config), run_folder(store, config, folder)
    for index, game in enumerate(games):
        if index == 10:
            place.rename(tmp_path / "elsewhere")
        if index == len(games) - 5:
            (tmp_path / "elsewhere").rename(place)
        store.add(drawn(game, rng))
        update(live, files)
    assert len(live_rows(folder)) == len(games)


def run_folder(store: Store, config: MatchConfig, folder: Path) -> RunFolder:
    """The handler that keeps the files in `folder`, at the start of a match."""
    files = RunFolder()
    folder.mkdir()
    files.handle(MatchStarted(folder, config, len(NAMES) * GAMES, 0, store))
    return files


def update(live: LiveJudge, files: RunFolder) -> NewGames:
    """Judge the new games, as a match does."""
    new = live.judge_new()
    files.handle(MatchJudged(live.verdicts(), new))
    return new


def live_rows(folder: Path) -> list[list[str]]:
    with (folder / "games.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert all(len(row) == len(header) for row in rows)
    return rows
