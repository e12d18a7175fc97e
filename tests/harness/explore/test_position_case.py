"""When the searches of a position that shows nothing end."""

from __future__ import annotations

from typing import Any

import pytest

from harness.check.positions import EMPTY
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchRecord
from harness.explore import position_case
from harness.explore.evidence import REPEATS, Ratios
from harness.explore.moves import Finding
from harness.explore.position_case import HOPELESS_AFTER, MOST_SEARCHES, PositionCase
from harness.explore.positions import DrawnPosition, Kind

PASSED = SearchRecord("PASS", 0, 0.0, 0.0)


class Silent:
    """A bot that passes, with searches that show `log_e` each."""

    log_e = 0.0

    def __init__(self, *_: object, **__: object) -> None:
        self.searches: list[SearchRecord] = []

    def take_record(self) -> None:
        """Forget nothing."""

    def search(self, *_: object) -> SearchRecord:
        """Pass."""
        return PASSED

    def judge_search(self, search: SearchRecord) -> tuple[Finding | None, Ratios]:
        """Judge a search by the same evidence each time."""
        self.searches.append(search)
        return None, {REPEATS: self.log_e}


@pytest.mark.parametrize(("log_e", "searches"), [(-0.1, HOPELESS_AFTER), (0.0, MOST_SEARCHES)])
def test_a_position_without_evidence_is_given_up(
    monkeypatch: pytest.MonkeyPatch, log_e: float, searches: int
) -> None:
    monkeypatch.setattr(Silent, "log_e", log_e)
    monkeypatch.setattr(position_case, "BotSearcher", Silent)
    monkeypatch.setattr(position_case, "PositionJudge", Silent)
    bot: Any = Silent()
    record = PositionCase(DrawnPosition(Kind.LATE, Probe("late", EMPTY))).search(bot, frozenset(), 100)
    assert record.finding is None
    assert len(record.searches) == searches
