"""A private test that the data are far from a bad data set: the distance plus two-sided geometric
noise is compared with a threshold.

The distance counts replaced records, so that it changes by at most 1 between neighbors. At distance
0 the test passes with probability at most delta.
"""

from dataclasses import dataclass

from rdpacct.errors import InputError
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr, Rational, Real
from rdpacct.exact.functions import exp, log
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.sampling import discrete_laplace
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.provenance import by
from rdpacct.releases.released import certain_ceiling


@dataclass(frozen=True)
class DistanceTest:
    """Passes if distance + X reaches the threshold, X an integer of probability proportional to
    exp(-epsilon |x|).
    """

    epsilon: Parameter = Parameter(above_least=True)
    delta: Parameter = Parameter(most=1, above_least=True)

    def __post_init__(self) -> None:
        if isinstance(self.delta, Rational) and self.delta.value == 1:
            raise InputError(
                "delta is 1, but must be below 1; give a small probability such as"
                " 1e-6."
            )

    def threshold(self) -> int:
        """An integer that noise alone reaches with probability at most delta: the smallest one, or
        the next.
        """
        return self._threshold

    @cached_property
    def _threshold(self) -> int:
        return max(1, certain_ceiling(least_threshold(self.epsilon, self.delta)))

    def failure_probability(self) -> Expr:
        """The probability that the test passes at distance 0."""
        return self.pass_probability(0)

    def pass_probability(self, distance: int) -> Expr:
        """The probability that the test passes at that distance."""
        return passing(self.epsilon, self.threshold() - distance)

    def passes(self, distance: int, rng: Source = None) -> bool:
        """One run of the test, exactly distributed."""
        rate = rational_of(self.epsilon, "epsilon")
        return (
            distance + discrete_laplace(1 / rate, randomness(rng)) >= self.threshold()
        )


@by("release/distance-test")
def tail(epsilon: Expr, need: Real) -> Expr:
    """The probability that two-sided geometric noise is at least an integer, from 1 on."""
    return exp(-epsilon * need) / (1 + exp(-epsilon))


@by("release/distance-test")
def tail_from_below(epsilon: Expr, need: Real) -> Expr:
    """The same for an integer that is 0 or negative."""
    return 1 - tail(epsilon, 1 - need)


def passing(epsilon: Expr, need: int) -> Expr:
    """The probability that two-sided geometric noise is at least an integer of either sign."""
    return tail(epsilon, need) if need >= 1 else tail_from_below(epsilon, need)


@by("release/distance-test")
def least_threshold(epsilon: Expr, delta: Expr) -> Expr:
    """The real number at which the tail is delta."""
    return -log(delta * (1 + exp(-epsilon))) / epsilon
