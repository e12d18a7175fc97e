"""`Analysing`: an analysis that the next line of a session ends, and the judgement of its whole answer."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.play_rules import PlayRules
from harness.go import Colour, Position
from harness.gtp import Exchange, parse_vertex, printable
from harness.gtp.analysis_lines import MoveRecord, fall_of_visits, is_analysis, records_in

MOST_SHOWN = 100
"""Most characters of an answer in a report; chosen: they fit in one line."""


@dataclass(frozen=True)
class Analysing:
    """An analysis in progress.

    position   the position that is analysed; it does not change
    colour     the side to move
    """

    position: Position
    colour: Colour
    rules: PlayRules

    def fault(self, whole: Exchange) -> str:
        """Return what is wrong with the whole answer; empty for a right one, and for a refusal."""
        if not whole.is_answered or whole.ending == "malformed":
            return f"no empty line after “{printable(whole.raw)[-MOST_SHOWN:].rstrip()}”"
        if not whole.ok:
            return ""
        most_visits: dict[str, int] = {}
        for line in whole.text.encode("utf-8", "replace").split(b"\n"):
            for record in records_in(line) if is_analysis(line) else ():
                wrong = (
                    record.fault(self.position.size)
                    or self._wrong_move(record)
                    or fall_of_visits(record, most_visits)
                )
                if wrong:
                    return wrong
        return ""

    def _wrong_move(self, record: MoveRecord) -> str:
        """Return what is wrong with the move of a record; empty for a legal or open one."""
        if record.move == "RESIGN":
            return ""
        reason = self.position.legality(self.colour, parse_vertex(record.move, self.position.size))
        if reason in (None, "superko") or self.rules.leaves_open(reason):
            return ""
        return f"{record.move} is illegal ({reason}): “{record.text[:MOST_SHOWN]}”"
