"""history.csv: what stands in it, when a bot is said to have changed, and that it can be made again."""

import csv
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scipy.stats import binom

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.history import COLUMNS, LONGEST, read_history
from harness.arena.folder.scheduled_run import ScheduledRun, begin_run, discard_run, end_run, scheduled_runs
from harness.arena.judge.judge import judge
from harness.arena.pairings import Pairing
from harness.arena.records import Ending, Failure, GameRecord, Introduction, Played, Search
from harness.arena.store.store import Store
from harness.arena.verdicts import (
    ALL_PHASES,
    DIFFERENT,
    EQUAL,
    FAILED,
    PASSED,
    STRONGER,
    UNDECIDED,
    WEAKER,
    PlayoutStatistics,
)
from harness.files import UnsafeFileError
from harness.schedule import rebuild_history
from harness.schedule.change import find_change, nodes_shift
from harness.schedule.history import add_to_history, complete_history
from harness.schedule.run_keeper import summary
from harness.schedule.run_summary import summarise_run

EVIL = "=cmd|' /C calc'!A0"
PLAYOUTS = 100
PAIR = Pairing(1, "a", EVIL)


def config(**run: object) -> MatchConfig:
    engines = [{"name": name, "command": "x", "playouts": PLAYOUTS} for name in ("a", EVIL)]
    return check_config({"run": {"size": 9, "komi": 7.5, "games": 200, **run}, "engine": engines}, "test")


def game(number: int, nodes: int, winner: str = "b") -> GameRecord:
    """Both search once; the first search of the game is on the empty board."""
    searches = (Search(1, "b", "pass", nodes, 0.5, 0.25), Search(2, "w", "pass", nodes, 0.5, 0.75))
    moves = (Played("b", "pass"), Played("w", "pass"))
    ending = Ending("score", f"{winner.upper()}+1", winner)  # type: ignore[arg-type]
    return GameRecord(PAIR.game(number), (9, 7.5), "none", 0, moves, searches, ending, "t", "t")


def crash(number: int) -> GameRecord:
    ending = Ending("crash", "B+F", "b", "w", "gone")
    failure = Failure(PAIR.game(number).white, "x", "ended", "", "", "", b"")
    return GameRecord(PAIR.game(number), (9, 7.5), "none", 0, (), (), ending, "t", "t", failure)


class Runs:
    """Finished runs in a folder, an hour apart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = datetime(2026, 1, 5, tzinfo=UTC)
        self.messages: list[str] = []

    def add(self, *games: GameRecord, version: str = "1", **changes: object) -> ScheduledRun:
        self.now += timedelta(hours=1)
        run = begin_run(self.folder, self.now, None)
        with Store.create(run.folder) as store:
            store.set_config(config(**changes), "now")
            for name in ("a", EVIL):
                store.introduce(Introduction(name, "Bot", version, PLAYOUTS))
            for played in games:
                store.add(played)
        finished = [other for other in scheduled_runs(self.folder) if other.finished]
        add_to_history(self.folder, run, finished, self.messages.append)
        return end_run(run, self.now)

    def rebuild(self) -> int:
        return rebuild_history(self.folder, scheduled_runs(self.folder), self.messages.append)

    def rows(self) -> list[dict[str, str]]:
        with (self.folder / "history.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def changed(self) -> list[str]:
        """The column `changed` of the last run: of a, and of the other bot."""
        return [row["changed"] for row in self.rows()[-2:]]


@pytest.fixture
def stored(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def usual(seed: int, count: int = 100, shift: float = 0.0) -> list[GameRecord]:
    """Games of a bot as it always is: 111 moves a playout, sd 16; each bot wins every other pair of games."""
    rng = random.Random(seed)
    nodes = [round(PLAYOUTS * (111 + shift) + 16 * PLAYOUTS**0.5 * rng.gauss(0, 1)) for _ in range(count)]
    return [game(number, n, "bw"[number // 2 % 2]) for number, n in enumerate(nodes, 1)]


def test_a_row_a_bot_and_run(stored: Runs) -> None:
    run = stored.add(game(1, 11_100), game(2, 11_300), crash(3))
    first, second = stored.rows()
    assert tuple(first) == COLUMNS
    assert (first["run"], first["time"], first["bot"], first["version"]) == (
        run.name,
        run.began,
        "a",
        "Bot 1",
    )
    assert (first["games"], first["points"], first["score"]) == (
        "2",
        "1",
        "0.5",
    )  # a won as Black, lost as White
    assert second["bot"] == f"'{EVIL}"  # none of the cells is a formula
    assert first["parity"] == f"'{EVIL}: undecided"
    # a was Black in game 1 (0.25 s) and White in game 2 (0.75 s); it began game 1, with 111 moves a playout.
    assert (first["seconds_per_move"], first["nodes_per_playout"]) == ("0.5", "111")
    assert (first["voids"], first["failures"], first["crashes"]) == ("1", "0", "0")
    assert (second["voids"], second["failures"], second["crashes"]) == ("1", "1", "1")
    assert first["changed"] == ""


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (lambda s: s.add(*usual(2)), ["", ""]),
        (lambda s: s.add(*usual(2), version="2"), ["version Bot 1 → Bot 2"] * 2),
        (lambda s: s.add(*usual(2), size=5), ["", ""]),  # another board: other positions
        # The first searches of both bots have five moves more: 15 standard errors of the difference of means
        # (16 / sqrt(100 playouts) * sqrt(2 / 50 searches) = 0.32, hence a p below 1e-10).
        (lambda s: s.add(*usual(2, shift=5)), ["nodes per playout +", "nodes per playout +"]),
        (lambda s: s.add(*usual(2)[:-1], crash(100)), ["failures 0 → 1", ""]),
    ],
    ids=["same", "version", "board", "playouts", "failures"],
)
def test_a_bot_that_changed_is_reported(
    stored: Runs, second: Callable[[Runs], object], expected: list[str]
) -> None:
    stored.add(*usual(1))
    second(stored)
    for text, start in zip(stored.changed(), expected, strict=True):
        assert start in text
        assert bool(text) == bool(start)


def always(first: str) -> list[GameRecord]:
    """One bot wins every game; games with different moves, or they would count once."""
    games = []
    for number in range(1, 201):
        won = "b" if (number % 2 == 1) == (first == "a") else "w"
        plain = game(number, 11_100, won)
        moves = (
            Played("b", f"{'ABCDEFGHJ'[number % 9]}{number % 8 + 1}"),
            *[Played("w", "pass")] * number,
        )
        games.append(GameRecord(**{**plain.__dict__, "moves": moves}))
    return games


def test_the_summary_of_a_run_names_what_is_wrong(stored: Runs) -> None:
    with Store.open(stored.add(*usual(1)).folder, read_only=True) as store:
        verdicts = judge(store, config())
    assert summary(verdicts) == "100 games; undecided"
    long = PlayoutStatistics("a", 9, 900, 80.0, 79.0, 1.0, 0.5, 1.5, DIFFERENT, phase="end")
    right = replace(long, phase=ALL_PHASES, verdict=UNDECIDED)
    deviating = replace(verdicts, playouts=(right, long))
    assert summary(deviating) == "100 games; playouts deviate: a (end)"
    with Store.open(stored.add(*always("a")).folder, read_only=True) as store:
        assert summary(judge(store, config())) == f"200 games; different: a - {EVIL} (100.0 %)"
    with Store.open(stored.add(*usual(1), crash(101)).folder, read_only=True) as store:
        assert summary(judge(store, config())) == f"101 games; failed: {EVIL}"


def test_a_verdict_that_changed_is_reported_but_not_between_equal_and_undecided(stored: Runs) -> None:
    stored.add(*usual(1))
    stored.add(*always("a"))
    assert all("undecided → different" in text for text in stored.changed())
    stored.add(*usual(1))
    assert all("different → undecided" in text for text in stored.changed())


def test_a_new_bot_is_reported(stored: Runs) -> None:
    stored.add(*usual(1))
    stored.now += timedelta(hours=1)
    run = begin_run(stored.folder, stored.now, None)
    with Store.create(run.folder) as store:
        engines = [*config().engine, config().engine[0].model_copy(update={"name": "c"})]
        store.set_config(config().model_copy(update={"engine": tuple(engines)}), "now")
    add_to_history(stored.folder, run, scheduled_runs(stored.folder)[:1], stored.messages.append)
    assert next(row["changed"] for row in stored.rows() if row["bot"] == "c") == "new"


def test_the_chance_to_see_a_shift_where_there_is_none_is_as_stated(tmp_path: Path) -> None:
    """2,000 pairs of runs of one bot: p is below 0.05 in a share of 0.05."""
    stored = Runs(tmp_path)
    run = stored.add(*usual(1, 40))
    summary = summarise_run(run.folder, run.began)
    assert summary is not None
    bot = summary.bots["a"]
    rng = random.Random(2026)
    below = 0
    for _ in range(2000):
        one, two = (
            {key: round(11_100 + 160 * rng.gauss(0, 1)) for key in bot.first_searches} for _ in range(2)
        )
        _, p = nodes_shift(
            type(bot)(**{**bot.__dict__, "first_searches": one}),
            type(bot)(**{**bot.__dict__, "first_searches": two}),
        )
        assert p is not None
        below += p <= 0.05
    # Chance to fail below 1e-8.
    low, high = binom.ppf(4e-9, 2000, 0.05), binom.isf(4e-9, 2000, 0.05)
    assert low <= below <= high


def test_searches_in_other_positions_are_not_compared(tmp_path: Path) -> None:
    stored = Runs(tmp_path)
    run = stored.add(*usual(1))
    summary = summarise_run(run.folder, run.began)
    assert summary is not None
    bot = summary.bots["a"]
    other = {(*key, "bE5"): nodes for key, nodes in bot.first_searches.items()}
    assert nodes_shift(bot, type(bot)(**{**bot.__dict__, "first_searches": other})) == (None, None)
    assert nodes_shift(bot, bot) == (0.0, 1.0)


def test_the_history_is_made_again_to_the_byte(stored: Runs) -> None:
    for seed in (1, 2, 3):
        stored.add(*usual(seed), version=str(seed // 2))
    path = stored.folder / "history.csv"
    before = path.read_bytes()
    assert stored.rebuild() == 3
    assert path.read_bytes() == before
    path.unlink()
    stored.rebuild()
    assert path.read_bytes() == before


def test_rows_of_runs_that_are_removed_stay(stored: Runs) -> None:
    for seed in (1, 2, 3):
        stored.add(*usual(seed), version=str(seed))
    before = (stored.folder / "history.csv").read_bytes()
    discard_run(scheduled_runs(stored.folder)[0])
    stored.rebuild()
    assert (stored.folder / "history.csv").read_bytes() == before


def test_a_run_that_is_added_again_has_its_rows_once(stored: Runs) -> None:
    run = stored.add(*usual(1))
    before = (stored.folder / "history.csv").read_bytes()
    add_to_history(stored.folder, run, [], stored.messages.append)
    assert (stored.folder / "history.csv").read_bytes() == before


@pytest.mark.parametrize("text", ["a,b\n1,2\n", ",".join(COLUMNS) + "\n1,2\n", "\x00", '"'])
def test_a_file_that_is_damaged_is_kept_and_a_new_one_begins(stored: Runs, text: str) -> None:
    for number in (1, 2):
        (stored.folder / "history.csv").write_text(text)
        stored.add(*usual(number))
        assert len(stored.rows()) == 2
        assert (stored.folder / f"history.damaged-{number}.csv").read_text() == text
    assert len(stored.messages) == 2
    assert "history.csv:" in stored.messages[0]


def test_a_damaged_file_is_kept_under_a_name_that_nothing_has(stored: Runs) -> None:
    taken = stored.folder / "history.damaged-1.csv"
    taken.symlink_to("nowhere")
    (stored.folder / "history.csv").write_text("damaged")
    stored.add(*usual(1))
    assert (stored.folder / "history.damaged-2.csv").read_text() == "damaged"
    assert taken.is_symlink()


@pytest.mark.parametrize("name", ["history.csv", "history.html"])
def test_no_link_in_the_place_of_the_history_is_followed(stored: Runs, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (stored.folder / name).symlink_to(outside)
    if name == "history.csv":  # it is read before it is written
        with pytest.raises(UnsafeFileError, match="symbolic link"):
            stored.add(*usual(1))
    else:
        stored.add(*usual(1))
        assert not (stored.folder / name).is_symlink()
    assert outside.read_text() == "mine"


def test_a_damaged_line_costs_its_own_row_only(stored: Runs) -> None:
    for seed in (1, 2, 3):
        stored.add(*usual(seed, 4))
    path = stored.folder / "history.csv"
    lines = path.read_text().splitlines()
    damaged = [lines[0], lines[1], '"' + lines[2], lines[3].replace("111", "1x1"), *lines[4:]]
    path.write_text("\n".join(damaged))
    history = read_history(stored.folder)
    assert [(row.run, row.bot) for row in history.rows] == [
        (row["run"], row["bot"].removeprefix("'")) for row in csv.DictReader([lines[0], lines[1], *lines[4:]])
    ]
    assert [problem.split(":")[1] for problem in history.problems] == ["3", "4"]


def test_a_version_of_any_length_is_cut_and_the_file_can_be_read(stored: Runs) -> None:
    stored.add(*usual(1, 2))
    stored.add(*usual(2, 2), version="9" * 200_000 + "\n\x1b[2J")
    stored.add(*usual(3, 2), version="\x1b[2J\nx")
    rows = stored.rows()
    assert [len(row["version"]) for row in rows] == [5, 5, LONGEST, LONGEST, *[len(rows[4]["version"])] * 2]
    assert all(row["version"].isprintable() and row["changed"].isprintable() for row in rows)
    assert "version Bot 1 → Bot 999" in rows[2]["changed"]
    assert stored.messages == []


def test_versions_that_differ_at_their_end_alone_are_shown_as_different(stored: Runs) -> None:
    for build in "12":
        stored.add(*usual(1, 2), version="9" * 100 + build)
    before, after = stored.rows()[2]["changed"].removeprefix("version ").split(" → ")
    assert before != after


def test_each_bot_gets_the_verdict_from_its_own_side(stored: Runs) -> None:
    run = stored.add(*usual(1, 2))
    with Store.open(run.folder, read_only=True) as store:
        verdicts = judge(store, config())
    (row,) = verdicts.parity
    as_stronger = replace(verdicts, parity=(replace(row, verdict=STRONGER),))
    summary = summarise_run(run.folder, run.began, as_stronger)
    assert summary is not None
    assert (row.bot_a, row.bot_b) == ("a", EVIL)
    assert summary.bots["a"].opponents == {EVIL: "stronger"}
    assert summary.bots[EVIL].opponents == {"a": "weaker"}


@pytest.mark.parametrize(
    ("before", "now", "sentences"),
    [
        (STRONGER, WEAKER, (f"against {EVIL}: stronger → weaker",)),
        (STRONGER, STRONGER, ()),
        (STRONGER, UNDECIDED, ()),
        (EQUAL, DIFFERENT, (f"against {EVIL}: equal → different",)),
        (UNDECIDED, DIFFERENT, (f"against {EVIL}: undecided → different",)),
        (UNDECIDED, EQUAL, ()),
        (PASSED, FAILED, (f"against {EVIL}: passed → failed",)),
    ],
)
def test_a_verdict_has_changed_unless_the_change_may_be_chance(
    stored: Runs, before: str, now: str, sentences: tuple[str, ...]
) -> None:
    run = stored.add(*usual(1, 2))
    with Store.open(run.folder, read_only=True) as store:
        verdicts = judge(store, config())
    (row,) = verdicts.parity
    first, second = (
        summarise_run(run.folder, run.began, replace(verdicts, parity=(replace(row, verdict=verdict),)))
        for verdict in (before, now)
    )
    assert first is not None
    assert second is not None
    assert find_change("a", second, first).sentences == sentences


def test_of_several_pairs_with_one_opponent_the_different_one_counts(stored: Runs) -> None:
    run = stored.add(*usual(1, 2))
    with Store.open(run.folder, read_only=True) as store:
        verdicts = judge(store, config())
    (row,) = verdicts.parity
    rows = [replace(row, verdict=verdict) for verdict in (DIFFERENT, UNDECIDED)]
    for parity in (rows, rows[::-1]):
        summary = summarise_run(run.folder, run.began, replace(verdicts, parity=tuple(parity)))
        assert summary is not None
        assert summary.bots["a"].opponents == {EVIL: DIFFERENT}
        assert summary.bots[EVIL].opponents == {"a": DIFFERENT}


def test_a_long_cell_that_an_earlier_version_wrote_can_be_read(stored: Runs) -> None:
    stored.add(*usual(1, 2), version="VERSION")
    path = stored.folder / "history.csv"
    path.write_text(path.read_text().replace("VERSION", "9" * 200_000, 1))
    stored.add(*usual(2, 2))
    assert len(stored.rows()) == 4
    assert stored.messages == []


def test_runs_that_the_history_lacks_are_added_before_they_are_removed(stored: Runs) -> None:
    for seed in range(1, 6):
        stored.add(*usual(seed, 4), version=str(seed))
    before = stored.rows()
    (stored.folder / "history.csv").unlink()
    stored.add(*usual(6, 4), version="6")
    old, kept = scheduled_runs(stored.folder)[:3], scheduled_runs(stored.folder)
    complete_history(stored.folder, old, kept, stored.messages.append)
    rows = stored.rows()
    assert rows[:6] == before[:6]
    assert [row["run"] for row in rows[6:]] == [kept[-1].name] * 2
    complete_history(stored.folder, old, kept, stored.messages.append)
    assert stored.rows() == rows


def test_a_damaged_run_keeps_its_rows_and_costs_no_others(stored: Runs) -> None:
    for seed in (1, 2, 3):
        stored.add(*usual(seed, 4), version=str(seed))
    before = stored.rows()
    (scheduled_runs(stored.folder)[1].folder / "run.db").write_bytes(b"not a database" * 100)
    assert stored.rebuild() == 2
    after = stored.rows()
    assert [row["run"] for row in after] == [row["run"] for row in before]
    assert after[:4] == before[:4]
    assert "version Bot 1 → Bot 3" in after[4]["changed"]  # compared with the run that can be read
    assert len(stored.messages) == 1
    stored.add(*usual(4, 4), version="4")
    assert "version Bot 3 → Bot 4" in stored.changed()[0]


def test_a_change_point_names_the_bot_the_run_and_the_version(stored: Runs) -> None:
    made = [stored.add(*usual(seed, 20), version="1") for seed in range(8)]
    assert read_history(stored.folder).changes == ()
    made += [stored.add(*usual(seed, 20, shift=20.0), version="2") for seed in range(8, 12)]
    changes = read_history(stored.folder).changes
    assert {(c.measure, c.run, c.version) for c in changes} == {("nodes per playout", made[8].name, "Bot 2")}
    assert {c.bot for c in changes} == {"a", EVIL}
    assert {c.found for c in changes} == {made[10].name}  # the third run of the new version
    assert all(c.after - c.before == pytest.approx(20, abs=2) for c in changes)


def test_runs_on_another_board_are_another_series(stored: Runs) -> None:
    for seed in range(12):
        stored.add(*usual(seed, 10, shift=40.0 * (seed % 2)), size=9 if seed % 2 else 7)
    assert read_history(stored.folder).changes == ()


def test_half_points_are_kept_and_followed(tmp_path: Path) -> None:
    """The runs are removed, so that their rows are written again as they were read."""
    lines = [
        f"2026-01-01T00:00:{run:02d}+00:00,r{run:02d},a,10,{2.5 if run < 20 else 7.5},b: equal,5,7.0"
        for run in range(40)
    ]
    lines.append("2026-01-02T00:00:00+00:00,last,b,1000000,123456.5,a: equal,5,7.0")
    (tmp_path / "history.csv").write_text(
        "\n".join(["time,run,bot,games,points,parity,size,komi", *lines]) + "\n"
    )
    rebuild_history(tmp_path, [], lambda _: None)
    history = read_history(tmp_path)
    assert [row.points for row in history.rows] == [2.5] * 20 + [7.5] * 20 + [123456.5]
    (change,) = history.changes
    assert (change.measure, change.run, change.before, change.after) == ("score", "r20", 0.25, 0.75)
