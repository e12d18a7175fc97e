"""The difference between two checks of a bot: what fails now and did not before, and what is mended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.report.numbers import amount, listed
from harness.report.records.check import BotReport
from harness.report.records.stored_check import KINDS, CheckedOnce

MOST_NAMED = 12
"""Checks that a line names. Chosen: they fit four lines of 80 characters."""


@dataclass(frozen=True)
class Difference:
    """Ids of checks, by what became of them since an earlier check. MUST and, if strict, SHOULD checks.

    undecided   failed or passed before, and are undecided now
    gone        failed before, and were not judged now: left out, blocked, or no longer known
    """

    failing_now: tuple[str, ...]
    mended: tuple[str, ...]
    failing_still: tuple[str, ...]
    undecided: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def _changed(self) -> dict[str, tuple[str, ...]]:
        """By title of a change: the ids of its checks. A change without checks is left out."""
        parts = {
            "new failures": self.failing_now,
            "mended": self.mended,
            "undecided now": self.undecided,
            "not judged now": self.gone,
        }
        return {title: ids for title, ids in parts.items() if ids}

    def line(self, source: str) -> str:
        """The shortest form, for `--quiet`: one line with the numbers of checks."""
        changed = [f"{title} {len(ids)}" for title, ids in self._changed.items()]
        if self.failing_still:
            changed.append(f"failing as before {len(self.failing_still)}")
        return f"compared with {source}: {', '.join(changed) or 'no failure that counts, then or now'}"

    def lines(self, source: str) -> Iterator[str]:
        """Yield lines for a reader; `source` names the earlier report."""
        yield f"compared with {source}:"
        for title, ids in self._changed.items():
            yield f"  {title + ':':<16}{listed(ids, MOST_NAMED)}"
        if self.failing_still:
            yield f"  failing as before: {amount(len(self.failing_still), 'check')}"
        if not self._changed:
            yield "  the same checks fail" if self.failing_still else "  no failure that counts, then or now"


def difference(old: CheckedOnce, new: BotReport) -> Difference:
    """Compare a bot's report with an earlier one."""
    levels = ("must", "should") if new.settings.strict else ("must",)
    before = {check["id"]: KINDS[check["outcome"]] for check in old.checks if check["level"] in levels}
    now = {
        result.check.id: KINDS.get(str(result.outcome), "skip")  # in a file, a blocked check is skipped
        for result in new.findings.results
        if str(result.check.level) in levels
    }
    return Difference(
        failing_now=_ids(now, "fail", lambda check: before.get(check) != "fail"),
        mended=_ids(now, "pass", lambda check: before.get(check) == "fail"),
        failing_still=_ids(now, "fail", lambda check: before.get(check) == "fail"),
        undecided=_ids(now, "open", lambda check: before.get(check) in ("fail", "pass")),
        gone=tuple(
            check for check, kind in before.items() if kind == "fail" and now.get(check, "skip") == "skip"
        ),
    )


def _ids(kinds: Mapping[str, str], kind: str, wanted: Callable[[str], bool]) -> tuple[str, ...]:
    return tuple(check for check, found in kinds.items() if found == kind and wanted(check))


def earlier_of(old: Sequence[CheckedOnce], command: str) -> CheckedOnce | None:
    """Return the earlier report of a bot: the first of the same command, else the only one, else None."""
    same = [checked for checked in old if checked.command == command]
    return same[0] if same else old[0] if len(old) == 1 else None
