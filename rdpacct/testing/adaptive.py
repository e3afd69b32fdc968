"""Adaptive adversaries that break composition in the words of Dwork and Rothblum, with their exact
variances.

A loss that is tau-subgaussian about its mean has variance at most tau**2. Here are adversaries
whose releases are each concentrated, while the variance of the loss of all of them exceeds the sum
of the tau**2.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import normal_cdf, normal_density
from rdpacct.exact.number import Number, rational, whole
from rdpacct.exact.parameter import Parameter
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.provenance import by

MOST_RESPONSES = 1000


@dataclass(frozen=True)
class SkippingAdversary:
    """A Gaussian release, then another one unless the first loss is 1 or more below its mean.

    With standard normal G and H the loss is tau1**2/2 + tau1 G, plus tau2**2/2 + tau2 H if tau1 G >
    -1. The releases are (tau1**2/2, tau1)- and (tau2**2/2, tau2)-MeanCDP, and so, trivially, is
    releasing nothing instead of the second.
    """

    tau1: Parameter = Parameter(above_least=True)
    tau2: Parameter = Parameter(above_least=True)

    def loss(self, first: Real, second: Real, skipped: Real) -> Expr:
        """The loss where the standard normal noises are these; ``skipped`` is 1 if tau1 times the
        first is <= -1.
        """
        early, late = (
            tau**2 / 2 + tau * noise
            for tau, noise in ((self.tau1, first), (self.tau2, second))
        )
        return early + (1 - formula(skipped)) * late

    @property
    def skip_probability(self) -> Expr:
        """The probability that the second release is skipped."""
        return normal_cdf(-1 / self.tau1)

    def mean(self) -> Expr:
        """The mean loss of the two releases."""
        return self.tau1**2 / 2 + (1 - self.skip_probability) * self.tau2**2 / 2

    def promised_variance(self) -> Expr:
        """tau1**2 + tau2**2: as large as the variance may be if the printed theorem holds."""
        return self.tau1**2 + self.tau2**2

    def variance(self) -> Expr:
        """The variance of the loss of the two releases."""
        return self.promised_variance() + self.excess()

    def excess(self) -> Expr:
        """By how much the variance exceeds tau1**2 + tau2**2: it is positive for all tau1, tau2 >
        0.
        """
        p = self.skip_probability
        gain = self.tau1 * normal_density(1 / self.tau1, 0, 1) - self.skip_probability
        return self.tau2**2 * (self.tau2**2 / 4 * p * (1 - p) + gain)

    def excess_bound(self) -> Bound:
        """The excess as a number, certified to be positive."""
        bound = self.excess().bound(
            "variance - tau1**2 - tau2**2 (cdp/skipping-adversary)"
        )
        if not bound.certainly_above(Fraction(0)):
            raise UndecidedError(
                f"the excess of {self} is positive, but too small to be seen: {bound}."
            )
        return bound


@by("cdp/skipping-adversary")
def skipping_adversary(tau1: Number | Expr, tau2: Number | Expr) -> SkippingAdversary:
    """For any tau1, tau2 > 0, two adaptive releases whose loss has variance above tau1**2 +
    tau2**2.
    """
    return SkippingAdversary(tau1, tau2)


@by("cdp/coin-adversary")
def coin_then_responses(ratio: Number, count: int) -> PrivacyLoss:
    """A fair coin, and on heads ``count`` randomized responses with probabilities in this ratio; on
    tails nothing.

    The first part is tails, and the others are heads with 0, 1, ... true responses. Each response
    is log(ratio)-DP.
    """
    kappa = rational(ratio, "ratio")
    n = whole(count, "the number of responses", 1, MOST_RESPONSES)
    if kappa <= 1:
        raise InputError(
            f"ratio is {ratio}, but must be above 1; give exp(epsilon) as a rational"
            " such as 10."
        )
    truth = kappa / (1 + kappa)
    half = Fraction(1, 2)
    heads = [
        half * comb(n, k) * truth**k * (1 - truth) ** (n - k) for k in range(n + 1)
    ]
    pairs = [(half, half), *zip(heads, reversed(heads), strict=True)]
    return PrivacyLoss(tuple(Atom.of(p, q) for p, q in pairs), symmetric=True)
