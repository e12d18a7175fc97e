"""A failed game says why, and what to do: from real engines that fail, to the lines that a user reads."""

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.arena.config.openings import OpeningBooks
from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.failure_hint import hint_of
from harness.arena.judge.judge import judge
from harness.arena.pairings import pairings
from harness.arena.records import TIME_IS_OVER
from harness.arena.run.engine_pool import EnginePool, play_in_pool
from harness.arena.store.rows import StoredFailure
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.files.bundles import write_bundles
from harness.report.html.run_page import run_page
from harness.report.text.match_console import findings
from tests.harness.arena.match_helpers import SIZE, all_games, engine_command


def complaining(**options: object) -> str:
    return engine_command("complaining.py", **options)


def config_of(bad: dict[str, Any], good: str = "", **run: object) -> MatchConfig:
    """The engine "bad" with the keys of its table, against one that is right."""
    run_table = {"size": SIZE, "games": 2, **run}
    engines = [{"name": "bad", **bad}, {"name": "good", "command": good or complaining(tag="good")}]
    return check_config({"run": run_table, "engine": engines}, "test")


Played = Callable[..., tuple[Store, MatchVerdicts]]


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    """`played(config)`: the store and the verdicts after the first game of the match, or the first two."""
    stores: list[Store] = []

    def play(config: MatchConfig, games: int = 1) -> tuple[Store, MatchVerdicts]:
        store = Store.create(tmp_path / "run")
        stores.append(store)
        store.set_config(config, "now")
        pool, books = EnginePool(config), OpeningBooks(config)
        try:
            for game in all_games(pairings(list(config.engines), "round-robin"), games):
                store.add_all([play_in_pool(game, pool, books, config)[1]])
        finally:
            pool.close(politely=False)
        return store, judge(store, config)

    yield play
    for store in stores:
        store.close()


LIBRARY = "./bot: error while loading shared libraries: libzz.so: cannot open shared object file"
MEMORY = "CUDA error: out of memory"
GONE = {"at": "start", "way": "exit"}
SILENT = {"at": "genmove", "way": "silent"}
EXIT = {"at": "genmove", "way": "exit", "stderr": MEMORY}
Case = tuple[dict[str, Any], dict[str, Any], dict[str, Any], str, str, str]
CASES: dict[str, Case] = {
    # what the engine does; keys of its table; keys of [run]; reason, what the sentence has, what the hint has
    "a library": ({**GONE, "stderr": LIBRARY}, {}, {}, "crash", "libzz", "LD_LIBRARY_PATH = "),
    "a variable": ({**GONE, "stderr": "KeyError: 'BOT_BOOK'"}, {}, {}, "crash", "BOT_BOOK", "env table"),
    "its start": ({"at": "name", "way": "exit", "code": 2}, {}, {}, "crash", "exit code 2", "conform check"),
    "komi": ({"at": "komi", "way": "refuse"}, {}, {"komi": 6.5}, "protocol", "komi 6.5", "set komi in [run]"),
    "a refusal and its reason": (
        {"at": "komi", "way": "refuse", "stderr": "error: the net was trained for komi 7"},
        {}, {}, "protocol", "trained for komi 7", "set komi in [run]",
    ),
    "size": ({"at": "boardsize", "way": "refuse"}, {}, {}, "protocol", "boardsize", "set size in [run]"),
    "slow start": (
        {"at": "name", "way": "silent", "stderr": "loading net"},
        {"startup": 3}, {}, "timeout", "loading net", "raise startup of bad, which is 3 s",
    ),
    "prompt": ({"at": "name", "way": "prompt"}, {"startup": 3}, {}, "timeout", "gtp>", "no GTP answer"),
    "memory, several workers": (EXIT, {}, {"workers": 2}, "crash", MEMORY, "workers in [run]"),
    "memory, its own limit": (EXIT, {"memory_mb": 4000}, {}, "crash", MEMORY, "memory_mb of bad, which is"),
    "abort": ({"at": "genmove", "way": "signal"}, {}, {}, "crash", "SIGABRT", "by hand"),
    "main time": (SILENT, {}, {"main_time": 3, "timeout": 3}, "timeout", "6 s", "its time (3) was over"),
    "thinking": (SILENT, {}, {"timeout": 3}, "timeout", "3 s", "timeout in [run], which is 3"),
}  # fmt: skip


WAITING = ("prompt", "main time", "thinking")
"""Cases that take as long as a time limit. `TIMEOUTS` has their hints without an engine."""


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow) if case in WAITING else case for case in CASES]
)
def test_every_place_has_the_cause_and_a_hint_that_fits(played: Played, tmp_path: Path, case: str) -> None:
    options, table, run, reason, said, advice = CASES[case]
    config = config_of({"command": complaining(**options), **table}, **run)
    store, verdicts = played(config, games=1)
    cause = next(cause for cause in verdicts.causes if cause.bot == "bad")
    assert cause.reason == reason
    write_bundles(store.failures(), store, config, tmp_path / "out")
    bundle = (tmp_path / "out" / "failures" / cause.game_id / "failure.txt").read_text()
    console = "\n".join(str(line) for line in findings(verdicts))
    for place in (bundle, console):
        assert said in place
        assert advice in place
    page = run_page(store, verdicts)
    assert advice.split("'")[0] in page


TIMEOUTS = [
    # keys of [run], the last command, the sentence, what the hint has
    ({}, "name", 'after 3 s, only "gtp>"', "no GTP answer"),
    ({}, "name", "no answer within 3 s", "raise startup of bad, which is 60 s"),
    ({}, "name", "name: no answer within 3 s (on stderr: compiling, only this once)", "raise startup of bad"),
    ({}, "name", f"name: no answer within 3 s (on stderr: {TIME_IS_OVER})", "raise startup of bad"),
    ({"main_time": 3}, "genmove", f"no answer: {TIME_IS_OVER}", "main_time in [run] is 3 s"),
    ({"main_time": 2}, "genmove", "no answer within 5 s", "its time (2) was over, and then timeout in [run]"),
    ({}, "genmove", "no answer within 3 s", "raise timeout in [run], which is 3 s"),
    ({}, "komi", "no answer within 3 s", "if komi takes longer"),
]


@pytest.mark.parametrize(("run", "command", "detail", "advice"), TIMEOUTS)
def test_a_timeout_has_the_hint_of_its_limit(
    run: dict[str, Any], command: str, detail: str, advice: str
) -> None:
    config = config_of({"command": "./bad", "startup": 60}, "./good", timeout=3, **run)
    transcript = f"0.000 > name\n0.100 > {command} 1"
    failure = StoredFailure("g", "bad", "timeout", detail, "./bad", "was running", "", transcript, "", b"")
    assert advice in hint_of(failure, config)


@pytest.mark.parametrize(
    "line", ["time_settings 3 0 0", "kgs-time_settings absolute 3", "kata-time_settings", "time_left b 3 0"]
)
def test_a_refused_time_command_has_a_hint_about_the_time_control(line: str) -> None:
    config = config_of({"command": "./bad"}, "./good", main_time=3)
    failure = StoredFailure(
        "g", "bad", "protocol", f"refused {line}: 'no'", "./bad", "was running", "", "", "", b""
    )
    assert "main_time, byoyomi" in hint_of(failure, config)


def hint_about(config: MatchConfig, reason: str, detail: str) -> str:
    """The hint about a failure of "bad" in a game of pair 2, long after its start."""
    transcript = "0.1 > genmove b"
    return hint_of(
        StoredFailure("p002-g00001", "bad", reason, detail, "./bad", "exit code 1", "", transcript, "", b""),
        config,
    )


def test_the_line_of_a_check_starts_the_engine_as_the_match_does() -> None:
    keys = {"command": "./bad", "cwd": "my bots", "sandbox": True, "env": {"A": "b"}}
    hint = hint_about(config_of(keys, "./good"), "protocol", "name: the answer has no end")
    assert hint.startswith("cd 'my bots' && conform check ./bad --sandbox --env A=b names what is wrong")


def test_a_refusal_names_the_pair_that_sets_the_value() -> None:
    pairs = [{"black": "bad", "white": "good"}, {"black": "bad", "white": "good", "komi": 0.5, "size": 13}]
    engines = [{"name": "bad", "command": "./bad"}, {"name": "good", "command": "./good"}]
    config = check_config({"run": {"size": SIZE}, "engine": engines, "pair": pairs}, "test")
    assert "set komi in [[pair]] 2, which is 0.5" in hint_about(config, "protocol", "refused komi 0.5")
    assert "set size in [[pair]] 2, which is 13" in hint_about(config, "protocol", "refused boardsize 13")
    config = check_config({"run": {"size": SIZE}, "engine": engines, "pair": [pairs[1], pairs[0]]}, "test")
    assert f"set size in [run], which is {SIZE}" in hint_about(config, "protocol", "refused boardsize 13")


def test_a_refused_komi_of_a_file_is_not_that_of_the_run() -> None:
    config = config_of(
        {"command": "./bad"}, "./good", openings={"kind": "sgf", "files": ["x"], "komi": "file"}
    )
    assert 'komi = "run" in openings' in hint_about(config, "protocol", "refused komi 0.5")


@pytest.mark.parametrize(
    ("rules", "named"),
    [({}, "(area rules, positional superko)"), ({"rules": "japanese"}, "(territory rules, simple ko)")],
)
def test_a_refused_legal_move_has_the_rules_of_the_run(rules: dict[str, str], named: str) -> None:
    config = config_of({"command": "./bad"}, "./good", **rules)
    assert named in hint_about(config, "protocol", "refused the legal move b E5")


@pytest.mark.parametrize(
    ("inherited", "said"),
    [
        (False, "engines get only PATH, HOME and LANG of the shell"),
        (["OTHER"], "it gets only PATH, HOME, LANG and the names in inherit_env"),
        (["BOT_BOOK"], "inherit_env gives the engine BOT_BOOK"),
        (True, "inherit_env gives the engine BOT_BOOK"),
    ],
)
def test_a_missing_variable_may_be_inherited(inherited: object, said: str) -> None:
    config = config_of({"command": "./bad", "inherit_env": inherited}, "./good")
    hint = hint_about(config, "crash", "genmove b: exit code 1 (on stderr: KeyError: 'BOT_BOOK')")
    assert said in hint
    assert 'env = { BOT_BOOK = "…" }' in hint


def test_one_process_at_a_time_beside_another_worker(played: Played, tmp_path: Path) -> None:
    """Another process of the same command holds the lock: with one worker there would be none."""
    command = complaining(lock=tmp_path / "lock")
    other = config_of({"command": command}, workers=2)
    pool = EnginePool(other)
    game = all_games(pairings(list(other.engines), "round-robin"), 2)[0]
    try:
        play_in_pool(game, pool, OpeningBooks(other), other)
        _, verdicts = played(other)
    finally:
        pool.close(politely=False)
    (cause,) = verdicts.causes
    assert "cannot bind to port 5000" in cause.detail
    assert "workers = 1" in cause.hint


@pytest.mark.parametrize("workers", [1, 2])
def test_one_process_at_a_time_on_both_sides(played: Played, tmp_path: Path, workers: int) -> None:
    """No number of workers helps where both engines of a game are the same program."""
    lock = tmp_path / "lock"
    config = config_of(
        {"command": complaining(lock=lock, tag="a")}, complaining(lock=lock, tag="b"), workers=workers
    )
    _, verdicts = played(config, games=2)
    assert verdicts.causes
    assert all("of its own" in cause.hint for cause in verdicts.causes)
    assert not any("workers" in cause.hint for cause in verdicts.causes)


def test_an_en_dash_in_the_command_is_named(played: Played) -> None:
    program = f'{shlex.quote(sys.executable)} -c "import sys; sys.exit(sys.argv[1] != str(5))" –playouts'
    _, verdicts = played(config_of({"command": program}))
    (cause,) = verdicts.causes
    assert "en dash" in cause.hint


@pytest.mark.parametrize("reason", ["crash", "timeout", "protocol"])
def test_an_en_dash_is_named_however_the_start_failed(reason: str) -> None:
    """An engine that does not know its option may end, wait for a user, or print what is no GTP."""
    config = config_of({"command": "./bad –mode gtp"}, "./good")
    failure = StoredFailure("g", "bad", reason, "no", "./bad", "was running", "", "0.0 > name", "", b"")
    assert "en dash" in hint_of(failure, config)
    later = failure._replace(transcript="0.0 > name\n0.1 > genmove b")
    assert "en dash" not in hint_of(later, config)


def test_no_hint_where_nothing_is_known_to_help(played: Played) -> None:
    config = config_of({"command": "./no-such-program"})
    _, verdicts = played(config)
    (cause,) = verdicts.causes
    assert cause.hint == ""  # its sentence has one already
    console = Console(record=True, width=200)
    for line in findings(verdicts):
        console.print(line)
    assert "hint:" not in console.export_text()
