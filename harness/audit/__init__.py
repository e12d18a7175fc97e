"""Audits a stored run: refbot's playouts from every position that a bot searched. Above `match`."""

from harness.audit.audit import Audit, AuditOutcome, auto_seconds
from harness.audit.plan import Plan, plan_for

__all__ = ["Audit", "AuditOutcome", "Plan", "auto_seconds", "plan_for"]
