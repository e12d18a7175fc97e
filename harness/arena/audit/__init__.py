"""Audits a stored run: refbot's playouts from every position that a bot searched."""

from harness.arena.audit.audit import Audit, AuditOutcome
from harness.arena.audit.diagnosis import Diagnoser
from harness.arena.audit.players import gpu_player

__all__ = ["Audit", "AuditOutcome", "Diagnoser", "gpu_player"]
