"""What a Renyi divergence says of one event: P(S) <= growth Q(S) + slack, by a tangent.

The tangent touches the region that the divergence allows a pair (P(S), Q(S)) where P is exp(inside)
times as likely as Q in S, and exp(outside) times outside of it. As ``outside`` falls, it becomes
the conversion to (epsilon, delta) of Canonne, Kamath and Steinke.
"""

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.provenance import by


@by("conversion/renyi-events")
def event_growth(alpha: Real, inside: Real, outside: Real) -> Expr:
    """The slope of the tangent, for alpha > 1 and outside < inside."""
    order = formula(alpha)
    rise = exp(order * inside) - exp(order * outside)
    return (order - 1) * rise / _scale(order, inside, outside)


@by("conversion/renyi-events")
def event_slack(alpha: Real, epsilon: Real, inside: Real, outside: Real) -> Expr:
    """What the tangent allows at Q(S) = 0, if the divergence of order alpha is at most epsilon."""
    order = formula(alpha)
    moment = exp((order - 1) * epsilon)
    missed = order * exp((order - 1) * outside) - (order - 1) * exp(order * outside)
    return (moment - missed) / _scale(order, inside, outside)


def _scale(order: Expr, inside: Real, outside: Real) -> Expr:
    return order * (exp((order - 1) * inside) - exp((order - 1) * outside))
