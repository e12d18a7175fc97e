"""Every check there is, in the order in which they are reported."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache

from harness.check.bot.errors import ChecksError
from harness.check.clauses import CLAUSES
from harness.check.model import Check, Phase
from harness.suite.families import (
    admin,
    board,
    choice,
    choice_bookkeeping,
    choice_close,
    choice_midgame,
    choice_opening,
    choice_unseen,
    empty_board_playouts,
    exploration,
    framing,
    game_rules,
    large_counts,
    larger_boards,
    legality,
    move_cap,
    near_end,
    new_games,
    parity,
    playout_lengths,
    playout_rules,
    playout_scores,
    randomness,
    readable_numbers,
    refusals,
    state,
    time_commands,
    uniform_draw,
    unsearched_pass,
)

_FAMILIES: tuple[Check, ...] = (
    *framing.CHECKS,
    *admin.CHECKS,
    *new_games.CHECKS,
    *board.CHECKS,
    *readable_numbers.CHECKS,
    *unsearched_pass.CHECKS,
    *time_commands.CHECKS,
    *refusals.CHECKS,
    *randomness.CHECKS,
    *legality.CHECKS,
    *game_rules.CHECKS,
    *playout_lengths.CHECKS,
    *playout_scores.CHECKS,
    *playout_rules.CHECKS,
    *empty_board_playouts.CHECKS,
    *uniform_draw.CHECKS,
    *move_cap.CHECKS,
    *state.CHECKS,
    *near_end.CHECKS,
    *choice.CHECKS,
    *choice_close.CHECKS,
    *choice_bookkeeping.CHECKS,
    *choice_midgame.CHECKS,
    *choice_opening.CHECKS,
    *choice_unseen.CHECKS,
    *large_counts.CHECKS,
    *exploration.CHECKS,
    *parity.CHECKS,
)


def _abilities_first(checks: Sequence[Check]) -> Iterator[Check]:
    """The checks in their order, each after those of the abilities that it relies on.

    Raises ValueError where two checks rely on each other.
    """
    by_id = {check.id: check for check in checks}
    order = {check.id: number for number, check in enumerate(checks)}
    done: dict[str, bool] = {}

    def visit(check: Check) -> Iterator[Check]:
        if done.get(check.id) is False:
            raise ValueError(f"{check.id} relies on itself, by way of other checks")
        if check.id in done:
            return
        done[check.id] = False
        for name in sorted(check.relies_on & order.keys(), key=order.__getitem__):
            yield from visit(by_id[name])
        done[check.id] = True
        yield check

    for check in checks:
        yield from visit(check)


def _ordered() -> Iterator[Check]:
    dialogues = [check for check in _FAMILIES if check.procedure.phase is Phase.DIALOGUE]
    yield from _abilities_first(dialogues)
    yield from (check for check in _FAMILIES if check.procedure.phase is not Phase.DIALOGUE)


CHECKS: tuple[Check, ...] = tuple(_ordered())
"""All checks on 9x9: dialogues first, those of abilities before what relies on them."""

SIZES = (9, *larger_boards.SIZES)
"""Boards on which playouts can be checked."""


@cache
def _larger(size: int) -> tuple[Check, ...]:
    return larger_boards.checks(size, CHECKS)


def checks_on(size: int) -> tuple[Check, ...]:
    """Return the checks on boards of a size: all dialogues, and its own `ref.*`.

    Raises ValueError for another than SIZES.
    """
    if size == SIZES[0]:
        return CHECKS
    return (*(check for check in CHECKS if not check.id.startswith("ref.")), *_larger(size))


@cache
def _all() -> tuple[Check, ...]:
    return (*CHECKS, *(check for size in larger_boards.SIZES for check in _larger(size)))


@cache
def _by_id() -> dict[str, Check]:
    return {check.id: check for check in _all()}


def registered(check_id: str) -> Check | None:
    """The check with this id, of any size; None if there is none."""
    return _by_id().get(check_id)


class UnknownCheckError(ChecksError, ValueError):
    """A pattern that no check matches."""

    def __init__(self, pattern: str, among: Sequence[Check]) -> None:
        self.pattern = pattern
        ids = [check.id for check in among]
        self.nearest = _nearest_family(pattern, ids) or _nearest(pattern.strip("*?."), [*CLAUSES, *ids])
        hint = f"did you mean {self.nearest!r}?" if self.nearest else "conform checks lists them"
        super().__init__(f"no check matches {pattern!r}: {hint}")


def _nearest_family(pattern: str, ids: Sequence[str]) -> str | None:
    """`family.*` for the name of a family, and for a pattern with `.*` that resembles one."""
    families = {".".join(words[:n]) for words in (i.split(".") for i in ids) for n in range(1, len(words))}
    if pattern.rstrip(".") in families:
        return f"{pattern.rstrip('.')}.*"
    if not pattern.endswith(".*"):
        return None
    near = difflib.get_close_matches(pattern.removesuffix(".*"), sorted(families), n=1, cutoff=0.8)
    return f"{near[0]}.*" if near else None


def _nearest(text: str, names: Sequence[str]) -> str | None:
    """The name or the clause that a text resembles, or one of its family with a word like its last word."""
    whole = difflib.get_close_matches(text, names, n=1, cutoff=0.8)
    family, _, _ = text.rpartition(".")
    akin = [name for name in names if name.startswith(family) or name in CLAUSES]
    by_word = {word: name for name in reversed(akin) for word in re.split("[.-]", name)}
    last = re.split("[.-]", text)[-1]
    word = difflib.get_close_matches(last, by_word, n=1)
    if whole or last in by_word:
        return whole[0] if whole else by_word[last]
    clause = difflib.get_close_matches(text, list(CLAUSES), n=1)
    return clause[0] if clause else by_word[word[0]] if word else None


def find(pattern: str, among: Sequence[Check] | None = None) -> tuple[Check, ...]:
    """The checks, of all sizes or `among` these, whose id matches a pattern with * and ?, or of a clause.

    Raises UnknownCheckError if none does.
    """
    among = _all() if among is None else among
    found = tuple(c for c in among if fnmatchcase(c.id, pattern) or c.clause == pattern)
    if not found:
        raise UnknownCheckError(pattern, among)
    return found


def select(only: Sequence[str] = (), skip: Sequence[str] = (), size: int = SIZES[0]) -> tuple[Check, ...]:
    """The checks to run with playouts on boards of a size. Raises UnknownCheckError."""
    among = checks_on(size)
    wanted = {check.id for pattern in only for check in find(pattern, among)} if only else None
    unwanted = {check.id for pattern in skip for check in find(pattern, among)}
    return tuple(c for c in among if (wanted is None or c.id in wanted) and c.id not in unwanted)
