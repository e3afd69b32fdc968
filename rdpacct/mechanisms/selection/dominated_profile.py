"""The privacy of a mechanism between pairs that it has and one law that dominates all of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from rdpacct.errors import UndecidedError
from rdpacct.exact.bound import Bound, End, greatest
from rdpacct.exact.formula import formula
from rdpacct.exact.number import Number, rational
from rdpacct.mechanisms.exponential.exponential import tau
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, record
from rdpacct.work import in_turn

HOW = "a dominating law above and pairs that occur below"


@dataclass(frozen=True, slots=True)
class DominatedProfile(Profile):
    """Lower ends from losses of concrete neighbors, upper ends from a law that dominates all.

    ``at_each_level`` says that some neighbors have the delta of the law, for each epsilon another
    pair: then the law is exact for events and tests.
    """

    losses_occur: ClassVar[bool] = False
    attained: tuple[Loss, ...]
    at_each_level: bool = False
    sharp: bool = True
    """Whether losses come as near to the largest one of the law as one likes."""
    by_way: tuple[tuple[Loss, ...], ...] = ()
    """The attained losses of removing and of adding a record, if they are told apart. A law that is
    attained at each level is then that of each.
    """

    or_above: Direction | None = None
    """A direction with another profile that is above all pairs; the lower of the two answers
    counts.
    """

    @property
    def losses_dominate(self) -> bool:
        return True

    @property
    def curve_is_attained(self) -> bool:
        return self.at_each_level

    def way(self, number: int) -> "DominatedProfile":
        if not self.by_way:
            return self
        losses = self.losses
        if self.at_each_level and len(losses) > 1:
            losses = (losses[min(number, len(losses) - 1)],)
        attained = self.by_way[min(number, len(self.by_way) - 1)]
        return replace(self, losses=losses, attained=attained, by_way=())

    one_way = way

    def occurring(self) -> tuple[Loss, ...]:
        return self.attained

    def delta(self, epsilon: Number) -> Bound:
        return self._event(lambda loss: loss.delta(epsilon))

    def epsilon(self, delta: Number) -> Bound:
        return self._event(lambda loss: loss.epsilon(delta))

    def gaussian_mu(self) -> Bound:
        return self._event(lambda loss: loss.gaussian_mu())

    def max_divergence(self) -> Bound:
        if self.sharp:
            return Profile.max_divergence(self)
        return self._between(lambda loss: loss.max_divergence())

    def mean(self) -> Bound:
        return self._between(lambda loss: loss.mean())

    def renyi(self, order: Number) -> Bound:
        if order == math.inf:
            return self.max_divergence()
        return self._between(lambda loss: loss.renyi(order))

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        return self._between(lambda loss: loss.zcdp_rho(xi))

    def centered_cdp(self) -> tuple[Bound, Bound]:
        # the tau of the law is about another mean, so that it says nothing of a pair
        largest = self.max_divergence().upper
        if largest == math.inf:
            return self.mean(), Bound.exactly(math.inf, "losses are unbounded")
        most = tau(2 * formula(Fraction(largest))).bound()
        most = self._or_above(
            lambda above: above.centered_cdp()[1], most, lambda end: end.upper
        )
        known = self._known(lambda loss: loss.centered_cdp()[1])
        return self.mean(), Bound(known.lower, most.upper, "by Hoeffding's lemma")

    def one_sided_tau(self) -> Bound:
        return self.centered_cdp()[1]

    def tradeoff(self, false_positives: Number) -> Bound:
        rate = rational(false_positives, "the false positive rate")
        least = Profile.tradeoff(self, rate)
        if self.at_each_level:
            return least
        known = Profile(self.attained).tradeoff(rate)
        least = self._or_above(
            lambda above: above.tradeoff(rate),
            least,
            lambda end: -end.lower,
        )
        return Bound(least.lower, known.upper, HOW).safe_below()

    def _event(self, question: Callable[[Loss | Profile], Bound]) -> Bound:
        if self.at_each_level:
            return self._worst(question)
        return self._between(question)

    def _between(self, question: Callable[[Loss | Profile], Bound]) -> Bound:
        most = self._worst(question)
        upper = self._or_above(question, most, lambda end: end.upper).upper
        return Bound(self._known(question).lower, upper, HOW)

    def _known(self, question: Callable[[Loss | Profile], Bound]) -> Bound:
        """The greatest answer of what occurs, with what that one rests on."""
        with attempt():
            known = greatest(in_turn(question, self.attained))
        record(known.rests_on)
        return known

    def _or_above(
        self,
        question: Callable[[Loss | Profile], Bound],
        known: Bound,
        size: Callable[[Bound], End],
    ) -> Bound:
        """The smaller of an answer and that of the other profile above."""
        if self.or_above is None or self.or_above.loss is None:
            return known
        with attempt() as used:
            try:
                other = question(self.or_above.loss)
            except UndecidedError:
                return known
        if size(other) >= size(known):
            return known
        record(used | self.or_above.rests_on)
        return other
