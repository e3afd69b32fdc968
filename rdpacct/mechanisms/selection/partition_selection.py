"""Optimal partition selection: whether to show a category, from how many users have it."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ONE, ZERO, Expr, Real, formula
from rdpacct.exact.functions import exp, log, minimum
from rdpacct.exact.number import whole
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.mechanism import Mechanism, randomness
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.mechanisms.selection.lazy_noise import LazyUniform
from rdpacct.mechanisms.source import Source
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by

MOST_USERS = 10**15
BITS, MANY_BITS = 128, 4096


@dataclass(frozen=True)
class PartitionSelection(Mechanism):
    """Whether a category is shown, as often as epsilon and delta allow, and never if no user has
    it.

    One release is the decision about one category. A user who may be in several costs as many
    releases.
    """

    epsilon: Parameter = Parameter(above_least=True)
    delta: Parameter = Parameter(0, 1, above_least=True)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def chance(self, users: int) -> Expr:
        """The probability that a category of so many users is shown."""
        count = whole(users, "the number of users", 0, MOST_USERS)
        if count and self.delta == ONE:
            return ONE
        if count <= self._turn:
            return rising_chance(self.epsilon, self.delta, count)
        start = rising_chance(self.epsilon, self.delta, self._turn)
        shown = settling_chance(self.epsilon, self.delta, start, count - self._turn)
        # where many bits do not tell it from 1 it is 1, as for epsilon = log(2) and delta = 1/4
        below_one = any(
            (1 - shown).ball(self._bits + more).certainly_positive()
            for more in (0, MANY_BITS)
        )
        return shown if below_one else ONE

    @lazy_property
    def _turn(self) -> int:
        """The number of users from which on the chance of not being shown is what is limited: the
        first at which the chance exceeds (1 - delta)/(1 + exp(epsilon)), about; the most users
        there can be if that is later.
        """
        least = (1 - self.delta) / (1 + exp(self.epsilon))
        low, high = 0, 1
        while not self._beyond(least, high):
            if high == MOST_USERS:
                return high
            low, high = high, min(2 * high, MOST_USERS)
        while high - low > 1:
            middle = (low + high) // 2
            if self._beyond(least, middle):
                high = middle
            else:
                low = middle
        return high

    def _beyond(self, least: Expr, count: int) -> bool:
        """Whether the rising chance is above the turn; either answer is right at the turn."""
        rising = rising_chance(self.epsilon, self.delta, count)
        return (rising - least).ball(self._bits).certainly_positive()

    @lazy_property
    def _bits(self) -> int:
        """Bits enough to see exp(epsilon) - 1, however small epsilon is."""
        epsilon = Fraction(self.epsilon.bound().lower)
        size = epsilon.denominator.bit_length() - epsilon.numerator.bit_length()
        return BITS + max(size, 0)

    def loss(self) -> PrivacyLoss:
        return worst_pair(self.epsilon, self.delta)

    @property
    def oriented(self) -> bool:  # type: ignore[override]
        """Whether the first data set has the user and the second does not."""
        return self.relation is not Relation.REPLACE_ONE

    def profile(self) -> Profile:
        laws = self.loss().directions()
        ways = self._ways() if self.oriented else ()
        return DominatedProfile(laws, self.attained(), by_way=ways)

    def directions(self) -> tuple[Direction, ...]:
        """The worst pair that epsilon and delta allow, and pairs of numbers of users below it: the
        same way round, if a user is added or removed.
        """
        with attempt() as used:
            above = self.loss().direction()
            ways = self._ways() if self.oriented else (self.attained(),)
            below = [tuple(loss.direction() for loss in losses) for losses in ways]
        rests_on = above.rests_on | used
        law = above.transform, above.at_infinity
        return tuple(Direction(*law, each, rests_on=rests_on) for each in below)

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """One user more than none, and than just before the turn, in both orders."""
        removing, adding = self._ways()
        return (*removing, *adding)

    def _ways(self) -> tuple[tuple[PrivacyLoss, ...], ...]:
        """The same for removing a user, and for adding one."""
        last = min(self._turn, MOST_USERS - 1)
        counts = sorted({0, max(last - 1, 0), last})
        pairs = [
            shown_or_not(self.chance(count + 1), self.chance(count)) for count in counts
        ]
        return tuple(pairs), tuple(pair.reversed() for pair in pairs)

    def sample(self, users: int, rng: Source = None) -> int:
        """1 if the category is shown and 0 if not, exactly distributed: bits are drawn until the
        comparison with the chance is certain.
        """
        chance = self.chance(users)
        if chance in (ZERO, ONE):
            return int(chance == ONE)
        place = LazyUniform(randomness(rng))
        while True:
            place.refine()
            width = Fraction(1, 2**place.bits)
            ball = chance.ball(place.bits + 64)
            if (ball - (place.low + 1) * width).certainly_positive():
                return 1
            if (
                Ball.of(place.low * width, place.bits + 64) - ball
            ).certainly_positive():
                return 0

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        if any(abs(a - b) > 1 for a, b in zip(first, second, strict=True)):
            return "the number of users moves by more than 1"
        return ""

    @classmethod
    def examples(cls) -> Iterable["PartitionSelection"]:
        return (cls(1, "1e-3"),)


def shown_or_not(chance: Expr, other: Expr) -> PrivacyLoss:
    """The loss of a category that is shown with these two probabilities, of which the first is
    above 0.
    """
    parts = []
    if other != ZERO:
        parts.append(Atom(chance, other, log(chance / other)))
    if chance != ONE:
        hidden, also = 1 - chance, 1 - other
        parts.append(Atom(hidden, also, log(hidden / also)))
    return PrivacyLoss(
        tuple(parts),
        at_infinity=chance if other == ZERO else ZERO,
        unseen=1 - other if chance == ONE else ZERO,
    )


@by("selection/partition")
def next_chance(epsilon: Real, delta: Real, chance: Real) -> Expr:
    """The largest chance with one user more that epsilon and delta allow after this one."""
    epsilon = formula(epsilon)
    delta = formula(delta)
    shown = exp(epsilon) * chance + delta
    hidden = 1 - exp(-epsilon) * (1 - chance - delta)
    return minimum(minimum(shown, hidden), 1)


@by("selection/partition")
def rising_chance(epsilon: Real, delta: Real, users: Real) -> Expr:
    """The chance while it is limited by how often few users are shown."""
    epsilon = formula(epsilon)
    return delta * (exp(users * epsilon) - 1) / (exp(epsilon) - 1)


@by("selection/partition")
def settling_chance(epsilon: Real, delta: Real, start: Real, more: Real) -> Expr:
    """The chance with so many users more, while it is limited by how often they are not shown."""
    epsilon = formula(epsilon)
    left = exp(-epsilon * more)
    return (1 - left) * (1 + formula(delta) / (exp(epsilon) - 1)) + left * start
