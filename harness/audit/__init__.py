"""Audits a stored run: refbot's playouts from every position that a bot searched. Above `match`."""

from harness.audit.audit import Audit, AuditOutcome
from harness.audit.plan import Plan, plan_for

__all__ = ["Audit", "AuditOutcome", "Plan", "plan_for"]
