"""The questions that every privacy loss can be asked, however it is known: from its parts, as a
sum, or on a grid.

Nothing is answered here. A kind of loss answers the questions that it can; for the others it says
that it cannot.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number
from rdpacct.privacy.ends import root_of
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import Asked, Grounded

QUESTIONS = (
    *(
        "delta",
        "delta_ball",
        "epsilon",
        "tail",
        "event_probabilities",
        "tradeoff",
        "never_infinite",
        "missed",
    ),
    *("mean", "moment", "log_moment", "renyi", "max_divergence"),
    *("zcdp_rho", "centered_cdp", "one_sided_cdp", "one_sided_tau", "gaussian_mu"),
)
"""The questions of a loss."""


class Loss(Asked, Grounded, questions=QUESTIONS):
    """The law of L = log dP/dQ under P, of a pair of output laws."""

    __slots__ = ()

    rests_on: frozenset[str]
    """The theorems by which this is the loss of a mechanism."""
    at_infinity: Expr
    """The mass of P where Q has none."""
    event: Callable[[Fraction], str] | None
    """Which outputs have a loss above a threshold, where that can be put in words."""

    def reversed(self) -> "Loss":
        """The loss of the exchanged pair: log dQ/dP under Q."""
        raise self._unknown("reversal")

    def directions(self) -> "tuple[Loss, ...]":
        """The loss and its reversal, once if they are the same."""
        other = self.reversed()
        return (self,) if other is self else (self, other)

    def direction(self) -> Direction:
        """The direction of this loss, for composition, with the theorems that it rests on."""
        raise self._unknown("composition")

    def delta(self, epsilon: Number) -> Bound:  # noqa: ARG002
        """The smallest delta for which P <= exp(epsilon) Q + delta on every event."""
        raise self._unknown("delta")

    def epsilon(self, delta: Number) -> Bound:  # noqa: ARG002
        """The smallest epsilon >= 0 with delta(epsilon) <= delta; infinite if there is none."""
        raise self._unknown("epsilon")

    def certainly_within(self, epsilon: Fraction, delta: Fraction) -> bool:  # noqa: ARG002
        """Whether a quick bound shows that delta(epsilon) is at most this delta; false if there is
        no such bound.
        """
        return False

    def tail(self, threshold: Number) -> Bound:  # noqa: ARG002
        """The probability under P that the loss exceeds the threshold, an infinite loss
        included.
        """
        raise self._unknown("tail")

    def event_probabilities(self, threshold: Number) -> tuple[Bound, Bound]:  # noqa: ARG002
        """The probabilities under P and under Q that the loss exceeds the threshold."""
        raise self._unknown("probability of an event")

    def tradeoff(self, rate: Fraction) -> Bound:  # noqa: ARG002
        """The smallest false negative rate of a test of Q against P with this false positive
        rate.
        """
        raise self._unknown("trade-off")

    def tradeoffs(self, rates: Sequence[Fraction]) -> list[Bound]:
        """The smallest false negative rate at each of many false positive rates."""
        return [self.tradeoff(rate) for rate in rates]

    def never_infinite(self) -> Bound:
        """The mass of finite losses."""
        raise self._unknown("mass at infinity")

    def mean(self) -> Bound:
        """The expectation of the loss: the Kullback-Leibler divergence of P from Q."""
        raise self._unknown("mean")

    def moment(self, rate: Number) -> Bound:  # noqa: ARG002
        """The expectation of exp(rate L); infinite for positive rates if there is mass at
        infinity.
        """
        raise self._unknown("moment")

    def log_moment(self, rate: Fraction, bits: int) -> Ball:  # noqa: ARG002
        """A ball for the logarithm of the expectation of exp(rate L)."""
        raise self._unknown("moment")

    def renyi(self, order: Number | float) -> Bound:  # noqa: ARG002
        """The Renyi divergence of P from Q; order 1 is the mean, order infinity the largest
        loss.
        """
        raise self._unknown("Renyi divergence")

    def max_divergence(self) -> Bound:
        """The largest loss: the smallest epsilon of pure differential privacy in this direction."""
        raise self._unknown("largest loss")

    def zcdp_rho(self, xi: Number) -> Bound:  # noqa: ARG002
        """The smallest rho >= 0 with Renyi divergence at most xi + rho * order at every order above
        1.
        """
        raise self._unknown("rho")

    def centered_cdp(self) -> tuple[Bound, Bound]:
        """The tight (mu, tau) of Dwork and Rothblum: the mean, and the subgaussian parameter about
        it for all rates.
        """
        raise self._unknown("tau")

    def one_sided_cdp(self) -> tuple[Bound, Bound]:
        """The smallest (mu, tau) with mu = tau**2/2 and E exp(t (L - mu)) <= exp(t**2 tau**2/2) for
        all t >= 0.

        This is rho-zCDP with rho = mu, and the form that composes adaptively.
        """
        rho = self.zcdp_rho(0)
        return rho, root_of(Bound(2 * rho.lower, 2 * rho.upper, rho.how))

    def one_sided_tau(self) -> Bound:
        """The smallest tau with E exp(t (L - E L)) <= exp(t**2 tau**2/2) for all t >= 0, about the
        mean itself.
        """
        raise self._unknown("tau")

    def gaussian_mu(self) -> Bound:
        """The smallest mu for which no test tells P from Q better than N(mu, 1) from N(0, 1)."""
        raise self._unknown("mu")

    def _unknown(self, what: str) -> UndecidedError:
        return UndecidedError(
            f"the {what} of this loss, a {type(self).__name__}, is not known."
        )
