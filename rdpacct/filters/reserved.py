"""A share of a budget that is set aside, as for a colleague: a filter of its own, whose rest can be
given back.
"""

from typing import TYPE_CHECKING

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.filters.amounts import Amounts, written
from rdpacct.filters.priced import Price
from rdpacct.plan import read_claim
from rdpacct.privacy.guarantee import Guarantee

if TYPE_CHECKING:
    from rdpacct.filters.filter import Filter


def reserved(held: "Filter", share: Guarantee | str) -> "Filter":
    """A filter with this share, which is spent from the budget now.

    What is granted from either, in any order, is at most what the budget has lost.
    """
    from rdpacct.filters.kinds import filter_of

    said = read_claim(share) if isinstance(share, str) else share
    if not isinstance(said, Guarantee) or type(said) is not type(held.budget):
        raise InputError(
            f"the share is {shorten(str(said), 120)}, and the budget {held.budget}; give"
            f" a share of the same kind, {type(held.budget).__name__}."
        )
    child = filter_of(said, relation=held.relation)
    if type(child) is not type(held) or not held.adds_up_as(child):
        raise InputError(
            f"a share of {said} does not add up with the budget {held.budget}; give a"
            " share that differs from it in its size only."
        )
    if not held.pay(Price(child.caps, child.behind_caps)):
        left = written(held.names, held.remaining, down=True)
        raise InputError(
            f"the share {said} is more than what is left of the budget, {left}; reserve"
            " less."
        )
    child.lender = held
    return child


def given_back(child: "Filter") -> Amounts:
    """Return what a share has left to the budget that it was taken from; nothing is left in it
    then.
    """
    lender = child.lender
    if lender is None:
        raise InputError(
            f"{child} was not reserved from a budget here; only a filter that reserve"
            " made can give back."
        )
    rest = child.drain()
    lender.refund(rest)
    return rest
