"""The clock of a game: the times come from a script, so nothing here waits or measures."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from harness.arena.clock import Clock, TimeControl
from harness.arena.config.opening import EMPTY
from harness.arena.config.reader import check_config
from harness.arena.game.game import play_game
from harness.arena.game.player import Player
from harness.arena.game.snapshot import Camera, Snapshot
from harness.arena.records import Game, GameRecord
from tests.harness.arena.match_helpers import SIZE
from tests.harness.arena.scripted_engine import CLOCK_COMMANDS, NEVER, Script, ScriptedEngine
from tests.parameters import thorough_but
from tests.thorough import Mutant

GAME = Game("p001-g00001", 1, 1, "a", "b", 0)
BLACK = ("A5", "B5", "C5", "D5", "E5", "A4")
WHITE = ("A1", "B1", "C1", "D1", "E1", "A2")


class Match:
    """Games of two scripted engines, "a" (Black) and "b"."""

    def __init__(self, white: Script, run: dict[str, Any], engine: dict[str, Any]) -> None:
        tables = [{"name": "a", "command": "a"}, {"name": "b", "command": "b", **engine}]
        config = check_config({"run": {"size": SIZE, "timeout": 60, **run}, "engine": tables}, "test")
        self.config, self.run = config, config.run
        self.scripts = (Script(vertices=BLACK, moves=(0.0,)), white)
        self.players = [
            Player(table, config.run, partial(ScriptedEngine, script))
            for table, script in zip(config.engine, self.scripts, strict=True)
        ]

    def play(self, camera: Camera | None = None) -> GameRecord:
        black, white = self.players
        return play_game(GAME, self.run, EMPTY, black, white, camera)


def match(white: Script, engine: dict[str, Any] | None = None, **run: Any) -> Match:
    return Match(white, run, engine or {})


def test_a_loss_on_time_is_a_loss_that_counts() -> None:
    record = match(Script((3.0, 4.0, 3.5), vertices=WHITE), main_time=10).play()
    ending = record.ending
    assert (ending.reason, ending.result, ending.winner, ending.offender) == ("time", "B+T", "b", None)
    assert not record.void
    assert record.failure is None
    assert [move.vertex for move in record.moves] == ["A5", "A1", "B5", "B1", "C5"]  # the late move is none
    assert record.searches[-1] == (6, "w", "C1", None, None, 3.5)
    assert record.seconds("w") == 10.5


LATE = [
    ({"moves": (11.0,), "vertices": ("resign",)}, "resign"),
    ({"moves": (11.0,), "vertices": ("nonsense",)}, None),
    ({"moves": (9.0,), "vertices": ("A1",), "times": {"ref-nodes": 2.0}}, "A1"),
    ({"moves": (7.0,), "vertices": ("A1", "B1"), "times": {"play": 2.0}}, None),
    ({"times": {"time_left": 11.0}}, None),
]


@pytest.mark.parametrize(("keys", "vertex"), LATE)
def test_the_search_of_a_late_move_is_kept_if_its_answer_is_a_move(
    keys: dict[str, Any], vertex: str | None
) -> None:
    commands = (*CLOCK_COMMANDS, "ref-nodes", "ref-score")
    record = match(Script(commands=commands, **keys), main_time=10).play()
    assert record.ending.reason == "time"
    late = [search for search in record.searches if search.move > len(record.moves)]
    assert [search.vertex for search in late] == ([] if vertex is None else [vertex])


def test_the_last_moment_of_the_clock_is_not_enough() -> None:
    assert match(Script((9.99,), vertices=WHITE), main_time=10).play().ending.reason == "score"
    assert match(Script((10.0,), vertices=WHITE), main_time=10).play().ending.reason == "time"


def test_after_a_loss_on_time_the_next_game_has_a_clock_of_its_own() -> None:
    white = Script((11.0,), vertices=WHITE, times={"name": 25.0})  # the start is slower than the clock
    both = match(white, main_time=10, timeout=5)
    assert both.play().ending.reason == "time"
    assert not white.starts[1:]
    white.moves = (9.0,)
    assert both.play().ending.reason == "score"
    both.players[1].stop(politely=False)
    assert both.play().ending.reason == "score"  # a new process: its start is not on the clock
    assert len(white.starts) == 2


@pytest.mark.parametrize("clock", [{}, {"main_time": 10}, {"byoyomi": {"time": 10, "periods": 3}}])
def test_silence_beyond_every_clock_is_a_failure(clock: dict[str, Any]) -> None:
    record = match(Script((0.0, NEVER), vertices=WHITE), **clock, timeout=7).play()
    assert (record.ending.reason, record.ending.offender) == ("timeout", "w")
    assert record.void
    left = {"": 0, "main_time": 10, "byoyomi": 30}["".join(clock)]
    assert f"no answer within {7 + left} s" in record.ending.detail


def test_silence_after_another_command_ends_with_its_time_limit() -> None:
    white = Script(vertices=WHITE, times={"play": NEVER})
    ending = match(white, main_time=1000, timeout=7).play().ending
    assert (ending.reason, ending.offender) == ("timeout", "w")
    assert "no answer within 7 s" in ending.detail


def test_every_command_of_the_game_is_on_the_clock() -> None:
    white = Script(vertices=WHITE, times={"play": 4.0})
    ending = match(white, main_time=10).play().ending
    assert ending.reason == "time"
    assert ending.detail.startswith("play b")


@pytest.mark.parametrize(("seconds", "reason"), [(29.0, "score"), (31.0, "timeout")])
def test_a_slow_start_has_a_limit_of_its_own(seconds: float, reason: str) -> None:
    white = Script(vertices=WHITE, times={"name": seconds})
    record = match(white, {"startup": 30}, main_time=1, timeout=1).play()
    assert record.ending.reason == reason


def test_an_increment_is_added_after_each_move() -> None:
    white = Script((9.0, 2.9, 2.9, 2.9), vertices=WHITE)
    assert match(white, main_time=10, increment=3).play().ending.reason == "score"
    white.moves = (9.0, 4.1)
    assert match(white, main_time=10, increment=3).play().ending.reason == "time"


def test_canadian_byoyomi_renews_its_time_with_the_last_stone() -> None:
    run: dict[str, Any] = {"main_time": 10, "byoyomi": {"time": 20, "stones": 2}}
    white = Script((12.0, 17.0, 19.0, 0.5, 19.0), vertices=WHITE)  # 2 s over, 17 s: the stones are made
    record = match(white, **run).play()
    assert record.ending.reason == "score"
    shown = [tuple(reading[1:]) for reading in record.readings if reading.move % 2 == 0]
    assert shown[:5] == [(18.0, 1), (20.0, 2), (1.0, 1), (20.0, 2), (1.0, 1)]
    white.moves = (12.0, 18.0)  # the second stone comes at the end of the period: too late
    assert match(white, **run).play().ending.reason == "time"


def test_a_japanese_period_is_used_up_by_a_long_move_alone() -> None:
    run: dict[str, Any] = {"main_time": 10, "byoyomi": {"time": 20, "periods": 3}}
    white = Script((10.0, 19.0, 19.0, 21.0, 19.0, 19.0), vertices=WHITE)
    record = match(white, **run).play()
    assert record.ending.reason == "score"
    shown = [tuple(reading[1:]) for reading in record.readings if reading.move % 2 == 0]
    assert shown[:6] == [(20.0, 3), (20.0, 3), (20.0, 3), (20.0, 2), (20.0, 2), (20.0, 2)]
    white.moves = (10.0, 45.0, 19.0, 20.0)  # two periods at once, then the last one
    assert match(white, **run).play().ending.reason == "time"


def test_the_keys_of_an_engine_replace_those_of_the_run() -> None:
    white = Script((15.0,), vertices=WHITE)
    both = match(white, {"main_time": 20, "timeout": 100}, main_time=10)
    record = both.play()
    assert record.ending.reason == "score"
    assert record.clocks == ("10", "20")
    white.moves = (NEVER,)
    assert "within 120 s" in both.play().ending.detail


def test_an_engine_can_be_without_a_main_time_or_an_increment_of_the_run() -> None:
    run = {"main_time": 60, "increment": 5}
    assert match(Script(), {"increment": 0}, **run).play().clocks == ("60+5", "60")
    own = {"main_time": 0, "increment": 0, "byoyomi": {"time": 5, "stones": 1}}
    assert match(Script(), own, **run).play().clocks == ("60+5", "0+1/5")


def test_without_a_clock_nothing_is_recorded() -> None:
    record = match(Script(vertices=WHITE)).play()
    assert (record.clocks, record.readings) == (None, [])


KATA = (*CLOCK_COMMANDS, "kgs-time_settings", "kata-time_settings")
KGS = (*CLOCK_COMMANDS, "kgs-time_settings")
SETTINGS = [
    ({"main_time": 90.5}, CLOCK_COMMANDS, "time_settings 91 0 0"),
    ({"main_time": 60, "increment": 5}, CLOCK_COMMANDS, "time_settings 60 0 0"),
    ({"main_time": 60, "byoyomi": {"time": 30, "stones": 5}}, CLOCK_COMMANDS, "time_settings 60 30 5"),
    ({"byoyomi": {"time": 5, "stones": 1}}, CLOCK_COMMANDS, "time_settings 0 5 1"),
    ({"main_time": 60, "byoyomi": {"time": 30, "periods": 5}}, CLOCK_COMMANDS, "time_settings 60 30 1"),
    (
        {"main_time": 60, "byoyomi": {"time": 30, "periods": 5}},
        (*CLOCK_COMMANDS, "kgs-time_settings"),
        "kgs-time_settings byoyomi 60 30 5",
    ),
    ({"main_time": 60}, (*CLOCK_COMMANDS, "kgs-time_settings"), "time_settings 60 0 0"),
    ({"main_time": 60}, ("kgs-time_settings",), "kgs-time_settings absolute 60"),
    (
        {"main_time": 60, "byoyomi": {"time": 30, "stones": 5}},
        ("kgs-time_settings",),
        "kgs-time_settings canadian 60 30 5",
    ),
    ({"main_time": 90.5}, KATA, "kata-time_settings absolute 90.5"),
    ({"main_time": 60, "increment": 2.5}, KATA, "kata-time_settings fischer 60 2.5"),
    (
        {"main_time": 60, "byoyomi": {"time": 2.25, "stones": 5}},
        KATA,
        "kata-time_settings canadian 60 2.25 5",
    ),
    ({"byoyomi": {"time": 30, "periods": 5}}, KATA, "kata-time_settings byoyomi 0 30 5"),
    ({"main_time": 60}, (), None),
    ({}, CLOCK_COMMANDS, None),
]


@pytest.mark.parametrize(("run", "commands", "line"), SETTINGS)
def test_the_time_is_set_before_each_game(
    run: dict[str, Any], commands: tuple[str, ...], line: str | None
) -> None:
    white = Script(vertices=WHITE, commands=commands)
    both = match(white, **run)
    for _ in range(2):
        both.play()
    sent = [text for text in white.sent if "time_settings" in text]
    assert sent == ([] if line is None else [line, line])


class SlowClock:
    """A twin of the clock that counts milliseconds one by one."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = round(1000 * control.main_time)
        self.period = self.full = round(1000 * control.period)
        self.count = control.stones or control.periods

    def spend(self, milliseconds: int) -> None:
        for _ in range(milliseconds):
            if self.main:
                self.main -= 1
            else:
                self.period -= 1
                if not self.period and self.control.periods and self.count > 1:
                    self.period, self.count = self.full, self.count - 1

    def end_move(self) -> None:
        if self.control.increment:
            self.main += round(1000 * self.control.increment)
        elif not self.main and self.control.periods:
            self.period = self.full
        elif not self.main:
            self.count -= 1
            if not self.count:
                self.period, self.count = self.full, self.control.stones

    @property
    def shown(self) -> tuple[int, int]:
        return (self.main, 0) if self.main or not self.full else (self.period, self.count)


KINDS: dict[str, dict[str, Any]] = {
    "absolute": {"main_time": 60},
    "fischer": {"main_time": 20, "increment": 4.5},
    "canadian": {"main_time": 9.5, "byoyomi": {"time": 20, "stones": 3}},
    "canadian from the start": {"byoyomi": {"time": 20.25, "stones": 2}},
    "japanese": {"main_time": 9.5, "byoyomi": {"time": 5.5, "periods": 6}},
    "japanese from the start": {"byoyomi": {"time": 5, "periods": 6}},
}
PLAY, ASKED = 11, 7
"""Milliseconds of the answers to `play` and to `time_left`."""


@pytest.mark.parametrize("commands", [CLOCK_COMMANDS, KGS, KATA], ids=["gtp", "kgs", "kata"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "seed",
    thorough_but(
        (0,),
        range(4),
        Mutant(
            "harness/arena/clock.py",
            "math.floor(100 * shown.seconds)",
            "math.floor(100 * shown.seconds + 100)",
            "tests/harness/arena/test_match_clock.py::test_time_left_is_the_truth[0-absolute-gtp]",
        ),
    ),
)
def test_time_left_is_the_truth(kind: str, commands: tuple[str, ...], seed: int) -> None:
    """Within a tenth of a second for engines that read decimals, else rounded down to a second."""
    rng = random.Random(f"{kind} {seed}")
    moves = [rng.randrange(50, 6000) for _ in WHITE]
    white = Script(
        tuple(move / 1000 for move in moves),
        vertices=WHITE,
        times={"play": PLAY / 1000, "time_left": ASKED / 1000},
        commands=commands,
    )
    both = match(white, **KINDS[kind])
    assert both.play().ending.reason == "score"
    sent = [line.split() for line in white.sent if line.startswith("time_left w")]
    assert len(sent) > len(WHITE)
    control = both.players[1].control
    assert control is not None
    twin = SlowClock(control)
    for (*_, seconds, count), move in zip(sent, [*moves, 0], strict=False):
        twin.spend(PLAY)
        true, counted = twin.shown
        late = true - 1000 * float(seconds)
        assert 0 <= late < (100 if commands is KATA else 1000)
        counts_periods = commands is not CLOCK_COMMANDS or not control.periods
        assert int(count) == (counted if counts_periods else min(counted, 1))
        twin.spend(ASKED + move)
        twin.end_move()


def test_time_left_has_whole_seconds_for_engines_of_the_standard() -> None:
    white = Script((1.5, 9.7, 3.9), vertices=WHITE)
    match(white, main_time=12, byoyomi={"time": 10, "stones": 3}).play()
    told = [line for line in white.sent if line.startswith("time_left")]
    assert told[:4] == ["time_left w 12 0", "time_left w 10 0", "time_left w 0 0", "time_left w 6 2"]


@pytest.mark.parametrize(("kgs", "counted"), [(("kgs-time_settings",), (5, 4)), ((), (1, 1))])
def test_time_left_counts_periods_for_engines_that_know_them(
    kgs: tuple[str, ...], counted: tuple[int, int]
) -> None:
    white = Script((61.0, 45.0), vertices=WHITE, commands=(*CLOCK_COMMANDS, *kgs))
    match(white, main_time=60, byoyomi={"time": 30, "periods": 5}).play()
    told = [line for line in white.sent if line.startswith("time_left")]
    assert told[1:3] == [f"time_left w 30 {counted[0]}", f"time_left w 30 {counted[1]}"]


CONTROLS = [
    (TimeControl(60), "60", ""),
    (TimeControl(60, increment=2.5), "60+2.5", "2.5 fischer"),
    (TimeControl(600, period=30, stones=5), "600+5/30", "5/30 Canadian"),
    (TimeControl(0, period=30, periods=5), "0+5x30", "5x30 byo-yomi"),
]


@pytest.mark.parametrize(("control", "text", "overtime"), CONTROLS)
def test_the_text_of_a_time_control_is_read_again(control: TimeControl, text: str, overtime: str) -> None:
    assert str(control) == text
    assert control.overtime == overtime
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize("text", ["", "x", "60+", "60+5y3", "-3", "60+5/30+2", "60+0/30", "60+0x30"])
def test_other_texts_are_no_time_control(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time control"):
        TimeControl.parse(text)


def test_a_clock_is_over_when_its_last_period_is_over() -> None:
    clock = Clock(TimeControl(10, period=20, periods=3))
    clock.spend(69.5)
    assert clock.left == pytest.approx(0.5)
    clock.spend(0.5)
    assert clock.left <= 0


def test_a_snapshot_has_the_times_left() -> None:
    taken: list[Snapshot] = []
    white = Script((8.0, 5.0), vertices=WHITE)
    match(white, main_time=10, byoyomi={"time": 20, "periods": 3}).play(Camera(taken.append, seconds=0.0))
    assert taken[0].clocks == "Black has 10 s, White has 10 s"
    assert taken[2].clocks == "Black has 10 s, White has 2 s"
    assert taken[3].clocks == "Black has 10 s, White has 20 s of byo-yomi (3 left)"
    match(Script(vertices=WHITE)).play(Camera(taken.append, seconds=0.0))
    assert taken[-1].clocks == ""
