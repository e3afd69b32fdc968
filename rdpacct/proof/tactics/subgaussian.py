"""What exponential moments say of a mean and of a variance, by tangents and small rates."""

from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp, sqrt
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    Refused,
    at_most,
    below,
    closed,
    combine,
    dominated,
    expect,
    instance,
    integrable,
    linear,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.terms import Expectation, atoms_of
from rdpacct.proof.theorem import Step

t, q, tau, slack, u = (Symbol(name) for name in ("t", "q", "tau", "slack", "u"))


def finite(fact: Fact) -> Fact:
    """The expectation that an equation begins with is finite."""
    return integrable(fact, fact.relation.left)


def placed(fact: Fact, *given: str | Condition, **values: Real) -> Fact:
    """The fact at other values of its symbols, on a domain where they are defined and its own
    conditions hold.
    """
    known = conditions_of(*given)
    return under(specialize(under(fact, *fact.domain, *known), **values), *known)


def cosh_mean(law: Law, x: Expr, rate: Real, bound: Fact) -> Fact:
    """E of (exp(rate x) + exp(-rate x))/2, from a bound on E exp(t x) for all real t."""
    sides = {
        exp(sign * formula(rate) * x): specialize(bound, t=sign * formula(rate))
        for sign in (1, -1)
    }
    known = [integrable(fact, E(law, side)) for side, fact in sides.items()]
    up, down = sides
    return linear(
        law, (up + down) / 2, {up: Fraction(1, 2), down: Fraction(1, 2)}, *known
    )


def variance_at_most(law: Law, x: Expr, bound: Fact) -> Iterator[Step]:
    """E x**2 <= tau**2, if E exp(t x) <= exp(t**2 tau**2/2) for all real t: cosh(u) >= 1 + u**2/2
    at small rates.
    """
    cosh = real("u**2/2 <= (exp(u) + exp(-u))/2 - 1")
    half = dominated(
        specialize(real("u**2/2 <= (exp(u) + exp(-u))/2"), u=x),
        law,
        finite(cosh_mean(law, x, 1, bound)),
        lower=real(at_most(0, x**2 / 2)),
    )
    square = linear(law, x**2, {x**2 / 2: 2}, half)
    wide = cosh_mean(law, x, t, bound)
    middle = (exp(t * x) + exp(-t * x)) / 2
    low = linear(law, (t * x) ** 2 / 2, {x**2: t**2 / 2}, finite(square))
    high = linear(law, middle - 1, {middle: 1}, finite(wide), constant=-1)
    over = expect(specialize(cosh, u=t * x), law, finite(low), finite(high))
    yield over, "cosh(u) >= 1 + u**2/2, integrated"
    up = bound
    down = specialize(bound, t=-t)
    claim = at_most(t**2 / 2 * E(law, x**2), exp(t**2 * tau**2 / 2) - 1)
    at_rate = combine(
        claim, over, low, high, wide, (up, Fraction(1, 2)), (down, Fraction(1, 2))
    )
    yield at_rate, "the moments at t and at -t"
    factor = 2 * tau**2 / q**2
    positive = ("0 < tau", "0 < slack")
    small = real("exp(q**2/2) - 1 <= q**2/2*(1 + q)", "0 < q", "q < 1")
    at_q = specialize(under(at_rate, "0 < tau"), t=q / tau)
    scaled = combine(
        at_most(E(law, x**2), tau**2 * (1 + q)), (at_q, factor), (small, factor)
    )
    yield scaled, "at the rate q/tau"
    near = specialize(
        under(scaled, "0 < q", "q < 1", *positive), q=slack / (tau**2 + slack)
    )
    rest = slack**2 / (tau**2 + slack)
    almost = combine(
        at_most(E(law, x**2), tau**2 + slack), under(near, *positive), rest=rest
    )
    yield closed(almost, "slack"), "at arbitrarily small rates"


def mean_at_most(law: Law, x: Expr, bound: Fact, known: Fact) -> Iterator[Step]:
    """E x <= 0, if E exp(t x) <= exp(t**2 tau**2/2) for all t >= 0 and x is known to be
    integrable.
    """
    low = linear(law, 1 + t * x, {x: t}, known, constant=1)
    over = expect(
        specialize(real("1 + u <= exp(u)"), u=t * x),
        law,
        finite(low),
        integrable(bound, E(law, exp(t * x))),
    )
    at_rate = combine(
        at_most(t * E(law, x), exp(t**2 * tau**2 / 2) - 1), over, low, bound
    )
    yield at_rate, "exp(u) >= 1 + u, integrated"
    small = real("exp(q**2/2) - 1 <= q**2", "0 < q", "q < 1")
    factor = tau / q
    at_q = under(
        specialize(under(at_rate, "0 <= t", "0 < tau"), t=q / tau), "0 < tau", "0 < q"
    )
    scaled = combine(at_most(E(law, x), tau * q), (at_q, factor), (small, factor))
    yield scaled, "at the rate q/tau"
    positive = ("0 < tau", "0 < slack")
    near = under(
        specialize(under(scaled, "0 < q", "q < 1", *positive), q=slack / (tau + slack)),
        *positive,
    )
    almost = combine(at_most(E(law, x), 0 + slack), near, rest=slack**2 / (tau + slack))
    yield closed(almost, "slack"), "at arbitrarily small rates"


def absurd(
    printed: Fact, larger: Fact, bridge: Fact, law: Law, loss: Expr, center: Real
) -> Iterator[Step]:
    """0 < 0 from a variance about a center that exceeds what a subgaussian bound allows (the part
    cdp/variance).
    """
    (of_any,) = {
        atom for atom in atoms_of(bridge.relation) if isinstance(atom, Expectation)
    }
    moved = instance(
        specialize(bridge, tau=sqrt(larger.relation.left)),
        of_any.law,
        law,
        {"X": loss - Symbol("m")},
    )
    there = specialize(under(moved, *larger.domain, *moved.domain), m=center)
    yield there, "the variance of a subgaussian loss is at most tau**2"
    if there.hypotheses != printed.hypotheses:
        raise Refused(f"what is assumed is not {there.hypotheses[0]}.")
    yield combine(below(0, 0), larger, under(there, *larger.domain)), "which is absurd"
