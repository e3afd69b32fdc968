"""Audits of running code: bets on events of its outputs, against what a claim allows."""

from rdpacct.auditing.running.audit_code import audit_code
from rdpacct.auditing.running.code_verdict import CodeVerdict, ObservedEvent

__all__ = ["CodeVerdict", "ObservedEvent", "audit_code"]
