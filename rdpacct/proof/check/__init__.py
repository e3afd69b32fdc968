"""The checker: accepts a certificate only if every step of it is right.

It parses the claim itself, recomputes everything and searches for nothing. It imports the standard
library and the ball backend and nothing else; reading this package is reading all that has to be
believed, besides Arb.

A certificate is ``{"format": "rdpacct-certificate", "version": 1, "claim": {"given": [...],
"conclusion": ...}, "verdict": "proved" or "refuted", "proof": ...}``. A claim says: at all real
values of the variables that satisfy what is given, and at which both sides of the conclusion are
defined, the conclusion holds.
"""

from rdpacct.proof.check.claim import CertifiedClaim, check
from rdpacct.proof.check.effort import Rejected

__all__ = ["CertifiedClaim", "Rejected", "check"]
