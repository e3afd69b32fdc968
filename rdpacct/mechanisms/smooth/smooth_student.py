"""Noise with the law of Student's t on the scale of a smooth sensitivity: the loss is bounded."""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import absolute, maximum, sqrt
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.smooth.bends import student_bend
from rdpacct.mechanisms.smooth.smooth_noise import AtTheCorners, SmoothNoise
from rdpacct.mechanisms.smooth.student_pair import StudentPair, cauchy_turn
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.ratios import Ratios
from rdpacct.privacy.relation import RelationIn
from rdpacct.provenance import by


@dataclass(frozen=True)
class SmoothStudent(SmoothNoise):
    """f(D) + (S(D)/alpha) Z with Z of density proportional to (1 + z**2/degrees)**(-(degrees +
    1)/2).

    S is a beta-smooth bound on the local sensitivity. One degree of freedom is Cauchy noise.
    """

    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    degrees: Parameter = Parameter(above_least=True)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        """The loss of the largest shift with the largest ratio of scales, the broader law first."""
        return student_loss(self.alpha, self.beta, self.degrees, narrow_first=False)

    def profile(self) -> Profile:
        return student_corners(self.alpha, self.beta, self.degrees)

    def ratios(self) -> Ratios:
        equal = self.equal_scales()

        def pair(ratio: Expr, narrow_first: bool) -> PrivacyLoss:
            return student_loss(self.alpha, ratio, self.degrees, narrow_first)

        return Ratios(pair, equal, self.beta, student_bend(self.degrees))

    def draw(self, rng: random.Random) -> float:
        degrees = float(self.degrees.ball(64))
        spread = 2 * rng.gammavariate(degrees / 2, 1) / degrees
        return float(rng.normalvariate(0, 1) / spread**0.5)

    @classmethod
    def examples(cls) -> Iterable["SmoothStudent"]:
        return cls(1, "0.1", 3), cls("0.5", "0.2", "3/2"), cls(2, "0.05", 10)


@by("smooth/student-corners")
def student_corners(alpha: Expr, beta: Expr, degrees: Expr) -> AtTheCorners:
    """The pairs that are worst for delta(epsilon), at every epsilon, and for tests of every
    size.
    """
    equal = PrivacyLoss(
        (StudentPair(alpha, ZERO, degrees, narrow_first=True),),
        symmetric=True,
        event=_event,
    )
    others = (student_loss(alpha, beta, degrees, first) for first in (False, True))
    return AtTheCorners((equal, *others))


def student_loss(
    shift: Expr, ratio: Expr, degrees: Expr, narrow_first: bool
) -> PrivacyLoss:
    """The loss of Z against shift + exp(ratio) Z, or the other way round."""
    part = StudentPair(shift, ratio, degrees, narrow_first)
    return PrivacyLoss((part,), event=_event)


def _event(threshold: Fraction) -> str:
    return f"the privacy loss of the worst pair exceeds {threshold}"


@by("smooth/student")
def student_epsilon(alpha: Real, beta: Real, degrees: Real) -> Expr:
    """The largest loss over all shifts, scales and outputs, both orders: with equal scales, or with
    the largest ratio of them.
    """
    shift = formula(alpha) / sqrt(degrees)
    return maximum(
        largest_loss(cauchy_turn(shift, 0), 0, degrees),
        largest_loss(cauchy_turn(shift, beta), beta, degrees),
    )


@by("smooth/student")
def largest_loss(turn: Real, ratio: Real, degrees: Real) -> Expr:
    """The largest loss of one pair, both orders, from that of two Cauchy laws."""
    count = formula(degrees)
    return (count + 1) / 2 * turn + absolute(count - 1) / 2 * ratio


@by("smooth/student")
def sufficient_student_epsilon(alpha: Real, beta: Real, degrees: Real) -> Expr:
    """An epsilon that always suffices: max(1, degrees) beta + alpha (degrees + 1)/(2
    sqrt(degrees)).

    The published one has (degrees + 1) beta.
    """
    count = formula(degrees)
    shift = formula(alpha) / sqrt(count)
    return maximum(1, count) * beta + (count + 1) / 2 * shift
