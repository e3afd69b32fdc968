"""The search for certificates. It is not trusted: what it returns, the checker has accepted."""

from rdpacct.proof.search.claims import find_proof

__all__ = ["find_proof"]
