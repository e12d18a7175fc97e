"""One function decides whether a check runs: a table of what a bot lacks, and what follows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check.bot.introduction import Introduction
from harness.check.bot.session import Session
from harness.check.model import (
    COMMAND_ABILITIES,
    Ability,
    Check,
    Judgement,
    Level,
    Outcome,
    Phase,
    Requirements,
)
from harness.check.phases.eligibility import READABILITY, RunState, find_obstacle
from harness.check.phases.playout_count import PlayoutCount
from harness.suite.registry import CHECKS

NO_NEEDS = Requirements()


@dataclass(frozen=True)
class Nothing:
    """A procedure that observes nothing, in any phase, with any needs."""

    phase: Phase = Phase.DIALOGUE
    requires: Requirements = NO_NEEDS
    search_plan = None

    def observe(self, session: Session) -> None:
        """Nothing."""

    def judge(self, observation: None) -> Judgement:
        """A pass."""
        return Judgement(Outcome.PASS)

    def describe(self) -> list[str]:
        """No line."""
        return []


def check(
    requires: Requirements = NO_NEEDS,
    *,
    phase: Phase = Phase.DIALOGUE,
    derived: Requirements = NO_NEEDS,
    name: str = "x.y",
) -> Check:
    return Check(name, "gtp", Level.MUST, "Something is so.", Nothing(phase, derived), requires)


COMMANDS = frozenset({"ref-nodes", "ref-score", "undo", "ref-playouts"})
PROFILE = Introduction("bot", "1", COMMANDS, (9,), ())
STATE = RunState(PROFILE, PlayoutCount(1000, "asked"), plays_match=True)
MUTE = replace(STATE, introduction=replace(PROFILE, answers_readable=False))
LARGE = replace(STATE, introduction=replace(PROFILE, sizes=(13,)))
BARE = replace(STATE, introduction=replace(PROFILE, commands=frozenset()))
UNREADABLE = replace(STATE, missing={"ref.nodes.readable"})
UNKNOWN = replace(STATE, count=PlayoutCount(None, "unknown", "no slope"))
QUICK = replace(STATE, plays_match=False)
DEVIATING = replace(STATE, deviates=True)
NODES = Requirements(commands=("ref-nodes",))
BOTH = Requirements(commands=("ref-nodes", "ref-score"))
UNDO = Requirements(optional_commands=("undo",))
COUNT = Requirements(playout_count=True)
KO = Requirements(abilities=frozenset({Ability.RETAKES_KO, Ability.PASSES}))
READABLE = "ref.nodes.readable"

RUN, BLOCKED, SKIPPED, UNDECIDED = None, Outcome.BLOCKED, Outcome.SKIP, Outcome.INCONCLUSIVE
TABLE = [
    # what the check is, the state of the run, the outcome unasked, what blocks it, a part of the reason
    ("nothing needed", check(), STATE, RUN, (), ""),
    ("a command that the bot has", check(NODES), STATE, RUN, (), ""),
    ("a command that it has not", check(NODES), BARE, BLOCKED, (READABLE,), READABLE),
    ("both, and neither is there", check(BOTH), BARE, BLOCKED, (READABLE, "ref.score.readable"), "relies on"),
    ("a command that cannot be read", check(NODES), UNREADABLE, BLOCKED, (READABLE,), READABLE),
    ("the one of two that cannot be read", check(BOTH), UNREADABLE, BLOCKED, (READABLE,), READABLE),
    ("derived by the procedure", check(derived=NODES), UNREADABLE, BLOCKED, (READABLE,), READABLE),
    ("its own subject", check(NODES, name=READABLE), UNREADABLE, RUN, (), ""),
    ("an ability that is there", check(KO), STATE, RUN, (), ""),
    (
        "an ability that is missing",
        check(KO),
        replace(STATE, missing={"game.ko.ends", "gtp.play.genmove"}),
        BLOCKED,
        ("game.ko.ends",),
        "it relies on game.ko.ends",
    ),
    ("an optional command that is there", check(UNDO), STATE, RUN, (), ""),
    ("an optional command that is not", check(UNDO), BARE, SKIPPED, (), "no undo, and need not"),
    ("another board size", check(Requirements(board_size=9)), LARGE, SKIPPED, (), "9x9"),
    ("its board size", check(Requirements(board_size=13)), LARGE, RUN, (), ""),
    ("a known number of playouts", check(COUNT), STATE, RUN, (), ""),
    ("an unknown number", check(COUNT), UNKNOWN, UNDECIDED, (), "no slope"),
    ("an unknown number, derived", check(derived=COUNT), UNKNOWN, UNDECIDED, (), "no slope"),
    (
        "an unknown number, since the bot died",
        check(COUNT),
        replace(STATE, count=PlayoutCount(None, "unknown", "it ended", "gtp.play.genmove")),
        BLOCKED,
        ("gtp.play.genmove",),
        "it ended",
    ),
    (
        "an unknown number, since ref-nodes cannot be read",
        check(COUNT),
        replace(UNKNOWN, missing={READABLE}),
        BLOCKED,
        (READABLE,),
        "no slope",
    ),
    (
        "an unknown number, since there is no ref-nodes",
        check(COUNT),
        replace(UNKNOWN, introduction=BARE.introduction),
        BLOCKED,
        (READABLE,),
        "no slope",
    ),
    ("no answer can be read", check(), MUTE, BLOCKED, tuple(sorted(READABILITY)), "can be read"),
    ("why no answer can be read", check(name="gtp.frame.flush"), MUTE, RUN, (), ""),
    ("a run that gave up", check(), replace(STATE, given_up="it died"), SKIPPED, (), "it died"),
    ("a match in a thorough run", check(phase=Phase.MATCH), STATE, RUN, (), ""),
    ("a match in another run", check(phase=Phase.MATCH), QUICK, SKIPPED, (), "--budget"),
    ("a match of a wrong bot", check(phase=Phase.MATCH), DEVIATING, SKIPPED, (), "deviates"),
    ("a match of unknown strength", check(phase=Phase.MATCH), UNKNOWN, SKIPPED, (), "no slope"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("which", "state", "outcome", "blocked_by", "reason"),
    [row[1:] for row in TABLE],
    ids=[row[0] for row in TABLE],
)
def test_the_obstacle_and_its_reason(
    which: Check, state: RunState, outcome: Outcome | None, blocked_by: tuple[str, ...], reason: str
) -> None:
    obstacle = find_obstacle(which, state)
    if obstacle is None:
        assert outcome is RUN
        return
    assert (obstacle.outcome, obstacle.blocked_by) == (outcome, blocked_by)
    assert obstacle.reason
    assert reason in obstacle.reason
    assert bool(obstacle.hint) == (outcome is UNDECIDED)


IDS = [check.id for check in CHECKS]
STATES = st.builds(
    RunState,
    st.builds(
        Introduction,
        st.just("bot"),
        st.just("1"),
        st.frozensets(st.sampled_from(sorted(COMMANDS))),
        st.sampled_from([(9,), (9, 19), (13,), (19,)]),
        st.just(()),
        st.booleans(),
    ),
    st.sampled_from([PlayoutCount(1000, "asked"), PlayoutCount(None, "unknown", "why")]),
    st.booleans(),
    st.frozensets(st.sampled_from(IDS)),
    st.sampled_from(["", "it died"]),
    st.booleans(),
)


@given(which=st.sampled_from(CHECKS), state=STATES)
def test_laws_of_every_check_in_every_state(which: Check, state: RunState) -> None:
    """What runs has all it needs; what is blocked names a check that reports why, and never itself."""
    obstacle = find_obstacle(which, state)
    if obstacle is not None:
        assert (obstacle.outcome is BLOCKED) == bool(obstacle.blocked_by)
        assert which.id not in obstacle.blocked_by
        assert set(obstacle.blocked_by) <= set(IDS)
    else:
        assert not which.relies_on & set(state.missing)
        assert not which.needs.playout_count or state.count.playouts is not None
        needed = {*which.needs.commands, *which.needs.optional_commands}
        lacking = {name for name in needed if not state.introduction.has(name)}
        assert {COMMAND_ABILITIES[name] for name in lacking} <= {which.id}


def test_a_procedure_adds_all_its_needs_to_those_of_the_check() -> None:
    derived = Requirements(
        commands=("ref-nodes",),
        optional_commands=("undo",),
        optional_size=True,
        abilities=KO.abilities,
        playout_count=True,
        isolated=True,
        rules=("superko=positional",),
    )
    assert check(derived=derived).needs == derived
    assert check(derived).needs == derived
