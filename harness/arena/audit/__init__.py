"""Audits a stored run: refbot's playouts from every position that a bot searched. Above `match`."""

from harness.arena.audit.audit import Audit, AuditOutcome
from harness.arena.audit.diagnosis import Diagnoser
from harness.arena.audit.plan import Plan, plan_for

__all__ = ["Audit", "AuditOutcome", "Diagnoser", "Plan", "plan_for"]
