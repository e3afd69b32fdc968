"""The coefficients of the logarithm of a moment: each is bounded, and its slope is a multiple of
the next one.

Write M_k(s) = E X**k exp(s X)/k! for a bounded X, and K_k(s) for the coefficients of log E exp((s +
u) X) in powers of u. What is shown of each of these functions is that it has a slope, in this form:
f(r) = f(s) + (r - s) f'(s) up to a constant times (r - s)**2. That M_k has one is supposed here,
and K_k inherits it through the recursion; the slope of K_k is (k + 1) K_{k+1}.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import factorial

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp, log
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    assume,
    at_most,
    below,
    both,
    combine,
    given_by,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import Quantity
from rdpacct.proof.tactics.within_bounds import (
    B,
    WithinBounds,
    divided,
    product,
    total,
)

s, r, t, w, X = map(Symbol, ("s", "r", "t", "w", "X"))
h = r - s
BOUNDED = Law("P", ("X",), relations("-w <= X", "X <= w"))
HERE = ("0 <= s", "s <= t")
FROM_TO = ("0 <= s", "s <= r", "r <= t")


def moment(order: int, rate: Real = s) -> Expr:
    """E X**order exp(rate X)/order!."""
    return E(BOUNDED, X**order * exp(rate * X) / factorial(order))


def coefficient(order: int, rate: Real = s) -> Expr:
    """The coefficient of this order of log E exp((rate + u) X)."""
    return Quantity(f"K_{order}", (formula(rate),))


def moments(order: int) -> WithinBounds:
    """Moments are bounded."""
    value = moment(order)
    return WithinBounds(
        value,
        B,
        assume(at_most(value, B), *HERE, every="s"),
        assume(at_most(-B, value), *HERE, every="s"),
    )


def least() -> Fact:
    """The moment of order 0 is not small."""
    return assume(at_most(1, moment(0) * B), *HERE, every="s")


def moment_slope(order: int) -> WithinBounds:
    """Moments have slopes."""
    value = moment(order, r) - moment(order) - h * ((order + 1) * moment(order + 1))
    bound = B * h**2
    return WithinBounds(
        value,
        bound,
        assume(at_most(value, bound), *FROM_TO, every=("s", "r")),
        assume(at_most(-bound, value), *FROM_TO, every=("s", "r")),
    )


@cache
def inside() -> Fact:
    """The first of two points is not beyond the end."""
    return combine("s <= t", real("s <= r", "s <= r"), real("r <= t", "r <= t"))


@cache
def length() -> WithinBounds:
    """The length r - s is at most t, and so at most B."""
    early, later, inside = (real(one, one) for one in FROM_TO)
    most, least_ = (real(one, one) for one in ("t <= B", "1 <= B"))
    return WithinBounds(
        h,
        B,
        combine(at_most(h, B), early, inside, most),
        combine(at_most(-B, h), later, least_, rest=1),
    )


class Coefficients:
    """The coefficients up to an order, as their recursion defines them for all s, with what follows
    for each of them.
    """

    def __init__(self, defined: tuple[Fact, ...]) -> None:
        self.defined = defined
        self.order = len(defined)
        self.sizes = dict[int, WithinBounds]()
        self.slopes = dict[int, WithinBounds]()

    def recursion(self, k: int) -> Fact:
        """The sum of i K_i M_{k-i} over i from 1 to k is k M_k."""
        terms = [i * coefficient(i) * moment(k - i) for i in range(1, k + 1)]
        left, right = sum(terms, formula(0)), k * moment(k)
        uses = (self.defined[k - 1], k * moment(0)), (positive(), 0)
        minus = (self.defined[k - 1], -k * moment(0)), (positive(), 0)
        return both(
            combine(at_most(left, right), *uses), combine(at_most(right, left), *minus)
        )

    def size(self, k: int) -> WithinBounds:
        """How large K_k is, at most: a multiple of B**(2 k)."""
        if k not in self.sizes:
            parts = [(product(self.size(i), moments(k - i)), -i) for i in range(1, k)]
            value = moment(0) * (k * coefficient(k))
            known = self.recursion(k)
            whole = total(value, [(moments(k), k), *parts], (known, 1))
            most = k + sum(i * _size(i) for i in range(1, k))
            bound = formula(most) * B ** (2 * k - 1)
            whole = whole.within(whole.bound, bound)
            there = divided(whole, k * coefficient(k), moment(0), least()).times(
                Fraction(1, k)
            )
            self.sizes[k] = there.within(there.bound, _size(k) * B ** (2 * k))
        return self.sizes[k]

    def slope(self, k: int) -> WithinBounds:
        """How far K_k is from a line with the slope (k + 1) K_{k+1}: at most a multiple of B**(2 k
        + 5) (r - s)**2.
        """
        if k not in self.slopes:
            parts = [(moment_slope(k), k)]
            for i in range(1, k + 1):
                parts += [(part, -i) for part in self._parts(i, k - i)]
            line = coefficient(k) + h * ((k + 1) * coefficient(k + 1))
            gap = coefficient(k, r) - line
            later = under(specialize(self.recursion(k), s=r), *FROM_TO, "1 <= B")
            same = (later, 1), (self.recursion(k), -1), (self.recursion(k + 1), -k * h)
            whole = total(moment(0, r) * (k * gap), parts, *same)
            most = _slope(k) * B ** (2 * k + 4)
            whole = whole.within(whole.bound.at(r=s + 1), most, h**2)
            low = under(specialize(least(), s=r), *FROM_TO)
            there = divided(whole, k * gap, moment(0, r), low).times(Fraction(1, k))
            large = _slope(k) * B ** (2 * k + 5)
            there = there.within(most * B / k, large, h**2)
            self.slopes[k] = there.given_by(inside())
        return self.slopes[k]

    def _parts(self, i: int, other: int) -> Iterator[WithinBounds]:
        """What the product K_i M_other differs by from a line, but for the part of the slope of K_i
        if the other is 0, which is not known yet.
        """
        off = moment_slope(other)
        here = self.size(i)
        grown = self.size(i + 1).times(i + 1)
        if other:
            yield product(self.slope(i), moments(other).at(s=r).under(*FROM_TO))
        yield product(here, off)
        yield product(product(length(), grown), off)
        both_slopes = product(grown, moments(other + 1).times(other + 1))
        yield both_slopes.times(h**2)


@cache
def _slope(k: int) -> int:
    """The factor of B**(2 k + 5) (r - s)**2 in the bound on the rest of K_k."""
    rest = sum(
        i * (_size(i) + (i + 1) * _size(i + 1) * (2 + k - i)) for i in range(1, k + 1)
    )
    return k + rest + sum(i * _slope(i) for i in range(1, k))


@cache
def _size(k: int) -> int:
    """The factor of B**(2 k) in the bound on K_k."""
    return 1 + sum(map(_size, range(1, k)))


def positive() -> Fact:
    """The moment of order 0 is positive."""
    return combine(below(0, moment(0)), (least(), 1 / B), rest=1 / B, given=("1 <= B",))


def log_slope(known: Coefficients) -> WithinBounds:
    """How far log M_0 is from a line with the slope K_1 = M_1/M_0: log x <= x - 1, in both
    directions.
    """
    here, there = moment(0), moment(0, r)
    low = least(), under(specialize(least(), s=r), *FROM_TO)
    one, other = positive(), under(specialize(positive(), s=r), *FROM_TO, "1 <= B")
    line = real("log(z) - log(y) <= (z - y)/y", "0 < y", "0 < z")
    signs = (one, 0), (other, 0)
    gap = log(there) - log(here) - h * coefficient(1)
    first = known.recursion(1)
    above = given_by(specialize(line, y=here, z=there), one, other)
    slope = divided(moment_slope(0), moment_slope(0).value / here, here, low[0])
    upper = combine(
        at_most(gap, slope.bound), above, slope.above, (first, h / here), *signs
    )
    below_ = given_by(specialize(line, y=there, z=here), one, other)
    rest = divided(moment_slope(0), moment_slope(0).value / there, there, low[1])
    change = product(known.size(1).times(h, *FROM_TO), _change(there - here))
    turned = divided(change, change.value / there, there, low[1])
    size = rest.bound + turned.bound
    uses = below_, rest.below, turned.above, (first, h / there), *signs
    lower = combine(at_most(-size, gap), *uses)
    bound = 4 * B**5 * h**2
    most = [
        real(at_most(old.at(r=s + 1), 4 * B**5), "1 <= B")
        for old in (slope.bound, size)
    ]
    return WithinBounds(
        gap,
        bound,
        combine(at_most(gap, bound), upper, (most[0], h**2), *signs),
        combine(at_most(-bound, gap), lower, (most[1], h**2), *signs),
    ).given_by(inside())


def _change(value: Expr) -> WithinBounds:
    """How much M_0 changes, at most: a multiple of r - s."""
    off = moment_slope(0).wider(B**2 * h, (length().above, B * h))
    line = moments(1).times(h, *FROM_TO)
    whole = total(value, [(off, 1), (line, 1)])
    return whole.within(B**2 + B, 2 * B**2, h)
