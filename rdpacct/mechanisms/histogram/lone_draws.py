"""How likely one of the two last of n + 1 draws is alone in its cell: the bad data of a sparse
histogram.

The cells have the masses of a population. A draw is alone if none of the other n draws falls in its
cell.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.provenance import by, remembered

BITS = 256
ROUNDS = 12
"""The most rounds in which the masses of a worst population are narrowed down."""
STARTS = tuple(Fraction(share, 4) for share in (5, 6, 8))
GROWTH = Fraction(9, 8)
"""Where, in peaks, cells begin to count as heavy, and the steps in which they are looked at."""
HALVINGS = 7
"""How often a mass of 1 is halved for a least mass of the largest cell."""
PIECES = 32
"""The interval is cut into this many pieces where the sign of a second derivative is asked for."""


@by("histogram/privacy")
def bad_probability(cells: Sequence[Fraction], n: int) -> Fraction:
    """The probability that one of the two last draws is alone, for cells of these masses."""
    singles = sum((p * (1 - p) ** n for p in cells), Fraction(0))
    pairs = [(a, b) for i, a in enumerate(cells) for j, b in enumerate(cells) if i != j]
    return 2 * singles - sum(
        (a * b * (1 - a - b) ** (n - 1) for a, b in pairs), Fraction(0)
    )


@by("histogram/privacy")
def printed_gamma(n: Real, k: Real) -> Expr:
    """The smallest gamma with 2k <= gamma n, the printed condition."""
    return 2 * formula(k) / n


@by("histogram/privacy")
def sharper_gamma(n: Real, k: Real) -> Expr:
    """The smallest gamma with 2k <= e gamma n, which suffices too."""
    return 2 * formula(k) / (exp(1) * n)


@by("histogram/worst-gamma")
def separable_bound(level: Real, cells: Real) -> Expr:
    """At most the probability of bad data, for any level, where ``cells`` is the sum of
    ``cell_height`` over the cells.
    """
    return formula(level) ** 2 + cells


@by("histogram/worst-gamma")
def cell_height(p: Real, n: Real, level: Real) -> Expr:
    """What a cell of mass p adds to the bound: it rises to a peak, and then falls while it is
    positive.
    """
    p = formula(p)
    return p * (1 - p) ** (formula(n) - 1) * (2 - 2 * formula(level) - p)


@by("histogram/worst-gamma")
def spread_bound(k: Real, level: Real, start: Real, top: Real, slope: Real) -> Expr:
    """The same where every cell adds at most top - slope (p - start)."""
    return separable_bound(
        level, formula(k) * top - formula(slope) * (1 - formula(k) * start)
    )


@by("histogram/worst-gamma")
@remembered(256)
def worst_gamma(n: int, k: int) -> Bound:
    """The largest probability of bad data over all populations on k >= 2 cells, for n >= 1."""
    point = worst_mass(n, k)
    reached = _value(point, n, k)
    search = _Search(n, k, Fraction(reached.lower()), _unseen(point, n, k))
    peak = search.narrow()
    if peak is None:
        most = min(
            Fraction(sharper_gamma(n, k).bound().upper), 1 - Fraction(1, k), search.most
        )
        return Bound(
            search.reached,
            most,
            "a bound that is a sum over the cells (histogram/worst-gamma)",
        )
    slope = _equal_cells(_Jet.at(Ball.of(point, BITS)), n, k).slope
    rest = Fraction(slope.union(-slope).upper()) * (peak[1] - peak[0])
    most = min(Fraction(reached.upper()) + rest, search.most)
    return Bound(
        search.reached,
        most,
        "all cells but one are equal in the worst population (histogram/worst-gamma)",
    )


@lru_cache(maxsize=256)
def worst_mass(n: int, k: int) -> Fraction:
    """About the mass that k - 1 cells have in the worst population: near 1/(n + 1) where k is well
    below n.
    """
    low = 0.0
    high = min(2 / (n + 1), 1 / (k - 1))
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left = high - golden * (high - low)
        right = low + golden * (high - low)
        if float(_value(Fraction(left), n, k)) < float(_value(Fraction(right), n, k)):
            low = left
        else:
            high = right
    point = min(Fraction((low + high) / 2), Fraction(1, k - 1))
    return _polished(point, n, k) if n > 3 else point


@dataclass(frozen=True, slots=True)
class _Jet:
    """A function of one variable with its two first derivatives, each enclosed on the same
    interval.
    """

    value: Ball
    slope: Ball
    bend: Ball

    @classmethod
    def at(cls, x: Ball) -> "_Jet":
        """The variable itself."""
        return cls(x, Ball.of(1, BITS), Ball.of(0, BITS))

    def __add__(self, other: "_Jet") -> "_Jet":
        return _Jet(
            self.value + other.value, self.slope + other.slope, self.bend + other.bend
        )

    def times(self, factor: Ball | int) -> "_Jet":
        """A multiple."""
        return _Jet(self.value * factor, self.slope * factor, self.bend * factor)

    def less_from(self, constant: Ball | int) -> "_Jet":
        """The constant less this."""
        return _Jet(constant - self.value, -self.slope, -self.bend)

    def __mul__(self, other: "_Jet") -> "_Jet":
        bend = (
            self.bend * other.value
            + 2 * self.slope * other.slope
            + self.value * other.bend
        )
        return _Jet(
            self.value * other.value,
            self.slope * other.value + self.value * other.slope,
            bend,
        )

    def power(self, n: int) -> "_Jet":
        """A power with an exponent of at least 2."""
        two_less = self.value ** (n - 2)
        one_less = self.value ** (n - 1)
        bend = two_less * self.slope**2 * (n * (n - 1)) + one_less * self.bend * n
        return _Jet(self.value**n, one_less * self.slope * n, bend)


def _equal_cells(a: _Jet, n: int, k: int) -> _Jet:
    """The probability of bad data for k - 1 cells of mass a and one of the rest, for n >= 3."""
    others = a.times(k - 1)
    two = a.times(2).less_from(1)
    heavy = others.less_from(1)
    beside = a.times(k - 2)
    singles = (a * a.less_from(1).power(n)).times(2 * (k - 1)) + (
        heavy * others.power(n)
    ).times(2)
    light = (a * a * two.power(n - 1)).times(-(k - 1) * (k - 2))
    return singles + light + (a * heavy * beside.power(n - 1)).times(-2 * (k - 1))


def _value(a: Fraction, n: int, k: int) -> Ball:
    """The probability of bad data for one mass and any n >= 1."""
    x = Ball.of(a, BITS)
    rest = Ball.of(1 - (k - 1) * a, BITS)
    singles = x * (1 - x) ** n * (2 * (k - 1)) + rest * (1 - rest) ** n * 2
    light = x**2 * (1 - 2 * x) ** (n - 1) * ((k - 1) * (k - 2))
    return singles - light - x * rest * ((k - 2) * x) ** (n - 1) * (2 * (k - 1))


def _polished(point: Fraction, n: int, k: int) -> Fraction:
    for _ in range(3):
        jet = _equal_cells(_Jet.at(Ball.of(point, BITS)), n, k)
        step = (
            Fraction((jet.slope / jet.bend).lower())
            if jet.bend.certainly_negative()
            else Fraction(0)
        )
        closer = Fraction(round((point - step) * 2**200), 2**200)
        point = (
            closer
            if abs(step) < point / 4 and 0 < closer <= Fraction(1, k - 1)
            else point
        )
    return point


def _unseen(a: Fraction, n: int, k: int) -> Fraction:
    """About the mean mass of the cells that n - 1 draws leave empty, in the same population."""
    x = Ball.of(a, BITS)
    rest = Ball.of(1 - (k - 1) * a, BITS)
    mean = float(x * (1 - x) ** (n - 1) * (k - 1) + rest * (1 - rest) ** (n - 1))
    return min(Fraction(mean), Fraction(1))


class _Search:
    """Where the masses of a worst population can be, by a bound that is a sum over the cells.

    The largest cell has mass 1/k or more; the others are called light.
    """

    def __init__(self, n: int, k: int, reached: Fraction, level: Fraction) -> None:
        self.n = n
        self.k = k
        self.reached = reached
        self.level = level
        self.form = cell_height(Symbol("p"), n, level)
        room = Ball.of(2 - 2 * level, BITS)
        half = 2 + room * n
        self.peak = (half - (half * half - room * (4 * (n + 1))).sqrt()) / (2 * (n + 1))
        self.top = self.height(self.peak)
        self.most = self.bound(Fraction(1, k))

    def height(self, p: Ball) -> Ball:
        """The height of a cell of this mass: what it adds to the bound."""
        return self.form.ball(BITS, p=p)

    def bound(self, heavy: Fraction) -> Fraction:
        """An upper bound for all populations whose largest cell has at least this mass."""
        beyond = (Ball.of(heavy, BITS) - self.peak).certainly_positive()
        last = self.height(Ball.of(heavy, BITS)).positive_part() if beyond else self.top
        total = self.top * (self.k - 1) + last
        return Fraction(
            separable_bound(self.level, Symbol("cells")).ball(BITS, cells=total).upper()
        )

    def narrow(self) -> tuple[Fraction, Fraction] | None:
        """An interval that holds all light cells of every worst population, if these must then be
        equal.
        """
        heavy = self._largest()
        interval = None
        for _ in range(ROUNDS):
            ends = self._light(self.top - (self.bound(heavy) - self.reached))
            if ends is None or ends == interval:
                break
            interval = ends
            heavy = max(heavy, 1 - (self.k - 1) * ends[1])
        self.most = min(self.most, self.bound(heavy))
        if interval is not None and self.n > 3 and self._equal(*interval):
            return interval
        return None

    def _largest(self) -> Fraction:
        """A mass that the largest cell of every worst population has at least."""
        for power in range(1, min(self.k.bit_length(), HALVINGS)):
            most = Fraction(1, 2**power)
            if any(
                self._spread(most, self._middle() * share) < self.reached
                for share in STARTS
            ):
                return most
        return Fraction(1, self.k)

    def _spread(self, most: Fraction, start: Fraction) -> Fraction:
        """A bound for populations without a cell above ``most``: the larger a cell above ``start``
        is, the less it adds.
        """
        slopes = [Fraction(0)] if start >= most or start <= 0 else []
        left = start
        while 0 < left < most:
            right = min(left * GROWTH, most)
            less = self.top - self.height(Ball.of(left, BITS)).positive_part()
            slopes.append(Fraction((less / (right - start)).lower()))
            left = right
        form = spread_bound(self.k, self.level, start, Symbol("top"), min(slopes))
        return Fraction(form.ball(BITS, top=self.top).upper())

    def _middle(self) -> Fraction:
        return Fraction(self.peak.upper())

    def _light(self, least: Ball) -> tuple[Fraction, Fraction] | None:
        """Ends between which the masses lie at which a cell adds at least this much."""
        if not least.certainly_positive():
            return None
        peak = self._middle()
        low = Fraction(0)
        high = peak
        for step in range(1, 65):
            below = peak * (1 - Fraction(step, 64))
            above = peak * (1 + Fraction(step, 64))
            if (
                low == 0
                and (least - self.height(Ball.of(below, BITS))).certainly_positive()
            ):
                low = below
            if (
                high == peak
                and (least - self.height(Ball.of(above, BITS))).certainly_positive()
            ):
                high = above
        if low > 0 and high > peak:
            return (low, high)
        return None

    def _equal(self, low: Fraction, high: Fraction) -> bool:
        """Two light cells are better equal, and the best equal mass is where the slope is 0: both
        by concavity.
        """
        light = Ball.hull(low, high, BITS)
        if not (1 - light * (self.k - 1)).certainly_positive():
            return False
        width = (high - low) / PIECES
        pieces = [
            _Jet.at(Ball.hull(low + i * width, low + (i + 1) * width, BITS))
            for i in range(PIECES)
        ]
        pair = self.k == 2 or all(self._concave(piece, light) for piece in pieces)
        return pair and all(
            _equal_cells(piece, self.n, self.k).bend.certainly_negative()
            for piece in pieces
        )

    def _concave(self, x: _Jet, light: Ball) -> bool:
        """What depends on a light cell x, beside other light cells and a heavy one, and half of
        what a pair shares.
        """
        n = self.n
        heavy = 1 - light * (self.k - 1)
        alone = (x * x.less_from(1).power(n)).times(2).bend
        beside = (x * x.less_from(1 - light).power(n - 1)).times(light * (-2)).bend * (
            self.k - 3
        )
        last = (x * x.less_from(1 - heavy).power(n - 1)).times(heavy * (-2)).bend
        return (
            alone + beside + last + (1 - 2 * light) ** (n - 1) * 2
        ).certainly_negative()
