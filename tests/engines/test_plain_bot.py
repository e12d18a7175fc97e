"""The engines that the harness is proved on are themselves what they claim: right, or wrong in one way.

Every probe below is a statement that holds for a bot that follows the specification. `plain_bot.py` must
satisfy all of them, and each wrong bot must fail the probe of its name. Most probes are exact; for the
others the seeds are fixed, and were they free a test would fail with probability below 1e-8.
"""

from __future__ import annotations

import math
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.parameters import slow_but

pytestmark = pytest.mark.slow  # two hundred processes; they fail only where a test engine has changed

HERE = Path(__file__).parent
RIGHT = "plain_bot.py"
PURE = "pure_bot.py"

# X Black, O White. Both sides live with two eyes each; C is neutral.
DAME = [".XCO.", "XXCOO", "XXCOO", "XXCOO", ".XCO."]
KO = [".XO.O", "XXXOO", "XXXO.", "XXXOO", ".XXO."]  # Black takes at D5
KO_AND_DAME = [*KO[:4], ".X.O."]
SNAPBACK = [".XO.X", *KO[1:]]  # Black takes at D5 too, but with two stones that can be taken back
SECOND_LINE_EYE = ["XXOO.", "XXOOO", "XXOO.", "X.XOO", ".XXOO"]  # B2, with one white diagonal
ATARI = ["....O", ".....", ".....", "X....", "O.XXX"]  # Black can take at B1


class Bot:
    """A bot in a process, asked one command at a time."""

    def __init__(self, *command: object) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / str(command[0])), *map(str, command[1:])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
            env=kept | {"NUMBA_OPT": "1"},  # compiles faster and runs as fast
        )

    def __enter__(self) -> Bot:
        return self

    def __exit__(self, *exc: object) -> None:
        self.process.kill()
        self.process.communicate()

    def raw(self, command: str) -> str:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = ""
        while not answer.endswith("\n\n"):
            line = self.process.stdout.readline()
            assert line, f"the bot ended at {command!r}"
            answer += line
        return answer

    def __call__(self, command: str) -> str:
        """The text of the answer, which must be a success."""
        answer = self.raw(command)
        assert answer.startswith("="), (command, answer)
        return answer[1:].strip()

    def accepts(self, command: str) -> bool:
        return self.raw(command).startswith("=")

    def set_up(self, diagram: list[str], komi: float = 0.0) -> None:
        """Play the stones of a diagram, top row first: Black's, then White's."""
        self(f"boardsize {len(diagram)}")
        self("clear_board")
        self(f"komi {komi}")
        for colour, sign in (("b", "X"), ("w", "O")):
            for row, line in zip(range(len(diagram), 0, -1), diagram, strict=True):
                for column, here in zip("ABCDEFGHJ", line, strict=False):
                    if here == sign:
                        self(f"play {colour} {column}{row}")

    def stones(self, diagram: list[str]) -> int:
        return sum(line.count("X") + line.count("O") for line in diagram)

    def passes(self, number: int) -> None:
        for _ in range(number):
            self("play b pass")

    def search(self, colour: str) -> tuple[str, int, float]:
        """Vertex, nodes and score of a genmove, which is taken back."""
        found = self(f"genmove {colour}"), int(self("ref-nodes")), float(self("ref-score"))
        self("undo")
        return found


def bot(script: str, *options: object) -> Bot:
    """A bot by its script, or by the name of its fault."""
    file = (script,) if script.endswith(".py") else ("wrong_bots.py", script)
    return Bot(*file, *options)


# --- probes: each holds for a right bot ------------------------------------------------------------


def last_move_playouts(right: Bot, diagram: list[str], komi: float, before: str = "") -> None:
    """Bring a 5x5 game to its 74th move: with a cap of 75 every playout is then one move long."""
    right.set_up(diagram, komi)
    if before:
        right(before)
    right.passes(74 - right.stones(diagram) - bool(before))


def second_line_eye_is_kept(script: str) -> bool:
    with bot(script, "--playouts", 50, "--seed", 7, "--search-when-passing") as b:
        b.set_up(SECOND_LINE_EYE)  # only eyes are left: both sides pass
        return b.search("b")[1] == 50 * 2


def taking_point_drawn_uniformly(script: str) -> bool:
    """One of 19 legal points wins, by taking A1. By rows it has 1/5, by 1 + 0.2·stones it has 1.4/20.8."""
    n, p = 100_000, 1 / 19
    with bot(script, "--playouts", n, "--seed", 7) as b:
        last_move_playouts(b, ATARI, komi=4)
        score = b.search("b")[2]
    return abs(score - p) < 6 * math.sqrt(p * (1 - p) / n)


@cache
def lengths(script: str, seed: int) -> tuple[float, float]:
    """Mean and variance of the playout length on the empty 5x5 board, over 40 searches of 500."""
    with bot(script, "--playouts", 500, "--seed", seed, "--size", 5) as b:
        means = [b.search("b")[1] / 500 for _ in range(40)]
    return statistics.mean(means), statistics.variance(means)


def length_as_reference(script: str) -> bool:
    """6 sigma for two samples of equal size; the faults that it is used for are 12 sigma off and more."""
    mean, _ = lengths(script, 7)
    reference, variance = lengths(RIGHT, 8)
    return abs(mean - reference) < 6 * math.sqrt(2 * variance / 40)


def searches_are_independent(script: str) -> bool:
    """A search varies as its playouts do; one that repeats its own playouts is far too steady (1/30)."""
    return lengths(script, 7)[1] > lengths(RIGHT, 8)[1] / 6


def ko_ends_with_pass(script: str) -> bool:
    """White, not allowed to retake, passes; Black connects the ko; two passes."""
    with bot(script, "--playouts", 50, "--seed", 7, "--search-when-passing") as b:
        b.set_up(KO)
        b("play b D5")
        return b.search("w")[1] == 50 * 4


def snapback_is_no_ko(script: str) -> bool:
    """White's one move takes two stones, then each side has another; with a ban it all lasts 4 moves."""
    with bot(script, "--playouts", 50, "--seed", 7, "--search-when-passing") as b:
        b.set_up(SNAPBACK)
        b("play b D5")
        return b.search("w")[1] >= 50 * 5


def both_stones_are_taken(script: str) -> bool:
    with bot(script, "--size", 5) as b:
        b.set_up([".....", ".....", ".....", "X.X..", "O.OX."])
        b("play b B1")
        return b.accepts("play b A1") and b.accepts("play b C1")


def ko_can_be_taken(script: str) -> bool:
    with bot(script) as b:
        b.set_up(KO)
        return b.accepts("play b D5")


def game_passes_count_for_cap(script: str) -> bool:
    with bot(script, "--playouts", 100, "--size", 5) as b:
        b.passes(75)
        return b.search("b")[1] == 100


def number_of_playouts_is_kept(script: str) -> bool:
    """A playout is one move there."""
    with bot(script, "--playouts", 100, "--size", 5, "--seed", 7) as b:
        b.passes(75)
        return [b.search("b")[1] for _ in range(3)] == [100] * 3


def territory_is_counted(script: str) -> bool:
    with bot(script, "--size", 5, "--komi", 7.5) as b:
        b("play b C3")
        return b("final_score") == "B+17.5"


def white_gets_komi(script: str) -> bool:
    with bot(script, "--playouts", 50) as b:
        b.set_up(dame(2), komi=100)
        return b.search("w")[2] == 1


def komi_keeps_its_half(script: str) -> bool:
    with bot(script) as b:
        b("komi 7.5")
        return b("final_score") == "W+7.5"


def mover_begins(script: str) -> bool:
    with bot(script, "--playouts", 50) as b:
        b.set_up(dame(1))  # who takes the last neutral point wins by one
        return b.search("w")[2] == 1 == b.search("b")[2]


def centre_is_preferred(script: str) -> bool:
    """On 7x7 about 0.18 of a right bot's first moves are on the outer two lines; 0.6 of a hasty one's."""
    with bot(script, "--playouts", 200, "--seed", 7, "--size", 7, "--komi", 0) as b:
        vertices = [b.search("b")[0] for _ in range(200)]
    return sum(vertex[0] in "ABFG" or vertex[1] in "1267" for vertex in vertices) < 0.4 * 200


def first_line_is_avoided(script: str) -> bool:
    """On 5x5 nearly none of a right bot's first moves; 0.95 of those of one that forgets captures."""
    with bot(script, "--playouts", 1000, "--seed", 7, "--size", 5, "--komi", 0) as b:
        vertices = [b.search("b")[0] for _ in range(40)]
    return sum(vertex[0] in "AE" or vertex[1] in "15" for vertex in vertices) < 0.5 * 40


def draw_is_preferred_to_loss(script: str) -> bool:
    with bot(script, "--playouts", 1000, "--seed", 7) as b:
        last_move_playouts(b, ATARI, komi=5)  # B1 draws, all else loses
        return all(b.search("b")[0] == "B1" for _ in range(10))


def records_are_new(script: str) -> bool:
    """After a search in which B1 alone wins, one in which all 19 points lose chooses any of them."""
    with bot(script, "--playouts", 1000, "--seed", 7) as b:
        last_move_playouts(b, ATARI, komi=4)
        assert b.search("b")[0] == "B1"
        b("komi 6")
        return any(b.search("b")[0] != "B1" for _ in range(10))


def superko_leaves_the_next_best(script: str) -> bool:
    """White wins by retaking only; that repeats a position, and C1 is what is left."""
    with bot(script, "--playouts", 100, "--seed", 7) as b:
        last_move_playouts(b, KO_AND_DAME, komi=3, before="play b D5")
        return b.search("w")[0] == "C1"


def games_differ(script: str) -> bool:
    with bot(script, "--playouts", 500, "--seed", 7, "--size", 5) as b:
        games = []
        for _ in range(2):
            b("clear_board")
            games.append([b.search("b") for _ in range(5)])
    return games[0] != games[1]


def move_can_be_played_after_undo(script: str) -> bool:
    with bot(script) as b:
        b("play b C3")
        b("undo")
        return b.accepts("play b C3")


def superko_outlives_passes(script: str) -> bool:
    with bot(script) as b:
        b.set_up(KO)
        b("play b D5")
        b("play w pass")
        b("play b pass")
        return b.raw("play w C5") == "? illegal move\n\n"


PROBES: dict[str, Callable[[str], bool]] = {
    "eye-second-line": second_line_eye_is_kept,
    "respects-enemy-eyes": length_as_reference,
    "crowded-points": taking_point_drawn_uniformly,
    "row-first": taking_point_drawn_uniformly,
    "one-shuffle": length_as_reference,
    "suicide-passes": length_as_reference,
    "fifteen-bit-seeds": searches_are_independent,
    "ko-any-single": snapback_is_no_ko,
    "ko-survives-pass": ko_ends_with_pass,
    "first-victim-only": both_stones_are_taken,
    "own-stones-first": ko_can_be_taken,
    "playouts-vary": number_of_playouts_is_kept,
    "stale-ko": ko_ends_with_pass,
    "passes-add-up": length_as_reference,
    "cap-without-passes": game_passes_count_for_cap,
    "eyes-only-score": territory_is_counted,
    "komi-for-black": white_gets_komi,
    "whole-komi": komi_keeps_its_half,
    "capped-uncounted": game_passes_count_for_cap,
    "black-begins": mover_begins,
    "amaf-opening-only": centre_is_preferred,
    "amaf-captures-erase": first_line_is_avoided,
    "amaf-draw-loses": draw_is_preferred_to_loss,
    "amaf-remembers": records_are_new,
    "superko-after-choice": superko_leaves_the_next_best,
    "same-dice-each-game": games_differ,
    "undo-keeps-superko": move_can_be_played_after_undo,
    "pass-clears-superko": superko_outlives_passes,
}


@pytest.mark.parametrize("probe", dict.fromkeys(PROBES.values()), ids=lambda probe: probe.__name__)
def test_the_right_bot_satisfies_every_probe(probe: Callable[[str], bool]) -> None:
    assert probe(RIGHT)


OFTEN = ("cap-without-passes", "stale-ko", "whole-komi")
"""A wrong bot compiles its rules anew, for seconds: the others are tried by the slow tests."""


@pytest.mark.parametrize("fault", slow_but(OFTEN, PROBES))
def test_each_wrong_bot_fails_its_probe(fault: str) -> None:
    assert not PROBES[fault](fault)


def test_every_fault_has_a_probe() -> None:
    command = [sys.executable, str(HERE / "wrong_bots.py"), "--list"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    listed = [line.split()[0] for line in listing.splitlines()]
    assert listed[: len(PROBES)] == list(PROBES)  # those behind them are for the harness, test_wrong_bots.py


# --- the right bot -------------------------------------------------------------------------------------


def dame(k: int) -> list[str]:
    """A 5x5 position in which k neutral points are all that is left; the others are taken in turn."""
    takers = iter("XOXO"[: 5 - k])
    return ["".join(next(takers, ".") if here == "C" else here for here in line) for line in DAME]


@pytest.fixture(scope="module")
def right() -> Iterator[Bot]:
    with Bot(RIGHT, "--playouts", 100, "--seed", 3) as b:
        yield b


@pytest.mark.parametrize("k", range(1, 6))
@pytest.mark.parametrize("colour", ["b", "w"])
@pytest.mark.parametrize("script", [RIGHT, PURE])
def test_k_neutral_points_make_playouts_of_k_plus_two_moves(script: str, k: int, colour: str) -> None:
    with Bot(script, "--playouts", 20) as b:
        b.set_up(dame(k))
        assert b.search(colour)[1] == 20 * (k + 2)


@pytest.mark.parametrize("script", [RIGHT, PURE])
@pytest.mark.parametrize(("colour", "komi", "score"), [("b", 0, 1), ("b", 1, 0.5), ("b", 2, 0), ("w", 0, 1)])
def test_score_is_the_movers(script: str, colour: str, komi: int, score: float) -> None:
    with Bot(script, "--playouts", 20) as b:
        b.set_up(dame(5), komi)  # 10 points each, and the mover takes 3 of the 5
        assert b.search(colour)[2] == score


@pytest.mark.parametrize(
    ("komi", "p"),
    [(7.5, 0.4214), pytest.param(0, 0.524478, marks=pytest.mark.slow)],
)
def test_empty_board_as_published(komi: float, p: float) -> None:
    """Length 111.06, sd 16.02; 6 sigma of 20,000 playouts (the published figures' errors are small)."""
    searches, playouts = 10, 2000
    with Bot(RIGHT, "--playouts", playouts, "--seed", 5, "--komi", komi) as b:
        found = [b.search("b") for _ in range(searches)]
    n = searches * playouts
    assert sum(nodes for _, nodes, _ in found) / n == pytest.approx(111.06, abs=6 * 16.02 / math.sqrt(n))
    assert statistics.mean(score for *_, score in found) == pytest.approx(
        p, abs=6 * math.sqrt(p * (1 - p) / n)
    )


@pytest.mark.parametrize("size", [2, 3, 4])
def test_right_and_pure_agree_on_small_boards(size: int) -> None:
    """Both from samples: 6 sigma of the difference."""
    found = []
    for script, playouts in ((RIGHT, 1000), (PURE, 60)):
        with Bot(script, "--playouts", playouts, "--seed", 5, "--size", size, "--komi", 0.5) as b:
            found.append([b.search("b") for _ in range(25)])
    lengths = [[s[1] / playouts for s in one] for one, playouts in zip(found, (1000, 60), strict=True)]
    scores = [[s[2] for s in one] for one in found]
    for samples in (lengths, scores):
        error = math.sqrt(sum(statistics.variance(sample) / 25 for sample in samples))
        assert abs(statistics.mean(samples[0]) - statistics.mean(samples[1])) < 6 * error


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_right_and_pure_allow_the_same_moves(size: int) -> None:
    """Random commands, many on occupied points, and undos: a witness for every rule of the game."""
    dice = random.Random(size)
    with Bot(RIGHT, "--size", size) as plain, Bot(PURE, "--size", size) as pure:
        for _ in range(600):
            vertex = f"{dice.choice('ABCDE'[:size])}{dice.randint(1, size)}"
            command = dice.choice([f"play {dice.choice('bw')} {vertex}"] * 12 + ["undo", "play w pass"])
            assert plain.accepts(command) == pure.accepts(command), command


def test_passes_without_a_candidate_and_counts_nothing(right: Bot) -> None:
    right.set_up(SECOND_LINE_EYE)
    assert right.search("b") == ("pass", 0, 0)
    assert right.search("w") == ("pass", 0, 0)


def test_single_and_multi_stone_suicide_are_illegal(right: Bot) -> None:
    right.set_up([".....", ".....", "XX...", "O.X..", ".OX.."])
    assert right.accepts("play w B2")  # leaves A1 as the chain's one liberty
    assert right.raw("play w A1") == "? illegal move\n\n"
    assert right.accepts("play b A1")  # takes them all
    assert right.accepts("play b B1")


def test_undo_gives_back_ko_and_captures(right: Bot) -> None:
    right.set_up(KO)
    right("play b D5")
    right("undo")
    assert right.raw("play b C5") == "? illegal move\n\n"  # White's stone is there again
    right("play b D5")
    assert right.raw("play w C5") == "? illegal move\n\n"


def test_komi_and_size_outlive_clear_board(right: Bot) -> None:
    right("boardsize 3")
    right("komi 2.5")
    right("clear_board")
    assert right("final_score") == "W+2.5"
    assert not right.accepts("play b D4")


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("12 protocol_version", "=12 2\n\n"),
        ("0 nonsense", "?0 no such command: nonsense\n\n"),
        ("known_command genmovex", "= false\n\n"),
        ("known_command ref-nodes", "= true\n\n"),
        ("known_command ref-playouts", "= false\n\n"),
        ("boardsize 14", "? unacceptable size\n\n"),
        ("boardsize 1", "? unacceptable size\n\n"),
        ("KOMI 3", "? no such command: KOMI\n\n"),
        ("\x07ko\tmi", "? no such command: ko\n\n"),
        ("\x07komi\t6.5 # 7.5\r", "= \n\n"),
    ],
)
def test_wire(right: Bot, command: str, answer: str) -> None:
    assert right.raw(command) == answer


@pytest.mark.parametrize(
    "command",
    [
        "komi 7,5",
        "komi",
        "komi nan",
        "boardsize x",
        "play b I5",
        "play b",
        "play x A1",
        "play b A0",
        "genmove",
    ],
)
def test_bad_arguments_fail_and_change_nothing(right: Bot, command: str) -> None:
    right("boardsize 9")
    right("komi 7.5")
    assert right.raw(f"3 {command}").startswith("?3 ")
    assert right("final_score") == "W+7.5"
    assert right.raw("undo") == "? cannot undo\n\n"


def test_answers_blank_lines_with_silence_and_obeys_a_last_line_without_its_end() -> None:
    command = [sys.executable, str(HERE / RIGHT)]
    done = subprocess.run(command, input=b"\n  \n# x\n1 name\n\xff2 version", capture_output=True)
    assert (done.stdout, done.returncode) == (b"=1 Plain Bot\n\n=2 1\n\n", 0)
