"""`gtp.kgs.*`: the settled position, and answers that engines may give there."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pytest

from harness.check.model import Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.commands.end_of_game import settled_lines
from harness.go import Position
from harness.gtp import parse_colour, parse_vertex
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select
from tests.hosted import hosted_by

CLEANUP = ("gtp.kgs.cleanup-answers", "gtp.kgs.cleanup-captures", "gtp.kgs.cleanup-plays")
PASS, FAIL, SKIP = Outcome.PASS, Outcome.FAIL, Outcome.SKIP


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_position_is_settled(size: int) -> None:
    position = Position(size)
    for line in settled_lines(size):
        words = line.decode("ascii").split()
        if words[0] == "play":
            position.play(parse_colour(words[1]), parse_vertex(words[2], size))  # raises if illegal
    dead, liberties = position.chain((0, 0))
    assert (set(dead), set(liberties)) == ({(0, 0)}, {(0, 1)})
    eyes = {"b": 0, "w": 0}
    points = [(row, column) for row in range(size) for column in range(size)]
    for point in (p for p in points if position.at(p) is None and p != (0, 1)):
        beside = {position.at(p) for p in points if abs(p[0] - point[0]) + abs(p[1] - point[1]) == 1}
        (colour,) = beside
        eyes[str(colour)] += 1
    assert eyes == {"b": 2, "w": 2}
    assert position.legality("w", (0, 1)) == "suicide"
    assert position.legality("b", (0, 1)) is None
    stones = [position.at(point) for point in points]
    assert stones.count("b") > stones.count("w") + 1  # Black leads without komi, by area and by territory
    assert position.to_move == "b"


def outcomes(bot: HostedBot, only: tuple[str, ...]) -> list[Outcome]:
    with bot:
        results = findings_of(check_bot(bot, RunSettings(bot.launch, select(only)))).results
    return [result.outcome for name in only for result in results if result.check.id == name]


def answering(text: bytes, move: bytes = b"") -> HostedBot:
    """A bot that answers kgs-genmove_cleanup so, after it has made a move."""

    class Answering(HostedEngine):
        def _take(self, line: bytes) -> None:
            if not line.startswith(b"kgs-genmove_cleanup"):
                super()._take(line)
                return
            if move:
                self.server.answer(b"play b " + move)
            self.output += text + b"\n\n"

    return hosted_by(Answering, "extensions")


@pytest.mark.parametrize(
    ("answer", "move", "expected"),
    [
        (b"= B1", b"B1", [PASS, PASS, PASS]),
        (b"= b1", b"B1", [PASS, PASS, PASS]),
        (b"= A9", b"A9", [PASS, PASS, PASS]),  # an engine may fill its eye
        (b"= B1", b"", [PASS, PASS, FAIL]),
        (b"= pass", b"pass", [PASS, FAIL, SKIP]),
        (b"= PASS", b"pass", [PASS, FAIL, SKIP]),
        (b"= resign", b"", [PASS, SKIP, SKIP]),
    ],
)
def test_answers_to_a_cleanup(answer: bytes, move: bytes, expected: list[Outcome]) -> None:
    assert outcomes(answering(answer, move), CLEANUP) == expected


@pytest.mark.parametrize("answer", [b"? not supported", b"= b B1", b"= Z99", b"="])
def test_an_answer_that_is_no_move_is_reported_once(answer: bytes) -> None:
    with answering(answer) as bot:
        results = findings_of(check_bot(bot, RunSettings(bot.launch, select(CLEANUP)))).results
    assert {result.check.id for result in results if result.refuses} == {"gtp.kgs.cleanup-answers"}


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ((), [PASS, PASS]),
        (("ends-with-game",), [PASS, FAIL]),
        (("ends-with-game", "exit-code-1"), [PASS, FAIL]),
        (("game-over-closes",), [FAIL, FAIL]),
    ],
)
def test_the_end_of_a_game(switches: tuple[str, ...], expected: list[Outcome]) -> None:
    only = ("gtp.kgs.game-over", "gtp.kgs.game-over-stays")
    found = [FAIL if outcome is Outcome.CRASH else outcome for outcome in
             outcomes(HostedBot("extensions", *switches), only)]  # fmt: skip
    assert found == expected


class RefusesToEnd(HostedEngine):
    """Refuses kgs-game_over, and ends."""

    def _take(self, line: bytes) -> None:
        if line == b"kgs-game_over\n":
            self.output += b"? not now\n\n"
            self.dead = True
        else:
            super()._take(line)


def test_a_refusal_to_end_a_game_fails_even_if_the_engine_may_end() -> None:
    only = ("gtp.kgs.game-over", "gtp.kgs.game-over-stays")
    assert outcomes(hosted_by(RefusesToEnd, "extensions"), only) == [FAIL, FAIL]


class Rules(HostedEngine):
    """Counts the processes that were started, and says that it plays by every set of rules of KGS."""

    started = 0

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        type(self).started += 1
        self.by: bytes = b""

    def _take(self, line: bytes) -> None:
        if line.startswith(b"kgs-rules"):
            self.by = line
            self.output += b"= \n\n"
        elif line.startswith(b"kata-"):
            self.output += b"? unknown command\n\n"
        else:
            super()._take(line)


class RulesBot(HostedBot):
    engine_type: ClassVar[type[HostedEngine]] = Rules


def test_accepted_rules_do_not_outlive_the_check() -> None:
    with RulesBot("extensions") as bot:
        settings = RunSettings(bot.launch, select(["gtp.kgs.rules", "gtp.kgs.rules-unknown"]))
        rules, unknown = findings_of(check_bot(bot, settings)).results
        engine = bot.running_engine()
        assert isinstance(engine, Rules)
        assert engine.by == b""
    assert (rules.outcome, unknown.outcome) == (PASS, FAIL)
    assert Rules.started > 1


def test_a_chat_may_be_refused(check_hosted: Callable[..., Findings]) -> None:
    (result,) = check_hosted("chat-refused", only=["gtp.kgs.chat"]).results
    assert result.outcome is PASS
