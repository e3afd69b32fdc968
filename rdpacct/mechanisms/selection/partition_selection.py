"""Optimal partition selection: whether to show a category, from how many users have it."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ONE, ZERO, Expr, Real, formula
from rdpacct.exact.functions import exp, log, minimum
from rdpacct.exact.number import whole
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.selection.atom_hull import HullPoint, chosen_from, law_through
from rdpacct.mechanisms.selection.atom_pairs import AtomPairs, pairs_of_atoms
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.mechanisms.selection.lazy_noise import LazyUniform
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by, recorded_property

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

    def hypotheses(self) -> tuple[str, ...]:
        return (
            f"{self}: a release is the decision about one category; a user who may be in"
            " several costs as many releases.",
        )

    def chance(self, users: int) -> Expr:
        """The probability that a category with this number of users is shown."""
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

    @recorded_property
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
    def oriented(self) -> bool:
        """Whether the first data set has the user and the second does not."""
        return self.relation is not Relation.REPLACE_ONE

    def profile(self) -> Profile:
        ways = self._ways() if self.oriented else ()
        laws = self.least_laws()
        if laws is None:
            return DominatedProfile(
                self.loss().directions(), self.attained(), by_way=ways
            )
        return DominatedProfile(laws, self.attained(), True, by_way=ways)

    def least_laws(self) -> tuple[PrivacyLoss, ...] | None:
        """The least law that dominates all numbers of users, for removing a user and for adding
        one, or for both; None if it is not decided which of two numbers is worse, or there are too
        many.
        """
        if self._last == 0:
            return None
        if self.oriented:
            law = removed_user([self._corner(count) for count in self._counts])
            return law, law.reversed()
        highest = [self._corner(self._turn - 1)]
        if self._turn + 1 < self._last:
            q, p = self._corner(self._turn)
            highest.append((1 - p, 1 - q))
        both = replaced_user(self.delta, highest)
        return None if both is None else (both,)

    def _choices(self, way: int) -> AtomPairs | None:
        """The numbers of users that are worst before any other releases, with a user removed or
        added.
        """
        removing = tuple(shown_or_not(p, q) for q, p in map(self._corner, self._counts))
        adding = tuple(pair.reversed() for pair in removing)
        if not self.oriented:
            return pairs_of_atoms((*removing, *adding), both_ways=True)
        return pairs_of_atoms(adding if way else removing, both_ways=False)

    @property
    def _counts(self) -> list[int]:
        """The numbers of users at which the chances turn: before, and one more after."""
        last = self._last
        turns = (0, self._turn - 1, self._turn, last - 2, last - 1)
        return sorted({count for count in turns if 0 <= count < last})

    @recorded_property
    def _last(self) -> int:
        """The first number of users that are shown for certain; 0 if there are too many."""
        low, high = 0, 1
        while self.chance(high) != ONE:
            low, high = high, 2 * high
            if high > MOST_USERS:
                return 0
        while high - low > 1:
            middle = (low + high) // 2
            if self.chance(middle) == ONE:
                high = middle
            else:
                low = middle
        return high

    def _corner(self, users: int) -> HullPoint:
        """The chances for this number of users, and for one more."""
        return self.chance(users), self.chance(users + 1)

    def directions(self) -> tuple[Direction, ...]:
        """The worst pair that epsilon and delta allow, and pairs of numbers of users below it: in
        the same order, if a user is added or removed.
        """
        with attempt() as used:
            above = self.loss().direction()
            ways = self._ways() if self.oriented else (self.attained(),)
            below = [tuple(loss.direction() for loss in losses) for losses in ways]
            lasts: Sequence[PrivacyLoss | None] = self.least_laws() or [None] * len(
                below
            )
        rests_on = above.rests_on | used
        law = above.transform, above.at_infinity
        directions = []
        for each, least in zip(below, lasts, strict=True):
            if least is None:
                directions.append(Direction(*law, each, rests_on=rests_on))
            else:
                chosen = chosen_from(least, each, rests_on)
                family = self._choices(len(directions))
                directions.append(replace(chosen, family=family))
        return tuple(directions)

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """One user more than none, and than just before the turn, in both orders."""
        removing, adding = self._ways()
        return (*removing, *adding)

    def _ways(self) -> tuple[tuple[PrivacyLoss, ...], ...]:
        """The attained losses of removing a user, and of adding one."""
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
def removed_user(corners: Sequence[HullPoint]) -> PrivacyLoss:
    """The least law that dominates the decisions with one user more, from the numbers of users at
    which the chances turn.
    """
    return law_through(corners)


def replaced_user(delta: Expr, highest: Sequence[HullPoint]) -> PrivacyLoss | None:
    """The least law that dominates the decisions in both orders, from the numbers of users at which
    they are the farthest from certain; None if it is not decided which one that is.
    """
    first, *others = highest
    for other in others:
        gap = (other[0] - first[0]).ball(BITS)
        if gap.certainly_positive():
            first = other
        elif not gap.certainly_negative():
            return None
    q, p = first
    if not (1 - p - q).ball(BITS).certainly_positive():
        return None
    return replace(law_at_corners(delta, q, p), symmetric=True)


@by("selection/partition")
def law_at_corners(delta: Expr, chance: Expr, following: Expr) -> PrivacyLoss:
    """The law through a corner of the first line and its mirror image, between the ends of both
    lines.
    """
    if chance == ZERO:
        return law_through([(ZERO, delta), (1 - delta, ONE)])
    corner = (chance, following)
    image = (1 - following, 1 - chance)
    return law_through([(ZERO, delta), corner, image, (1 - delta, ONE)])


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
    """The chance with more users, while it is limited by how often they are not shown."""
    epsilon = formula(epsilon)
    left = exp(-epsilon * more)
    return (1 - left) * (1 + formula(delta) / (exp(epsilon) - 1)) + left * start
