"""All checks: each says what it is about, and is found by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import pytest

from harness.check.clauses import CLAUSES
from harness.check.model import Ability, Check, Level
from harness.suite.registry import CHECKS, SIZES, UnknownCheckError, checks_on, find, select
from refbot.deviations.faults import FAULTS
from refbot.deviations.habits import HABITS

ALL = tuple({check.id: check for size in SIZES for check in checks_on(size)}.values())


def ids_of(checks: Iterable[Check]) -> list[str]:
    return [check.id for check in checks]


def test_a_check_says_what_it_is_about() -> None:
    misnamed = ids_of(c for c in ALL if not re.fullmatch(r"[a-z0-9]+(\.[a-z0-9-]+)+", c.id))
    assert misnamed == [], "name it FAMILY.NAME"
    untitled = ids_of(c for c in ALL if not re.fullmatch(r"[^\s.].*[^\s.]\.", c.title))
    assert untitled == [], "write its title as one sentence of what a conforming bot does"
    astray = ids_of(c for c in ALL if c.clause not in CLAUSES)
    assert astray == [], "name a clause of harness/check/clauses.py"


WIDTH = 44
"""Width of the column of ids in the console."""


def test_ids_are_unique_and_fit_their_column() -> None:
    for size in SIZES:
        ids = Counter(check.id for check in checks_on(size))
        assert set(ids.values()) == {1}
        assert max(map(len, ids)) < WIDTH


WITHOUT_HINT = {"ref.nodes.readable", "ref.score.readable", "gtp.explore", "ref.explore"}
"""Their hints depend on what was observed."""


def test_a_check_that_can_refuse_has_a_hint() -> None:
    without = ids_of(check for check in ALL if check.level is not Level.INFO and not check.hint)
    assert set(without) == WITHOUT_HINT, "write a hint: what the author of a failing bot changes"


def test_every_ability_has_its_check() -> None:
    assert {str(ability) for ability in Ability} <= {check.id for check in CHECKS}


def test_a_check_relies_on_other_checks() -> None:
    assert ids_of(check for check in ALL if check.id in check.relies_on) == []
    assert set().union(*(check.relies_on for check in ALL)) <= {check.id for check in CHECKS}


def test_faults_and_habits_of_checks_are_in_their_registries() -> None:
    unknown = {fault for check in ALL for fault in check.kills} - set(FAULTS)
    assert unknown == set(), "add the fault (make new-fault), or correct `kills` of the check"
    unknown = {habit for check in ALL for habit in check.tolerates} - set(HABITS)
    assert unknown == set(), (
        "add the habit to refbot/deviations/habits.py, or correct `tolerates` of the check"
    )


def test_globs_select_and_the_order_is_that_of_the_registry() -> None:
    order = [check.id for check in CHECKS]
    chosen = [check.id for check in select(["ref.*", "gtp.frame.*"], ["*.eye.*"])]
    assert chosen == [i for i in order if i.startswith(("ref.", "gtp.frame.")) and ".eye." not in i]
    assert [check.id for check in select()] == order
    assert select(["gtp.*"], ["*"]) == ()


@pytest.mark.parametrize(
    ("pattern", "nearest"),
    [
        ("gtp.frame.id-ecko", "gtp.frame.id-echo"),
        ("ref.eye.center", "ref.eye.centre"),
        ("ref.tie*", "ties"),
        ("*.undoo", "gtp.play.undo"),
        ("eey", "eye"),
        ("ref.eys.*", "ref.eye.*"),
        ("gtp.fram.*", "gtp.frame.*"),
        ("ref.eye", "ref.eye.*"),
        ("gtp.", "gtp.*"),
        ("zzz", None),
    ],
)
def test_an_unknown_check_has_a_nearest_name(pattern: str, nearest: str | None) -> None:
    with pytest.raises(UnknownCheckError) as caught:
        find(pattern)
    assert (caught.value.pattern, caught.value.nearest) == (pattern, nearest)
