"""Expansions where a piece ends: sums of c * t**k * log(t)**j with exact constants c, as t > 0
falls to zero.

A series is known up to an order n: what is left out is smaller than t**k for each k < n. The
variable is end + t or end - t, or 1/t at an infinite end. What has no such expansion, or one whose
first constants are not decided, is Rejected.
"""

from fractions import Fraction

from rdpacct.proof.check.balls import constant_sign
from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.normal import exp_of, log_of, power_of
from rdpacct.proof.check.ring import Poly, Ratio
from rdpacct.proof.check.signs import GROUND
from rdpacct.proof.check.slots import Slot, variable_slot

ORDERS = (Fraction(5), Fraction(12))
MAX_STEPS = 60
ZERO = Fraction(0)
Place = tuple[Fraction, int]


class TruncatedSeries:
    """The terms below an order, by the exponents of t and of log(t); no coefficient is the zero of
    the ring.
    """

    def __init__(self, terms: dict[Place, Ratio], order: Fraction) -> None:
        self.terms = {
            place: c
            for place, c in terms.items()
            if place[0] < order and not c.top.zero()
        }
        self.order = order

    def least(self) -> Fraction:
        """No term has a smaller exponent of t, nor has what is left out."""
        return min((k for k, _ in self.terms), default=self.order)

    def __add__(self, other: "TruncatedSeries") -> "TruncatedSeries":
        total = dict(self.terms)
        for place, c in other.terms.items():
            total[place] = total[place] + c if place in total else c
        return TruncatedSeries(total, min(self.order, other.order))

    def __mul__(self, other: "TruncatedSeries") -> "TruncatedSeries":
        order = min(self.order + other.least(), other.order + self.least())
        total: dict[Place, Ratio] = {}
        EFFORT.spend(5 + len(self.terms) * len(other.terms))
        for (k, i), first in self.terms.items():
            for (m, j), second in other.terms.items():
                if k + m < order:
                    place = (k + m, i + j)
                    c = first * second
                    total[place] = total[place] + c if place in total else c
        return TruncatedSeries(total, order)

    def scaled(self, factor: Ratio, shift: Fraction = ZERO) -> "TruncatedSeries":
        """The series times a constant and a power of t."""
        return TruncatedSeries(
            {(k + shift, j): c * factor for (k, j), c in self.terms.items()},
            self.order + shift,
        )

    def leading(self) -> tuple[Fraction, int, int]:
        """The exponents of the first term, and the sign that it has near the end."""
        least = self.least()
        if least == self.order:
            raise Rejected("an expansion has no term of low order.")
        place = max(place for place in self.terms if place[0] == least)
        sign = constant_sign(self.terms[place].top)
        return least, place[1], -sign if place[1] % 2 else sign

    def unit(self) -> tuple[Ratio, Fraction, "TruncatedSeries"]:
        """The series as c * t**k * (1 + r) with a constant c that is not zero and r that tends to
        zero.
        """
        least, logs, _ = self.leading()
        if logs or any(k == least and j for k, j in self.terms):
            raise Rejected("an expansion begins with a logarithm.")
        first = self.terms[least, 0]
        rest = TruncatedSeries(
            {place: c for place, c in self.terms.items() if place != (least, 0)},
            self.order,
        )
        return first, least, rest.scaled(power_of(first, Fraction(-1), GROUND), -least)


def composed(rest: TruncatedSeries, coefficients: list[Fraction]) -> TruncatedSeries:
    """The sum of coefficients[n] * rest**n, for a rest that tends to zero and enough
    coefficients.
    """
    total = power = constant(Ratio(Poly.number(1)), rest.order)
    total = total.scaled(Ratio(Poly.number(coefficients[0])))
    for coefficient in coefficients[1:]:
        power = power * rest
        total = total + power.scaled(Ratio(Poly.number(coefficient)))
    return TruncatedSeries(total.terms, rest.order)


def steps(rest: TruncatedSeries) -> int:
    """How many powers of the rest are below its order."""
    least = rest.least()
    if least <= 0 or rest.order / least > MAX_STEPS:
        raise Rejected("an expansion needs too many terms.")
    return int(rest.order / least) + 1


def constant(value: Ratio, order: Fraction) -> TruncatedSeries:
    """A constant as a series."""
    return TruncatedSeries({(ZERO, 0): value}, order)


def series_power(series: TruncatedSeries, exponent: Fraction) -> TruncatedSeries:
    """A rational power; a fractional one needs a positive first constant."""
    if exponent.denominator == 1 and exponent >= 0:
        result = constant(
            Ratio(Poly.number(1)), series.order + max(ZERO, -series.least() * exponent)
        )
        for _ in range(int(exponent)):
            result = result * series
        return result
    first, least, rest = series.unit()
    coefficients = [Fraction(1)]
    for n in range(steps(rest)):
        coefficients.append(coefficients[-1] * (exponent - n) / (n + 1))
    return composed(rest, coefficients).scaled(
        power_of(first, exponent, GROUND), least * exponent
    )


def series_log(series: TruncatedSeries) -> TruncatedSeries:
    """The logarithm of c * t**k * (1 + r) for positive c."""
    first, least, rest = series.unit()
    if constant_sign(first.top) <= 0:
        raise Rejected("the argument of a logarithm is not positive near the end.")
    start = TruncatedSeries(
        {(ZERO, 0): log_of(first, GROUND), (ZERO, 1): Ratio(Poly.number(least))},
        rest.order,
    )
    return start + composed(
        rest, [ZERO, *(Fraction((-1) ** (n + 1), n) for n in range(1, steps(rest) + 1))]
    )


def series_exp(series: TruncatedSeries) -> TruncatedSeries:
    """The exponential of a constant, a rational multiple of log(t) and what tends to zero."""
    slow = {place: c for place, c in series.terms.items() if place[0] <= 0}
    factor = slow.pop((ZERO, 0), Ratio(Poly({})))
    logs = slow.pop((ZERO, 1), Ratio(Poly({})))
    shift = logs.top.constant() if not logs.bottom else None
    if slow or shift is None or series.order <= 0:
        raise Rejected("an exponent grows where the piece ends.")
    rest = TruncatedSeries(
        {place: c for place, c in series.terms.items() if place[0] > 0}, series.order
    )
    coefficients = [Fraction(1)]
    for n in range(steps(rest)):
        coefficients.append(coefficients[-1] / (n + 1))
    return composed(rest, coefficients).scaled(exp_of(factor, GROUND), Fraction(shift))


class Expansion:
    """The series of polynomials in one variable at an end."""

    def __init__(
        self, name: str, end: Ratio | None, from_below: bool, order: Fraction
    ) -> None:
        self.order = order
        step = {(Fraction(-1), 0): Ratio(Poly.number(1))}
        if end is not None:
            step = {
                (ZERO, 0): end,
                (Fraction(1), 0): Ratio(Poly.number(-1 if from_below else 1)),
            }
        self.slots: dict[Slot, TruncatedSeries] = {
            variable_slot(name): TruncatedSeries(step, order)
        }

    def poly(self, poly: Poly) -> TruncatedSeries:
        """The series of a polynomial."""
        total = TruncatedSeries({}, self.order)
        for monomial, coefficient in poly.terms.items():
            term = constant(Ratio(Poly.number(coefficient)), self.order)
            for slot, exponent in monomial:
                term = term * series_power(self.slot(slot), Fraction(exponent))
            total = total + term
        return total

    def slot(self, slot: Slot) -> TruncatedSeries:
        """The series of a slot."""
        if slot not in self.slots:
            self.slots[slot] = self._slot(slot)
        return self.slots[slot]

    def _slot(self, slot: Slot) -> TruncatedSeries:
        if not Poly.slot(slot).variables():
            return constant(Ratio(Poly.slot(slot)), self.order)
        if slot.kind == "exp":
            value = self.poly(slot.ratio.top)
            for factor, exponent in slot.ratio.bottom.items():
                value = value * series_power(self.poly(factor), Fraction(-exponent))
            return series_exp(value)
        if slot.kind == "log":
            return series_log(self.poly(slot.polynomial))
        if slot.kind == "root":
            return series_power(self.poly(slot.polynomial), Fraction(1, slot.degree))
        raise Rejected(f"there is no expansion of {slot.text[:40]}.")


def nonnegative_by_series(
    poly: Poly, weight: Poly, name: str, end: Ratio | None, from_below: bool
) -> bool:
    """The limit of poly/weight at an end of the piece is not negative; the weight is positive on
    the piece.
    """
    for order in ORDERS:
        expansion = Expansion(name, end, from_below, order)
        top = expansion.poly(poly)
        below = expansion.poly(weight)
        try:
            k, logs, _ = below.leading()
            if top.least() > k:
                return True
            least, more, sign = top.leading()
            return sign > 0 or (least == k and more < logs)
        except Rejected:
            if order == ORDERS[-1]:
                raise
    raise Rejected("no expansion decides the limit.")
