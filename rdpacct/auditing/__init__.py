"""Audits: whether a mechanism has the guarantee that is claimed for it."""

from rdpacct.auditing.claims import audit
from rdpacct.auditing.sampled import SampledVerdict, audit_samples
from rdpacct.auditing.verdict import Outcome, Verdict, Witness
from rdpacct.judged import NotShownToHold

__all__ = [
    "NotShownToHold",
    "Outcome",
    "SampledVerdict",
    "Verdict",
    "Witness",
    "audit",
    "audit_samples",
]
