"""How far the moments of a centered bounded variable move with the rate: by a multiple of its
variance.
"""

from collections.abc import Iterator
from functools import cache
from math import factorial

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    assume,
    at_most,
    combine,
    either,
    equal,
    integrable,
    linear,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.statements import Exists
from rdpacct.proof.tactics.averages import on_average
from rdpacct.proof.tactics.bounded_moments import GROWTH, finite, growth
from rdpacct.proof.tactics.log_coefficients import BOUNDED, HERE, X, moment, s, t, w
from rdpacct.proof.tactics.within_bounds import WithinBounds, filled, product, raised
from rdpacct.proof.theorem import Statement, Step

V = Symbol("V")
CENTERED = assume(equal(E(BOUNDED, X), 0))
VARIANCE = assume(equal(E(BOUNDED, X**2), V))
PLACES = ("0 <= w", "0 <= t")
WHERE = (*HERE, *PLACES)


def moved(part: Statement, order: int) -> Iterator[Step]:
    """A moment of a centered variable moves by a multiple of its variance."""
    body = {0: _mass, 1: _mean}.get(order, _higher)(order)
    yield body.above, "at each point"
    variance = part.assuming["variance"]
    here = finite(order, order)
    square = integrable(variance, E(BOUNDED, X**2))
    known = [here, under(specialize(here, s=0), *PLACES, Exists(BOUNDED)), square]
    more = list[tuple[Fact, Expr]]()
    if order == 0:
        centered = part.assuming["centered"]
        known.append(integrable(centered, E(BOUNDED, X)))
        whole = linear(BOUNDED, 1, {}, constant=1)
        more = [(centered, -s), (whole, formula(-1))]
    upper, lower = (
        on_average(side, BOUNDED, *known, where=WHERE)
        for side in (body.above, body.below)
    )
    yield upper, "on the average"
    same = [(variance, body.bound.at(X=1))]
    if order == 2:
        half = linear(BOUNDED, X**2 / 2, {X**2: formula(1) / 2}, square)
        same.append((half, GROWTH - 1))
    gap, size = moment(order) - moment(order, 0), part.claim.right
    sides = (
        combine(at_most(gap, size), upper, *same, *more),
        combine(at_most(-size, gap), lower, *same, *((fact, -by) for fact, by in more)),
    )
    line = real("abs(u) <= v", "u <= v", "-v <= u")
    yield filled(line, {"u": gap, "v": size}, *sides), "with the variance"


def _higher(k: int) -> WithinBounds:
    """abs(X**k (exp(s X) - 1)) <= X**2 w**(k - 2) (exp(t w) - 1)."""
    change = _change()
    if k > 2:
        change = product(_power(k - 2), change)
    value = X**k * exp(s * X) / factorial(k) - X**k / factorial(k)
    bound = X**2 * (w ** (k - 2) * (GROWTH - 1) / factorial(k))
    factor = X**2 / factorial(k)
    return WithinBounds(
        value,
        bound,
        combine(at_most(value, bound), (change.above, factor)),
        combine(at_most(-bound, value), (change.below, factor)),
    )


@cache
def _power(k: int) -> WithinBounds:
    """X**k is within w**k."""
    lower, upper = (real(one, one) for one in BOUNDED.support)
    start = WithinBounds(X, w, upper, lower)
    if k == 1:
        return start
    return raised(_power(k - 1), start, k)


@cache
def least_growth() -> Fact:
    """exp(-t w) <= exp(s X)."""
    lower, end = (real(one, one) for one in ("-w <= X", "s <= t"))
    given = ("0 <= s", "0 <= w")
    least = combine(at_most(-t * w, s * X), (lower, s), (end, w), given=given)
    rises = real("exp(u) <= exp(v)", "u <= v")
    return filled(rises, {"u": -t * w, "v": s * X}, least)


@cache
def _change() -> WithinBounds:
    """exp(s X) - 1 is within exp(t w) - 1."""
    value, bound = exp(s * X) - 1, GROWTH - 1
    two = specialize(real("1 - exp(-u) <= exp(u) - 1"), u=t * w)
    return WithinBounds(
        value,
        bound,
        combine(at_most(value, bound), growth().above),
        combine(at_most(-bound, value), two, least_growth()),
    )


@cache
def _at_least_one() -> Fact:
    """1 <= exp(t w)."""
    return real("1 <= exp(t*w)", "0 <= t", "0 <= w")


def _mean(_: int) -> WithinBounds:
    """0 <= X (exp(s X) - 1) <= X**2 t exp(t w)."""
    steep = specialize(real("exp(u) - 1 <= u*exp(u)"), u=s * X)
    flat = specialize(real("u <= exp(u) - 1"), u=s * X)
    value = X * exp(s * X) - X
    bound = X**2 * (t * GROWTH)
    end = real("s <= t", "s <= t")
    above = growth().above, _at_least_one()
    claims = at_most(value, bound), at_most(0, value)
    later = end, X**2 * GROWTH
    upper = either(
        _sided(claims[0], "0 <= X", (steep, X), (above[0], s * X**2), later),
        _sided(claims[0], "X <= 0", (flat, -X), (above[1], s * X**2), later),
    )
    lower = either(
        _sided(claims[1], "0 <= X", (flat, X), rest=s * X**2),
        _sided(claims[1], "X <= 0", (steep, -X), rest=s * X**2 * exp(s * X)),
    )
    less = combine(at_most(-bound, value), lower, rest=bound, given=("0 <= t",))
    return WithinBounds(value, bound, upper, less)


def _sided(
    claim: Comparison, side: str, *uses: Fact | tuple[Fact, Expr], rest: Real = 0
) -> Fact:
    """A relation for X on one side of 0."""
    return under(
        combine(claim, *uses, rest=rest, given=(side, *WHERE)),
        side,
        *WHERE,
        *BOUNDED.support,
    )


def _mass(_: int) -> WithinBounds:
    """0 <= exp(s X) - 1 - s X <= X**2 t**2 exp(t w)/2."""
    value = exp(s * X) - 1 - s * X
    bound = X**2 * (t**2 * GROWTH / 2)
    rising = real("exp(u) - 1 - u <= u**2/2*exp(u)", "0 <= u")
    falling = real("exp(u) - 1 - u <= u**2/2", "u <= 0")
    right = combine(at_most(0, s * X), (real("0 <= X", "0 <= X"), s), given=("0 <= s",))
    left = combine(at_most(s * X, 0), (real("X <= 0", "X <= 0"), s), given=("0 <= s",))
    above = (
        filled(rising, {"u": s * X}, right),
        filled(falling, {"u": s * X}, left),
    )
    half = s**2 * X**2 / 2
    later = real("s <= t", "s <= t"), X**2 * GROWTH * (t + s) / 2
    claim = at_most(value, bound)
    upper = either(
        _sided(claim, "0 <= X", above[0], (growth().above, half), later),
        _sided(claim, "X <= 0", above[1], (_at_least_one(), half), later),
    )
    lower = specialize(real("0 <= exp(u) - 1 - u"), u=s * X)
    return WithinBounds(
        value, bound, upper, combine(at_most(-bound, value), lower, rest=bound)
    )
