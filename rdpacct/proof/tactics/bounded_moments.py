"""Moments of a bounded variable are bounded and have slopes, as ``log_coefficients`` supposes."""

from collections.abc import Iterator
from functools import cache
from math import factorial

from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    Fact,
    at_most,
    combine,
    discharge,
    dominated,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.statements import Exists
from rdpacct.proof.tactics.averages import on_average
from rdpacct.proof.tactics.log_coefficients import (
    BOUNDED,
    FROM_TO,
    Coefficients,
    X,
    h,
    inside,
    moment,
    r,
    s,
    t,
    w,
)
from rdpacct.proof.tactics.log_taylor import SIZES, Taylor
from rdpacct.proof.tactics.within_bounds import WithinBounds, filled, product, raised
from rdpacct.proof.theorem import Statement, Step

GROWTH = exp(t * w)


def size(order: int) -> Expr:
    """What stands for B where coefficients up to this order are spoken of."""
    return (1 + w) ** (order + 2) * GROWTH * (1 + t)


@cache
def power_of_x(k: int) -> WithinBounds:
    """X**k is within (1 + w)**k."""
    if k == 0:
        return WithinBounds(formula(1), formula(1), real("1 <= 1"), real("-1 <= 1"))
    lower, upper = (real(one, one) for one in BOUNDED.support)
    start = WithinBounds(
        X,
        1 + w,
        combine(at_most(X, 1 + w), upper, rest=1),
        combine(at_most(-(1 + w), X), lower, rest=1),
    )
    if k == 1:
        return start
    return raised(power_of_x(k - 1), start, k)


@cache
def growth() -> WithinBounds:
    """exp(s X) is within exp(t w)."""
    upper = real("X <= w", "X <= w")
    end = real("s <= t", "s <= t")
    given = ("0 <= s", "0 <= w")
    least = combine(at_most(s * X, t * w), (upper, s), (end, w), given=given)
    rises = real("exp(u) <= exp(v)", "u <= v")
    sign = specialize(real("0 <= exp(u)"), u=s * X)
    return WithinBounds(
        exp(s * X),
        GROWTH,
        filled(rises, {"u": s * X, "v": t * w}, least),
        combine(at_most(-GROWTH, exp(s * X)), sign, rest=GROWTH),
    )


def _enough(k: int, powers: int, order: int) -> Fact:
    """A bound with fewer powers is at most the one that is used for all."""
    small = (1 + w) ** powers / factorial(k)
    line = real(at_most(small, (1 + w) ** (order + 2)), "0 <= w")
    return combine(
        at_most(small * GROWTH, size(order)),
        (line, GROWTH),
        rest=(1 + w) ** (order + 2) * GROWTH * t,
        given=("0 <= t",),
    )


@cache
def bodies(k: int, order: int) -> WithinBounds:
    """X**k exp(s X)/k! is bounded."""
    value = X**k * exp(s * X) / factorial(k)
    whole = product(power_of_x(k), growth()) if k else growth()
    factor = formula(1) / factorial(k)
    bound = size(order)
    enough = _enough(k, k, order)
    return WithinBounds(
        value,
        bound,
        combine(at_most(value, bound), (whole.above, factor), enough),
        combine(at_most(-bound, value), (whole.below, factor), enough),
    )


@cache
def finite(k: int, order: int) -> Fact:
    """It has a mean."""
    body = bodies(k, order)
    line = real("abs(u) <= v", "u <= v", "-v <= u")
    values = {"u": body.value, "v": body.bound}
    return dominated(filled(line, values, body.above, body.below), BOUNDED)


def averaged(k: int, order: int) -> Iterator[Fact]:
    """The moments are bounded."""
    body = bodies(k, order)
    for side in (body.above, body.below):
        yield on_average(side, BOUNDED, finite(k, order))


def not_small(order: int) -> Fact:
    """The moment of order 0 times B is at least 1."""
    lower = real("-w <= X", "-w <= X")
    end = real("s <= t", "s <= t")
    given = ("0 <= s", "0 <= w")
    least = combine(at_most(-t * w, s * X), (lower, s), (end, w), given=given)
    rises = real("exp(u) <= exp(v)", "u <= v")
    line = filled(rises, {"u": -t * w, "v": s * X}, least)
    mean = on_average(line, BOUNDED, finite(0, order))
    more = real(at_most(1, (1 + w) ** (order + 2) * (1 + t)), "0 <= w", "0 <= t")
    return combine(at_most(1, moment(0) * size(order)), (mean, size(order)), more)


@cache
def tangent() -> WithinBounds:
    """exp(r X) is above its tangent at s, and not far from it."""
    value = exp(r * X) - exp(s * X) - h * (X * exp(s * X))
    above = specialize(real("exp(u) - 1 - u <= u**2*(1 + exp(u))/2"), u=h * X)
    below = specialize(real("0 <= exp(u) - 1 - u"), u=h * X)
    near = given_by(growth().above, inside())
    far = under(specialize(growth().above, s=r), *FROM_TO, *BOUNDED.support, "0 <= w")
    wide = h**2 * GROWTH
    square = combine(
        at_most(wide * X**2, wide * (1 + w) ** 2), (power_of_x(2).above, wide)
    )
    bound = (1 + w) ** 2 * GROWTH * h**2
    upper = combine(
        at_most(value, bound),
        (above, exp(s * X)),
        (near, h**2 * X**2 / 2),
        (far, h**2 * X**2 / 2),
        square,
    )
    lower = combine(at_most(-bound, value), (below, exp(s * X)), rest=bound)
    return WithinBounds(value, bound, upper, lower)


def sloped(k: int, order: int) -> Iterator[Fact]:
    """The moments have slopes."""
    off = tangent()
    whole = product(power_of_x(k), off) if k else off
    factor = formula(1) / factorial(k)
    bound = size(order) * h**2
    value = bodies(k, order).value
    there = value.at(s=r) - value - h * ((k + 1) * bodies(k + 1, order).value)
    enough = _enough(k, k + 2, order), h**2
    above = combine(at_most(there, bound), (whole.above, factor), enough)
    below = combine(at_most(-bound, there), (whole.below, factor), enough)
    means = moment(k, r) - moment(k) - h * ((k + 1) * moment(k + 1))
    both_here = finite(k, order), finite(k + 1, order)
    here = [given_by(fact, inside()) for fact in both_here]
    far = under(
        specialize(finite(k, order), s=r), *FROM_TO, "0 <= w", "0 <= t", Exists(BOUNDED)
    )
    for side, claim in (
        (above, at_most(means, bound)),
        (below, at_most(-bound, means)),
    ):
        yield combine(claim, on_average(side, BOUNDED, *here, far))


def supposed(order: int) -> Iterator[Fact]:
    """All that is supposed of moments where coefficients up to this order are spoken of."""
    yield not_small(order)
    for k in range(order + 1):
        yield from averaged(k, order)
    for k in range(order):
        yield from sloped(k, order)


def near_zero(part: Statement, order: int, sign: int) -> Iterator[Step]:
    """Taylor's theorem, and what it supposes of moments."""
    defined = tuple(part.assuming[f"K_{k}"] for k in range(1, order + 1))
    steps = _taylor(defined, part.assuming["remainder"], sign)
    yield from steps
    mass = under(specialize(finite(0, order), s=t), *PLACES, Exists(BOUNDED))
    positive = on_average(specialize(real("0 < exp(u)"), u=t * X), BOUNDED, mass)
    yield combine(part.claim, steps[-1][0], (positive, 0)), "at t"


PLACES = ("0 <= t", "0 <= w")


@cache
def _taylor(defined: tuple[Fact, ...], remainder: Fact, sign: int) -> tuple[Step, ...]:
    """Taylor's theorem at t, for moments that are bounded and have slopes."""
    order = len(defined)
    steps = list(Taylor(Coefficients(defined), remainder, sign).steps())
    there = under(specialize(steps[-1][0], s=t), *SIZES, *PLACES, Exists(BOUNDED))
    there = specialize(there, B=size(order))
    least = formula(1), formula(t)
    there = given_by(there, *(real(at_most(x, size(order)), *PLACES) for x in least))
    used = {hypothesis.relation for hypothesis in there.hypotheses}
    known = (known for known in supposed(order) if known.relation in used)
    why = "moments of a bounded variable are bounded, and have slopes"
    return *steps, (discharge(there, *known), why)
