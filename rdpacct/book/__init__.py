"""The theorem book: its entries by id, and what they say."""

from rdpacct.book.entry import Checked, text
from rdpacct.proof.axioms import Axiom
from rdpacct.proof.entries import ids, lemma, theorem
from rdpacct.proof.theorem import Statement, Theorem

__all__ = [
    "Axiom",
    "Checked",
    "Statement",
    "Theorem",
    "ids",
    "lemma",
    "text",
    "theorem",
]
