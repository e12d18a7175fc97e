"""`gtp.kept.*` refuses a bot whose state changes, by answers to commands that any engine may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from harness.check.model import Outcome
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.suite.families.kept_state import CHECKS
from harness.suite.registry import find, select
from tests.harness.check.forgetful_bots import ForgetfulBot, Life, Misdeed

if TYPE_CHECKING:
    from harness.check.phases.findings import Findings

KEPT = ["gtp.kept.*"]
CheckHosted = Callable[..., "Findings"]


def refused(findings: Findings) -> set[str]:
    return {result.check.id for result in findings.results if result.refuses}


@pytest.mark.parametrize("fault", sorted({fault for check in CHECKS for fault in check.kills}))
def test_each_fault_is_refused_by_its_check(check_hosted: CheckHosted, fault: str) -> None:
    wanted = {check.id for check in CHECKS if fault in check.kills}
    assert wanted <= refused(check_hosted(fault, only=KEPT, playouts=10))


@pytest.mark.parametrize(
    ("fault", "check"),
    [("refused-move-lifts-ko", "gtp.kept.play"), ("komi-lifts-ko", "gtp.kept.queries")],
)
def test_a_lifted_ko_shows_in_a_bot_that_refuses_only_kos(
    check_hosted: CheckHosted, fault: str, check: str
) -> None:
    """A bot that refuses every repetition refuses the move even without the ban of the ko."""
    assert refused(check_hosted("superko-simple", fault, only=KEPT, playouts=10)) == {check}


@pytest.mark.parametrize(
    "habits",
    [
        (),
        ("extensions",),
        ("undo-missing",),
        ("undo-once",),
        ("optional-commands-missing",),
        ("showboard-with-notes",),
        ("superko-by-play-accepted",),
        ("boardsize-keeps-position",),
        ("size-9-only",),
        ("final-score-refused",),
        ("number-with-rest", "vertex-with-rest", "komi-infinite"),
    ],
)
def test_a_right_bot_is_not_refused(check_hosted: CheckHosted, habits: tuple[str, ...]) -> None:
    findings = check_hosted(*habits, only=KEPT, playouts=10)
    assert {result.outcome for result in findings.results} <= {Outcome.PASS, Outcome.SKIP}


def test_a_bot_without_private_commands_is_judged(check_hosted: CheckHosted) -> None:
    """The state is seen without ref-nodes and ref-score."""
    assert not any(check.needs.commands for check in CHECKS)
    assert not any(name.startswith("ref.") for check in CHECKS for name in check.relies_on)


def dies(life: Life) -> bytes | None:
    """The process ends at showboard."""
    return b"" if life.seen[-1] == "showboard" else None


def drawn(number: int) -> bytes:
    """A board whose first row shows a number."""
    row = " ".join("XO"[number >> bit & 1] for bit in range(9))
    return "\n".join(["=", f"9 {row}", *(f"{n} . . . . . . . . ." for n in range(8, 0, -1))]).encode()


def counts(life: Life) -> bytes | None:
    """The board shows the number of commands so far."""
    return drawn(len(life.seen)) if life.seen[-1] == "showboard" else None


def guesses(life: Life) -> bytes | None:
    """The board shows a random number."""
    return drawn(life.dice.randrange(512)) if life.seen[-1] == "showboard" else None


def refuses_at_random(life: Life) -> bytes | None:
    """Refuses showboard half of the times."""
    return b"?busy" if life.seen[-1] == "showboard" and life.dice.random() < 0.5 else None


@pytest.mark.parametrize("misdeed", [dies, counts, guesses, refuses_at_random])
def test_a_query_that_shows_nothing_is_not_held_against_the_bot(misdeed: Misdeed) -> None:
    """Other checks are about these queries."""
    with ForgetfulBot(misdeed, playouts=10) as bot:
        settings = RunSettings(bot.launch, select(["gtp.kept.play", "gtp.kept.queries", "gtp.kept.clear"]))
        results = findings_of(check_bot(bot, settings)).results
    assert {result.outcome for result in results} == {Outcome.PASS}


def test_the_hint_of_a_check_that_a_moved_stone_fails_names_the_board() -> None:
    hints = {check.id: check.hint for check in find("*") if "refused-ko-takes-stone" in check.kills}
    assert {"gtp.kept.play", "gtp.refused.play"} <= hints.keys()
    assert [name for name, hint in hints.items() if "board" not in hint] == []
