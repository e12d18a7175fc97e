"""What a bot is checked against, and the rules that it plays by: found out, given, and held against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

import pytest

from harness.check.bot.introduction import Introduction
from harness.check.model import Outcome, Verdict
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.play_rules import FREE_RULES, REFERENCE_RULES, VALUES, PlayRules, RulesError, parse_rules
from harness.check.procedures.chosen_move import RULE_OF_VIOLATION
from harness.check.profile import Profile, profile_for
from harness.check.verdict import verdict
from harness.explore.moves import wrong_move
from harness.go import Colour, Position
from harness.gtp import Launch, parse_vertex
from harness.selftest.hosted_bot import HostedEngine
from harness.suite.registry import CHECKS, registered, select
from tests.command_line import bot
from tests.harness.check.idle_machine import findings_about
from tests.hosted import hosted_by
from tests.parameters import thorough_but
from tests.thorough import Mutant, thorough

CheckHosted = Callable[..., Findings]

GAME = ("gtp.play.*", "game.*")
"""Checks that the rules of a bot decide about."""


def introduced(*commands: str, readable: bool = True) -> Introduction:
    return Introduction("bot", "1", frozenset(commands), (9,), (), readable)


def outcomes(findings: Findings) -> dict[str, Outcome]:
    return {result.check.id: result.outcome for result in findings.results}


@pytest.mark.parametrize(
    ("commands", "readable", "profile"),
    [
        (("ref-nodes", "ref-score"), True, Profile.REFERENCE),
        (("ref-nodes",), True, Profile.REFERENCE),  # a reference bot that is not complete yet
        (("play", "genmove"), True, Profile.GTP),
        ((), False, Profile.REFERENCE),  # it has said nothing
    ],
)
def test_the_commands_choose_the_profile(commands: tuple[str, ...], readable: bool, profile: Profile) -> None:
    assert profile_for(introduced(*commands, readable=readable)) is profile


def test_profiles_contain_each_other() -> None:
    belonging = {profile: {c.id for c in CHECKS if profile.includes(c)} for profile in Profile}
    assert belonging[Profile.GTP] < belonging[Profile.PLAYOUTS] < belonging[Profile.REFERENCE]
    assert belonging[Profile.REFERENCE] == {check.id for check in CHECKS}


def test_no_check_of_any_engine_needs_a_private_command() -> None:
    for check in filter(Profile.GTP.includes, CHECKS):
        needs = {*check.relies_on, check.id}
        assert not [name for name in needs if name.startswith("ref.")], check.id


def test_a_check_needs_rules_that_exist() -> None:
    needs = [need for check in CHECKS for need in check.needs.rules]
    needs += [need for rule in RULE_OF_VIOLATION.values() for need in rule]
    for need in needs:
        PlayRules().meets(need)  # raises RulesError for an unknown one
        assert PlayRules().meets(need)  # the reference bot is held to all of them


def test_the_reporter_of_a_violation_needs_the_rule_that_it_breaks() -> None:
    for violation, rules in RULE_OF_VIOLATION.items():
        check = registered(violation)
        assert check is not None
        assert check.needs.rules, violation
        free = PlayRules(*(VALUES[name][0] for name in VALUES))
        assert not free.unmet(rules) or free.unmet(check.needs.rules), violation


def test_only_a_reference_bot_is_held_to_rules_before_it_was_asked() -> None:
    held = {profile: profile.rules for profile in Profile}
    assert held == {**dict.fromkeys(Profile, FREE_RULES), Profile.REFERENCE: PlayRules()}


@thorough(
    Mutant(
        "harness/check/profile.py",
        "return REFERENCE_RULES if self is Profile.REFERENCE else FREE_RULES",
        "return REFERENCE_RULES",
        "tests/harness/check/test_profiles.py::test_only_a_reference_bot_is_held_to_rules_before_it_was_asked",
    )
)
@pytest.mark.parametrize("switches", [(), ("extensions",)])
def test_the_reference_bot_conforms_as_any_engine(
    check_hosted: CheckHosted, switches: tuple[str, ...]
) -> None:
    findings = check_hosted(*switches, profile=Profile.GTP)
    assert [r.check.id for r in findings.results if r.refuses] == []
    assert verdict(findings) is Verdict.CONFORMS
    assert asdict(findings.rules) == asdict(PlayRules(passing="free", resignation="allowed"))


@pytest.mark.slow
def test_the_reference_bot_conforms_in_its_playouts(check_hosted: CheckHosted) -> None:
    findings = check_hosted("extensions", profile=Profile.PLAYOUTS, playouts=300)
    assert [r.check.id for r in findings.results if r.refuses] == []
    assert {"amaf", "ties"}.isdisjoint({result.check.clause for result in findings.results})


@pytest.mark.parametrize(
    ("switch", "rules"),
    thorough_but(
        ("superko-situational", "suicide-game", "pass-by-rate"),
        [
            ("superko-situational", {"superko": "situational"}),
            ("superko-simple", {"superko": "simple"}),
            ("suicide-game-multi", {"suicide": "allowed"}),
            ("suicide-game", {"suicide": "allowed"}),  # also of a single stone: under some rules a pass
            ("genmove-resigns", {}),
            ("pass-by-rate", {}),
            ("eye-filled", {}),  # fills its eyes: a bad move, and a legal one
        ],
        Mutant(
            "harness/check/play_rules.py",
            "return getattr(self, name) in wanted",
            "return True",
            "tests/harness/check/test_profiles.py"
            "::test_an_engine_may_play_by_other_rules[superko-situational-rules0]",
        ),
    ),
)
def test_an_engine_may_play_by_other_rules(
    check_hosted: CheckHosted, switch: str, rules: Mapping[str, str]
) -> None:
    """What is a fault of a reference bot is found out as a rule of another engine."""
    findings = check_hosted(switch, profile=Profile.GTP, only=GAME)
    assert [r.check.id for r in findings.results if r.refuses] == []
    found = asdict(findings.rules)
    assert {name: found[name] for name in rules} == rules
    deviates = check_hosted(switch, profile=Profile.REFERENCE, only=GAME)
    assert verdict(deviates) is Verdict.DEVIATES


def test_boards_of_an_earlier_question_do_not_change_the_rules(check_hosted: CheckHosted) -> None:
    """The bot refuses a board of the game before, which a question about superko repeats."""
    findings = check_hosted("superko-survives-clear", profile=Profile.GTP, only=["gtp.admin.name"])
    assert findings.rules.superko == "positional"


def test_a_ban_of_a_ko_that_outlives_passes_is_no_superko() -> None:
    """After the passes a ko looks like superko; the engine is not held to a rule that it does not have."""
    command = bot("wrong_pure.py", "ban-outlives-passes", "--playouts", 1)
    findings = findings_about(RunSettings(Launch(command), select(("game.superko.*",)), profile=Profile.GTP))
    assert findings.rules.superko == "simple"
    assert [result.check.id for result in findings.results if result.refuses] == []


def test_an_engine_that_refuses_in_words_has_the_rules_of_its_refusals() -> None:
    class Polite(HostedEngine):
        def _take(self, line: bytes) -> None:
            super()._take(line)
            self.output[:] = self.output.replace(b"? illegal move", b"= illegal move")

    with hosted_by(Polite) as polite:
        settings = RunSettings(polite.launch, select(("gtp.admin.name",)), profile=Profile.GTP)
        rules = findings_of(check_bot(polite, settings)).rules
    assert (rules.superko, rules.suicide) == ("positional", "forbidden")


def test_no_engine_takes_a_ko_back_at_once(check_hosted: CheckHosted) -> None:
    findings = check_hosted("superko-none", profile=Profile.GTP, only=GAME)
    assert outcomes(findings)["game.ko.genmove"] is Outcome.FAIL


def test_a_given_rule_holds_whatever_the_bot_answers(check_hosted: CheckHosted) -> None:
    findings = check_hosted(
        "superko-none",
        profile=Profile.GTP,
        only=["game.*"],
        rules={"superko": "none", "passing": "reference"},
    )
    ended = outcomes(findings)
    assert ended["game.ko.genmove"] is Outcome.SKIP
    assert ended["game.pass.candidate"] is Outcome.PASS
    strict = check_hosted(
        "pass-by-rate", profile=Profile.GTP, only=["game.*"], rules={"passing": "reference"}
    )
    assert outcomes(strict)["game.pass.rate"] is Outcome.FAIL


def test_checks_of_another_profile_alone_are_refused(check_hosted: CheckHosted) -> None:
    findings = check_hosted(profile=Profile.GTP, only=["ref.*"])
    assert verdict(findings) is Verdict.UNUSABLE
    assert "--profile" in findings.hint


def test_rules_are_read() -> None:
    assert parse_rules("superko=none, passing=free") == {"superko": "none", "passing": "free"}
    assert parse_rules("") == {}
    for wrong in ("ko=none", "superko=chinese", "superko"):
        with pytest.raises(RulesError):
            parse_rules(wrong)


def test_a_free_engine_may_pass_resign_and_fill_an_eye() -> None:
    position = Position(3)
    for vertex in ("A2", "B1", "B2"):
        position.play("b", parse_vertex(vertex, 3))
    assert wrong_move(position, "b", "C3") is None
    for move in ("A1", "PASS", "RESIGN"):
        assert wrong_move(position, "b", move) is not None
        assert wrong_move(position, "b", move, FREE_RULES) is None
    assert wrong_move(position, "b", "B1", FREE_RULES) is not None  # a stone is there
    assert wrong_move(position, "w", "A1", FREE_RULES) is not None  # suicide


@pytest.mark.parametrize(
    ("colour", "rules", "expected"),
    [
        ("b", FREE_RULES, "PASS, or one of A1, C3"),
        ("b", REFERENCE_RULES, "PASS: there is no candidate"),
        ("w", FREE_RULES, "PASS: there is no legal move"),
    ],
)
def test_a_wrong_move_is_reported_with_all_moves_that_the_bot_may_choose(
    colour: Colour, rules: PlayRules, expected: str
) -> None:
    position = Position(3)
    for vertex in ("B1", "C1", "A2", "B2", "C2", "A3", "B3"):  # black has two eyes: A1 and C3
        position.play("b", parse_vertex(vertex, 3))
    found = wrong_move(position, colour, "B1", rules)
    assert found is not None
    assert found.expected == expected
