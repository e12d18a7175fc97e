"""All checks in the order of reports, and the selection of checks by id, pattern or clause."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache

from harness.check.clauses import CLAUSES
from harness.check.model import Check, Phase
from harness.gtp import cut
from harness.suite.families import (
    admin,
    analysis,
    board,
    choice,
    choice_enumerated,
    choice_midgame,
    choice_opening,
    choice_unseen,
    clocks,
    empty_board_playouts,
    framing,
    game_rules,
    generated_moves,
    handicap,
    kept_state,
    large_counts,
    larger_boards,
    last_phases,
    legality,
    move_cap,
    near_end,
    new_games,
    playout_lengths,
    playout_rules,
    playout_scores,
    private_commands,
    randomness,
    records,
    refusals,
    rule_commands,
    servers,
    shown_position,
    state,
    status,
    tool_commands,
    uniform_draw,
)

_BY_FAMILY: tuple[Check, ...] = (
    *framing.CHECKS, *admin.CHECKS, *new_games.CHECKS, *board.CHECKS, *private_commands.CHECKS,
    *refusals.CHECKS, *randomness.CHECKS, *legality.CHECKS, *game_rules.CHECKS,
    *generated_moves.CHECKS, *playout_lengths.CHECKS,
    *playout_scores.CHECKS, *playout_rules.CHECKS, *empty_board_playouts.CHECKS, *uniform_draw.CHECKS,
    *move_cap.CHECKS, *state.CHECKS, *near_end.CHECKS, *choice.CHECKS, *choice_enumerated.CHECKS,
    *choice_midgame.CHECKS, *choice_opening.CHECKS, *choice_unseen.CHECKS, *large_counts.CHECKS,
    *shown_position.CHECKS, *kept_state.CHECKS, *handicap.CHECKS, *clocks.CHECKS, *status.CHECKS,
    *records.CHECKS, *rule_commands.CHECKS, *servers.CHECKS, *tool_commands.CHECKS, *analysis.CHECKS,
    *last_phases.CHECKS,
)  # fmt: skip


def _abilities_first(checks: Sequence[Check]) -> Iterator[Check]:
    """The checks, each after the checks that it relies on (`Check.relies_on`); otherwise in the given order.

    Raises ValueError if a check relies on itself by way of other checks.
    """
    order = {check.id: number for number, check in enumerate(checks)}
    begun: set[str] = set()
    done: set[str] = set()

    def visit(check: Check) -> Iterator[Check]:
        if check.id in begun and check.id not in done:
            raise ValueError(f"{check.id} relies on itself, by way of other checks")
        if check.id in begun:
            return
        begun.add(check.id)
        for number in sorted(order[name] for name in check.relies_on & order.keys()):
            yield from visit(checks[number])
        done.add(check.id)
        yield check

    for check in checks:
        yield from visit(check)


def _ordered() -> Iterator[Check]:
    """The dialogues, each after the checks that it relies on; then the other checks by family."""
    dialogues = [check for check in _BY_FAMILY if check.procedure.phase is Phase.DIALOGUE]
    yield from _abilities_first(dialogues)
    yield from (check for check in _BY_FAMILY if check.procedure.phase is not Phase.DIALOGUE)


CHECKS: tuple[Check, ...] = tuple(_ordered())
"""All checks on 9x9, in the order of reports."""

SIZES = (9, *larger_boards.SIZES)
"""Board sizes on which playouts can be checked."""


@cache
def _larger(size: int) -> tuple[Check, ...]:
    """The `ref.*` checks of a larger board."""
    return larger_boards.checks(size, CHECKS)


def checks_on(size: int) -> tuple[Check, ...]:
    """The checks for a board size: all that are not `ref.*`, and the `ref.*` of this size.

    Raises ValueError for a size that is not in SIZES.
    """
    if size == SIZES[0]:
        return CHECKS
    return (*(check for check in CHECKS if not check.id.startswith("ref.")), *_larger(size))


@cache
def _all() -> tuple[Check, ...]:
    """All checks, of every board size."""
    return (*CHECKS, *(check for size in larger_boards.SIZES for check in _larger(size)))


@cache
def _by_id() -> dict[str, Check]:
    return {check.id: check for check in _all()}


def registered(check_id: str) -> Check | None:
    """The check with this id, for any board size; None if there is none."""
    return _by_id().get(check_id)


LONGEST_PATTERN = 200
"""Most characters of a pattern. Chosen: several times the longest id."""
MOST_PATTERNS = 2_000
"""Most patterns of one list. Chosen: several times the number of checks; they take about a second."""


class CheckPatternError(ValueError):
    """Patterns of checks cannot be used. The text says why."""


class UnknownCheckError(CheckPatternError):
    """No check matches a pattern.

    `nearest` is the id, clause or `family.*` that was probably meant; None if nothing is like the pattern.
    """

    def __init__(self, pattern: str, among: Sequence[Check]) -> None:
        self.pattern = pattern = cut(pattern, LONGEST_PATTERN)
        ids = [check.id for check in among]
        self.nearest = _nearest_family(pattern, ids) or _nearest(pattern.strip("*?."), [*CLAUSES, *ids])
        hint = f"did you mean {self.nearest!r}?" if self.nearest else "conform checks lists them"
        super().__init__(f"no check matches {pattern!r}: {hint}")


def _nearest_family(pattern: str, ids: Sequence[str]) -> str | None:
    """`FAMILY.*` if the pattern is the name of a family, or resembles `FAMILY.*`; else None.

    A family is the beginning of an id up to a dot, such as `ref` or `ref.eye`.
    """
    families = {check_id[: dot.start()] for check_id in ids for dot in re.finditer(r"\.", check_id)}
    if pattern.rstrip(".") in families:
        return f"{pattern.rstrip('.')}.*"
    if not pattern.endswith(".*"):
        return None
    near = difflib.get_close_matches(pattern.removesuffix(".*"), sorted(families), n=1, cutoff=0.8)
    return f"{near[0]}.*" if near else None


def _nearest(text: str, names: Sequence[str]) -> str | None:
    """Return the id or clause of `names` that a text probably means; None if nothing is like it.

    The words of an id or a text stand between dots and hyphens; a clause is one word. Ids are of the text's
    family if they begin with the text up to its last dot. The result is the first that exists of these:

    1. a name much like the whole text
    2. a clause that is the text's last word, or an id of its family with that word
    3. a clause like the whole text
    4. a clause or an id of its family with a word like the text's last word: the clause `ties` for `ref.tie`
    """
    if whole := difflib.get_close_matches(text, names, n=1, cutoff=0.8):
        return whole[0]
    family, _, _ = text.rpartition(".")  # empty without a dot: every name begins with it
    by_word: dict[str, str] = {}
    for name in names:
        if name in CLAUSES:
            by_word.setdefault(name, name)
        elif name.startswith(family):
            for word in re.split("[.-]", name):
                by_word.setdefault(word, name)
    last = re.split("[.-]", text)[-1]
    if last in by_word:
        return by_word[last]
    if clause := difflib.get_close_matches(text, list(CLAUSES), n=1):
        return clause[0]
    similar = difflib.get_close_matches(last, by_word, n=1)
    return by_word[similar[0]] if similar else None


def find(pattern: str, among: Sequence[Check] | None = None) -> tuple[Check, ...]:
    """The checks of `among` (default: of all sizes) whose id matches the pattern, or whose clause it names.

    The pattern may have the wildcards of `fnmatch`, such as * and ?. Raises UnknownCheckError if no check
    matches.
    """
    among = _all() if among is None else among
    is_possible = len(pattern) <= LONGEST_PATTERN  # a longer one is not tried: it could take long
    found = tuple(c for c in among if is_possible and (fnmatchcase(c.id, pattern) or c.clause == pattern))
    if not found:
        raise UnknownCheckError(pattern, among)
    return found


def ids_of(patterns: Iterable[str], among: Sequence[Check] | None = None) -> frozenset[str]:
    """The ids of the checks of `among` (default: of all sizes) that match one of the patterns.

    Raises CheckPatternError if there are too many patterns, or if no check matches one of them.
    """
    different = dict.fromkeys(patterns)
    if len(different) > MOST_PATTERNS:
        given = f"{len(different):,} names of checks are given, at most {MOST_PATTERNS:,} are allowed"
        raise CheckPatternError(f"{given}: shorten the list by patterns such as 'ref.*'")
    return frozenset(check.id for pattern in different for check in find(pattern, among))


def select(only: Sequence[str] = (), skip: Sequence[str] = (), size: int = SIZES[0]) -> tuple[Check, ...]:
    """The checks for a board size that match a pattern of `only` (default: all) and none of `skip`.

    They are in the order of reports. Raises CheckPatternError, and ValueError if the size is not in SIZES.
    """
    among = checks_on(size)
    wanted = ids_of(only, among) if only else None
    unwanted = ids_of(skip, among)
    return tuple(c for c in among if (wanted is None or c.id in wanted) and c.id not in unwanted)
