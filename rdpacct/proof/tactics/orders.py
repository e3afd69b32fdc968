"""Orders that fall to 1: the mean loss is at most the Renyi divergence of every order above it.

A divergence of order 1 + t that is at most B says that E exp(t L) <= exp(t B).
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    at_most,
    closed,
    combine,
    expect,
    integrable,
    linear,
    real,
    specialize,
    under,
)

SLACK = Symbol("slack")


def mean_below_moment(
    law: Law, loss: Expr, mean: Fact, moment: Fact, t: Expr, order: Expr
) -> Fact:
    """E L <= B, from the finite mean of L and E exp(t L) <= exp(t B), for t > 0.

    The exponential lies above its tangent at t B, so that E exp(t L) >= exp(t B) (1 + t E L - t B).
    """
    power = exp(t * loss)
    line = exp(t * order) * (1 + t * loss - t * order)
    tangent = specialize(real("1 + z <= exp(z)"), z=t * loss - t * order)
    pointwise = combine(at_most(line, power), (tangent, exp(t * order)))
    average = linear(
        law,
        line,
        {loss: exp(t * order) * t},
        mean,
        constant=exp(t * order) * (1 - t * order),
    )
    over = expect(
        pointwise,
        law,
        integrable(average, E(law, line)),
        integrable(moment, E(law, power)),
    )
    scale = exp(-t * order) / t
    return combine(
        at_most(E(law, loss), order),
        (over, scale),
        (average, -scale),
        (moment, scale),
        given=(f"{t} > 0",),
    )


def mean_below_zcdp(
    law: Law,
    loss: Expr,
    mean: Fact,
    moments: Fact,
    t: Symbol,
    xi: Real,
    rho: Expr,
    *given: str | Condition,
) -> Fact:
    """E L <= xi + rho, from E exp(t L) <= exp(t (xi + rho (1 + t))) for every t > 0."""
    order = formula(xi) + rho * (1 + t)
    each = mean_below_moment(law, loss, mean, moments, t, order)
    near = specialize(
        under(each, *each.domain, *given), **{t.name: SLACK / (1 + rho**2)}
    )
    near = under(near, "slack > 0", *given)
    bound = combine(
        at_most(E(law, loss), formula(xi) + rho + SLACK),
        near,
        rest=SLACK * (1 + rho**2 - rho) / (1 + rho**2),
    )
    return closed(bound, SLACK.name)
