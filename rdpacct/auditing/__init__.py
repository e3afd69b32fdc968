"""Audits: whether a mechanism has the guarantee that is claimed for it."""

from rdpacct.auditing.claims import audit
from rdpacct.auditing.sampled import SampledVerdict, audit_samples
from rdpacct.auditing.verdict import EventWitness, Outcome, Verdict
from rdpacct.judged import NotShownToHold

__all__ = [
    "EventWitness",
    "NotShownToHold",
    "Outcome",
    "SampledVerdict",
    "Verdict",
    "audit",
    "audit_samples",
]
