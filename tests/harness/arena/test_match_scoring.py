"""Who scores a game: area, players, referee; what is stored and reported about it; rules."""

import csv
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from harness.arena.config.opening import EMPTY
from harness.arena.config.reader import ConfigError, check_config
from harness.arena.config.scoring import PRESETS
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import ContinuationError
from harness.arena.folder.folder import open_run
from harness.arena.game.game import play_game
from harness.arena.judge.judge import judge
from harness.arena.judge.verification import verify_games
from harness.arena.pairings import Pairing
from harness.arena.records import Ending, GameRecord, Played, Scoring
from harness.arena.run.engine_pool import EnginePool
from harness.arena.run.events import NoticeGiven
from harness.arena.store.checksums import seal
from harness.arena.store.store import Store
from tests.command_line import conform_forked
from tests.foreign_engines import GNUGO, needs_engine
from tests.harness.arena.match_helpers import Quiet, engine_command, play_here, play_run
from tests.harness.arena.scripted_engine import NEVER, Script
from tests.harness.arena.stored_runs import record
from tests.harness.arena.test_match_clock import match

# Black owns the board but for two white stones in its territory, A5 and E1. By area with every stone alive
# the empty points touch both colours; without the dead stones all 25 points are Black's.
GAME = "C1,A5,C2,E1,C3,pass,C4,pass,C5,pass,pass"
ALIVE, DEAD = "B+0.5", "B+22.5"
BLACK_ONLY = "A5 E1"
KOMI = 2.5


def player(**options: object) -> str:
    return engine_command("scoring_player.py", GAME, **options)


SHORT_RUN: Mapping[str, object] = {"size": 5, "komi": KOMI, "games": 2, "workers": 1, "audit": "off"}


def config_of(black: str, white: str, referee: str | None = None, **run: object) -> MatchConfig:
    commands = {"a": black, "b": white} | ({"judge": referee} if referee else {})
    run = dict(SHORT_RUN) | {name: value for name, value in run.items() if value is not None}
    if referee:
        run.setdefault("scorer", "referee")
        run["referee"] = "judge"
    return named_config(commands, **run)


def named_config(commands: Mapping[str, str], **run: object) -> MatchConfig:
    """The config of a match of engines with these names."""
    engines = [{"name": name, "command": command} for name, command in commands.items()]
    return check_config({"run": run, "engine": engines}, "test")


@pytest.fixture
def played() -> Iterator[Callable[..., GameRecord]]:
    """`played(config)`: the record of the first game."""
    pools: list[EnginePool] = []

    def play(config: MatchConfig) -> GameRecord:
        pools.append(EnginePool(config))
        game = Pairing(1, "a", "b").game(1)
        return play_game(game, config.run, EMPTY, *pools[-1].players_of(game), None, pools[-1].referee)

    yield play
    for pool in pools:
        pool.close(politely=False)


def test_both_players_agree(played) -> None:
    record = played(config_of(player(score=DEAD), player(score="b+22.50"), scorer="players"))
    assert (record.ending.reason, record.ending.result, record.ending.winner) == ("score", DEAD, "b")
    assert record.scoring == Scoring("players", ALIVE, DEAD, DEAD)


def test_the_dead_stones_decide_where_the_scores_differ_or_are_missing(played) -> None:
    lists = player(dead=BLACK_ONLY), player(score="B+1", dead="E1 A5")
    record = played(config_of(*lists, scorer="players"))
    assert record.ending.result == DEAD
    assert record.scoring == Scoring("players", ALIVE, DEAD, "B+1", dead="E1 A5")
    record = played(config_of(player(dead=BLACK_ONLY), player(dead=BLACK_ONLY), scorer="players"))
    assert record.scoring == Scoring("players", ALIVE, DEAD, DEAD)


@pytest.mark.parametrize(
    ("black", "white", "says"),
    [
        ({"score": DEAD}, {"score": "W+9.5"}, (DEAD, "W+9.5")),
        ({"score": DEAD}, {}, (DEAD, None)),
        ({"score": "cannot score"}, {"score": "?"}, (None, None)),
        ({"dead": "B1"}, {"dead": "B1"}, (None, None)),  # no stone is there
        ({"dead": "Z9"}, {"dead": "all"}, (None, None)),
        ({"score": "0"}, {"score": "W+0"}, ("0", "0")),
    ],
)
def test_without_agreement_the_area_decides(
    played, black: dict[str, str], white: dict[str, str], says: tuple[str | None, str | None]
) -> None:
    record = played(config_of(player(**black), player(**white), scorer="players"))
    agreed = says[0] is not None and says[0] == says[1]
    assert record.ending.result == (says[0] if agreed else ALIVE)
    assert record.scoring == Scoring("players" if agreed else "area", ALIVE, *says)


def test_a_referee_scores_and_never_plays(played, tmp_path: Path) -> None:
    log = tmp_path / "log"
    config = config_of(player(), player(score=ALIVE), player(score=DEAD, log=log, has="kgs-rules"))
    record = played(config)
    assert record.ending.result == DEAD
    assert record.scoring == Scoring("referee", ALIVE, None, ALIVE, DEAD)
    lines = log.read_text().splitlines()
    moves = [f"play {'bw'[number % 2]} {vertex}" for number, vertex in enumerate(GAME.split(","))]
    start = lines.index("boardsize 5")
    assert [line for line in lines[start:] if line != "quit"] == [
        *("boardsize 5", "clear_board", "komi 2.5", "kgs-rules chinese"),
        *moves,
        "final_score",
    ]
    assert not any(line.startswith("genmove") for line in lines)


def test_a_referee_decides_what_the_players_dispute(played) -> None:
    disputed = config_of(player(score="B+1"), player(score="W+1"), player(score=DEAD), scorer="players")
    assert played(disputed).scoring == Scoring("referee", ALIVE, "B+1", "W+1", DEAD)
    agreed = config_of(player(score="B+1"), player(score="B+1"), player(score=DEAD), scorer="players")
    assert played(agreed).scoring == Scoring("players", ALIVE, "B+1", "B+1")


@pytest.mark.parametrize("command", ["final_score", "play"])
def test_an_engine_that_fails_while_it_is_asked_loses_nothing(played, command: str) -> None:
    referee = player(score=DEAD, fail=command)
    record = played(config_of(player(score=DEAD, fail="final_score"), player(score=DEAD), referee))
    assert (record.ending.reason, record.ending.result, record.ending.offender) == ("score", ALIVE, None)
    assert record.failure is None
    assert record.scoring == Scoring("area", ALIVE, None, DEAD)
    assert "a reports no score: final_score: ended with exit code 3" in record.ending.detail
    assert f"judge reports no score: {command}" in record.ending.detail


def test_an_engine_that_is_silent_when_asked_costs_its_time_limit_once() -> None:
    white = Script(times={"final_score": NEVER}, commands=("final_score", "final_status_list"))
    both = match(white, scorer="players")
    first, second, third = (both.play() for _ in range(3))
    assert [record.ending.reason for record in (first, second, third)] == ["score"] * 3
    assert "b reports no score: final_score: no answer within 60 s" in first.ending.detail
    assert "it is not asked again" in first.ending.detail
    assert second.ending.detail == third.ending.detail == ""
    assert white.sent.count("final_score") == 1
    assert white.sent.count("final_status_list dead") == 2
    assert second.scoring is not None
    assert (
        second.scoring.white_says == second.scoring.area_result
    )  # by the dead stones, of which it names none


def test_an_engine_that_fails_when_asked_is_named_once(tmp_path: Path, quiet: Quiet) -> None:
    config = config_of(player(fail="final_score", score="0"), player(score=DEAD), games=4)
    assert play_here(config, tmp_path / "run", quiet)
    notices = [event for event in quiet.events if isinstance(event, NoticeGiven) and event.engine]
    assert [(event.kind, event.engine) for event in notices] == [("scorer", "a")]
    assert "p001-g00001: a reports no score: final_score: ended with exit code 3" in notices[0].text


def test_an_engine_whose_name_ends_like_that_of_the_failed_one_is_not_named(
    tmp_path: Path, quiet: Quiet
) -> None:
    commands = {"a": player(score=DEAD), "the a": player(fail="final_score", score="0")}
    assert play_here(named_config(commands, **SHORT_RUN), tmp_path / "run", quiet)
    notices = [event for event in quiet.events if isinstance(event, NoticeGiven) and event.engine]
    assert [(event.kind, event.engine) for event in notices] == [("scorer", "the a")]


def test_reference_bots_are_not_asked(played, tmp_path: Path) -> None:
    log = tmp_path / "log"
    asked = {"score": DEAD, "has": "ref-nodes", "log": log}
    record = played(config_of(player(**asked), player(**asked)))
    assert (record.ending.result, record.scoring) == (ALIVE, None)
    assert "final_score" not in log.read_text()
    assert played(config_of(player(**asked), player(**asked), scorer="players")).ending.result == DEAD


def test_a_run_without_a_choice_warns_once_and_says_so_at_its_end(tmp_path: Path, quiet: Quiet) -> None:
    config = config_of(player(score=DEAD), player(score=DEAD))
    assert play_here(config, tmp_path / "run", quiet)
    notices = [event for event in quiet.events if isinstance(event, NoticeGiven) and event.kind == "scorer"]
    assert len(notices) == 1
    assert f"scored {ALIVE} by area" in notices[0].text
    assert f"a reports {DEAD} and b reports {DEAD}" in notices[0].text
    assert 'scorer = "players"' in notices[0].text
    with Store.open(tmp_path / "run") as store:
        scores = judge(store, config).scores
        assert (scores.games, scores.by_area, scores.agreed, scores.as_area) == (2, 2, 2, 0)
        assert [game.result for game in store.disputed()] == [ALIVE, ALIVE]
    chosen = config_of(player(score=DEAD), player(score=DEAD), scorer="area")
    other = Quiet()
    assert play_here(chosen, tmp_path / "chosen", other)
    assert not [event for event in other.events if isinstance(event, NoticeGiven)]


def test_the_columns_and_the_verification_of_a_run(tmp_path: Path) -> None:
    referee = player(score=DEAD)
    config = config_of(player(score=ALIVE), player(dead=""), referee, rules="simple-ko")
    ended = play_run(config, tmp_path)
    assert (ended.verdicts.scores.by_referee, [row.bot for row in ended.verdicts.standings]) == (
        2,
        ["a", "b"],
    )
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [
        tuple(row[name] for name in ("result", "scored_by", "area_result", "referee_says", "rules"))
        for row in rows
    ] == [(DEAD, "referee", ALIVE, DEAD, "simple-ko")] * 2
    assert (rows[0]["black_says"], rows[0]["white_says"]) == (ALIVE, ALIVE)
    record_file = (tmp_path / rows[0]["sgf"]).read_text()
    assert f"RE[{DEAD}]" in record_file
    assert f"scored by referee; area {ALIVE}; Black reports {ALIVE}; White" in record_file
    assert DEAD in (tmp_path / "report.html").read_text()
    with Store.open(tmp_path, read_only=True) as store:
        assert not [g for g in verify_games(store, config) if g.contradictions]


SCORINGS = [
    (Scoring("area", "B+2.5"), "players", "our own count is stored as B+2.5"),
    (Scoring("players", ALIVE, DEAD, ALIVE), "players", "the players scored it, but report"),
    (Scoring("players", ALIVE, DEAD, DEAD), None, "the config has the scorer area"),
    (Scoring("players", ALIVE, dead="A1"), "players", "no stones are on the dead points"),
    (Scoring("players", ALIVE, dead="C1"), "players", "the moves and the reason give"),
    (Scoring("players", ALIVE, DEAD, DEAD, dead="A5 E1"), "players", ""),
    (Scoring("area", ALIVE, DEAD, DEAD), None, f"the moves and the reason give {ALIVE}"),
]


@pytest.mark.parametrize(("scoring", "scorer", "words"), SCORINGS)
def test_a_score_that_does_not_follow_is_found(
    tmp_path: Path, scoring: Scoring, scorer: str | None, words: str
) -> None:
    config = config_of("true", "true", scorer=scorer)
    with Store.create(tmp_path) as store:
        store.set_config(config, "now")
        moves = played_moves()
        stored = record(
            Pairing(1, "a", "b").game(1),
            board=(5, KOMI),
            moves=moves,
            searches=(),
            ending=Ending("score", DEAD, "b"),
        )
        store.add(replace(stored, scoring=scoring))
        (verified,) = verify_games(store, config)
    found = "; ".join(verified.contradictions)
    assert words in found if words else not found


def played_moves() -> tuple[Played, ...]:
    return tuple(Played("w" if n % 2 else "b", vertex) for n, vertex in enumerate(GAME.split(",")))


@pytest.mark.parametrize(
    ("said", "words"), [(DEAD, "2 games, from a score that engines reported"), (ALIVE, "")]
)
def test_the_verification_counts_results_that_no_move_shows(tmp_path: Path, said: str, words: str) -> None:
    play_run(config_of(player(score=said), player(score=said), scorer="players"), tmp_path)
    code, text = conform_forked("verify", tmp_path)
    assert (code, words in text, "engines reported" in text) == (0, True, bool(words)), text


def test_a_match_without_a_config_has_options_for_its_rules_and_its_scorer(tmp_path: Path) -> None:
    engines = [f"--engine={name}={player(score=DEAD)}" for name in "ab"]
    options = ("--games", "2", "--size", "5", "--komi", str(KOMI), "--workers", "1", "-q")
    code, text = conform_forked("match", *engines, *options, "--scorer", "players", "--out", tmp_path / "run")
    assert "2 games scored: 2 by the players" in text, text
    code, text = conform_forked("match", *engines, *options, "--rules", "ing", "--out", tmp_path / "other")
    assert (code, "or a table with ko, suicide and counting" in text) == (2, True), text


@needs_engine(GNUGO)
def test_the_example_config_of_engines_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{GNUGO.sign.parent}")
    conform_forked("init", tmp_path)
    run, options = tmp_path / "run", ("--games", "2", "--size", "5", "--workers", "1", "-q")
    code, text = conform_forked("match", tmp_path / "engines.toml", "--out", run, *options)
    assert code == 3, text
    with (run / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["rules"], row["reason"] in ("score", "resign")) for row in rows] == [("simple-ko", True)] * 2
    for row in rows:
        if row["reason"] == "score":
            assert row["result"] in (row["black_says"], row["referee_says"])
    assert conform_forked("verify", run)[0] == 0


# --- rules --------------------------------------------------------------------------------------------------


def sent_rules(played: Callable[..., GameRecord], log: Path, has: str, rules: str) -> list[str]:
    played(config_of(player(log=log, has=has), player(), rules=rules))
    return [line for line in log.read_text().splitlines() if "-rules" in line]


@pytest.mark.parametrize("name", PRESETS)
def test_rules_are_sent_as_far_as_they_can_be_said(played, tmp_path: Path, name: str) -> None:
    (line,) = sent_rules(played, tmp_path / "log", "kata-set-rules,kgs-rules", rules=name)
    terms = json.loads(line.removeprefix("kata-set-rules "))
    rules = PRESETS[name]
    assert terms["ko"] == rules.ko.upper()
    assert (terms["scoring"], terms["suicide"]) == (rules.counting.upper(), rules.suicide)
    assert terms["friendlyPassOk"] is False  # by area, a dead stone must be captured


def test_no_rules_are_sent_to_an_engine_without_a_command_for_them(played, tmp_path: Path) -> None:
    assert sent_rules(played, tmp_path / "log", "undo", rules="japanese") == []


def test_a_refusal_is_followed_by_a_plainer_command(played, tmp_path: Path) -> None:
    log = tmp_path / "log"
    black = player(log=log, has="kata-set-rules,kgs-rules", refuse="kata-set-rules")
    assert played(config_of(black, player(), rules="japanese")).ending.reason == "score"
    sent = [line for line in log.read_text().splitlines() if "-rules" in line]
    assert ["friendlyPassOk" in line for line in sent] == [True, False, False]
    assert sent[-1] == "kgs-rules japanese"


def test_rules_that_an_engine_refuses_are_its_failure_unless_nobody_chose_them(played) -> None:
    black = player(has="kgs-rules", refuse="kgs-rules")
    record = played(config_of(black, player(), rules="japanese"))
    assert (record.ending.reason, record.ending.offender) == ("protocol", "b")
    assert "refused kgs-rules japanese" in record.ending.detail
    assert played(config_of(black, player())).ending.reason == "score"


def test_the_referee_of_the_game_obeys_the_rules(played) -> None:
    """White takes a ko back at once, which every rule forbids; the territory has no stones in it."""
    territory = played(config_of(player(), player(), rules="japanese"))
    assert territory.ending.result == "W+2.5"  # no point is surrounded by one side alone, none was captured
    suicide = "A2,pass,B1,pass,C2,B2,pass,A1,pass,pass"  # A1 would be a suicide of one stone
    two = "A3,A2,B2,pass,C1,B1,pass,A1,pass,pass"  # A1 is a suicide of three stones
    for game, rules, reason in (
        (suicide, "tromp-taylor", "illegal"),
        (two, "tromp-taylor", "score"),
        (two, "chinese", "illegal"),
    ):
        engine = engine_command("scoring_player.py", game)
        assert played(config_of(engine, engine, rules=rules)).ending.reason == reason


@pytest.mark.parametrize("rules", list(PRESETS))
def test_a_run_of_any_rules_is_verified_on_both_boards(tmp_path: Path, rules: str) -> None:
    two = engine_command("scoring_player.py", "A3,A2,B2,pass,C1,B1,pass,A1,pass,pass")
    config = config_of(two, two, rules=rules, restart="game")
    play_run(config, tmp_path)
    with Store.open(tmp_path, read_only=True) as store:
        assert not [g.contradictions for g in verify_games(store, config) if g.contradictions]


@pytest.mark.parametrize("size", [2, 25])
def test_the_smallest_and_the_largest_board(tmp_path: Path, size: int) -> None:
    game = "A1,B2,pass,pass" if size == 2 else "Z25,A1,Y24,Z1,pass,pass"
    engine = engine_command("scoring_player.py", game)
    config = config_of(engine, engine, size=size)
    ended = play_run(config, tmp_path)
    assert ended.verdicts.games == 2
    assert f"SZ[{size}]" in (tmp_path / "sgf" / "p001-g00001.sgf").read_text()
    with Store.open(tmp_path, read_only=True) as store:
        assert not [g.contradictions for g in verify_games(store, config) if g.contradictions]


def test_a_run_of_a_version_without_scorers_is_read_and_continued(tmp_path: Path, quiet: Quiet) -> None:
    config = config_of(player(score=DEAD), player(score=DEAD))
    game = Pairing(1, "a", "b").game(1)
    old = record(game, board=(5, KOMI), moves=played_moves(), searches=(), ending=Ending("score", ALIVE, "b"))
    with Store.create(tmp_path) as store:
        store.set_config(config, "now")
        store.add(old)
    with closing(sqlite3.connect(tmp_path / "run.db")) as db, db:
        db.execute("DROP TABLE game_score")
        (text,) = db.execute("SELECT text FROM config").fetchone()
        keys = json.loads(text)
        for key in ("rules", "scorer", "referee", "forfeits"):
            del keys["run"][key]
        db.execute("UPDATE config SET text = ?", (json.dumps(keys),))
        (number,) = db.execute("SELECT id FROM config").fetchone()
        seal(db, "config", number)
    with Store.open(tmp_path, read_only=True) as store:
        assert [game.scoring for game in store.games()] == [None]
        assert (store.score_counts().games, list(store.disputed())) == (0, [])
        assert judge(store, config).games == 1
    assert play_here(config, tmp_path, quiet)
    assert len(quiet.played) == 1
    with Store.open(tmp_path, read_only=True) as store:
        assert [game.result for game in store.games()] == [ALIVE, ALIVE]
        assert store.score_counts().games == 1
        assert not [g for g in verify_games(store, config) if g.contradictions]


def test_rules_and_scorer_of_a_run_do_not_change(tmp_path: Path) -> None:
    engine = player(score=DEAD)
    with open_run(config_of(engine, engine), tmp_path):
        pass
    for change in ({"rules": "japanese"}, {"scorer": "players"}):
        with pytest.raises(ContinuationError, match=f"\\[run\\] {next(iter(change))}"):
            open_run(config_of(engine, engine, **change), tmp_path)
    with open_run(config_of(engine, engine, rules="chinese", forfeits="loss"), tmp_path):
        pass  # the same rules by another name, and what only the judges read


@pytest.mark.parametrize(
    ("run", "where", "what"),
    [
        ({"scorer": "referee"}, "[run] scorer", "needs referee ="),
        ({"referee": "c", "scorer": "referee"}, "[run] referee", "'c' is no name of an [[engine]]"),
        ({"referee": "b", "scorer": "referee"}, "[[engine]]", "at least two engines are needed, not 1"),
        ({"referee": "b"}, "[run] referee", "has nothing to score"),
        ({"scorer": "player"}, "[run] scorer", "did you mean 'players'?"),
        ({"rules": "japanes"}, "[run] rules", "or a table with ko, suicide and counting, not 'japanes'"),
        ({"rules": {"koo": "simple"}}, "[run] rules.koo", "did you mean 'ko'?"),
        ({"size": 26}, "[run] size", "less than or equal to 25"),
    ],
)
def test_a_mistake_about_scores_is_reported_with_its_place(
    run: dict[str, object], where: str, what: str
) -> None:
    engines = [{"name": name, "command": "x"} for name in "ab"]
    with pytest.raises(ConfigError) as caught:
        check_config({"run": run, "engine": engines}, "test")
    found = [(mistake.where, mistake.what) for mistake in caught.value.mistakes]
    assert any(place == where and what in words for place, words in found), found


# --- forfeits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forfeits", ["void", "loss"])
def test_a_failure_is_void_or_a_loss(tmp_path: Path, forfeits: str, quiet: Quiet) -> None:
    broken = engine_command("scoring_player.py", "A1,B1,A1", fail="-")  # Black plays A1 twice
    config = config_of(broken, broken, forfeits=forfeits)
    assert play_here(config, tmp_path, quiet)
    with Store.open(tmp_path) as store:
        verdicts = judge(store, config)
    rows = {row.bot: row for row in verdicts.standings}
    counted = forfeits == "loss"
    assert [rows[bot].games for bot in "ab"] == ([2, 2] if counted else [0, 0])
    assert [rows[bot].points for bot in "ab"] == ([1, 1] if counted else [0, 0])
    assert [rows[bot].voids for bot in "ab"] == ([0, 0] if counted else [2, 2])
    assert [rows[bot].illegal for bot in "ab"] == [1, 1]
    assert verdicts.parity[0].games == (2 if counted else 0)
    assert not verdicts.sound


def test_an_audit_of_other_rules_says_that_it_cannot(tmp_path: Path) -> None:
    engine = player()
    play_run(config_of(engine, engine, rules="japanese", audit="all"), tmp_path)
    code, text = conform_forked("audit", tmp_path)
    assert code == 2
    assert "cannot be audited" in text
    assert "rules japanese" in text
