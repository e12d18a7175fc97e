"""Tests of what contradicts a fault: answers, numbers, and a right bot's answers; on scripted dialogues."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.check.bot.transcript import dialogue_text
from harness.check.effort import QUICK
from harness.check.model import Confirmation, Judgement, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.cause import CauseKind, best_evidence
from harness.diagnosis.contradiction import foretells_no_failure, is_contradicted
from harness.diagnosis.diagnose import diagnose
from harness.diagnosis.effects import explains_failure, without_twins
from harness.diagnosis.replay import MOST_LINES, NEVER_CHOSEN, replay
from harness.diagnosis.signatures import signatures
from harness.gtp import Answer, Exchange
from harness.selftest.faulty import check_fault
from harness.suite.registry import find, select
from refbot.deviations.faults import FAULTS
from tests.harness.diagnosis.imagined import imagined, judged

OWNED = ["play b A2", "play b A3", "play b B2", "play b B3", "play b C1", "play b C2"]
"""On 3x3 Black owns all nine points. It may play at A1, and has eyes alone after that."""


Line = tuple[str, str] | str
"""A line, or a line and its answer."""


def dialogue(*lines: Line) -> str:
    """A transcript of lines, each with its answer; "=" for those that are given without one."""
    pairs = [(line, "=") if isinstance(line, str) else line for line in lines]
    return dialogue_text(
        [
            Exchange(f"{line}\n".encode(), f"{text}\n\n".encode(), Answer(True, None, ""), "answer", b"", 0.0)
            for line, text in pairs
        ]
    )


@pytest.mark.parametrize(
    ("answers", "out"), [("= bot\n\n? unknown", False), ("= bot\n\n? unknown\n\n= bot", True)]
)
def test_an_answer_behind_a_refusal_excludes_that_the_rest_was_dropped(answers: str, *, out: bool) -> None:
    several = dialogue(("name\nno_such_command\nname\nname", answers))
    assert is_contradicted("refusal-drops-input", several) is out


def failed(check: str, transcript: str = "") -> Result:
    confirmed = Confirmation.CONFIRMED
    return Result(
        find(check)[0],
        Judgement(Outcome.FAIL),
        transcript=transcript,
        confirmation=confirmed,
        lines=(b"x\n",),
    )


def with_failures(fault: str, *failures: Result) -> Findings:
    """Findings of a check of a bot with the fault, with further failures."""
    found = judged(imagined(fault, np.random.default_rng(1)))
    changed = {result.check.id: result for result in failures}
    return replace(found, results=tuple(changed.get(r.check.id, r) for r in found.results))


# --- answers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "command", "answer", "contradicted"),
    [
        ("nodes-decimals", "ref-nodes", "22,499", True),
        ("nodes-decimals", "ref-nodes", "22499.0", False),
        ("nodes-decimals", "ref-nodes", "22499", True),
        ("nodes-decimals", "ref-nodes", "inf", True),
        ("nodes-exponent", "ref-nodes", "2.25e+06", False),
        ("refscore-comma", "ref-score", "0,415", False),
        ("refscore-comma", "ref-score", "41.5%", True),
        ("protocol-version-1", "protocol_version", "two", True),
    ],
)
def test_a_fault_of_the_form_is_contradicted_by_another_form(
    fault: str, command: str, answer: str, contradicted: bool
) -> None:
    said = dialogue("boardsize 9", "clear_board", ("genmove b", "= E5"), (command, f"= {answer}"))
    assert is_contradicted(fault, said) is contradicted


@pytest.mark.parametrize(
    ("fault", "moves", "contradicted"),
    [
        ("history-of-500", 600, True),
        ("history-of-500", 400, False),
        ("play-never-refuses", 600, False),
        ("eye-edge-as-centre", 600, False),  # the fault changes playouts, not answers of the game
    ],
)
def test_a_fault_is_contradicted_by_the_answers_that_it_would_not_give(
    fault: str, moves: int, contradicted: bool
) -> None:
    lines = ["boardsize 9", "clear_board", *(f"play {'bw'[n % 2]} pass" for n in range(moves))]
    assert is_contradicted(fault, dialogue(*((line, "= ") for line in lines))) is contradicted


@pytest.mark.parametrize(
    ("fault", "sent", "received", "contradicted"),
    [
        ("id-sixteen-bits", "2147483647 protocol_version", "=2.14748e+09 2", True),
        ("id-sixteen-bits", "2147483647 protocol_version", "=65535 2", False),
        ("capture-at-most-32", "boardsize 9\nclear_board\nplay w E5", "?", True),
        ("letter-i-used", "boardsize 9\nclear_board\nplay w E5", "?", True),
        ("eye-edge-as-centre", "boardsize 9\nclear_board\nplay w E5", "?", True),
    ],
)
def test_a_fault_that_foretells_another_last_answer_is_contradicted(
    fault: str, sent: str, received: str, contradicted: bool
) -> None:
    *before, last = sent.split("\n")
    said = dialogue(*((line, "= ") for line in before), (last, received))
    assert is_contradicted(fault, said) is contradicted


@pytest.mark.parametrize(
    ("score", "contradicted"), [("0.500", False), ("0.290", True), ("0.000", True), ("nan", False)]
)
def test_a_fault_of_the_state_is_contradicted_by_a_score_that_its_komi_cannot_give(
    score: str, contradicted: bool
) -> None:
    """komi-drifts makes 8.5 a komi of 9 after one genmove: all playouts are draws."""
    begun: tuple[Line, ...] = ("boardsize 3", "clear_board", "komi 8.5", *OWNED, ("genmove b", "= A1"))
    said = dialogue(*begun, ("genmove b", "= pass"), ("ref-score", f"= {score}"))
    assert is_contradicted("komi-drifts", said) is contradicted


@pytest.mark.parametrize("fault", ["refscore-draws-zero", "refscore-inverted", "refscore-white"])
def test_a_fault_of_the_report_is_not_contradicted_by_its_own_score(fault: str) -> None:
    begun: tuple[Line, ...] = ("boardsize 3", "clear_board", "komi 9", *OWNED, ("genmove b", "= A1"))
    begun = (*begun, ("genmove b", "= pass"))
    for score in ("0.000", "1.000"):
        assert not is_contradicted(fault, dialogue(*begun, ("ref-score", f"= {score}")))


def test_an_id_that_is_no_number_is_no_id_of_an_earlier_line() -> None:
    said = dialogue("boardsize 9", ("42 name", "=42.0 x"))
    assert is_contradicted("id-stale", said)


@pytest.mark.parametrize(("answer", "replayed"), [("= A1", True), ("= a1 (0.40)", True), ("= A1 B1", False)])
def test_a_move_is_read_from_the_only_word_that_is_a_vertex(answer: str, replayed: bool) -> None:
    begun: tuple[Line, ...] = ("boardsize 3", "clear_board", *OWNED)
    said = dialogue(*begun, ("genmove b", answer), ("play w A1", "?"))
    assert (len(replay("", said)) > len(begun)) is replayed


KO = (
    *("play w D4", "play w C5", "play w D6", "play b E4", "play b E6", "play b F5"),
    *("play w E5", "play b D5"),
)
"""Black takes a white stone at E5 by D5, and so begins a ko."""


@pytest.mark.parametrize(("fault", "contradicted"), [("superko-none", False), ("superko-last-forty", True)])
def test_a_fault_of_the_game_is_contradicted_by_a_move_that_it_does_not_choose(
    fault: str, contradicted: bool
) -> None:
    said = dialogue("boardsize 9", "clear_board", *KO, ("genmove w", "= E5"))
    assert is_contradicted(fault, said) is contradicted


def test_a_fault_may_leave_chains_without_liberties_from_which_nothing_is_foretold() -> None:
    played = ("play w A1", "play b A2", "play b B1", "genmove w", "ref-score")
    answers = ("= ", "= ", "= ", "= E5", "= 0.500")
    set_up = [(line, "= ") for line in ("boardsize 9", "clear_board", "komi 7.5")]
    said = dialogue(*set_up, *zip(played, answers, strict=True))
    assert not is_contradicted("capture-never", said)


def test_a_replay_ends_where_the_bot_chooses_what_the_fault_never_does() -> None:
    said = dialogue("boardsize 9", "clear_board", ("genmove b", "= E5"), ("genmove w", "= E5"), "play b A1")
    *answered, last = replay("komi-drifts", said)
    assert (len(answered), last.sign) == (3, NEVER_CHOSEN)


def test_a_right_bot_is_replayed_as_long_as_it_goes() -> None:
    """No fault stops a replay of other lines by an error."""
    said = dialogue(
        "boardsize 9", "clear_board", "komi 6.5", "play b E5", ("genmove w", "= C3"), ("ref-nodes", "= 9")
    )
    for name, fault in FAULTS.items():
        assert fault.where not in ("wire", "game", "state") or replay(name, said), name


# --- failures that a fault does not make -------------------------------------------------------------------

LATER: tuple[Line, ...] = (
    "clear_board",
    *OWNED,
    ("genmove b", "= A1"),
    ("ref-score", "= 0.000"),
)
KEPT = dialogue("boardsize 3", "clear_board", "komi 20", *LATER)
RESIZED = dialogue("boardsize 9", "clear_board", "komi 20", "boardsize 3", *LATER)


def test_a_fault_that_answers_the_lines_of_a_failure_rightly_does_not_explain_it() -> None:
    kept, resized = (failed("gtp.setup.clear-keeps-komi", said) for said in (KEPT, RESIZED))
    assert foretells_no_failure("komi-reset-by-size", kept)
    assert not foretells_no_failure("komi-reset-by-size", resized)
    assert not foretells_no_failure(
        "clear-resets-komi", replace(kept, confirmation=Confirmation.WITH_HISTORY)
    )


def test_a_fault_is_not_named_if_it_contradicts_as_many_failures_of_its_clause_as_it_explains() -> None:
    fault, kept = "komi-reset-by-size", failed("gtp.setup.clear-keeps-komi", KEPT)
    alone, both = (diagnose(found).causes for found in (with_failures(fault), with_failures(fault, kept)))
    assert alone[0].kind is CauseKind.FAULT
    assert [(cause.kind, cause.clause) for cause in both] == [(CauseKind.CLAUSE, "komi")]


def test_a_kept_tab_is_no_dropped_tab() -> None:
    blank = failed("gtp.frame.blank-line", dialogue(("  \n\t\n\nprotocol_version", "? unknown command")))
    tab = failed("gtp.frame.tab")
    assert "tab-dropped" in {cause.name for cause in diagnose(with_failures("", tab)).causes}
    assert "tab-dropped" not in {cause.name for cause in diagnose(with_failures("", tab, blank)).causes}


def test_numbers_of_wrong_playouts_are_no_cause_of_their_own() -> None:
    numbers = failed("game.komi.in-game")
    causes = diagnose(
        with_failures(
            "eye-edge-as-centre",
            replace(numbers, judgement=replace(numbers.judgement, unlike=("komi-drifts",))),
        )
    ).causes
    assert {cause.clause for cause in causes} == {"eye"}
    assert any("game.komi.in-game" in cause.explains for cause in causes)
    optional = replace(failed("game.final-score"), judgement=Judgement(Outcome.SKIP))
    causes = diagnose(with_failures("eye-edge-as-centre", numbers, optional)).causes
    assert {cause.name for cause in causes} == {"eye-edge-as-centre", "komi-drifts"}


def test_a_failure_excludes_the_faults_that_it_is_unlike() -> None:
    failure = failed("ref.choice.unseen")
    unlike = replace(failure, judgement=replace(failure.judgement, unlike=("unseen-passes",)))
    known = signatures()
    assert explains_failure(known["unseen-passes"], failure)
    assert not explains_failure(known["unseen-passes"], unlike)
    assert explains_failure(known["unseen-as-even"], unlike)


def test_a_failure_of_another_clause_than_its_check_is_not_laid_to_a_fault_of_the_check() -> None:
    failure = failed("ref.choice.rare")
    passed = replace(failure, judgement=replace(failure.judgement, clause="no-early-pass"))
    assert explains_failure(signatures()["best-ten-visits"], failure)
    assert not explains_failure(signatures()["best-ten-visits"], passed)


def test_a_note_does_not_speak_against_a_fault() -> None:
    """A large id is not repeated: no bot need do this, and the named fault does not explain it."""
    note = failed("gtp.frame.id-beyond", dialogue("name"))
    (cause,) = diagnose(with_failures("blank-line-answered", note)).causes
    assert (cause.kind, cause.name) == (CauseKind.FAULT, "blank-line-answered")


def test_a_dialogue_that_is_longer_than_a_replay_rules_no_fault_out() -> None:
    """The failure may follow the last line that is replayed."""
    short, long = (
        failed("gtp.refused.play", dialogue("boardsize 9", *["name"] * n)) for n in (9, MOST_LINES)
    )
    assert foretells_no_failure("refused-move-lifts-ko", short)
    assert not foretells_no_failure("refused-move-lifts-ko", long)


# --- evidence ----------------------------------------------------------------------------------------------


def test_the_evidence_needs_the_fewest_kinds_of_commands() -> None:
    simple = failed(
        "gtp.setup.clear-keeps-komi",
        dialogue(
            "boardsize 9", "komi 1", "clear_board", ("genmove b", "= E5"), ("ref-score", "= 1"), "komi 2"
        ),
    )
    long_way = failed(
        "ref.state.komi-new-size",
        dialogue(
            "boardsize 9",
            "komi 1",
            "boardsize 3",
            ("genmove b", "= A1"),
            ("ref-nodes", "= 1"),
            ("ref-score", "= 1"),
        ),
    )
    assert best_evidence([long_way, simple], "", "komi") is simple


def test_the_evidence_of_a_fault_was_not_made_for_another_one() -> None:
    """The hint of ref.uniform.halves is about random numbers, that of ref.uniform.rows about any draw."""
    made_for_modulo, general = (
        failed(name, dialogue("boardsize 9")) for name in ("ref.uniform.halves", "ref.uniform.rows")
    )
    assert best_evidence([made_for_modulo, general], "uniform-scan-board", "uniform") is general
    assert best_evidence([general, made_for_modulo], "uniform-modulo", "uniform") is made_for_modulo


def test_a_bot_that_passes_early_is_not_blamed_for_its_eyes_and_rates() -> None:
    """A hosted bot passes if it has lost every playout: in checks of eyes and of the choice, too."""
    checks = select(("game.pass.*", "ref.choice.rare", "ref.choice.close-*", "game.superko.triple-ko"))
    effort = replace(QUICK, seconds=math.inf)
    found = check_fault("pass-at-zero", 1, checks=checks, effort=effort, hosted=True, playouts=100)
    for known in (signatures(), without_twins("pass-at-zero")):
        assert [cause.clause for cause in diagnose(found, known=known).causes] == ["no-early-pass"]
    rare = next(result for result in found.results if result.check.id == "ref.choice.rare")
    assert rare.blocked_by == ("game.pass.candidate",)
    assert "PASS" in rare.judgement.observed


def test_a_dialogue_that_relies_on_a_missing_ability_has_no_cause_of_its_own() -> None:
    blocked = Result(find("gtp.play.colour")[0], Judgement(Outcome.BLOCKED), blocked_by=("gtp.play.legal",))
    failures = (failed("gtp.play.legal"), failed("game.capture.stone"), blocked)
    (cause,) = diagnose(with_failures("", *failures)).causes
    assert (cause.kind, cause.evidence) == (CauseKind.ABILITY, "gtp.play.legal")


def test_a_single_wrong_number_among_many_has_no_cause_of_its_own() -> None:
    found = with_failures("eye-filled", failed("game.komi.in-game"))
    assert {cause.clause for cause in diagnose(found).causes} == {"eye"}


# --- faults of optional commands ---------------------------------------------------------------------------

WRONG = (("list_stones x", "= "), ("reg_genmove x", "? invalid color"))


@pytest.mark.parametrize(
    ("fault", "lines", "contradicted"),
    [
        ("reg-genmove-any-colour", [("reg_genmove x", "? invalid color")], True),
        ("reg-genmove-any-colour", [("reg_genmove x", "= E5")], False),
        ("refused-komi-is-zero", [("komi x", "? no number"), ("get_komi", "= 4.5")], True),
        ("refused-komi-is-zero", [("komi x", "? no number"), ("get_komi", "= 0")], False),
        ("refused-size-shown", [("boardsize 99", "? no"), ("query_boardsize", "= 9")], True),
        ("fixed-handicap-cut", [("fixed_handicap 10", "? invalid handicap")], True),
        # A clock that is set wrongly changes no later answer.
        ("numbers-by-atoi", [("time_settings abc 9 9", "="), ("time_left b x 9", "? no number")], True),
        ("numbers-by-atoi", [("time_settings abc 9 9", "="), ("time_left b x 9", "=")], False),
    ],
)
def test_a_fault_of_an_optional_command_is_replayed(
    fault: str, lines: list[Line], contradicted: bool
) -> None:
    said = dialogue("boardsize 9", "clear_board", "komi 4.5", *lines)
    assert is_contradicted(fault, said) is contradicted


def test_a_fault_of_one_command_does_not_explain_the_wrong_answer_of_another() -> None:
    failure = failed("gtp.admin.wrong-refused", dialogue("boardsize 9", "clear_board", *WRONG))
    assert not foretells_no_failure("list-stones-any-colour", failure)
    assert foretells_no_failure("reg-genmove-any-colour", failure)


def test_a_replay_opens_no_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    said = dialogue("boardsize 9", "clear_board", (f"savesgf {path}", "="), f"loadsgf {path}")
    assert len(replay("savesgf-empty", said)) == 2
    assert not path.exists()


def test_a_random_session_shows_a_cause_less_well_than_a_check_of_its_own() -> None:
    """Its lines may be few, but another run sends others."""
    session, own = (
        failed("gtp.explore", dialogue("name")),
        failed("gtp.kept.play", dialogue("name", "version")),
    )
    assert best_evidence([session, own], "", "gtp").check.id == "gtp.kept.play"
