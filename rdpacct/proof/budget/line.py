"""delta(epsilon) of a sum of losses by the trapezoid rule on a vertical line.

With M the product of the transforms, D = 2 pi/W and z_m = t + i m D, Poisson summation gives

    (D/2 pi) sum_m M(z_m) exp(-z_m eps)/(z_m (z_m + 1)) = sum_j exp(t j W) phi(eps + j W),

where phi(x) = E max(0, 1 - exp(x - L)) over the finite losses. All terms on the right are
nonnegative, so that the sum is above phi(eps), which is the term j = 0. The others are bounded by
phi <= 1 for j < 0 and by a Chernoff bound for j > 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from rdpacct.proof.budget.pairs import NormalPair, WorstPair, ball
from rdpacct.proof.budget.reading import Values, exactly, number, positive, whole
from rdpacct.proof.budget.work import spend
from rdpacct.proof.check.effort import Rejected

MAX_NODES = 100_000
NODE_WORK = 3
"""The work of adding up a node."""
THEOREMS = ("engine/quadrature", "engine/truncation")
LOWER_THEOREMS = ("engine/aliases", "engine/chernoff")

Counted = Sequence[tuple[WorstPair, int]]


@dataclass(frozen=True)
class CertifiedLine:
    """The nodes of a quadrature, and a release that is added to make its terms fall."""

    tilt: Fraction
    period: Fraction
    nodes: int
    blur: Fraction
    """The square of the shift of a Gaussian release that is added, or zero.

    One release more is never more private, so that upper ends hold without it; lower ends do not
    follow then.
    """
    second: Fraction | None
    """A second tilt, for the aliases above; needed for a lower end only."""


def read_line(given: Values) -> CertifiedLine:
    """The line that a certificate names."""
    keys = {"method", "tilt", "period", "nodes", "blur", "second", "contour", "reach"}
    entries = exactly(given, keys, "a line")
    blur = number(entries["blur"], "a blur")
    if blur < 0:
        raise Rejected("a blur is negative.")
    second = entries["second"]
    return CertifiedLine(
        positive(entries["tilt"], "a tilt"),
        positive(entries["period"], "a period"),
        whole(entries["nodes"], "the number of nodes", 2, MAX_NODES),
        blur,
        None if second is None else positive(second, "a second tilt"),
    )


@dataclass(frozen=True)
class LineSum:
    """The nodes of a line with the transform there: all that does not depend on epsilon."""

    line: CertifiedLine
    values: list[acb]
    truncation: arb
    """At least the sum of the nodes that are left out, but for the factor exp(-tilt epsilon)."""
    aliases: arb | None
    """The Chernoff factor of the aliases above, if lower ends are asked for."""

    def above(self, epsilon: Fraction) -> arb:
        """At least the part of delta that finite losses make."""
        return (self._sum(epsilon) + self._left_out(epsilon)).upper()

    def below(self, epsilon: Fraction) -> arb:
        """At most that part."""
        if self.aliases is None or self.line.second is None:
            raise Rejected("a lower end needs a line without blur, and a second tilt.")
        tilt = ball(self.line.tilt)
        period = ball(self.line.period)
        low = (-tilt * period).exp()
        second = ball(self.line.second)
        high = ((tilt - second) * period).exp()
        more = self.aliases * (-second * ball(epsilon)).exp() * high / (1 - high)
        total = self._sum(epsilon) - self._left_out(epsilon)
        return (total - low / (1 - low) - more).lower()

    def _left_out(self, epsilon: Fraction) -> arb:
        return self.truncation * (-ball(self.line.tilt * epsilon)).exp()

    def _sum(self, epsilon: Fraction) -> arb:
        spend(NODE_WORK * len(self.values))
        step = 2 * arb.pi() / ball(self.line.period)
        total = arb(0)
        for m, value in enumerate(self.values):
            angle = -step * m * ball(epsilon)
            sine, cosine = angle.sin_cos()
            total += value.real * cosine - value.imag * sine
        return total * (-ball(self.line.tilt * epsilon)).exp()


def profile_on(line: CertifiedLine, pairs: Counted, lower: bool) -> LineSum:
    """The transform of a sum at the nodes of a line."""
    if lower and line.blur:
        raise Rejected("a lower end does not follow from a line with blur.")
    if line.blur:
        pairs = [*pairs, (NormalPair(line.blur, ()), 1)]
    tilt = ball(line.tilt)
    period = ball(line.period)
    step = 2 * arb.pi() / period
    values = []
    for m in range(line.nodes):
        z = acb(tilt, step * m)
        weight = (1 if m == 0 else 2) / period
        values.append(_product(pairs, tilt, step * m) * weight / (z * (z + 1)))
    last = step * (line.nodes - 1)
    falls = arb(1)
    for pair, count in pairs:
        falls *= pair.decay(tilt, last).min(arb(1)) ** count
    at_tilt = _product(pairs, tilt, arb(0)).real
    truncation = falls * at_tilt / (arb.pi() * last)
    aliases = None
    if lower and line.second is not None:
        if not line.second > line.tilt:
            raise Rejected("the second tilt is not above the first.")
        aliases = _chernoff(pairs, ball(line.second))
    return LineSum(line, values, truncation, aliases)


def _product(pairs: Counted, tilt: arb, height: arb) -> acb:
    product = acb(1)
    for pair, count in pairs:
        product *= pair.transform(tilt, height) ** count
    return product


def _chernoff(pairs: Counted, tilt: arb) -> arb:
    """phi(x) exp(tilt x) is at most M(tilt) max over y > 0 of (1 - exp(-y)) exp(-tilt y)."""
    peak = (tilt * (tilt / (1 + tilt)).log() - (1 + tilt).log()).exp()
    return _product(pairs, tilt, arb(0)).real * peak
