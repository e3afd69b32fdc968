"""The checker of refutations: accepts that samples refute a claim only if the counts bear it out.

It imports the standard library, the ball backend, the reading of certificates and the limits on
work. No engine and no sampler takes part: what an audit saw comes in as counts, and everything that
follows from them is computed anew.

A certificate is ``{"format": "rdpacct-audit", "version": 1, "claim": ..., "confidence": ...,
"trials": ..., "seed": ..., "method": ..., "evidence": ..., "digest": ...}``. It says: if these
counts were seen, the claim is refuted by a test that calls a true claim refuted with probability at
most 1 - confidence. That they were seen, and that the events are what they are said to be, nobody
can tell from a file; the seed lets anybody who has the code run the audit again.
"""

from rdpacct.proof.audit.certificate import CertifiedRefutation, check_refutation

__all__ = ["CertifiedRefutation", "check_refutation"]
