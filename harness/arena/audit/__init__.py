"""Audits a stored run: lets refbot search the positions that the bots searched.

`Audit` stores refbot's playouts and moves in these positions, the *references*; the module
`harness.arena.judge.playouts` compares the bots with them. `Diagnoser` then names the known faults that a
differing bot may have.
"""

from harness.arena.audit.audit import Audit, AuditOutcome
from harness.arena.audit.diagnosis import Diagnoser
from harness.arena.audit.players import gpu_player

__all__ = ["Audit", "AuditOutcome", "Diagnoser", "gpu_player"]
