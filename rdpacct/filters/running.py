"""What the loss of an interaction stays below at all times, if nothing limits what is spent."""

from collections.abc import Sequence

from rdpacct.exact.formula import Expr, Real, add, formula
from rdpacct.exact.functions import exp, log
from rdpacct.privacy.guarantee import ApproxDP
from rdpacct.provenance import by


@by("adaptive/odometer")
def loss_stays_below(spent: Real, rate: Real, factor: Real, share: Real) -> Expr:
    """The bound at the order 1 + rate: the loss reaches it at some time with probability at most
    the share, where a release that costs e has a Renyi divergence of that order of factor * e.
    """
    room = -log(formula(share)) / formula(rate)
    return formula(factor) * formula(spent) + room


@by("adaptive/odometer")
def share_of_an_order(delta: Real, orders: Real) -> Expr:
    """The probability with which the bound of each of this many orders may fail."""
    return formula(delta) / formula(orders)


@by("adaptive/odometer")
def approx_below_bound(epsilon: Real, delta: Real) -> ApproxDP:
    """The loss reaches epsilon with probability at most delta."""
    return ApproxDP(formula(epsilon), formula(delta))


@by("adaptive/gaussian-odometer")
def mixed_growth(loss: Real, spent: Real, rates: Sequence[Real]) -> Expr:
    """The mean over some rates t of exp(t loss - t (1 + t) spent/2), where what is spent are the
    squares of the mus: at every time it exceeds 1/delta with probability at most delta.
    """
    terms = [
        exp(formula(rate) * (formula(loss) - (1 + formula(rate)) * formula(spent) / 2))
        for rate in rates
    ]
    return add(*terms) / len(terms)


@by("adaptive/orders")
def cap_of_an_order(epsilon: Real, alpha: Real, share: Real) -> Expr:
    """The most that may be spent at an order if it is to add at most the share to delta at this
    epsilon.
    """
    order = formula(alpha)
    room = (log(formula(share)) + log(order)) / (order - 1) - log(1 - 1 / order)
    return formula(epsilon) + room


@by("adaptive/orders")
def approx_behind_orders(epsilon: Real, delta: Real) -> ApproxDP:
    """At each end some order has spent at most its cap, and the shares come to delta."""
    return ApproxDP(formula(epsilon), formula(delta))
