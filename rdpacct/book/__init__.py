"""The theorem book: its entries by id, and what they say."""

from rdpacct.book.entry import Checked, text
from rdpacct.proof.entries import ids, lemma, theorem

__all__ = ["Checked", "ids", "lemma", "text", "theorem"]
