"""Checks of handicaps: the draft's table, and whom a check refuses besides the faults that it claims."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.check.model import Check, Level, Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.procedures.dialogue import Dialogue
from harness.commands.handicap_conversations import PlacedFreely, PlacedRecord
from harness.go import all_points, handicap_points, most_handicap
from harness.gtp import Answer, Exchange, format_vertex, parse_answer, parse_vertex
from harness.selftest.hosted_bot import HostedEngine
from harness.suite.registry import find, select
from tests.hosted import hosted_by

CheckHosted = Callable[..., Findings]

FAMILY = "gtp.handicap.*"
NINETEEN = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}
"""The draft's table for 19x19."""


def outcomes(findings: Findings) -> dict[str, Outcome]:
    return {result.check.id: result.outcome for result in findings.results}


def refused(findings: Findings) -> set[str]:
    return {result.check.id for result in findings.results if result.refuses}


@pytest.mark.parametrize("stones", NINETEEN)
def test_the_table_of_19x19(stones: int) -> None:
    assert " ".join(map(format_vertex, handicap_points(stones, 19))) == NINETEEN[stones]


@pytest.mark.parametrize("size", range(7, 26))
def test_the_points_of_other_boards_are_on_the_third_or_fourth_line_and_in_the_middle(size: int) -> None:
    line = 4 if size >= 13 else 3
    lines = {line - 1, size // 2, size - line}
    points = handicap_points(most_handicap(size), size)
    assert {place for point in points for place in point} <= lines
    assert len(set(points)) == most_handicap(size) == (9 if size % 2 and size > 7 else 4)


@pytest.mark.parametrize("habit", ["vertex-lower-case", "trailing-blanks", "crlf-answers", "errors-empty"])
def test_the_form_of_an_answer_is_free(check_hosted: CheckHosted, habit: str) -> None:
    assert set(outcomes(check_hosted(habit, only=[FAMILY])).values()) == {Outcome.PASS}


def test_only_commands_that_a_bot_lists_are_judged(check_hosted: CheckHosted) -> None:
    found = check_hosted("optional-commands-missing", only=[FAMILY])
    assert set(outcomes(found).values()) == {Outcome.SKIP}


def test_boards_that_a_bot_does_not_play_on_are_left_out(check_hosted: CheckHosted) -> None:
    found = outcomes(check_hosted("size-9-only", only=[FAMILY]))
    others = {"gtp.handicap.fixed-small", "gtp.handicap.fixed-sizes"}
    assert {name for name, outcome in found.items() if outcome is Outcome.SKIP} == others
    assert {outcome for name, outcome in found.items() if name not in others} == {Outcome.PASS}


def test_a_bot_that_obeys_only_one_handicap_fails_one_check(check_hosted: CheckHosted) -> None:
    """All other checks of fixed handicaps rely on the second one."""
    found = outcomes(check_hosted("handicap-once", only=[FAMILY]))
    assert {name for name, outcome in found.items() if outcome is Outcome.FAIL} == {"gtp.handicap.cleared"}
    assert found["gtp.handicap.fixed"] is Outcome.BLOCKED


def test_a_bot_without_the_first_corners_is_judged_once(check_hosted: CheckHosted) -> None:
    assert refused(check_hosted("fixed-handicap-unanswered", only=[FAMILY])) == {"gtp.handicap.fixed"}


@pytest.mark.parametrize(
    "fault", ["numbers-by-atoi", "missing-argument-crashes", "missing-argument-succeeds", "off-board-crashes"]
)
def test_a_fault_of_every_command_is_not_charged_to_handicaps(check_hosted: CheckHosted, fault: str) -> None:
    must = {check.id for check in select([FAMILY]) if check.level is Level.MUST}
    assert not refused(check_hosted(fault, only=["gtp.setup.*", "gtp.play.*", FAMILY])) & must


def check(check_id: str) -> Check:
    (found,) = find(check_id)
    return found


@pytest.mark.parametrize("size", [9, 13, 19])
def test_every_vertex_of_a_dialogue_is_on_the_board(size: int) -> None:
    for one in select([FAMILY]):
        if not isinstance(one.procedure, Dialogue):
            continue
        for step in one.procedure.write(size, 0):
            name, *words = step.send.decode("ascii").split()
            if name == "play":
                assert parse_vertex(words[1], size) is not None
            for wanted in step.expect:
                if wanted.together:
                    assert all(parse_vertex(word, size) is not None for word in wanted.texts or ())


def exchange(line: str, raw: str) -> Exchange:
    answer = parse_answer(f"{raw}\n\n".encode("ascii"))
    assert isinstance(answer, Answer)
    return Exchange(line.encode("ascii"), f"{raw}\n\n".encode("ascii"), answer, "answer", b"", 0.0)


REFUSED, ACCEPTED = exchange("play w C3\n", "? illegal move"), exchange("play w A1\n", "=")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("= C3 G7", Outcome.PASS),
        ("= c3 G7 E5 e4", Outcome.PASS),
        ("= C3", Outcome.FAIL),
        ("= C3 G7 E5 E4 E3", Outcome.FAIL),
        ("=", Outcome.FAIL),
        ("= C3 C3", Outcome.FAIL),
        ("= C3 pass", Outcome.FAIL),
        ("= C3 Z9", Outcome.FAIL),
        ("? not now", Outcome.FAIL),
    ],
)
def test_the_answer_of_a_free_placement(answer: str, outcome: Outcome) -> None:
    placed = exchange("place_free_handicap 4\n", answer)
    record = PlacedRecord(9, placed, (REFUSED, REFUSED), ACCEPTED)
    assert PlacedFreely().judge(record).outcome is outcome


@pytest.mark.parametrize(
    ("on_stones", "elsewhere"),
    [((REFUSED, ACCEPTED), ACCEPTED), ((REFUSED, REFUSED), REFUSED)],
)
def test_the_stones_of_a_free_placement(on_stones: tuple[Exchange, ...], elsewhere: Exchange) -> None:
    placed = exchange("place_free_handicap 4\n", "= C3 G7")
    assert PlacedFreely().judge(PlacedRecord(9, placed, on_stones, elsewhere)).outcome is Outcome.FAIL


class FillsTheBoard(HostedEngine):
    """place_free_handicap answers every point of the board."""

    def _take(self, line: bytes) -> None:
        if line.startswith(b"place_free_handicap"):
            points = " ".join(map(format_vertex, all_points(9)))
            self.output += f"= {points}\n\n".encode("ascii")
        else:
            super()._take(line)


def test_a_free_placement_may_leave_no_point_for_another_move() -> None:
    with hosted_by(FillsTheBoard, "extensions") as bot:
        (result,) = findings_of(
            check_bot(bot, RunSettings(bot.launch, select(["gtp.handicap.place"])))
        ).results
    assert result.outcome is Outcome.FAIL
