"""Taylor's theorem for the logarithm of a moment, with the coefficients that a recursion gives.

A bound on the slope of a function on [0, t] bounds the function: over j equal parts the steps add
up to an excess of a multiple of 1/j. So a bound c on the coefficient K_n everywhere gives one on
each K_k, and on log M_0.
"""

from collections.abc import Iterator
from functools import cache
from math import comb

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import absolute, log
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    assume,
    at_most,
    combine,
    given_by,
    induct,
    linear,
    real,
    specialize,
    under,
    vanishing,
)
from rdpacct.proof.kernel.statements import Whole
from rdpacct.proof.tactics.log_coefficients import (
    BOUNDED,
    FROM_TO,
    HERE,
    Coefficients,
    coefficient,
    h,
    inside,
    log_slope,
    moment,
    positive,
    r,
    s,
)
from rdpacct.proof.tactics.within_bounds import (
    B,
    WithinBounds,
    filled,
    product,
    raised,
    total,
    u,
    v,
    y,
    z,
)
from rdpacct.proof.theorem import Step

c, m, S, j = map(Symbol, ("c", "m", "S", "j"))
SIZES = ("0 <= t", "t <= B", "1 <= B")


def height(k: int, rate: Real = s) -> Expr:
    """K_k, and log M_0 for k = 0."""
    return coefficient(k, rate) if k else log(moment(0, rate))


def first_coefficients(order: int) -> list[Expr]:
    """The coefficients at 0, with c in the place of the last one."""
    return [formula(0), *(coefficient(i, 0) for i in range(1, order)), c]


def bounding(k: int, order: int, rate: Real = s) -> Expr:
    """The polynomial that bounds K_k: a derivative of order k, over k!, of the one for log M_0."""
    terms = [
        comb(i, k) * each * formula(rate) ** (i - k)
        for i, each in enumerate(first_coefficients(order))
        if i >= k and each != formula(0)
    ]
    return sum(terms, formula(0))


@cache
def power_of(i: int) -> WithinBounds:
    """s**i is at most B**i."""
    if i == 0:
        one = real("1 <= 1", *FROM_TO)
        return WithinBounds(formula(1), formula(1), one, real("-1 <= 1", *FROM_TO))
    start = WithinBounds(s, B, *_within_b(s))
    if i == 1:
        return start
    return raised(power_of(i - 1), start, i)


def _within_b(place: Expr) -> tuple[Fact, Fact]:
    """A place from 0 to t is within B."""
    first, later, last = (real(one, one) for one in FROM_TO)
    most, one = (real(each, each) for each in ("t <= B", "1 <= B"))
    used = (later, 1 if place == s else 0), (last, 1), (most, 1)
    start = (first, 1), (later, 0 if place == s else 1), (one, 1)
    return combine(at_most(place, B), *used), combine(
        at_most(-B, place), *start, rest=1
    )


@cache
def power_rest(i: int) -> WithinBounds:
    """How far r**i is from its tangent at s: at most i**2 B**(i - 2) (r - s)**2, for i >= 2."""
    value = r**i - s**i - i * s ** (i - 1) * h
    bound = i**2 * formula(B) ** (i - 2) * h**2
    if i == 2:
        square = real("0 <= (r - s)**2")
        above = combine(at_most(value, bound), (square, 3))
        return WithinBounds(
            value, bound, above, combine(at_most(-bound, value), (square, 5))
        )
    longer = product(WithinBounds(r, B, *_within_b(r)), power_rest(i - 1))
    more = power_of(i - 2).times((i - 1) * h**2)
    whole = total(value, [(longer, 1), (more, 1)])
    short = ((i - 1) ** 2 + i - 1) * formula(B) ** (i - 2)
    return whole.within(short, i**2 * formula(B) ** (i - 2), h**2)


class Taylor:
    """The polynomial that bounds log M_0, above for sign 1 and below for sign -1, from a bound c on
    the last coefficient everywhere.
    """

    def __init__(self, known: Coefficients, remainder: Fact, sign: int) -> None:
        self.known = known
        self.remainder = remainder
        self.sign = sign
        self.order = known.order

    def claim(self, k: int) -> Comparison:
        """The bound on K_k."""
        sides = height(k), bounding(k, self.order)
        return at_most(self.sign * sides[0], self.sign * sides[1])

    def excess(self, k: int, place: Expr) -> Expr:
        """By how much K_k exceeds its bound."""
        return self.sign * (height(k, place) - bounding(k, self.order, place))

    def steps(self) -> Iterator[Step]:
        """From the last coefficient to the logarithm."""
        fact = combine(self.claim(self.order), self.remainder)
        for k in reversed(range(self.order)):
            line, rest = self.line(k, fact)
            yield line, f"the bound on K_{k} spreads along its slope"
            fact = self.along(k, line, rest)
            yield fact, "in ever smaller steps"

    def size(self, i: int) -> WithinBounds:
        """The size of a coefficient of the polynomial."""
        if i == self.order:
            upper = specialize(real("v <= abs(v)"), v=c)
            lower = specialize(real("-abs(v) <= v"), v=c)
            return WithinBounds(c, absolute(c), upper, lower)
        there = self.known.size(i).at(s=formula(0))
        return there.under(*SIZES)

    def line(self, k: int, before: Fact) -> tuple[Fact, Expr]:
        """The bound at r, from the one at s, with an excess of a multiple of (r - s)**2."""
        own = self.known.slope(k) if k else log_slope(self.known)
        parts = [
            (product(self.size(i), power_rest(i - k)), comb(i, k))
            for i in range(max(k + 2, 1), self.order + 1)
        ]
        ahead, here = (bounding(k, self.order, at) for at in (r, s))
        gap = ahead - here - h * ((k + 1) * bounding(k + 1, self.order))
        spoken = [(self.size(i).above, 0) for i in range(max(k, 1), self.order)]
        nought = real(at_most(0, 0))
        line = (
            total(gap, parts, *spoken)
            if parts
            else WithinBounds(gap, formula(0), nought, nought)
        )
        rest = own.bound.at(r=s + 1) + line.bound.at(r=s + 1)
        claim = at_most(self.excess(k, r), self.excess(k, s) + rest * h**2)
        sides = (own.above, line.below) if self.sign > 0 else (own.below, line.above)
        inner = given_by(under(before, *HERE, *SIZES), inside())
        steeper = inner, (k + 1) * h
        there = combine(claim, *sides, steeper, *_signs(k), *spoken, given=FROM_TO)
        return given_by(there, inside()), rest

    def along(self, k: int, line: Fact, rest: Expr) -> Fact:
        """The bound everywhere: over j equal parts the excess is S**2/j times the multiple."""
        here = ("0 <= S", "S <= t")
        where = (Whole("j", 1), *here, *SIZES)
        large = rest * S**2
        first = under(specialize(line, s=0, r=S), *here, *SIZES)
        start = _start(k, self.sign)
        base = combine(at_most(self.excess(k, S), large), first, *start, *_signs(k, S))
        claim = at_most(self.excess(k, S), large / j)
        before = assume(claim, Whole("j", 1), *here, every="S")
        there = under(specialize(before, S=MIDDLE), *where)
        longer = under(line, *FROM_TO, *SIZES, Whole("j", 1))
        longer = under(specialize(longer, s=MIDDLE, r=S), *where)
        step = self._one_more(k, rest, longer, there)
        found = induct(base, under(step, *where), "j")
        gone = specialize(vanishing(found, "j", 0, large), S=s)
        return combine(self.claim(k), under(gone, *HERE, *SIZES), *_signs(k, s))

    def _one_more(self, k: int, rest: Expr, *known: Fact) -> Fact:
        """From j parts to j + 1; a logarithm is first one of a positive symbol."""
        if k:
            values = {"y": self.excess(k, S), "z": self.excess(k, MIDDLE), "u": rest}
            return filled(one_more_part(), values, *known)
        lemma = one_more_part()
        lemma = under(lemma, *lemma.domain, "0 < m", "0 < v")
        after, before = (
            self.sign * (log(each) - bounding(0, self.order, place))
            for each, place in ((m, S), (v, MIDDLE))
        )
        lemma = specialize(lemma, y=after, z=before, u=rest)
        whole = under(positive(), *HERE, "1 <= B", Whole("j", 1))
        signs = [specialize(whole, s=place) for place in (S, MIDDLE)]
        values = {"m": moment(0, S), "v": moment(0, MIDDLE)}
        return given_by(filled(lemma, values, *known), *signs)


MIDDLE = S * j / (j + 1)


@cache
def one_more_part() -> Fact:
    """From j parts to j + 1."""
    line = real("j >= 1", "j >= 1")
    uses = (at_most(y, z + u * (S - MIDDLE) ** 2), at_most(z, u * MIDDLE**2 / j))
    facts = [real(one, *uses, "1 <= j") for one in uses]
    return combine(at_most(y, u * S**2 / (j + 1)), *facts, (line, 0))


def _signs(k: int, *places: Expr) -> list[tuple[Fact, Real]]:
    """That the moment of order 0 is positive, where its logarithm is spoken of."""
    if k:
        return []
    at = places or (s, r)
    return [(specialize(positive(), s=place), 0) for place in at]


def _start(k: int, sign: int) -> list[tuple[Fact, Real]]:
    """log E 1 is 0."""
    if k:
        return []
    one = linear(BOUNDED, 1, {}, constant=1)
    zero = given_by(specialize(real("log(y) == 0", "y == 1"), y=E(BOUNDED, 1)), one)
    return [(zero, sign)]
