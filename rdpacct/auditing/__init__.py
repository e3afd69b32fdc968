"""Audits: a claimed guarantee against what the mechanism really does."""

from rdpacct.auditing.claims import audit
from rdpacct.auditing.verdict import Outcome, Verdict, Witness

__all__ = ["Outcome", "Verdict", "Witness", "audit"]
