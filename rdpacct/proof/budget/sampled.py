"""The worst pairs of releases of a Poisson sample: a record is there with probability ``rate``.

With (P, Q) the worst pair of the mechanism, removing the record has the pair (1 - q) Q + q P
against Q, adding it the same the other way round. With R = 1 - q + q dP/dQ and I(s) = E_Q R**s the
transforms are I(1 + z) for removing and I(-z) for adding. Since I(conj s) = conj I(s), I is needed
at a + i y with y >= 0 only.
"""

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction

from flint import acb, arb, ctx

from rdpacct.proof.budget.pairs import AtomPair, WorstPair, ball, geometric
from rdpacct.proof.budget.work import spend
from rdpacct.proof.check.effort import Rejected

POINT_WORK = 5
"""The work of one value under an integral."""
MAX_POINTS = 200_000

Integrand = Callable[[acb, bool], acb]


def integral(integrand: Integrand, low: arb, high: arb, work: int = POINT_WORK) -> acb:
    """The integral of a function that is analytic near an interval, with its error in the ball; the
    work is that of one value.
    """

    def counted(x: acb, analytic: bool) -> acb:
        spend(work)
        return integrand(x, analytic)

    total = acb.integral(counted, acb(low), acb(high), eval_limit=MAX_POINTS)
    if not total.is_finite():
        raise Rejected("an integral could not be enclosed.")
    return total


class SampledPair(WorstPair):
    """A pair whose transform is I(1 + z) or I(-z)."""

    def __init__(self, rate: Fraction, removing: bool) -> None:
        self.rate = rate
        self.removing = removing

    def transform(self, tilt: arb, height: arb) -> acb:
        if self.removing:
            return self.power_mean(1 + tilt, height)
        return self.power_mean(-tilt, height).conjugate()

    @abstractmethod
    def power_mean(self, power: arb, height: arb) -> acb:
        """I(power + i height)."""


class SampledNormalPair(SampledPair):
    """A shift by mu standard deviations that is applied with probability ``rate``.

    I(s) is the integral of phi R**s along Im x = 0, or along any line Im x = y with 0 <= mu y < pi.
    """

    theorems = (
        "gaussian/worst-pair",
        "sampling/poisson",
        "sampling/gaussian-transform",
        "sampling/gaussian-decay",
    )

    def __init__(
        self, mu: Fraction, rate: Fraction, removing: bool, contour: Fraction
    ) -> None:
        super().__init__(rate, removing)
        self.mu = mu
        self.contour = contour
        if not 0 < ball(contour) * ball(mu) < arb.pi():
            raise Rejected("a contour lies outside of the strip where R has no zero.")

    def _ratio(self) -> Callable[[acb], acb]:
        """R as a function of the output; its constants are made once for an integral."""
        mu = ball(self.mu)
        q = ball(self.rate)
        without = 1 - q
        middle = mu * mu / 2
        return lambda x: without + q * (mu * x - middle).exp()

    def power_mean(self, power: arb, height: arb) -> acb:
        s = acb(power, height)
        ratio = self._ratio()

        def integrand(x: acb, analytic: bool) -> acb:
            log = ratio(x).log(analytic=analytic)
            return (s * log - x * x / 2).exp()

        low, high = self._ends(power)
        inside = integral(integrand, low, high) / (2 * arb.pi()).sqrt()
        error = self._tails(power, low, high, arb(0)).upper()
        return inside + acb(arb(0, error), arb(0, error))

    def decay(self, tilt: arb, height: arb) -> arb:
        """Along Im x = y the modulus of phi R**s is exp((y**2 - x**2)/2) |R|**a exp(-height arg R),
        which falls with the height, as arg R is not negative there.

        |R|**2 is R(x + iy) R(x - iy), and the argument half the difference of the logarithms over
        i: analytic in x, so that the integral can be enclosed.
        """
        power = 1 + tilt if self.removing else -tilt
        y = ball(self.contour)
        aside = acb(0, y)
        ratio = self._ratio()

        def integrand(x: acb, analytic: bool) -> acb:
            above = ratio(x + aside).log(analytic=analytic)
            below = ratio(x - aside).log(analytic=analytic)
            angle = (above - below) / acb(0, 2)
            return (power * (above + below) / 2 - height * angle - x * x / 2).exp()

        low, high = self._ends(power)
        inside = (
            integral(integrand, low, high, 2 * POINT_WORK).real / (2 * arb.pi()).sqrt()
        )
        most = inside * (y * y / 2).exp() + self._tails(power, low, high, y)
        return most / self.power_mean(power, arb(0)).real

    def _ends(self, power: arb) -> tuple[arb, arb]:
        """Where the integral is cut; what lies beyond is bounded, whatever the ends are."""
        reach = 2 + arb(ctx.prec).sqrt() * 6 / 5
        far = (ball(self.mu) * power).max(arb(0))
        near = (ball(self.mu) * power).min(arb(0))
        return (near - reach).mid().floor(), (far + reach).mid().ceil()

    def _tails(self, power: arb, low: arb, high: arb, y: arb) -> arb:
        """At least the integral of |phi R**s| beyond the ends, on Im x = y.

        |R| is at most 1 + exp(mu x - mu**2/2), of which the larger part is taken; and at least
        1 - q, or (1 - q) sin(mu y) if mu y is above a right angle.
        """
        outside = normal_tail(high) + normal_tail(-low)
        mu = ball(self.mu)
        if power > 0:
            shifted = normal_tail(high - power * mu) + normal_tail(power * mu - low)
            outside += shifted * ((power * power - power) * mu * mu / 2).exp()
        else:
            angle = mu * y
            sine = angle.sin() if not angle <= arb.pi() / 2 else arb(1)
            outside *= (power * ((1 - ball(self.rate)) * sine).log()).exp()
        return outside * (y * y / 2).exp()


def normal_tail(distance: arb) -> arb:
    """The chance that a standard normal variable exceeds this."""
    return (distance / arb(2).sqrt()).erfc() / 2


class SampledExponentialPair(SampledPair):
    """A shift by mu scales of Laplace noise that is applied with probability ``rate``.

    Under Q the loss l of the mechanism is -mu with probability 1/2, mu with exp(-mu)/2, and has the
    density exp(-(l + mu)/2)/4 between.
    """

    theorems = (
        "laplace/worst-pair",
        "sampling/poisson",
        "sampling/laplace-transform",
        "sampling/laplace-decay",
    )

    def __init__(self, shift: Fraction, rate: Fraction, removing: bool) -> None:
        super().__init__(rate, removing)
        self.shift = shift

    def power_mean(self, power: arb, height: arb) -> acb:
        s = acb(power, height)
        mu = ball(self.shift)
        q = ball(self.rate)
        without = 1 - q

        def log_ratio(loss: acb, analytic: bool) -> acb:
            return (without + q * loss.exp()).log(analytic=analytic)

        def integrand(loss: acb, analytic: bool) -> acb:
            return (s * log_ratio(loss, analytic) - (loss + mu) / 2).exp()

        inside = integral(integrand, -mu, mu) / 4
        lowest = (s * log_ratio(acb(-mu), False)).exp() / 2
        highest = (s * log_ratio(acb(mu), False) - mu).exp() / 2
        return inside + lowest + highest

    def decay(self, tilt: arb, height: arb) -> arb:
        """The atoms stay. exp(a L) times the density of L falls and then rises, so that the
        integral of it against a wave is at most twice its two ends over the height.
        """
        power = 1 + tilt if self.removing else -tilt
        mu = ball(self.shift)
        q = ball(self.rate)
        low = (1 - q + q * (-mu).exp()).log()
        high = (1 - q + q * mu.exp()).log()
        atoms = ((power * low).exp() + (power * high - mu).exp()) / 2
        first = ((power + 1) * low + mu).exp() / (4 * q)
        last = ((power + 1) * high - 2 * mu).exp() / (4 * q)
        most = atoms + 2 * (first + last) / height
        return most / self.power_mean(power, arb(0)).real


def sampled_geometric(
    rate: Fraction, steps: int, chance: Fraction, removing: bool
) -> AtomPair:
    """Two-sided geometric noise on a sample: each loss l becomes log(1 - q + q exp(l))."""
    whole = geometric(rate, steps)
    q = ball(chance)
    rows = []
    for loss, under_p in whole.rows:
        under_q = under_p * (-loss).exp()
        log = (1 - q + q * loss.exp()).log()
        if removing:
            rows.append((log, (1 - q) * under_q + q * under_p))
        else:
            rows.append((-log, under_q))
    return AtomPair(rows, (*whole.theorems, "sampling/poisson"))
