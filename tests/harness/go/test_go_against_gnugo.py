"""GNU Go's list of legal moves, an independent truth for each rule about ko and suicide."""

from __future__ import annotations

import copy
import random
import subprocess
from pathlib import Path

import pytest

from harness.arena.judge.witness import OtherRules
from harness.go import COLUMN_LETTERS, REFERENCE, Ko, Point, Position, Rules, all_points
from refbot.rules import BLACK, WHITE, Game
from tests.parameters import thorough_but
from tests.thorough import Mutant

COLOURS = {"b": BLACK, "w": WHITE}

GNUGO = Path("/usr/games/gnugo")
COMMAND = [str(GNUGO), "--mode", "gtp", "--level", "0", "--chinese-rules"]
KO = {
    "positional": "--positional-superko",
    "situational": "--situational-superko",
    "simple": "--simple-ko",
}

pytestmark = pytest.mark.skipif(not GNUGO.exists(), reason=f"{GNUGO} is not installed")


def vertex(point: Point | None) -> str:
    return "pass" if point is None else f"{COLUMN_LETTERS[point[1]]}{point[0] + 1}"


def answers_of_gnugo(commands: list[str], rules: Rules) -> list[str]:
    flags = [KO[rules.ko], "--allow-suicide" if rules.suicide else "--forbid-suicide"]
    numbered = "".join(f"{number} {command}\n" for number, command in enumerate(commands))
    done = subprocess.run(
        [*COMMAND, *flags], input=numbered + "quit\n", capture_output=True, text=True, check=True
    )
    blocks = done.stdout.split("\n\n")[: len(commands)]
    answers = []
    for number, block in enumerate(blocks):
        head, _, text = block.strip().partition(" ")
        assert head == f"={number}", f"{commands[number]}: {block}"
        answers.append(text)
    return answers


def legal_to_refbot(game: Game, colour: str) -> set[tuple[int, int]]:
    """The points where refbot lets a colour play."""
    points = range(game.size**2)
    return {divmod(point, game.size) for point in points if game.legality(COLOURS[colour], point) is None}


def is_legal(game: OtherRules, colour: int, point: Point) -> bool:
    """The second board of a verification lets the colour play."""
    try:
        copy.deepcopy(game).play(colour, point[0] * game.size + point[1])
    except ValueError:
        return False
    return True


def compare_legal_moves(size: int, games: int, seed: int) -> tuple[int, int]:
    """Plays random games, eyes filled too, comparing referee, refbot and gnugo in every position.

    Returns the numbers of positions and of superko bans.
    """
    rng = random.Random(seed)
    commands, expected = [f"boardsize {size}"], [set[str]()]
    superko = 0
    for _ in range(games):
        commands.append("clear_board")
        expected.append(set())
        position, game = Position(size), Game(size)
        for _ in range(3 * size * size):
            for colour in ("b", "w"):
                assert legal_to_refbot(game, colour) == set(position.legal_points(colour)), position.draw()
                commands.append(f"all_legal {colour}")
                expected.append({vertex(point) for point in position.legal_points(colour)})
                superko += sum(
                    position.legality(colour, (row, column)) == "superko"
                    for row in range(size)
                    for column in range(size)
                )
            mover = position.to_move if rng.random() < 0.9 else rng.choice(("b", "w"))
            choices: list[Point | None] = [*position.legal_points(mover)] or [None]
            point = None if rng.random() < 0.03 else rng.choice(choices)
            commands.append(f"play {mover} {vertex(point)}")
            expected.append(set())
            position.play(mover, point)
            game.play(COLOURS[mover], None if point is None else point[0] * size + point[1])
    for command, answer, points in zip(
        commands, answers_of_gnugo(commands, REFERENCE), expected, strict=True
    ):
        assert set(answer.split()) == points, command
    return sum(command.startswith("all_legal") for command in commands), superko


@pytest.mark.parametrize(("size", "games"), [(2, 15), (3, 12), (4, 6), (5, 5), (7, 3), (9, 2)])
def test_the_referee_allows_what_gnugo_allows(size: int, games: int) -> None:
    positions, superko = compare_legal_moves(size, games, seed=size)
    assert positions >= 300
    assert superko or size > 4, "superko never forbade anything: this compared too little"


def suicides_that_repeat(position: Position) -> set[str]:
    """GNU Go looks for a repetition only where stones of the opponent are captured."""
    mover, without_suicide = position.to_move, Position(position.size)
    stones = position.stones()
    without_suicide.set_up(*([p for p, colour in stones.items() if colour == side] for side in "bw"))
    banned = [p for p in all_points(position.size) if position.legality(mover, p) == "superko"]
    return {vertex(point) for point in banned if without_suicide.legality(mover, point) == "suicide"}


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", list(KO))
@pytest.mark.parametrize(
    ("size", "games"),
    thorough_but(
        (2, 3),
        [(2, 8), (3, 8), (4, 3)],
        Mutant(
            "harness/go/position.py",
            "if len(lost) == 1 or not self.rules.suicide:",
            "if len(lost) == 1 or self.rules.suicide:",
            "tests/harness/go/test_go_against_gnugo.py::"
            "test_the_referee_allows_what_gnugo_allows_under_other_rules[3-8-positional-False]",
        ),
    ),
)
def test_the_referee_allows_what_gnugo_allows_under_other_rules(
    ko: Ko, suicide: bool, size: int, games: int
) -> None:
    """The sides alternate, as in a match."""
    rng, rules = random.Random(size), Rules(ko, suicide)
    commands, expected = [f"boardsize {size}"], [(set[str](), set[str]())]
    for _ in range(games):
        commands.append("clear_board")
        expected.append((set(), set()))
        position, game = Position(size, rules), OtherRules(size, rules)
        for _ in range(3 * size * size):
            mover = position.to_move
            legal = position.legal_points(mover)
            assert {p for p in all_points(size) if is_legal(game, COLOURS[mover], p)} == set(legal)
            point = None if not legal or rng.random() < 0.03 else rng.choice(legal)
            commands += [f"all_legal {mover}", f"play {mover} {vertex(point)}"]
            expected += [
                ({vertex(p) for p in legal}, suicides_that_repeat(position)),
                (set(), set()),
            ]
            position.play(mover, point)
            game.play(COLOURS[mover], None if point is None else point[0] * size + point[1])
            assert game.stones == position.fingerprint
    answers = answers_of_gnugo(commands, rules)
    for command, answer, (points, ignored) in zip(commands, answers, expected, strict=True):
        assert set(answer.split()) - ignored == points - ignored, command


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "games"), [(2, 100), (3, 100), (4, 60), (5, 40), (6, 30), (7, 20), (8, 15), (9, 12)]
)
def test_the_referee_allows_what_gnugo_allows_at_length(size: int, games: int) -> None:
    compare_legal_moves(size, games, seed=1000 + size)
