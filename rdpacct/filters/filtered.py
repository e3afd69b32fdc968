"""What an interaction behind a filter is promised: releases and what they cost are chosen on the
way, and none is made that would exceed the budget.
"""

from fractions import Fraction
from typing import TypeVar

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import sqrt
from rdpacct.privacy.guarantee import ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP
from rdpacct.provenance import by

Amount = TypeVar("Amount", Fraction, Expr)


@by("adaptive/pure")
def pure_behind_filter(cap: Real) -> PureDP:
    """The epsilons of the releases that were made come to at most the cap."""
    return PureDP(formula(cap))


@by("adaptive/approx")
def approx_behind_filter(cap: Real, share: Real) -> ApproxDP:
    """The epsilons come to at most the cap, and the deltas to at most the share."""
    return ApproxDP(formula(cap), formula(share))


@by("adaptive/renyi")
def renyi_behind_filter(alpha: Real, cap: Real) -> RenyiDP:
    """The Renyi divergences of this order come to at most the cap."""
    return RenyiDP(formula(alpha), formula(cap))


@by("adaptive/zcdp")
def zcdp_behind_filter(cap: Real) -> ZCDP:
    """The rhos come to at most the cap."""
    return ZCDP(formula(cap))


@by("adaptive/gaussian")
def gaussian_behind_filter(cap: Real) -> GaussianDP:
    """The squares of the mus come to at most the cap."""
    return GaussianDP(sqrt(formula(cap)))


@by("adaptive/menu")
def approx_behind_menu(epsilon: Real, gain: Real) -> ApproxDP:
    """No strategy gains more than this at epsilon from releases of a menu, within its budget."""
    return ApproxDP(formula(epsilon), formula(gain))


def spent_after(spent: Real, asked: Real) -> Expr:
    """The amount spent after a release of this price."""
    return formula(spent) + formula(asked)


@by("adaptive/parts")
def spent_for_record(common: Amount, own: Amount) -> Amount:
    """The amount spent for a record: on all of the data, and on the part that it is in."""
    return common + own
