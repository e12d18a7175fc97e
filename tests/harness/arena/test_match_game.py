import os
import signal
from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from harness.arena.config.opening import EMPTY, Opening
from harness.arena.config.tables import MatchConfig, RunTable
from harness.arena.game.game import play_game
from harness.arena.game.player import Player
from harness.arena.records import Game, GameRecord, Played
from harness.files import timestamps
from harness.go import Position
from harness.gtp import parse_vertex
from tests.harness.arena.match_helpers import SIZE, Command, MakeConfig, engine_command

GAME = Game("p001-g00001", 1, 1, "a", "b", 0)


class Table:
    """Two players who play game after game and are sent home at the end."""

    def __init__(self, config: MatchConfig) -> None:
        self.config = config
        self.players = [Player(engine, config.run) for engine in config.engine]

    def play(self, opening: Opening = EMPTY, *, swapped: bool = False) -> GameRecord:
        black, white = reversed(self.players) if swapped else self.players
        return play_game(GAME, self.config.run, opening, black, white)


@pytest.fixture
def table(make_config: MakeConfig) -> Iterator[object]:
    tables = []

    def seat(black: str, white: str, **run: object) -> Table:
        tables.append(Table(make_config({"a": black, "b": white}, **run)))
        return tables[-1]

    yield seat
    for seated in tables:
        for player in seated.players:
            player.stop(politely=False)


def test_a_game_is_played_and_scored_by_the_referee(table, player: Command, book: Path) -> None:
    record = table(player(), player()).play()
    expected = book.read_text().splitlines()[0].split()
    assert [move.vertex for move in record.moves] == expected
    assert [move.colour for move in record.moves] == ["bw"[number % 2] for number in range(len(expected))]
    position = Position(SIZE)
    for colour, vertex in record.moves:
        position.play(colour, parse_vertex(vertex, SIZE))
    margin = position.area_score() - 7.5
    assert record.ending.reason == "score"
    assert record.ending.result == f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
    assert record.ending.winner == ("b" if margin > 0 else "w")
    assert [search.vertex for search in record.searches] == expected
    assert not record.void
    assert record.failure is None


def test_an_even_game_is_a_draw(table, hostile: Command) -> None:
    ending = table(hostile(), hostile(), komi=0).play().ending  # both pass on the empty board
    assert (ending.reason, ending.result, ending.winner) == ("score", "0", None)


WAYS = {
    # way of failing: reason, what the sentence says
    "occupied": ("illegal", "occupied"),
    "off-board": ("illegal", "off the board"),
    "garbage": ("protocol", "not a vertex"),
    "refuse": ("protocol", "refused genmove"),
    "exit": ("crash", "exit code 3"),
    "kill": ("crash", "SIGKILL"),
}


@pytest.mark.parametrize("colour", ["b", "w"])
@pytest.mark.parametrize("way", WAYS)
def test_who_fails_is_blamed_for_what_he_did(table, player: Command, way: str, colour: str) -> None:
    bad, good = player(fail=way, move=3), player()
    record = table(bad, good).play() if colour == "b" else table(good, bad).play()
    reason, words = WAYS[way]
    ending = record.ending
    assert (ending.reason, ending.offender) == (reason, colour)
    assert words in ending.detail
    assert ending.winner == ("w" if colour == "b" else "b")
    assert ending.result == ("W+F" if colour == "b" else "B+F")
    assert record.void
    assert record.failure is not None
    assert record.failure.offender == ("a" if colour == "b" else "b")
    assert len(record.moves) == (2 if colour == "b" else 3)
    assert "genmove" in record.failure.transcript
    assert "genmove" in record.failure.other_transcript


def test_a_failure_has_the_last_words_and_a_line_to_see_it_again(table, player: Command) -> None:
    failure = table(player(fail="exit", move=3), player()).play().failure
    assert failure is not None
    assert failure.stderr == b"book_player: out of ideas\n"
    assert failure.exit == "ended with exit code 3"
    assert failure.reproduce.startswith(f"printf 'boardsize {SIZE}\\nclear_board\\nkomi 7.5\\nplay b ")
    assert failure.reproduce.endswith(f"genmove b\\nquit\\n' | {failure.command}")


@pytest.mark.parametrize("way", ["hang", "one-newline"])
def test_silence_ends_with_the_time_limit(table, player: Command, way: str) -> None:
    seated = table(player(), player(fail=way, move=3), timeout=2.0)  # one that answers needs milliseconds
    seated.players[0]._timeout = 60.0  # only the silent one is to be short of time
    record = seated.play()
    assert record.ending.offender == "w"
    assert record.ending.reason == ("timeout" if way == "hang" else "protocol")
    assert record.ending.result == ("B+T" if way == "hang" else "B+F")
    assert record.failure is not None
    assert record.failure.exit == "was running"


def test_a_resignation_is_a_result(table, player: Command) -> None:
    record = table(player(), player(fail="resign", move=2)).play()
    ending = record.ending
    assert (ending.reason, ending.result, ending.winner, ending.offender) == ("resign", "B+R", "b", None)
    assert not record.void
    assert record.searches[-1].vertex == "resign"
    assert len(record.moves) == 1


def test_suicide_and_superko_are_not_allowed(table, tmp_path: Path, player: Command, book: Path) -> None:
    # White takes the corner A1 from within Black's wall: suicide. Then a ko at once retaken.
    suicide = "B1 E5 A2 A1"
    ko = "B1 C1 A2 D2 B3 C3 E5 B2 C2 B2"  # W B2 is taken by B C2; W retakes
    for text, reason, words in ((suicide, "illegal", "suicide"), (ko, "superko", "ko")):
        path = tmp_path / f"{reason}.txt"
        path.write_text(text)
        command = player().replace(str(book), str(path))
        record = table(command, command).play()
        assert (record.ending.reason, record.ending.offender) == (reason, "w")
        assert words in record.ending.detail


def test_the_move_cap_ends_a_game_which_is_then_scored(
    table, tmp_path: Path, player: Command, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunTable, "move_cap", 12)
    path = tmp_path / "long.txt"
    vertices = [f"{letter}{row}" for row in (1, 2) for letter in "ABCDE"]
    path.write_text(" ".join(f"{vertex} pass" for vertex in vertices))
    command = player().replace(str(book), str(path))
    record = table(command, command).play()
    assert (record.ending.reason, len(record.moves)) == ("move-cap", 12)
    assert record.ending.result == "B+17.5"  # six stones and nobody else: all 25 points are Black's
    assert record.ending.offender is None


def test_an_engine_that_cannot_be_started_has_crashed(table, player: Command) -> None:
    record = table(player(), "./no-such-engine").play()
    assert (record.ending.reason, record.ending.offender) == ("crash", "w")
    assert "no such program" in record.ending.detail
    assert record.failure is not None
    assert record.failure.exit == "was not started"


@pytest.mark.parametrize("mode", ["die-at-start", "close-stdout", "endless-answer"])
def test_engines_that_fail_before_the_first_move(table, hostile: Command, player: Command, mode: str) -> None:
    record = table(player(), hostile(mode)).play()
    assert record.ending.offender == "w"
    assert record.ending.reason == ("protocol" if mode == "endless-answer" else "crash")
    assert record.moves == ()


def test_noise_does_not_lose_a_game(table, hostile: Command) -> None:
    for mode in ("chatty", "crlf", "twice", "flood-stderr"):
        assert table(hostile(mode), hostile()).play().ending.reason == "score"


def test_both_sides_receive_the_opening(table, player: Command, book: Path) -> None:
    first = book.read_text().splitlines()[3].split()[:2]
    opening = Opening("two", (Played("b", first[0]), Played("w", first[1])), "b")
    record = table(player(fail="resign", move=1), player()).play(opening)
    assert record.opening == "two"
    assert record.opening_moves == 2
    assert [move.vertex for move in record.moves] == first
    assert [search.move for search in record.searches] == [3]
    assert record.ending.winner == "w"


@pytest.fixture
def complaining() -> Command:
    """`complaining(at="genmove", way="exit", stderr="no memory")`: an engine that says why it fails."""

    def command(**options: object) -> str:
        return engine_command("complaining.py", **options)

    return command


def test_the_start_of_an_engine_is_not_on_the_clock(table, complaining: Command) -> None:
    """The start takes longer than the clock of a game: that clock starts after it."""
    seated = table(complaining(), complaining(load=0.8), main_time=0.5)
    for _ in range(2):
        assert not seated.play().ending.detail.startswith("name")  # the start has its own limit, `startup`
        seated.players[1].stop(politely=False)  # as the pool does it with `restart = "game"`


def test_nothing_of_an_earlier_game_is_in_the_record_of_a_failure(table, player: Command) -> None:
    seated = table(player(), player())
    first = seated.play()
    assert None not in first.programs
    black, white = seated.players
    os.kill(black.pid, signal.SIGKILL)
    white.stop(politely=True)  # as the pool does it with `restart = "game"`
    record = seated.play()
    assert record.ending.offender == "b"
    assert record.failure is not None
    assert record.failure.other_transcript == ""
    assert record.programs == (first.programs[0], None)  # White was not started for this game


def test_the_opponents_transcript_is_of_this_game_alone(table, player: Command) -> None:
    seated = table(player(), player())
    seated.play()
    os.kill(seated.players[0].pid, signal.SIGKILL)
    failure = seated.play().failure
    assert failure is not None
    assert failure.other_transcript == ""  # Black failed before White was asked for anything


def test_stderr_of_an_earlier_game_is_not_the_cause_of_a_crash(table, complaining: Command) -> None:
    bot = complaining(early="error: no opening book, playing on", at="genmove", nth=2, way="exit")
    seated = table(bot, complaining())
    assert seated.play().ending.reason == "score"
    record = seated.play()
    assert record.ending.reason == "crash"
    assert "opening book" not in record.ending.detail
    assert record.failure is not None
    assert b"opening book" in record.failure.stderr  # the log is kept, of the whole process


WORDS = "CUDA error: out of memory"


@pytest.mark.parametrize(("way", "code"), [("exit", "exit code 3"), ("signal", "SIGABRT"), ("silent", "2 s")])
def test_the_sentence_of_a_failure_quotes_stderr(table, complaining: Command, way: str, code: str) -> None:
    limit = 2.0 if way == "silent" else 600.0
    seated = table(complaining(), complaining(at="genmove", way=way, stderr=WORDS), timeout=limit)
    seated.players[0]._timeout = 60.0
    ending = seated.play().ending
    assert ending.offender == "w"
    assert WORDS in ending.detail
    assert code in ending.detail


def test_ref_nodes_and_ref_score_are_kept_with_the_search(table) -> None:
    bot = engine_command("pure_bot.py", playouts=5)
    searches = table(bot, bot).play().searches
    assert all(search.nodes is not None and search.nodes >= 10 for search in searches)
    assert all(search.score is not None and 0 <= search.score <= 1 for search in searches)
    silent = table(bot, bot, ask_ref=False).play().searches
    assert all(search.nodes is None and search.score is None for search in silent)


class BackwardClock(datetime):
    """A wall clock that shows an hour less at each look."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # no subclass is needed
        cls.looks += 1
        return datetime(2026, 1, 5, 12, tzinfo=tz) - timedelta(hours=cls.looks)


def test_a_game_does_not_end_before_it_starts_when_the_clock_is_set_back(
    table, player: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timestamps, "datetime", BackwardClock)
    record = table(player(), player()).play()
    started, finished = (datetime.fromisoformat(time) for time in (record.started, record.finished))
    assert record.duration is not None
    assert record.duration >= record.seconds("b") + record.seconds("w")
    assert abs((finished - started).total_seconds() - record.duration) <= 0.001  # stored in milliseconds
