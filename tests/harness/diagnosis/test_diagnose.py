"""Tests of the diagnosis: on findings drawn from the recorded signatures."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from harness.check.effort import QUICK
from harness.check.model import Ability, Confirmation, Judgement, Level, Outcome, Result, Sightings
from harness.check.phases.findings import Findings
from harness.check.procedures.probe import empty_board
from harness.check.procedures.search import SearchRecord, Series
from harness.check.procedures.wire import NOISE_FAULTS
from harness.check.profile import Profile
from harness.diagnosis.cause import CauseKind, clause_explains
from harness.diagnosis.choice_law import signatures_at
from harness.diagnosis.deviations import Deviations, find_deviations
from harness.diagnosis.diagnose import Diagnosis, diagnose
from harness.diagnosis.effects import explains, twins, without_twins
from harness.diagnosis.fault_ranking import MOST_NAMED, UNKNOWN, Fit, Suspects
from harness.diagnosis.observations import Evidence, gather
from harness.diagnosis.plausible_faults import find_plausible, is_own
from harness.diagnosis.search_statistics import summed
from harness.diagnosis.signatures import signature_of, signatures
from harness.diagnosis.spread import typical_spread
from harness.gtp.vertex import format_vertex
from harness.selftest.faulty import check_fault
from harness.suite.registry import CHECKS, find, select
from refbot.deviations.faults import FAULTS
from tests.harness.diagnosis.imagined import imagined, judged, probes
from tests.parameters import slow_but, thorough_but
from tests.thorough import Mutant, thorough

PLAIN = ["eye-edge-as-centre", "uniform-scan-board", "nodes-one-pass", "komi-truncated", "one-pass-ends"]
HERE = "tests/harness/diagnosis/test_diagnose.py::"


@cache
def findings(fault: str, seed: int = 1, playouts: int = 1000) -> Findings:
    return judged(imagined(fault, np.random.default_rng(seed), playouts))


def with_outcome(found: Findings, outcome: Outcome, *ids: str) -> Findings:
    """The same findings with another outcome of some checks."""
    changed = tuple(
        replace(r, judgement=Judgement(outcome, "an answer", "none")) if r.check.id in ids else r
        for r in found.results
    )
    return replace(found, results=changed)


def visible(fault: str) -> bool:
    return bool(fault) and signatures()[fault].shows


def evidence_in(found: Findings) -> Evidence:
    return gather(found, signatures(), find_deviations(found.series, signatures()[""]))


# --- known faults ------------------------------------------------------------------------------------------


def test_every_fault_has_a_signature() -> None:
    missing = FAULTS.keys() - signatures().keys()
    assert missing == set(), "record it: python -m harness.tools.record_signatures --new"


@pytest.mark.parametrize(
    "fault",
    thorough_but(
        ("nodes-one-pass", "komi-truncated"),
        PLAIN,
        Mutant(
            "harness/diagnosis/named_fault.py",
            "if (first := next(seen, None)) is None:",
            "if next(seen, None) is None or True:",
            f"{HERE}test_a_plain_fault_is_named_first_whatever_the_number_of_playouts[200-nodes-one-pass]",
        ),
    ),
)
@pytest.mark.parametrize("playouts", slow_but((200,), [200, 1000, 5000]))
def test_a_plain_fault_is_named_first_whatever_the_number_of_playouts(fault: str, playouts: int) -> None:
    said = diagnose(findings(fault, playouts=playouts))
    first = said.suspicions[0]
    assert (first.fault, first.clause) == (fault, signatures()[fault].clause)
    assert first.probability > 0.9
    assert (said.causes[0].kind, said.causes[0].name) == (CauseKind.FAULT, fault)


@pytest.mark.parametrize("fault", ["uniform-scan-board", "best-lowest", "seed-fixed", "seed-seldom"])
def test_a_bot_that_never_repeats_a_search_is_not_taken_for_one_that_does(fault: str) -> None:
    """However well few independent searches would explain that its means are off."""
    found = imagined(fault, np.random.default_rng(6))
    repeating = {"seed-fixed", "seed-seldom"}
    left = repeating & evidence_in(found).faults.keys()
    assert left == (repeating if fault in repeating else set())


@pytest.mark.parametrize(("wrong", "fit"), [(1, Fit.WELL), (3, Fit.NEARLY)])
def test_a_fault_that_leaves_means_wrong_where_it_changes_nothing_is_a_relative(wrong: int, fit: Fit) -> None:
    found, fault = findings("eye-corner-as-centre"), "eye-corner-as-centre"
    touched = signatures()[fault].probes
    untouched = [
        one.probe.id for one in found.series if one.probe.id.startswith("ko.") or "dame" in one.probe.id
    ]
    spoiled = [name for name in untouched if name not in touched or not touched[name].mean][:wrong]
    assert len(spoiled) == wrong

    def longer(series: Series) -> Series:
        if series.probe.id not in spoiled:
            return series
        searches = (replace(one, nodes=(one.nodes or 0) + 2 * series.playouts) for one in series.searches)
        return replace(series, searches=tuple(searches))

    changed = replace(found, series=tuple(map(longer, found.series)))
    (suspicion,) = (one for one in Suspects(changed, signatures()).rank() if one.fault == fault)
    assert suspicion.probability > 0.5
    assert suspicion.fit is fit


@pytest.mark.parametrize(("errors", "fit"), [(2.0, Fit.WELL), (20.0, Fit.NEARLY)])
def test_a_fault_may_change_means_by_less_than_its_record_shows(errors: float, fit: Fit) -> None:
    """With 20,000 playouts a search, the means of the bot are more precise than those on record."""
    fault = "eye-corner-as-centre"
    found = findings(fault, playouts=20_000)
    touched, right = signatures()[fault].probes, signatures()[""].probes
    open_board = {
        one.probe.id: errors * one.probe.expected.sd_length / math.sqrt(24 * right[one.probe.id].playouts)
        for one in found.series
        if one.probe.expected.sd_length > 10.0
        and one.probe.id in right
        and not (one.probe.id in touched and touched[one.probe.id].mean)
    }
    assert len(open_board) > 3

    def longer(series: Series) -> Series:
        gap = round(open_board.get(series.probe.id, 0.0) * series.playouts)
        searches = (replace(one, nodes=(one.nodes or 0) + gap) for one in series.searches)
        return replace(series, searches=tuple(searches))

    changed = replace(found, series=tuple(map(longer, found.series)))
    (suspicion,) = (one for one in Suspects(changed, signatures()).rank() if one.fault == fault)
    assert suspicion.fit is fit


def test_every_dialogue_that_was_judged_is_evidence() -> None:
    right = findings("")
    found = with_outcome(right, Outcome.FAIL, "game.ko.new-game", "gtp.kept.clear")
    evidence = evidence_in(found)
    judged_ones = {r.check.id for r in found.results if r.check.id.startswith("gtp.frame.")}
    assert judged_ones
    assert {f"outcome {name}" for name in judged_ones} <= evidence.observed.keys()
    # Two faults fail one of the two dialogues; only one of them fails the other, too.
    first = diagnose(found).causes[0]
    assert (first.name, len(first.explains)) == ("clear-keeps-ko", 2)


def test_a_bot_that_repeats_its_searches_is_not_suspected_of_a_rule_of_choice() -> None:
    found = findings("seed-fixed")
    suspects = Suspects(found, signatures()).rank()
    assert suspects[0].fault == "seed-fixed"
    assert not [one for one in suspects if one.clause in ("amaf", "best-rate", "ties", "unseen")]


def test_a_bot_that_repeats_its_playouts_is_not_suspected_of_a_rule_of_choice() -> None:
    """It chooses as with half of its playouts, so that the check of a close choice fails."""
    checks = select(("ref.choice.close-3", "ref.empty.spread"))
    found = check_fault("playouts-twofold", 1, checks=checks, playouts=100, hosted=True)
    assert "best-rate" in {result.clause for result in found.results if result.refuses}
    suspects = Suspects(found, signatures_at(100)).rank()
    assert not [one for one in suspects if one.clause in ("amaf", "best-rate", "ties", "unseen")]


def test_a_check_of_the_choice_that_needs_the_numbers_judges_moves() -> None:
    few, single = find("ref.choice.unseen-few")[0], find("ref.choice.single-move")[0]
    for fault in ("best-visits", "amaf-opponent"):  # they choose points of few visits, and none without
        assert explains(signatures_at(200)[fault], few)
    assert clause_explains("unseen", single, few)
    assert not clause_explains("ref-nodes", single, find("ref.nodes.three")[0])


def test_random_cases_may_fail_by_a_rule_of_the_game() -> None:
    about_colour = find("game.legal.colour")[0]
    for name in ("gtp.explore", "ref.explore"):
        assert clause_explains("complete-games", find(name)[0], about_colour)
    assert not clause_explains("complete-games", find("ref.nodes.three")[0], about_colour)


def test_a_bot_that_conforms_has_nothing_to_explain() -> None:
    assert diagnose(findings("", seed=2)) == Diagnosis()


def test_a_bot_that_could_not_be_run_is_not_diagnosed() -> None:
    assert diagnose(Findings("none", unusable="it printed nothing")) == Diagnosis()


def test_at_most_three_most_probable_first() -> None:
    for fault in filter(visible, list(signatures())[::100]):
        named = diagnose(findings(fault, seed=4)).suspicions
        assert len(named) <= MOST_NAMED
        shares = [item.probability for item in named]
        assert shares == sorted(shares, reverse=True)
        assert all(0.0 <= share <= 1.0 for share in shares)  # a bot may have two of them


def test_without_private_commands_moves_and_dialogues_are_left() -> None:
    found = findings("best-visits", seed=5)
    silent = tuple(
        replace(one, searches=tuple(replace(search, nodes=None, score=None) for search in one.searches))
        for one in found.series
    )
    named = diagnose(replace(found, series=silent)).suspicions
    assert "best-rate" in {item.clause for item in named}


def test_the_compiler_is_not_loaded() -> None:
    code = "import sys, harness.diagnosis.diagnose as d; d.signatures(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# --- what is never named -----------------------------------------------------------------------------------


def possible(found: Findings) -> set[str]:
    known = signatures()
    return set(find_plausible(found, known, find_deviations(found.series, known[""])))


@pytest.mark.parametrize("fault", ["cap-none", "one-line-feed", "unflushed", "eye-filled"])
def test_a_fault_whose_own_checks_passed_is_out(fault: str) -> None:
    """Whatever else failed: here everything but the checks that are there to catch the fault."""
    own = {check.id for check in CHECKS if is_own(signatures()[fault], check)}
    results = [Result(c, Judgement(Outcome.PASS if c.id in own else Outcome.FAIL)) for c in CHECKS]
    assert own
    assert fault not in possible(Findings("x", results=tuple(results)))


def test_a_fault_whose_effect_was_not_seen_is_out() -> None:
    failing = find("gtp.admin.protocol-version")[0].id
    left = possible(with_outcome(findings(""), Outcome.FAIL, failing))
    assert "protocol-version-1" in left
    assert not {"eye-filled", "komi-ignored", "best-lowest"} & left


def test_nothing_is_named_for_a_command_that_is_missing() -> None:
    missing = replace(
        with_outcome(findings(""), Outcome.FAIL, Ability.COUNTS_MOVES, Ability.REPORTS_SCORE),
        commands=frozenset({"genmove", "play"}),
    )
    left = possible(missing)
    assert not [name for name in left if name and FAULTS[name].clause in ("ref-nodes", "ref-score")]
    present = replace(missing, commands=frozenset({"ref-nodes", "ref-score"}))
    assert {"nodes-decimals", "refscore-comma"} <= possible(present)


def test_a_fault_of_an_optional_command_that_the_bot_lacks_is_out() -> None:
    """A wrong get_komi makes the komi of a record look wrong, as a loadsgf that keeps the komi does."""
    asked = with_outcome(findings(""), Outcome.FAIL, "gtp.record.komi")
    found = with_outcome(asked, Outcome.SKIP, "gtp.rules.get-komi")
    for commands, is_left in (({"loadsgf", "get_komi"}, True), ({"loadsgf"}, False)):
        left = possible(replace(found, commands=frozenset(commands)))
        assert "loadsgf-keeps-komi" in left
        assert ("get-komi-whole" in left) is is_left


# --- causes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    thorough_but(
        ("nodes-one-pass", "amaf-opponent", "id-dropped", "superko-none", "undo-takes-two"),
        [*PLAIN, "amaf-opponent", "id-dropped", "superko-none", "undo-takes-two"],
        Mutant(
            "harness/diagnosis/cause.py",
            "(shown.check.id, *others))",
            "(*others, shown.check.id))",
            f"{HERE}test_every_failure_has_one_cause_and_every_cause_its_evidence[amaf-opponent]",
        ),
    ),
)
def test_every_failure_has_one_cause_and_every_cause_its_evidence(fault: str) -> None:
    found = findings(fault)
    causes = diagnose(found).causes
    explained = [check for cause in causes for check in cause.explains]
    failing = [r.check.id for r in found.results if r.refuses and r.check.level is Level.MUST]
    assert sorted(explained) == sorted(failing)
    assert all(cause.evidence == cause.explains[0] for cause in causes)
    assert all(0.0 <= cause.probability <= 1.0 for cause in causes)


def test_what_others_rely_on_comes_first() -> None:
    ability = str(Ability.COUNTS_MOVES)
    found = with_outcome(findings("komi-clears-board"), Outcome.FAIL, ability)
    blocked = tuple(
        replace(r, judgement=Judgement(Outcome.BLOCKED), blocked_by=(ability,))
        if r.check.requires.commands
        else r
        for r in found.results
    )
    causes = diagnose(replace(found, results=blocked, commands=frozenset({"ref-score"}))).causes
    assert (causes[0].kind, causes[0].name, causes[0].evidence) == (CauseKind.ABILITY, ability, ability)
    assert len(causes) > 1


def test_an_ability_of_the_clause_of_a_sure_fault_is_lost_to_that_fault() -> None:
    fault, ability = "eye-edge-as-centre", "game.pass.false-eye"
    found = with_outcome(findings(fault), Outcome.FAIL, ability)
    blocked = tuple(
        replace(r, judgement=Judgement(Outcome.BLOCKED), blocked_by=(ability,))
        if r.check.id == "game.colour.genmove"
        else r
        for r in found.results
    )
    (cause,) = diagnose(replace(found, results=blocked)).causes
    assert (cause.kind, cause.name) == (CauseKind.FAULT, fault)
    assert ability in cause.explains


def test_an_ability_of_another_clause_is_lost_to_a_sure_fault_that_fails_its_check() -> None:
    fault, ability = "komi-drifts", "game.final-score"
    found = check_fault(
        fault, 1, checks=select(("game.komi.*", "game.final-score", "game.whole", "gtp.kept.*")), hosted=True
    )
    assert ability in {check for result in found.results for check in result.blocked_by}
    (cause,) = diagnose(found).causes
    assert (cause.kind, cause.name) == (CauseKind.FAULT, fault)
    assert ability in cause.explains


def test_what_a_whole_game_shows_is_on_the_record_of_a_fault() -> None:
    """The game files a pass too early under the check of passes, which the record did not make."""
    fault, about = "candidates-leave-enemy-eyes", "game.pass.candidate"
    found = check_fault(fault, 2, checks=select(("game.whole",)), playouts=100, hosted=True)
    assert about not in {result.check.id for result in found.results}
    assert signature_of(found, fault, "best-rate").outcomes[about] is Outcome.FAIL
    assert explains(signatures()[fault], find(about)[0])


def test_a_missing_required_command_is_the_cause_wherever_it_was_sent() -> None:
    """And of what knows of it alone; a failure without it has a cause of its own."""
    found = findings("")
    sent = {
        "gtp.play.genmove": "           > genmove b\\n",
        "gtp.admin.required": "           > known_command genmove\\n",
        "gtp.frame.id-echo": "           > 7 name\\n",
        "gtp.frame.no-noise": "           > genmove b\\n",  # its refusal is framed like any answer
    }
    failed = with_outcome(found, Outcome.FAIL, *sent)
    failed = replace(
        failed, results=tuple(replace(r, transcript=sent.get(r.check.id, "")) for r in failed.results)
    )
    first, *others = diagnose(replace(failed, lacking=frozenset({"genmove"}))).causes
    assert (first.kind, first.name) == (CauseKind.MISSING, "genmove")
    assert set(first.explains) == {"gtp.play.genmove", "gtp.admin.required"}
    assert {check for cause in others for check in cause.explains} == {
        "gtp.frame.id-echo",
        "gtp.frame.no-noise",
    }
    assert all(cause.kind is not CauseKind.MISSING for cause in diagnose(failed).causes)


def test_independent_causes_are_listed_apart() -> None:
    two = {"eye-edge-as-centre": "eye", "name-case-ignored": "gtp"}
    eye, case = (findings(fault) for fault in two)
    merged = tuple(a if a.refuses else b for a, b in zip(eye.results, case.results, strict=True))
    causes = diagnose(replace(eye, results=merged)).causes
    assert {cause.clause for cause in causes} == set(two.values())


def test_four_failures_about_the_wire_are_four_causes() -> None:
    ids = ("gtp.admin.name", "gtp.admin.protocol-version", "gtp.play.pass", "gtp.frame.crlf")
    causes = diagnose(with_outcome(findings(""), Outcome.FAIL, *ids)).causes
    assert sorted(cause.evidence for cause in causes) == sorted(ids)


def test_a_bot_that_answers_another_move_than_it_makes_has_one_cause() -> None:
    found = with_outcome(findings(""), Outcome.FAIL, "gtp.play.genmove-plays", "game.suicide.genmove")
    (cause,) = diagnose(blocking(found, "gtp.play.genmove-plays", "game.whole")).causes
    assert cause.evidence == "gtp.play.genmove-plays"


@pytest.mark.parametrize(("seen", "causes"), [(2, 1), (5, 2)])
def test_a_failure_that_comes_and_goes_is_of_a_bot_that_answers_twice(seen: int, causes: int) -> None:
    ids = ("gtp.frame.no-noise", "gtp.setup.size-accepted")
    found = with_outcome(findings(""), Outcome.FAIL, *ids)
    stray = Judgement(Outcome.FAIL, unlike=NOISE_FAULTS)
    confirmed = replace(
        next(r for r in found.results if r.check.id == ids[1]),
        confirmation=Confirmation.CONFIRMED,
        sightings=Sightings(seen, 5),
    )
    results = tuple(
        confirmed if r.check.id == ids[1] else replace(r, judgement=stray) if r.check.id == ids[0] else r
        for r in found.results
    )
    assert len(diagnose(replace(found, results=results)).causes) == causes


def blocking(found: Findings, ability: str, check: str) -> Findings:
    """The same findings, but one check was not judged: an ability that it needs is missing."""
    stopped = Judgement(Outcome.BLOCKED)
    return replace(
        found,
        results=tuple(
            replace(r, judgement=stopped, blocked_by=(ability,)) if r.check.id == check else r
            for r in found.results
        ),
    )


def shown(found: Findings, check: str, transcript: str) -> Findings:
    results = (replace(r, transcript=transcript) if r.check.id == check else r for r in found.results)
    return replace(found, results=tuple(results))


@pytest.mark.parametrize(("size", "causes"), [(8, 1), (9, 2)])
def test_a_failure_on_a_size_that_is_not_that_of_the_board_has_one_cause(size: int, causes: int) -> None:
    ids = ("gtp.rules.every-size", "gtp.handicap.fixed-sizes")
    found = shown(with_outcome(findings(""), Outcome.FAIL, *ids), ids[1], f"           > boardsize {size}\\n")
    assert len(diagnose(blocking(found, ids[0], "game.superko.small-board")).causes) == causes


@pytest.mark.parametrize(("before", "causes"), [("? illegal move", 1), ("= ", 2)])
def test_a_silence_after_a_refusal_is_of_the_bot_that_loses_what_follows(before: str, causes: int) -> None:
    ids = ("gtp.frame.every-command-answered", "gtp.play.off-board")
    answered = f"           > play b I5\\n\n    0.0000 < {before}\\n\\n"
    lines = f"{answered}\n           > play b A0\\n\n   30.0000 # it was silent"
    found = shown(with_outcome(findings(""), Outcome.TIMEOUT, *ids), ids[1], lines)
    assert len(diagnose(found).causes) == causes


def test_failures_of_different_commands_are_different_causes() -> None:
    """They fail for reasons of their own, though one clause names them all."""
    ids = ("gtp.handicap.fixed", "gtp.handicap.set-pass", "gtp.record.before-move", "gtp.record.setup")
    causes = diagnose(with_outcome(findings(""), Outcome.FAIL, *ids)).causes
    assert sorted(cause.evidence for cause in causes) == sorted(ids)


def test_missing_abilities_of_different_commands_are_different_causes() -> None:
    abilities = ("gtp.handicap.fixed", "gtp.handicap.set-pass")
    found = with_outcome(findings(""), Outcome.FAIL, *abilities, "gtp.handicap.set-twice")
    waiting = {"gtp.handicap.fixed-table": abilities[0], "gtp.handicap.set-kept": abilities[1]}
    blocked = tuple(
        replace(r, judgement=Judgement(Outcome.BLOCKED), blocked_by=(waiting[r.check.id],))
        if r.check.id in waiting
        else r
        for r in found.results
    )
    fixed, free = diagnose(replace(found, results=blocked)).causes
    assert set(fixed.explains) == {"gtp.handicap.fixed"}
    assert set(free.explains) == {"gtp.handicap.set-pass", "gtp.handicap.set-twice"}


def test_one_strange_failure_points_to_its_clause() -> None:
    """The same for every direct check: a single failure that no known fault makes."""
    for check_id in ("game.capture.chain", "ref.score.view-won", "ref.suicide.two", "ref.passes.two"):
        (check,) = find(check_id)
        causes = diagnose(with_outcome(findings(""), Outcome.FAIL, check_id)).causes
        assert [(cause.clause, cause.evidence) for cause in causes] == [(check.clause, check_id)]


def test_every_outcome_of_checks_unknown_to_the_record_is_survived() -> None:
    results = tuple(Result(check, Judgement(Outcome.CRASH)) for check in CHECKS[::12])
    said = diagnose(Findings("dead", results=results))
    probabilities = [item.probability for item in said.suspicions] + [
        item.probability for item in said.causes
    ]
    assert all(0.0 <= probability <= 1.0 for probability in probabilities)


# --- faults that are not known -----------------------------------------------------------------------------


def test_searches_of_an_unknown_number_of_playouts_have_moves_and_no_means() -> None:
    series = Series(empty_board(7.5), 0, (SearchRecord("E5", 111_000, 0.42, 0.0),))
    found = summed(series)
    assert (found.searches, found.moves, found.mean) == (1, {"E5": 1}, ())


def test_a_twin_is_left_out_with_its_fault() -> None:
    for fault in ("nodes-one-pass", "id-dropped", "eye-filled"):
        left = without_twins(fault)
        assert fault in twins(fault)
        assert "" in left
        assert not twins(fault) & set(left)
        assert all(signatures()[name].clause == signatures()[fault].clause for name in twins(fault))


UNKNOWN_TO_THE_DIAGNOSIS = {
    "nodes-one-pass": "ref-nodes",
    "refscore-black": "ref-score",
    "komi-to-black": "komi",
    "eye-no-diagonals": "eye",
    "uniform-shuffled-once": "uniform",
    "superko-none": "superko",
    "unknown-succeeds": "gtp",
    "best-lowest": "best-rate",
    "best-random": "best-rate",
    "refscore-white": "ref-score",
    "uniform-scan-board": "uniform",
    "genmove-ignores-colour": "complete-games",
    "ko-none": "simple-ko",  # two faults nearly fit together, of other clauses
    "refscore-draws-zero": "ref-score",  # the moves are right, draws that are lost would change some
}


@pytest.mark.parametrize(
    "fault",
    thorough_but(
        ("nodes-one-pass", "refscore-black", "superko-none", "unknown-succeeds", "best-lowest", "ko-none"),
        UNKNOWN_TO_THE_DIAGNOSIS,
        Mutant(
            "harness/diagnosis/clause_ranking.py",
            " * FACTOR ** marks[clause]",
            "",
            f"{HERE}test_the_clause_of_an_unknown_fault_is_named_first[best-lowest]",
        ),
    ),
)
def test_the_clause_of_an_unknown_fault_is_named_first(fault: str) -> None:
    said = diagnose(findings(fault), known=without_twins(fault))
    assert said.causes[0].clause == UNKNOWN_TO_THE_DIAGNOSIS[fault]


def test_a_search_without_a_move_is_impossible() -> None:
    records = [SearchRecord("E5", nodes, 0.42, 0.0) for nodes in (0, 11_000)]
    found = [Series(empty_board(7.5), 100, (record,)) for record in records]
    assert [len(find_deviations([one], signatures()[""]).impossible) for one in found] == [1, 0]


def test_a_length_that_changes_from_search_to_search_is_of_no_rule_of_playouts() -> None:
    probe = empty_board(7.5)
    right = round(1000 * probe.expected.mean_length)

    def unsteady(*nodes: int, turns: tuple[int, ...] = (0,)) -> bool:
        records = [
            SearchRecord("E5", number, 0.42, 0.0, turns[place % len(turns)])
            for place, number in enumerate(nodes)
        ]
        return bool(find_deviations([Series(probe, 1000, tuple(records))], signatures()[""]).unsteady)

    assert unsteady(right, 3 * right)  # earlier searches are counted too
    assert not unsteady(right, 3 * right, turns=(0, 5))  # a rule may depend on where the stones lie
    assert not unsteady(3 * right, 3 * right)
    assert not unsteady(right, 1000)  # playouts that end at once, by what was played before
    assert not unsteady(right, right + 1000)


def test_moves_of_equal_chances_are_told_from_those_of_a_preference() -> None:
    plan = find("ref.choice.captures-1")[0].procedure.search_plan
    assert plan is not None
    probe = plan.probe
    names = probe.position.candidates(probe.to_move)

    def seen(chosen: Sequence[str]) -> Deviations:
        records = tuple(SearchRecord(move, 9_000, 0.5, 0.0) for move in chosen)
        return find_deviations([Series(probe, 1000, records)], signatures()[""])

    moves = [format_vertex(point) for point in names]
    even, uneven = seen(moves * 4), seen([*moves[:1] * 3 * len(moves), *moves])
    assert (len(even.scattered), len(even.uneven)) == (1, 0)
    assert (len(uneven.scattered), len(uneven.uneven)) == (0, 1)
    few = seen(moves)  # one search for each candidate shows nothing
    assert not few.scattered
    assert not few.uneven


def test_a_result_of_the_other_side_is_mirrored() -> None:
    probe = empty_board(7.5)
    length, result = probe.expected.mean_length, probe.expected.mean_result

    def mirrored(value: float) -> bool:
        records = (SearchRecord("E5", round(1000 * length), value, 0.0),) * 4
        return bool(find_deviations([Series(probe, 1000, records)], signatures()[""]).mirrored)

    assert mirrored(1.0 - result)
    assert not mirrored(result)
    assert not mirrored(0.0)


def test_a_bot_that_counts_its_playouts_twice_has_a_wide_spread() -> None:
    rng = np.random.default_rng(20260101)
    found = imagined("", rng).series

    def counted(times: int) -> tuple[Series, ...]:
        def wider(one: Series) -> Series:
            mean = 1000 * one.probe.expected.mean_length
            lengths = (mean + times**0.5 * ((s.nodes or 0) - mean) for s in one.searches)
            records = (replace(s, nodes=round(n)) for s, n in zip(one.searches, lengths, strict=True))
            return replace(one, searches=tuple(records))

        return tuple(map(wider, found))

    assert 0.7 < typical_spread(found) < 1.3
    assert typical_spread(counted(3)) > 1.4
    assert typical_spread(()) == 1.0


def test_an_ability_that_is_lost_to_a_rule_of_playouts_does_not_hide_the_rule() -> None:
    fault = "eye-off-board-hostile"  # genmove fills eyes, too
    checks = select(("ref.eye.*", "game.pass.*"))
    found = check_fault(fault, 1, checks=checks, effort=replace(QUICK, seconds=math.inf), hosted=True)
    said = diagnose(found, strict=True, known=without_twins(fault))
    assert said.causes[0].clause == "eye"


def test_a_komi_that_changes_from_search_to_search_is_not_taken_for_random_numbers() -> None:
    """The first search at a position has the komi of the position before, the others have its own."""
    checks = select(("game.komi.*", "ref.score.mean", "ref.uniform.independent", "ref.eye.e*"))
    unhurried = replace(QUICK, seconds=math.inf)
    found = check_fault("komi-one-game-late", 1, checks=checks, effort=unhurried, playouts=200, hosted=True)
    assert "fresh-randomness" in {result.clause for result in found.results if result.refuses}
    said = diagnose(found, known=without_twins("komi-one-game-late"))
    assert [cause.clause for cause in said.causes] == ["komi"]


def test_the_record_of_passes_that_do_not_count_has_every_position_after_many_passes() -> None:
    late = {
        name
        for name, (probe, _) in probes().items()
        if probe.size == 9 and sum(vertex == "pass" for _, vertex in probe.tail) > 150
    }
    assert len(late) > 10
    assert late <= signatures()["cap-passes-uncounted"].probes.keys()


LED_ASTRAY = ["eye-off-board-hostile", "final-score-bare", "nodes-stale", "snapback-as-ko"]
"""Faults whose effects look like those of another clause: genmove fills eyes, another fault loses the same
ability, no playout has a length, an exploration meets a pass first."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", LED_ASTRAY)
def test_effects_on_other_clauses_do_not_hide_the_clause(fault: str) -> None:
    found = check_fault(fault, 1, effort=replace(QUICK, seconds=math.inf), hosted=True)
    said = diagnose(found, strict=True, known=without_twins(fault))
    assert said.causes[0].clause == FAULTS[fault].clause


@pytest.mark.slow
@pytest.mark.parametrize("playouts", [100, 1000])
@pytest.mark.parametrize("fault", ["nodes-cumulative", "nodes-stale"])
def test_numbers_of_earlier_searches_are_one_cause(fault: str, playouts: int) -> None:
    unhurried = replace(QUICK, seconds=math.inf)
    found = check_fault(fault, 1, effort=unhurried, playouts=playouts, hosted=True)
    (cause,) = diagnose(found, strict=True).causes
    assert cause.name == fault


@pytest.mark.slow
def test_what_is_said_with_nine_tenths_is_right_nine_times_in_ten() -> None:
    # Truths are drawn from the faults that anything shows; what is said must come true as often as said.
    # Where "something else" is said first, nothing is counted.
    rng = np.random.default_rng(6)
    names = [fault for fault in signatures() if visible(fault)]
    stated, true = [], []
    for fault in rng.choice(names, 300):
        named = diagnose(judged(imagined(str(fault), rng)), strict=True).suspicions
        if named and named[0].fault != UNKNOWN:
            stated.append(named[0].probability)
            true.append(named[0].fault == fault)
    sure = np.array(stated) >= 0.9
    # 6 standard errors of a share of 0.9 among so many: a chance of about 1e-9
    allowed = 6 * (0.9 * 0.1 / sure.sum()) ** 0.5
    assert np.mean(np.array(true)[sure]) > 0.9 - allowed
    assert abs(np.mean(stated) - np.mean(true)) < 6 * 0.5 / len(stated) ** 0.5
    assert len(stated) > 200


# --- what is more basic comes first ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "patterns"),
    [
        ("komi-clears-board", ("gtp.setup.komi-keeps-board", "gtp.kept.queries", "gtp.record.[lk]*")),
        ("off-board-plays", ("gtp.setup.boardsize-edge", "gtp.rules.every-size", "gtp.record.size")),
        ("small-sizes-padded", ("gtp.rules.every-size", "game.capture.chain", "game.superko.small-board")),
    ],
)
def test_what_other_commands_make_use_of_is_the_first_cause(fault: str, patterns: tuple[str, ...]) -> None:
    profile = Profile.GTP if FAULTS[fault].where == "command" else None
    found = check_fault(fault, 1, checks=select(patterns), effort=QUICK, hosted=True, profile=profile)
    for known in (signatures(), without_twins(fault)):
        assert diagnose(found, strict=True, known=known).causes[0].clause == FAULTS[fault].clause


def test_a_number_of_moves_that_lacks_whole_turns_of_sixteen_bits_is_told_from_short_playouts() -> None:
    probe = empty_board(7.5)
    right = round(1000 * probe.expected.mean_length)

    def marks(*nodes: int) -> Deviations:
        records = tuple(SearchRecord("E5", number, 0.42, 0.0) for number in nodes)
        return find_deviations([Series(probe, 1000, records)], signatures()[""])

    assert marks(right - 65_536, right - 65_536 + 700).wrapped
    assert not marks(right - 65_536, right).wrapped
    assert not marks(right - 40_000, right - 40_500).wrapped
    # Playouts of another mean vary around it; repeated ones vary by as much as they differ.
    assert marks(*(right + 20_000 + 300 * number for number in range(10))).foreign
    assert not marks(*(right + 9_000 * (number % 3) for number in range(10))).foreign


LEAVES_HALF = Mutant(
    "harness/diagnosis/named_fault.py",
    "if leaves_as_many(rest, first, own):",
    "if False:",
    f"{HERE}test_an_unknown_fault_of_the_choice_is_not_taken_for_one_that_explains_half_of_it[pass-by-rate]",
)
"""A fault is named though it leaves as many failures of its subject as it explains."""


@thorough(LEAVES_HALF)
def test_a_fault_of_the_choice_is_not_named_beside_choices_that_it_does_not_change() -> None:
    """Draws that are worth nothing look like a least number of visits at one position alone."""
    found = check_fault(
        "amaf-draws-lost", 1, effort=QUICK, playouts=1000, hosted=True, checks=select(("ref.choice.*",))
    )
    first = diagnose(found, known=without_twins("amaf-draws-lost")).causes[0]
    assert {"ref.choice.02", "ref.choice.rare"} <= set(first.explains)
    assert first.kind is CauseKind.CLAUSE


def test_numbers_that_a_command_changes_are_no_consequence_of_wrong_playouts() -> None:
    found = with_outcome(findings("ko-none"), Outcome.FAIL, "ref.nodes.kept")
    causes = diagnose(found).causes
    assert causes[0].name == "ko-none"
    assert "ref.nodes.kept" not in causes[0].explains


def test_a_wrong_komi_explains_choices_that_it_spoils() -> None:
    right = findings("", playouts=200)
    found = with_outcome(right, Outcome.FAIL, "game.komi.in-game", "ref.choice.rare", "ref.choice.unseen-few")
    (cause,) = diagnose(found).causes
    assert (cause.clause, cause.evidence) == ("komi", "game.komi.in-game")


@pytest.mark.parametrize(
    "fault", thorough_but(("pass-by-rate",), ["best-ten-visits", "pass-by-rate"], LEAVES_HALF)
)
def test_an_unknown_fault_of_the_choice_is_not_taken_for_one_that_explains_half_of_it(fault: str) -> None:
    """Both make a candidate without visits possible, as a known fault does, and something else wrong too."""
    checks = select(("ref.choice.*", "ref.end.*", "game.pass.rate", "game.capture.*"))
    found = check_fault(fault, 1, effort=QUICK, playouts=1000, hosted=True, checks=checks)
    (cause,) = diagnose(found, known=without_twins(fault)).causes
    assert (cause.kind, cause.clause) == (CauseKind.CLAUSE, FAULTS[fault].clause)


@pytest.mark.parametrize(
    "fault",
    thorough_but(
        ("unseen-as-even",),
        ["unseen-as-won", "best-ten-visits", "unseen-as-even"],
        Mutant(
            "harness/diagnosis/observations.py",
            "if times > max(RARE, LEAST_SHARE * sum(moves.values()))",
            "if times",
            f"{HERE}test_which_of_many_equal_moves_a_record_has_does_not_matter[unseen-as-even]",
        ),
    ),
)
def test_which_of_many_equal_moves_a_record_has_does_not_matter(fault: str) -> None:
    """At 200 playouts, these bots choose among eighty points: a record of 24 searches has few of them."""
    checks = select(("ref.choice.*",))
    found = check_fault(fault, 2, effort=QUICK, playouts=200, hosted=True, checks=checks)
    assert diagnose(found).causes[0].clause == FAULTS[fault].clause
