"""The exact profile of few Laplace losses and finitely many atoms: a finite sum over which atoms
were drawn.

With s = z + 1/2 the transform of a Laplace loss is exp(-mu/2)/2 (exp(mu s)(1 + w) + exp(-mu s)(1 -
w)), w = 1/(2s). Expanding the product and closing the contour gives, over the patterns with c =
offset - epsilon > 0,

    delta(eps) = exp(eps/2) sum weight sum_n a_n (c/2)**n/n!,
    a_n = 2 (kappa_{n-1} + kappa_{n-3} + ...),

where (1 + w)**(k - i) (1 - w)**i = sum_r kappa_r w**r for k Laplace losses of which i have the
lower sign.
"""

import math
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from operator import mul

from rdpacct.engine.terms import Terms
from rdpacct.exact.ball import Raw
from rdpacct.exact.raw import error, polynomial_and_derivative, real
from rdpacct.privacy.exponential_transform import ExponentialTransform
from rdpacct.privacy.laplace_transform import LaplaceTransform
from rdpacct.privacy.transform import AtomsTransform, value
from rdpacct.provenance import by
from rdpacct.work import spend

MOST_PATTERNS = 20_000
MOST_WORK = 400_000
MOST_DEGREE = 4_000
PATTERN_WORK, TERM_WORK, VALUE_WORK = 3, 2, 0.15
"""The work of a pattern, of a term of a series that is made, and of one that is added up."""


@dataclass(frozen=True)
class Pattern:
    """Draws that share an offset, and how many of the Laplace losses have the lower sign."""

    offset: Raw
    planned: float
    weight: Raw
    lower: int


@dataclass(frozen=True)
class Patterns:
    """All patterns of a sum, by falling offset."""

    count: int
    """How many Laplace losses there are."""
    patterns: list[Pattern]
    power: int = 0
    """How many losses of exponential mechanisms there are, each a factor w."""
    series: dict[int, "Series"] = field(default_factory=dict)
    factors: list[Raw] = field(default_factory=list)
    """1/n! for the n that were needed."""

    def enclosure(self, epsilon: Raw) -> Raw:
        """A ball that contains delta(epsilon)."""
        return self._sums(epsilon)[0]

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        found, slope = self._sums(real(epsilon))
        if found > 0:
            return (float(found.log()), float(slope / found))
        return (-math.inf, -1.0)

    @property
    def top(self) -> float:
        """About the largest loss."""
        return self.patterns[0].planned

    def _sums(self, epsilon: Raw) -> tuple[Raw, Raw]:
        """The profile and its derivative."""
        spend(PATTERN_WORK * len(self.patterns))
        total = real(0)
        slope = real(0)
        for pattern in self.patterns:
            gap = pattern.offset - epsilon
            if gap <= 0:
                if pattern.planned < float(epsilon) - 1 - 1e-9 * (
                    abs(float(epsilon)) + abs(self.top)
                ):
                    break
                continue
            first, second = self._series(pattern.lower, gap / 2)
            if not gap > 0:
                first = first.union(real(0))
                second = second.union(real(0))
            total = total + pattern.weight * first
            slope = slope + pattern.weight * second
        outside = (epsilon / 2).exp()
        return total * outside, (total - slope) * outside / 2

    def _series(self, lower: int, x: Raw) -> tuple[Raw, Raw]:
        if self.count == self.power == 0:
            sine, cosine = x.sinh_cosh()
            return 2 * sine, 2 * cosine
        wanted = reach_of(self.count, max(float(x), 0.0))
        if wanted > MOST_DEGREE:
            return error(real(math.inf)), error(real(math.inf))
        known = self.series.get(lower)
        if known is None or known.degree < wanted:
            degree = wanted + wanted // 5
            spend(TERM_WORK * degree)
            if len(self.factors) <= degree:
                self.factors[:] = inverse_factorials(degree)
            known = self.series[lower] = Series(
                self.count, lower, self.power, degree, self.factors
            )
        spend(VALUE_WORK * known.degree)
        return known.at(x)


class Series:
    """The sum over n >= 1 of a_n x**n/n!, with a_n twice the sum of kappa_r over r < n of the other
    parity than n.

    With a power p each kappa_r stands for the coefficient of w**(r + p).
    """

    def __init__(
        self,
        count: int,
        lower: int,
        power: int,
        degree: int,
        factors: "list[Raw] | None" = None,
    ) -> None:
        self.count = count
        self.degree = degree
        factors = (
            inverse_factorials(degree) if factors is None else factors[: degree + 1]
        )
        shares = list(map(mul, factors, numerators(count, lower, power, degree)))
        self.polynomial, self.derivative = polynomial_and_derivative(shares)
        self.left = factors[-1] * (2 * binomial_sum(count, degree))

    @by("laplace/composition-series")
    def at(self, x: Raw) -> tuple[Raw, Raw]:
        """The sum and its derivative.

        With |kappa_r| <= C(k, r), |a_n| is at most twice the sum of C(k, r) over r < n, which grows
        from one n to the next by at most max(1, (k + 1)/n); so the omitted terms fall at least by
        the ratio below each.
        """
        size = abs(x).upper()
        ratio = size * max(self.count + 1, self.degree + 1) / (self.degree + 1) ** 2
        if not ratio < 1:
            return real(0) + error(real(math.inf)), real(0) + error(real(math.inf))
        slope_left = self.left * size**self.degree / (1 - ratio)
        left = slope_left * size / (self.degree + 1)
        return self.polynomial(x) + error(left), self.derivative(x) + error(slope_left)


@lru_cache(maxsize=512)
def numerators(count: int, lower: int, power: int, degree: int) -> tuple[int, ...]:
    """The a_n for n up to the degree, in exact integers."""
    found = [0]
    sums = [0, 0]
    known = kappa(count, lower, degree - 1)
    for n in range(1, degree + 1):
        sums[n % 2] += 2 * known[n - 1 - power] if n > power else 0
        found.append(sums[n % 2])
    return tuple(found)


def inverse_factorials(last: int) -> list[Raw]:
    """1/n! for n up to the last, at the precision that holds."""
    found = [real(1)]
    for n in range(1, last + 1):
        found.append(found[-1] / n)
    return found


def kappa(count: int, lower: int, last: int) -> tuple[int, ...]:
    """The coefficients of (1 + w)**(count - lower) (1 - w)**lower up to w**last, in exact
    integers.
    """
    found = [1]
    before = 0
    now = 1
    for r in range(last):
        before, now = (
            now,
            ((count - 2 * lower) * now - (count - r + 1) * before) // (r + 1),
        )
        found.append(now)
    return tuple(found)


@lru_cache(maxsize=1024)
def binomial_sum(count: int, last: int) -> int:
    """The sum of C(count, r) over r <= last."""
    total = term = 1
    for r in range(min(last, count)):
        term = term * (count - r) // (r + 1)
        total += term
    return total


def reach_of(count: int, x: float) -> int:
    """The degree to which the series matters at x, about."""
    return int(min(max(3.2 * math.sqrt(x * (count + 1)), 3 * x), 1e9)) + 25


def patterns_of(terms: Terms) -> Patterns | None:
    """The patterns of a sum of Laplace losses and atoms, or None if there are others or too
    many.
    """
    number = 1
    count = 0
    power = 0
    for transform, times in terms.factors:
        if isinstance(transform, LaplaceTransform):
            number *= times + 1
            count += times
        elif isinstance(transform, ExponentialTransform):
            number *= times + 1
            power += times
        elif isinstance(transform, AtomsTransform):
            outcomes = len(transform.masses)
            number *= (
                math.comb(times + outcomes - 1, outcomes - 1)
                if times < 10**5
                else MOST_PATTERNS + 1
            )
        else:
            return None
        if number > MOST_PATTERNS:
            return None
    spend(PATTERN_WORK * number)
    columns = [
        (
            _draws(transform, times)
            if isinstance(transform, AtomsTransform)
            else _signs(transform, times)
        )
        for transform, times in terms.factors
        if isinstance(
            transform, AtomsTransform | LaplaceTransform | ExponentialTransform
        )
    ]
    found = []
    for draws in product(*columns):
        offset, planned, weight, lower = draws[0]
        for more in draws[1:]:
            offset = offset + more[0]
            planned = planned + more[1]
            weight = weight * more[2]
            lower = lower + more[3]
        found.append(Pattern(offset, planned, weight, lower))
    found.sort(key=lambda pattern: -pattern.planned)
    return Patterns(count, found, power)


def _signs(
    transform: LaplaceTransform | ExponentialTransform, times: int
) -> list[tuple[Raw, float, Raw, int]]:
    """The patterns of a continuous loss: offset, the same in doubles, weight, and lower signs.

    That of the exponential mechanism has the transform exp(-eps/2)/(1 - exp(-eps)) w (exp(eps s) -
    exp(-eps s)).
    """
    if isinstance(transform, ExponentialTransform):
        mu = value(transform.epsilon)
        planned = float(mu)
        scale = ((-mu / 2).exp() / (1 - (-mu).exp())) ** times
        return [
            (
                mu * (times - 2 * i),
                planned * (times - 2 * i),
                scale * (-1) ** i * math.comb(times, i),
                0,
            )
            for i in range(times + 1)
        ]
    mu = value(transform.shift)
    planned = float(mu)
    scale = (-mu * times / 2).exp() / real(2) ** times
    return [
        (
            mu * (times - 2 * i),
            planned * (times - 2 * i),
            scale * math.comb(times, i),
            i,
        )
        for i in range(times + 1)
    ]


def _draws(transform: AtomsTransform, times: int) -> list[tuple[Raw, float, Raw, int]]:
    """The patterns of atoms, in the same form."""
    rows = [
        (value(loss), value(mass))
        for mass, loss in zip(transform.masses, transform.losses, strict=True)
    ]
    draws: list[tuple[Raw, Raw, int]] = [(real(0), real(1), times)]
    for loss, mass in rows[:-1]:
        powers = [real(1)]
        for _ in range(times):
            powers.append(powers[-1] * mass)
        draws = [
            (offset + loss * n, weight * powers[n] * math.comb(left, n), left - n)
            for offset, weight, left in draws
            for n in range(left + 1)
        ]
    loss, mass = rows[-1]
    last = [real(1)]
    for _ in range(times):
        last.append(last[-1] * mass)
    ended = [
        (offset + loss * left, weight * last[left]) for offset, weight, left in draws
    ]
    return [
        (offset, float(offset), weight * (-offset / 2).exp(), 0)
        for offset, weight in ended
    ]


def planned_work(terms: Terms, epsilon: float) -> float:
    """About how many terms a profile takes, infinite if patterns do not apply."""
    number = 1.0
    count = 0
    for transform, times in terms.factors:
        if isinstance(transform, LaplaceTransform | ExponentialTransform):
            number *= times + 1
            count += times
        elif isinstance(transform, AtomsTransform):
            outcomes = len(transform.masses)
            number *= (
                math.comb(times + outcomes - 1, outcomes - 1)
                if times < 10**4
                else math.inf
            )
        else:
            return math.inf
    top = terms.planned_top
    above = min(1.0, max(top - epsilon, 0) / (2 * top)) if top > 0 else 1.0
    reach = reach_of(count, max(top - epsilon, 0) / 2) if count else 0
    if reach > MOST_DEGREE:
        return math.inf
    if number > MOST_PATTERNS:
        return math.inf
    return number * 0.05 + number * above * (reach + 2)
