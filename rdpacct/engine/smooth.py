"""Profiles of arbitrary sums: two smoothed quadratures, one certainly above and one certainly below.

Above: releasing one more Gaussian of a small shift h can only raise delta. Below: rejecting with probability
Phi((L - eps)/h) is a test, and every test gives a lower bound. Both need no decay of the transform.
"""

import cmath
import math
from dataclasses import dataclass
from functools import cached_property

from rdpacct.by import by
from rdpacct.engine.quadrature import Line, aliases_above, aliases_below, log_moment, spectrum_of
from rdpacct.engine.terms import Terms
from rdpacct.engine.tilt import Place, Planner
from rdpacct.exact.ball import Raw
from rdpacct.exact.raw import complex_of, error, inner, pi, real, unit_powers
from rdpacct.privacy.nodes import Nodes

WIDTH, MOST_WORK = 2e-9, 60_000.0


@dataclass(frozen=True)
class SmoothLine:
    """The nodes of the two quadratures."""

    line: Line
    """The upper one; its truncation is that of both."""
    lower: list[Raw]
    top = math.inf

    @cached_property
    def _planned(self) -> list[complex]:
        return [(complex(u) + complex(v)) / 2 for u, v in zip(self.line.values, self.lower, strict=True)]

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        line, total, slope = self.line, 0.0, 0.0
        step, tilt = float(line.step), float(line.tilt)
        turn, at = cmath.exp(-1j * step * epsilon), 1 + 0j
        for m, v in enumerate(self._planned):
            term = v * at
            total += term.real
            slope += m * term.imag
            at *= turn
        if total <= 0:
            return -math.inf, -tilt
        return float(line.base) - tilt * epsilon + math.log(total), slope * step / total - tilt

    @by("engine/smoothing")
    def enclosure(self, epsilon: Raw) -> Raw:
        """A ball that contains delta(epsilon): from the lower sum less its aliases to the upper sum."""
        line = self.line
        sine, cosine = (-line.step * epsilon).sin_cos()
        turns = unit_powers(complex_of(cosine, sine), len(line.values))
        factor, left = (line.base - line.tilt * epsilon).exp(), error(line.truncation)
        above = factor * (inner(line.values, turns).real + left)
        below = factor * (inner(self.lower, turns).real + left) - aliases_below(line) - aliases_above(line, epsilon)
        return above.union(below)


@by("engine/smooth-kernels")
def kernels(z: Raw, width: Raw) -> tuple[Raw, Raw]:
    """The transforms of the two test functions: exp(h**2 (z**2 + z)/2)/(z (z + 1)), and G(z) - G(z + 1).

    Here G(w) = exp(h**2 w**2/2)/w.
    """
    half = width * width / 2
    after = z + 1
    first, second = (half * z * z).exp() / z, (half * after * after).exp() / after
    return (half * z * after).exp() / (z * after), first - second


@by("engine/smooth-truncation")
def smooth_truncation(bound: Raw, width: Raw, tilt: Raw, last: Raw) -> Raw:
    """The nodes beyond the last: bound/(pi last) exp(h**2 ((t + 1)**2 - last**2)/2)."""
    return bound / (pi() * last) * (width * width / 2 * ((tilt + 1) ** 2 - last * last)).exp()


def smooth_line(terms: Terms, planner: Planner, place: Place, epsilon: float) -> SmoothLine:
    """The two quadratures at a place, with the smallest smoothing that the number of nodes allows."""
    step = 2 * math.pi / place.period
    decaying = planner.decaying(place.tilt, 64 * step)
    fallen = sum(
        count * transform.planned_decay(place.tilt, 1000 * step)
        for transform, count in (terms.factors[i] for i in decaying)
    )
    reach = math.sqrt(2 * max(place.excess + fallen, 8.0))
    width = math.sqrt(WIDTH * max(abs(epsilon), 1e-3) / (place.tilt + 1))
    count = max(8, math.ceil(reach / (width * step)) + 1)
    while count > 64 and count * planner.cost(place.tilt, count * step) > MOST_WORK:
        count = math.ceil(0.9 * count)
    width = max(width, reach / (count * step))
    return smoothed(terms, place, width, count, decaying)


def smoothed(terms: Terms, place: Place, width: float, count: int, decaying: frozenset[int]) -> SmoothLine:
    """The two quadratures, evaluated in balls, for any width of the smoothing and any number of nodes."""
    tilt, period, h = real(place.tilt), real(place.period), real(width)
    step = 2 * pi() / period
    nodes = Nodes(tilt, step, count)
    spectrum = spectrum_of(terms, nodes, decaying, place.excess + 5)
    weight = step / (2 * pi())
    upper, lower = [], []
    for m, (z, v) in enumerate(zip(nodes.points, spectrum.values, strict=True)):
        scaled = v * (weight if m == 0 else 2 * weight)
        above, below = kernels(z, h)
        upper.append(scaled * above)
        lower.append(scaled * below)
    left = smooth_truncation(spectrum.bound, h, tilt, step * (count - 1))
    second = None if place.second is None else log_moment(terms, place.second)
    return SmoothLine(Line(tilt, period, step, spectrum.base, upper, left, second, terms.top()), lower)
