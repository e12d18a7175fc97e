"""Faults of state and rules are found by sessions and reduced; a right bot is never accused."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.introduction import introduction_of
from harness.check.model import Judgement, Outcome
from harness.explore.abilities import Abilities, find_abilities
from harness.explore.coverage import Coverage
from harness.explore.dialogue_case import DialogueCase
from harness.explore.dialogues import MOST_ATTEMPTS, DialogueExplorer, FoundDialogue
from harness.explore.walk import walk
from harness.gtp import Exchange
from harness.selftest.hosted_bot import HostedBot
from tests.harness.explore.exploring import answered, first_found
from tests.parameters import slow_but, thorough_but
from tests.thorough import Mutant

SESSIONS = 120
PLAYOUTS = 60
"""Playouts of a search. From 64 on, a kernel would be compiled for each size of board."""
HELD_AGAIN = 5  # a case may need luck, and is shown in most of its tries alone
FAULTS = (
    "illegal-move-passes",
    "undo-takes-two",
    "komi-first-only",
    "clear-resets-komi",
    "superko-survives-clear",
    "komi-clears-board",
    "genmove-not-played",
    "id-stale",
    "unknown-succeeds",
    "comment-never",
    "clear-twice-crashes",
)


@cache
def found_in(
    *habits: str, sessions: int = SESSIONS, attempts: int = MOST_ATTEMPTS, playouts: int = PLAYOUTS
) -> tuple[FoundDialogue | None, Coverage]:
    """The first deviation that sessions with a hosted bot show."""
    with HostedBot(*habits, playouts=playouts) as bot:
        abilities = find_abilities(bot, introduction_of(bot), playouts)
        explorer = DialogueExplorer([bot], abilities, playouts, 1, attempts)
        found, coverage, _ = first_found(explorer.explore(range(sessions), math.inf))
        return found, coverage


@pytest.mark.slow
def test_faults_of_state_and_rules_are_found_and_reduced() -> None:
    lengths = {}
    for fault in FAULTS:
        found, _ = found_in(fault, playouts=300)
        assert found is not None, fault
        lengths[fault] = len(found.case.lines)
        with HostedBot(fault, playouts=300, seed=99) as bot:
            held = [found.case.hold(bot, found.case.abilities, 300) for _ in range(HELD_AGAIN)]
        assert any(again.deviation is not None for again in held), fault
        with HostedBot(playouts=300, seed=99) as bot:
            right = found.case.hold(bot, found.case.abilities, 300)
        assert right.deviation is None, fault
    assert statistics.median(lengths.values()) <= 6, lengths


def test_a_right_bot_is_not_accused() -> None:
    found, coverage = found_in(sessions=40)
    assert found is None
    assert coverage.sessions == 40
    assert coverage.judged["nodes"] > 40
    assert len(coverage.refusals) >= 6


def test_what_failed_checks_report_is_passed_over() -> None:
    found, _ = found_in("superko-none")
    assert found is not None
    clause = found.deviation.clause
    with HostedBot("superko-none", playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS)
        explorer = DialogueExplorer([bot], abilities, PLAYOUTS, 1)
        steps = explorer.explore(range(found.number + 5), math.inf, known=frozenset({clause}))
        later, coverage, _ = first_found(steps)
    assert later is None or later.deviation.clause != clause
    assert coverage.sessions > found.number + 1


def test_the_reduction_does_not_change_to_a_deviation_that_a_failed_check_reports() -> None:
    """The bot allows suicide, which is known, and repeats positions: the second is found and stays itself."""
    with HostedBot("suicide-game", "superko-none", playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS)
        explorer = DialogueExplorer([bot], abilities, PLAYOUTS, 1)
        found, _, _ = first_found(explorer.explore(range(60), math.inf, known=frozenset({"no-suicide"})))
    assert found is not None
    assert found.deviation.clause == "superko"


class DropsAfterRefusal(HostedBot):
    """A bot that forgets the lines that arrived together with one that it refuses."""

    def ask_many(self, lines: Sequence[bytes]) -> tuple[Exchange, ...]:
        exchanges: list[Exchange] = []
        for line in lines:
            if exchanges and not exchanges[-1].ok:
                silent = Exchange(line, b"", None, "timeout", b"", self.limits.answer)
                raise BotInterruptedError(self.note(silent))
            exchanges.append(self.ask(line))
        return tuple(exchanges)


def test_what_only_lines_in_one_write_show_is_found_and_held_again_in_one_write() -> None:
    with DropsAfterRefusal(playouts=PLAYOUTS) as bot:
        introduction = introduction_of(bot)
        bot.queues = True
        explorer = DialogueExplorer([bot], find_abilities(bot, introduction, PLAYOUTS), PLAYOUTS, 1)
        found, _, _ = first_found(explorer.explore(range(SESSIONS), math.inf))
        assert found is not None
        assert found.case.together
        assert 2 <= len(found.case.lines) <= 6
        judgement = found.judgement
        assert (judgement.outcome, judgement.clause) == (Outcome.TIMEOUT, "gtp")
        assert "arrive together" in judgement.hint
        one_by_one = replace(found.case, together=False)
        assert one_by_one.hold(bot, one_by_one.abilities, PLAYOUTS).deviation is None


@pytest.mark.parametrize(("fault", "clause"), [("superko-none", "superko"), ("suicide-game", "no-suicide")])
def test_the_clause_is_that_of_the_wrong_answer(fault: str, clause: str) -> None:
    found, _ = found_in(fault)
    assert found is not None
    assert found.judgement.clause == clause


@pytest.mark.parametrize(
    ("answer", "accused"),
    [
        ("= B+8.5", False),
        ("= B+8.50", False),
        ("= b+8.5", False),
        ("? cannot score", False),
        ("= W+8.5", True),
    ],
)
def test_a_result_may_be_written_in_any_way_or_refused(answer: str, accused: bool) -> None:
    filled = ("A2", "A3", "B1", "B2", "B3", "C1", "C2")  # Black owns the board: nine points
    lines = ["boardsize 3", "clear_board", "komi 0.5"]
    for vertex in filled:
        lines += [f"play b {vertex}", "play w pass"]
    lines += ["play b pass", "final_score"]

    def ask(line: bytes) -> Exchange:
        return answered(line, answer if line.startswith(b"final_score") else "=")

    held = walk(lines, Abilities((3,), frozenset({"final_score"})), None, ask)
    assert held.lines[-1] == "final_score"
    assert (held.deviation is not None) == accused


def test_a_wrong_score_after_a_pass_that_was_searched_has_a_clause() -> None:
    """The bot has no candidate, so that it need not search; its ref-nodes shows that it did."""
    filled = ("B1", "C1", "A2", "B2", "C2", "A3", "B3")  # A1 and C3 are eyes of Black
    lines = ["boardsize 3", "clear_board", "komi 0.5"]
    for vertex in filled:
        lines += [f"play b {vertex}", "play w pass"]
    lines += ["genmove b", "ref-nodes", "ref-score"]
    answers = {b"genmove b": "= PASS", b"ref-nodes": f"= {2 * PLAYOUTS}", b"ref-score": "= 0.300"}

    def ask(line: bytes) -> Exchange:
        return answered(line, answers.get(line.strip(), "="))

    held = walk(lines, Abilities((3,), frozenset({"ref-nodes", "ref-score"})), PLAYOUTS, ask)
    assert held.deviation is not None
    assert held.deviation.clause == "ref-score"


def held_with_boardsize_refused(*lines: str) -> Judgement:
    """The judgement of a case whose last line, a boardsize, is refused."""

    def ask(line: bytes) -> Exchange:
        is_last = line.decode("ascii").split("\n")[0] == lines[-1]
        return answered(line, "? unacceptable size" if is_last else "=")

    case = DialogueCase(lines)
    return case.judge(walk(lines, case.abilities, None, ask))


def test_a_case_is_skipped_where_its_board_is_refused_for_its_size_alone() -> None:
    assert held_with_boardsize_refused("clear_board", "boardsize 3").outcome is Outcome.SKIP
    assert held_with_boardsize_refused("boardsize 3").outcome is Outcome.SKIP
    assert held_with_boardsize_refused("boardsize 2", "boardsize 3").outcome is Outcome.SKIP
    accepted_before = ("boardsize 3", "clear_board", "boardsize\t3")
    assert held_with_boardsize_refused(*accepted_before).outcome is Outcome.FAIL
    assert held_with_boardsize_refused("boardsize\t3").outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("fault", "clause"),
    [
        *thorough_but(
            ("cap-two", "refscore-inverted"),
            [("ko-none", "uniform"), ("cap-two", "move-cap"), ("refscore-inverted", "ref-score")],
            Mutant(
                "harness/explore/number_laws.py",
                "if not (shortest - 2) * playouts <= nodes <= (longest + 2) * playouts:",
                "if True:",
                "tests/harness/explore/test_dialogues.py::"
                "test_wrong_numbers_point_to_a_clause_whose_error_would_explain_them[cap-two-move-cap]",
            ),
        ),
        *slow_but((), [("komi-first-only", "komi")]),
    ],
)
def test_wrong_numbers_point_to_a_clause_whose_error_would_explain_them(fault: str, clause: str) -> None:
    found, _ = found_in(fault, attempts=40, playouts=300)  # a long session need not become the shortest
    assert found is not None
    assert found.judgement.clause == clause
