"""Two Laplace laws of different scale: their hockey sticks, by antiderivatives on pieces.

The narrower law has scale 1 and mean 0, the broader one has scale 1/j and mean c; 0 < j < 1 and c
>= 0. The output Z is measured in scales of the narrower law, towards the mean of the broader one.
"""

from collections.abc import Sequence
from itertools import pairwise

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import absolute, cosh, exp, maximum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Stretch,
    at_most,
    combine,
    equal,
    exists,
    given_by,
    integrate,
    real,
    relations_of,
    specialize,
    under,
)

Z, j, c, T, S, low, high = (
    Symbol(name) for name in ("Z", "j", "c", "T", "S", "low", "high")
)
NARROW = Density("N", ("Z",), (), (Stretch(None, None, exp(-absolute(Z)) / 2),))
BROAD = Density(
    "B", ("Z",), (), (Stretch(None, None, j * exp(-j * absolute(Z - c)) / 2),)
)

BROAD_LOSS = T + j * absolute(Z - c) - absolute(Z)
BROAD_EXCESS = maximum(1 - exp(BROAD_LOSS), 0)
"""max(1 - k narrow/broad, 0) for T = log(k/j): its mean under the broad law is the largest B(A) - k
N(A).
"""

NARROW_LOSS = absolute(Z) - j * absolute(Z - c) - S
NARROW_EXCESS = maximum(1 - exp(NARROW_LOSS), 0)
"""max(1 - k broad/narrow, 0) for S = log(1/(k j)): its mean under the narrow law is the largest
N(A) - k B(A).
"""


def are_laws(*given: str | Condition, scale: Real = j) -> tuple[Fact, Fact]:
    """There are such laws: the narrow one, and the broad one of a scale 1/j > 0."""
    left, right = exp(Z) / 2, -exp(-Z) / 2
    sides = (real("abs(Z) == -Z", "Z <= 0"),), (real("abs(Z) == Z", "0 <= Z"),)
    narrow = exists(NARROW, mass=(left, right), cuts=(formula(0),), on=sides)
    rate = formula(scale)
    left, right = exp(rate * (Z - c)) / 2, -exp(-rate * (Z - c)) / 2
    sides = (
        (real("abs(Z - c) == c - Z", "Z <= c"),),
        (real("abs(Z - c) == Z - c", "c <= Z"),),
    )
    law = BROAD.at(j=rate)
    broad = exists(law, *given, mass=(left, right), cuts=(c,), on=sides)
    return narrow, broad


def form(inverse: Real, m: Real) -> Expr:
    """The excess of the narrow law where it counts short of c only, m = S + j c, as a function of
    1/scale and m.
    """
    r = formula(inverse)
    return (
        1
        + (1 / r - 1) / 2 * exp(-formula(m) / (1 - r))
        - (1 / r + 1) / 2 * exp(-formula(m) / (1 + r))
    )


SCALES = ("0 < j", "j < 1", "0 <= c")
Uses = Sequence[tuple[Comparison, Real]]


class Hockey:
    """The integral of an excess max(1 - exp(X), 0), piece by piece, where the cuts are known by
    equations.
    """

    def __init__(
        self, law: Density, loss: Expr, cuts: tuple[Expr, ...], *given: str | Condition
    ) -> None:
        self.law = law
        self.loss = loss
        self.cuts = cuts
        self.given = relations_of(*SCALES, *given)
        self.order = [real(at_most(*pair), *self.given) for pair in pairwise(cuts)]
        self.facts = list[tuple[Fact, ...]]()
        self.mass = list[Expr]()
        self.parts = list[Expr]()

    def piece(self, counts: bool, uses: Uses) -> None:
        """The next piece: whether the excess counts there, and from which relations that
        follows.
        """
        i = len(self.facts)
        low = (None, *self.cuts)[i]
        high = (*self.cuts, None)[i]
        where = (*self.given, *Stretch(low, high, formula(0)).where("Z"))
        (zero, z), (center, y) = (
            self._side(i, formula(0), where),
            self._side(i, c, where),
        )
        plain, density = (
            _put(_put(expr, *zero), *center)
            for expr in (self.loss, self.law.pieces[0].density)
        )
        sign = _because(at_most(plain, 0) if counts else at_most(0, plain), uses, where)
        known = (
            ("max(1 - exp(x), 0) == 1 - exp(x)", "0 <= 1 - exp(x)")
            if counts
            else ("max(1 - exp(x), 0) == 0",)
        )
        side = "x <= 0" if counts else "0 <= x"
        values = (
            given_by(specialize(real(text, side), x=plain), sign) for text in known
        )
        self.facts.append((z, y, *(under(fact, *where) for fact in values)))
        slopes = [1 if side[1] in (Z, Z - c) else -1 for side in (zero, center)]
        if self.law is NARROW:
            mass = -slopes[0] * density
            other = slopes[1] * exp(-j * center[1] - S) / (2 * j)
        else:
            mass = -slopes[1] * density / j
            other = slopes[0] * j * exp(T - zero[1]) / 2
        self.mass.append(mass)
        self.parts.append(mass + other if counts else formula(0))

    def _side(
        self, i: int, center: Expr, where: tuple[Comparison, ...]
    ) -> tuple[tuple[Expr, Expr], Fact]:
        """abs(Z - center) and its value on the piece with this number, as formulas and as an
        equation.
        """
        at = self.cuts.index(center)
        y = Z - center
        if i <= at:
            side = combine(
                at_most(y, 0), real(at_most(Z, self.cuts[i]), *where), *self.order[i:at]
            )
            fact = specialize(real("abs(x) == -x", "x <= 0"), x=y)
            value = -y
        else:
            side = combine(
                at_most(0, y),
                real(at_most(self.cuts[i - 1], Z), *where),
                *self.order[at : i - 1],
            )
            fact = specialize(real("abs(x) == x", "0 <= x"), x=y)
            value = y
        return (absolute(y), value), under(
            fact if side.relation in where else given_by(fact, side), *where
        )

    def value(
        self, value: Expr, given: tuple[str | Condition, ...], **cuts: Expr
    ) -> Fact:
        """The mean of the excess, in the form given, with the cuts put in."""
        body = maximum(1 - exp(self.loss), 0)
        parts = tuple(self.parts)
        mass = tuple(self.mass)
        on = tuple(self.facts)
        integral = integrate(
            self.law, body, parts, mass, *self.given, cuts=self.cuts, on=on
        )
        return combine(
            equal(E(self.law, body), value),
            under(specialize(integral, **cuts), *SCALES, *given),
        )


def _because(claim: Comparison, uses: Uses, given: tuple[Comparison, ...]) -> Fact:
    """A relation that is a sum of given ones, each times a factor."""
    return under(
        combine(
            claim,
            *((real(relation, *given), factor) for relation, factor in uses),
            given=given,
        ),
        *given,
    )


def _put(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr == old:
        return new
    if expr.parts():
        return expr.rebuild(tuple(_put(part, old, new) for part in expr.parts()))
    return expr


def broad_excess() -> Fact:
    """The mean excess of the broad law, for 0 <= c <= T: it counts in the two tails."""
    first = equal((1 - j) * low, -(T + j * c))
    second = equal((1 - j) * high, T - j * c)
    stick = Hockey(
        BROAD,
        BROAD_LOSS,
        (low, formula(0), c, high),
        "low <= 0",
        "c <= high",
        *map(str, (first, second)),
    )
    stick.piece(True, [(at_most(Z, low), 1 - j), (first, 1)])
    stick.piece(False, [(at_most(low, Z), 1 - j), (first, -1)])
    stick.piece(False, [(at_most(Z, c), 1 + j), (at_most(c, high), 1 - j), (second, 1)])
    stick.piece(False, [(at_most(Z, high), 1 - j), (second, 1)])
    stick.piece(True, [(at_most(high, Z), 1 - j), (second, -1)])
    value = (1 - j) * exp(-T * j / (1 - j)) * cosh(c * j / (1 - j))
    return stick.value(
        value, ("c <= T",), low=-(T + j * c) / (1 - j), high=(T - j * c) / (1 - j)
    )


def narrow_excess_beyond() -> Fact:
    """The mean excess of the narrow law for S >= c: it counts between two points on either side of
    0 and c.
    """
    first = equal((1 - j) * low, -(S + j * c))
    second = equal((1 - j) * high, S - j * c)
    stick = Hockey(
        NARROW,
        NARROW_LOSS,
        (low, formula(0), c, high),
        "low <= 0",
        "c <= high",
        *map(str, (first, second)),
    )
    stick.piece(False, [(at_most(Z, low), 1 - j), (first, 1)])
    stick.piece(True, [(at_most(low, Z), 1 - j), (first, -1)])
    stick.piece(True, [(at_most(Z, c), 1 + j), (at_most(c, high), 1 - j), (second, 1)])
    stick.piece(True, [(at_most(Z, high), 1 - j), (second, 1)])
    stick.piece(False, [(at_most(high, Z), 1 - j), (second, -1)])
    value = 1 - exp(-S) / j + (1 / j - 1) * exp(-S / (1 - j)) * cosh(c * j / (1 - j))
    return stick.value(
        value, ("c <= S",), low=-(S + j * c) / (1 - j), high=(S - j * c) / (1 - j)
    )


def narrow_excess_between() -> Fact:
    """The mean excess of the narrow law for -j c <= S <= c: it counts between two points around 0,
    short of c.
    """
    first = equal((1 - j) * low, -(S + j * c))
    second = equal((1 + j) * high, S + j * c)
    order = ("low <= 0", "0 <= high", "high <= c")
    stick = Hockey(
        NARROW,
        NARROW_LOSS,
        (low, formula(0), high, c),
        *order,
        *map(str, (first, second)),
    )
    stick.piece(False, [(at_most(Z, low), 1 - j), (first, 1)])
    stick.piece(True, [(at_most(low, Z), 1 - j), (first, -1)])
    stick.piece(True, [(at_most(Z, high), 1 + j), (second, 1)])
    stick.piece(False, [(at_most(high, Z), 1 + j), (second, -1)])
    stick.piece(
        False, [(at_most(c, Z), 1 - j), (at_most(high, c), 1 + j), (second, -1)]
    )
    cuts = {"low": -(S + j * c) / (1 - j), "high": (S + j * c) / (1 + j)}
    return stick.value(form(j, S + j * c), ("-j*c <= S", "S <= c"), **cuts)


def narrow_excess_none() -> Fact:
    """The mean excess of the narrow law for S <= -j c is 0."""
    right = at_most(0, c)
    none = at_most(S, -j * c)
    stick = Hockey(NARROW, NARROW_LOSS, (formula(0), c), "S <= -j*c")
    stick.piece(False, [(at_most(Z, 0), 1 - j), (none, 1)])
    stick.piece(False, [(at_most(0, Z), 1 + j), (none, 1)])
    stick.piece(False, [(at_most(c, Z), 1 - j), (right, 1 + j), (none, 1)])
    return stick.value(formula(0), ("S <= -j*c",))
