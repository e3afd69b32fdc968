"""A replaced record in draws with replacement, for Gaussian noise: one copy, and several, apart.

Of the batches without a copy, a part goes with those that have one copy, which are as batches
without replacement; the rest goes with those that have several copies, which are as several records
of a sample that are replaced by others that move the query the other way.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.formula import ONE, ZERO, Expr, add, formula
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss
from rdpacct.mechanisms.with_replacement.copies import Copies
from rdpacct.privacy.constants import about
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.transform import Direction
from rdpacct.privacy.weighted import directions_side_by_side, side_by_side
from rdpacct.provenance import by, record

PARTS = 4096
"""The part that goes with several copies is a whole number of parts of this size: one over it."""
LONGER = 2
"""The losses of several copies weigh this many times more, as they have longer tails."""


@dataclass(frozen=True)
class CopiesApart:
    """The cases of one copy and of several: their probabilities, the rate of one copy in the first,
    and the law of the second.
    """

    one: Expr
    several: Expr
    rest: Expr
    rate: Expr
    law: MixtureLoss

    @classmethod
    def of(cls, shift: Expr, copies: Copies) -> "CopiesApart | None":
        """The cases; None if no batch has several copies."""
        shares = copies.shares(copies.rest)
        if len(shares) < 3:
            return None
        part = formula(_part(about(shift), [about(share) for share in shares[:3]]))
        rate, one_copy = one_copy_case(shares[0], shares[1], part)
        several = [several_case(share, one_copy, copies.rest) for share in shares[2:]]
        places = [(1 - add(*several), ZERO)]
        places += [(share, shift * j) for j, share in enumerate(several, 2)]
        moved = ExponentialSum(tuple(places))
        law = MixtureLoss(MixturePair(moved, moved.mirrored()))
        record(("sampling/several-records",))
        return cls(one_copy, 1 - one_copy - copies.rest, copies.rest, rate, law)

    def loss(self, folded: PrivacyLoss) -> PrivacyLoss:
        """The cases side by side, and copies that are not followed."""
        cases = [
            (self.one, folded),
            (self.several, PrivacyLoss((self.law,), symmetric=True)),
        ]
        if self.rest != ZERO:
            cases.append((self.rest, PrivacyLoss((), ONE, ONE, symmetric=True)))
        return side_by_side(cases, symmetric=True)

    def beside_ramp(self, flattened: Direction) -> Direction | None:
        """The cases side by side, with the flattened pair for one copy."""
        cases = [(self.one, flattened), (self.several, Direction(self.law.transform()))]
        return directions_side_by_side(cases)


def _part(shift: float, shares: list[float]) -> Fraction:
    """Which part of the batches without a copy is best left to several copies, about: the variances
    of both cases weighed against each other.
    """
    one_copy = 2 * math.expm1(min(shift**2, 300.0)) * shares[1] ** 2
    two_copies = 4 * math.sinh(min(4 * shift**2, 300.0)) * shares[2] ** 2
    both = [math.sqrt(one_copy), LONGER * math.sqrt(two_copies)]
    part = both[1] / sum(both)
    return Fraction(min(max(round(part * PARTS), 1), PARTS // 2), PARTS)


@by("sampling/replaced-copies")
def one_copy_case(none: Expr, one: Expr, part: Expr) -> tuple[Expr, Expr]:
    """The probability of a copy, if there is one or the batch goes with those that have one; and
    the probability of that case.
    """
    case = one + none * (1 - part)
    return one / case, case


@by("sampling/replaced-copies")
def several_case(share: Expr, one: Expr, rest: Expr) -> Expr:
    """The probability of a number of copies in the other case, where ``one`` is that of the first
    case, and ``rest`` that of copies which are not followed.
    """
    return share / (1 - one - rest)
